import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { apply, type ShepherdEvent } from './decide.ts';
import { due } from './due.ts';
import { INITIAL_STATE, type Seen, type ShepherdState, without } from './state.ts';
import { shaOf, TIMING, World } from './testing/shepherd-world.ts';

/** When the worlds below have come to rest. */
const NOW_MS = 1_000_000;

function reached(prepare: (world: World) => void, then: (world: World) => void = () => {}): ShepherdState {
  const world = new World();
  world.instant = false;
  prepare(world);
  world.deliver({ type: 'pr-changed', push: false });
  then(world);
  return world.state;
}

function seen(change: Partial<Seen>, team = true): (world: World) => void {
  return (world) => {
    world.pr = { ...world.pr, ...change };
    world.team = team;
  };
}

const reviewing = reached(() => {});
const reviewed = reached(
  () => {},
  (world) => world.answer(),
);
const { round } = reviewing;
if (round === undefined) throw new TypeError('no round is under way');
const { wakeId } = round;

const key = 'node status';
const asked: ShepherdEvent = {
  type: 'summoned',
  heard: { key, to: 'node', by: 'mia', ask: { kind: 'status' }, place: { kind: 'comment' } },
};
const judging = without(apply(reviewed, asked, NOW_MS, TIMING), 'look');

const STATES: Readonly<Record<string, ShepherdState>> = {
  unknown: INITIAL_STATE,
  closed: reached(seen({ open: false })),
  exited: reached(seen({ labels: ['no-shepherd'] })),
  paused: reached(seen({ labels: ['pause-shepherd'] })),
  draft: reached(seen({ draft: true })),
  community: reached(seen({}, false)),
  muted: { ...reviewed, deletedCommentIds: [1, 2] },
  reviewed,
  settling: reached(
    () => {},
    (world) => {
      world.answer();
      world.change({ headSha: shaOf(2) }, true);
    },
  ),
  preparing: { ...reviewing, round: { ...round, phase: 'preparing' } },
  starting: { ...reviewing, round: { ...round, phase: 'starting' } },
  composing: { ...reviewing, round: { ...round, textsDue: true } },
  'composing, answered': { ...reviewing, round: { ...round, textsDue: true, pending: [] } },
  reviewing,
  judging,
  answering: apply(judging, { type: 'authorized', key, may: true }, NOW_MS, TIMING),
  publishing: { ...reviewing, round: { ...round, phase: 'publishing', pending: [] } },
  marking: { ...reviewed, toMark: wakeId },
  hearing: { ...reviewed, hearing: { notBeforeMs: NOW_MS, attempts: 0 } },
};

const pr: Seen = new World().pr;
const NONE = { count: 0, worthReading: 0 };
const EVENTS: Readonly<Record<string, ShepherdEvent>> = {
  'pr-changed': { type: 'pr-changed', push: false },
  'pr-changed by a push': { type: 'pr-changed', push: true, replacedSha: shaOf(1) },
  'pr-read as it was': { type: 'pr-read', seen: pr },
  'pr-read with a new head': { type: 'pr-read', seen: { ...pr, headSha: shaOf(9) } },
  'pr-read with a new base': { type: 'pr-read', seen: { ...pr, baseRef: 'next' } },
  'pr-read closed': { type: 'pr-read', seen: { ...pr, open: false } },
  'pr-read paused': { type: 'pr-read', seen: { ...pr, labels: ['pause-shepherd'] } },
  'pr-read exited': { type: 'pr-read', seen: { ...pr, labels: ['no-shepherd'] } },
  'pr-read as a draft': { type: 'pr-read', seen: { ...pr, draft: true } },
  'pr-read with fix-ci': { type: 'pr-read', seen: { ...pr, labels: ['fix-ci'] } },
  'pr-gone': { type: 'pr-gone' },
  'classified as team': { type: 'classified', authorClass: 'team' },
  'classified as community': { type: 'classified', authorClass: 'community' },
  prepared: {
    type: 'prepared',
    wakeId,
    baseSha: shaOf(0),
    empty: false,
    heardAtMs: 0,
    unsurfaced: NONE,
    asked: [],
  },
  'prepared, empty': {
    type: 'prepared',
    wakeId,
    baseSha: shaOf(0),
    empty: true,
    heardAtMs: 0,
    unsurfaced: NONE,
    asked: [],
  },
  started: { type: 'started', wakeId, asksTexts: true },
  'started without a model': { type: 'started', wakeId, asksTexts: false },
  composed: { type: 'composed', wakeId },
  'worker-done': { type: 'worker-done', wakeId, aspect: 'perf' },
  'worker-done of another round': { type: 'worker-done', wakeId: 'r0' as typeof wakeId, aspect: 'perf' },
  published: { type: 'published', wakeId, commentId: 71, complete: true, hasItems: false },
  'published where people spoke': {
    type: 'published',
    wakeId,
    commentId: 71,
    complete: true,
    hasItems: true,
  },
  marked: { type: 'marked', wakeId },
  said: { type: 'said' },
  'said by us': { type: 'said', commentId: 71 },
  heard: { type: 'heard', unsurfaced: { count: 1, worthReading: 1 }, heardAtMs: 0, asked: [] },
  'not marked': { type: 'failed', at: 'mark', retryable: false, what: 'a bug' },
  'not heard': { type: 'failed', at: 'conversation', retryable: true, what: 'down' },
  fenced: { type: 'fenced', wakeId, seen: { ...pr, headSha: shaOf(9) } },
  'failed in passing': { type: 'failed', at: 'round', retryable: true, what: 'down' },
  'failed for good': { type: 'failed', at: 'round', retryable: false, what: 'locked' },
  'read failed': { type: 'failed', at: 'read-pr', retryable: true, what: 'down' },
  summoned: asked,
  unsaid: { type: 'unsaid', to: 'node' },
  authorized: { type: 'authorized', key, may: true },
  acknowledged: { type: 'acknowledged', key },
  answered: { type: 'answered', key, commentId: 81 },
  'comment-deleted': { type: 'comment-deleted', commentId: 71 },
  'comment-edited': { type: 'comment-edited', commentId: 71, by: 'eve' },
  refreshed: { type: 'refreshed' },
  concluded: { type: 'concluded' },
  cancelled: { type: 'cancelled' },
  'workers-stopped': { type: 'workers-stopped' },
  woken: { type: 'woken' },
  tick: { type: 'tick' },
};

/** `=`: nothing changes. Else what is done next, `-` for nothing before something else happens. */
function cell(state: ShepherdState, event: ShepherdEvent): string {
  const folded = apply(state, event, NOW_MS, TIMING);
  const next = apply(folded, { type: 'tick' }, NOW_MS, TIMING);
  if (event.type === 'tick' || JSON.stringify(folded) !== JSON.stringify(state)) {
    return due(next, NOW_MS)?.type ?? '-';
  }
  return '=';
}

it('every event in every state has the outcome of this table', () => {
  const columns = Object.keys(STATES);
  const rows = Object.entries(EVENTS).map(([name, event]) => [
    name,
    ...Object.values(STATES).map((state) => cell(state, event)),
  ]);
  const table = [['', ...columns], ...rows];
  const widths =
    table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const text = table.map((row) =>
    row
      .map((word, column) => word.padEnd(widths[column] ?? 0))
      .join(' | ')
      .trimEnd(),
  );
  expect(`\n${text.join('\n')}\n`).toMatchInlineSnapshot(`
    "
                                 | unknown  | closed   | exited  | paused   | draft    | community | muted        | reviewed     | settling     | preparing    | starting | composing | composing, answered | reviewing | judging      | answering    | publishing   | marking | hearing
    pr-changed                   | read-pr  | read-pr  | read-pr | read-pr  | read-pr  | read-pr   | read-pr      | read-pr      | read-pr      | read-pr      | read-pr  | read-pr   | read-pr             | read-pr   | read-pr      | read-pr      | read-pr      | mark    | read-pr
    pr-changed by a push         | read-pr  | read-pr  | read-pr | read-pr  | read-pr  | read-pr   | read-pr      | read-pr      | read-pr      | read-pr      | read-pr  | read-pr   | read-pr             | read-pr   | read-pr      | read-pr      | read-pr      | mark    | read-pr
    pr-read as it was            | classify | classify | -       | classify | classify | =         | =            | =            | -            | =            | =        | =         | =                   | =         | =            | =            | =            | =       | =
    pr-read with a new head      | classify | classify | -       | classify | classify | -         | -            | prepare      | prepare      | prepare      | cancel   | cancel    | cancel              | cancel    | authorize    | answer       | prepare      | mark    | prepare
    pr-read with a new base      | classify | classify | -       | classify | classify | -         | -            | prepare      | prepare      | prepare      | cancel   | cancel    | cancel              | cancel    | authorize    | answer       | prepare      | mark    | prepare
    pr-read closed               | -        | =        | -       | -        | -        | -         | stop-workers | stop-workers | stop-workers | stop-workers | cancel   | cancel    | cancel              | cancel    | stop-workers | stop-workers | conclude     | mark    | stop-workers
    pr-read paused               | -        | -        | -       | =        | -        | -         | -            | -            | -            | -            | cancel   | cancel    | cancel              | cancel    | authorize    | answer       | -            | mark    | -
    pr-read exited               | -        | -        | =       | -        | -        | -         | stop-workers | stop-workers | stop-workers | stop-workers | cancel   | cancel    | cancel              | cancel    | stop-workers | stop-workers | stop-workers | mark    | stop-workers
    pr-read as a draft           | -        | -        | -       | -        | =        | -         | -            | -            | -            | -            | cancel   | cancel    | cancel              | cancel    | authorize    | answer       | -            | mark    | hear
    pr-read with fix-ci          | classify | classify | -       | classify | classify | -         | -            | answer       | answer       | answer       | answer   | answer    | answer              | answer    | authorize    | answer       | answer       | mark    | answer
    pr-gone                      | arm      | arm      | arm     | arm      | arm      | arm       | arm          | arm          | arm          | arm          | arm      | arm       | arm                 | arm       | arm          | arm          | arm          | mark    | arm
    classified as team           | -        | -        | -       | -        | -        | prepare   | =            | =            | =            | =            | =        | =         | =                   | =         | =            | =            | =            | =       | =
    classified as community      | -        | -        | -       | -        | -        | =         | -            | -            | -            | -            | cancel   | cancel    | cancel              | cancel    | authorize    | answer       | -            | mark    | hear
    prepared                     | =        | =        | =       | =        | =        | =         | =            | =            | =            | start        | =        | =         | =                   | =         | =            | =            | =            | =       | =
    prepared, empty              | =        | =        | =       | =        | =        | =         | =            | =            | =            | publish      | =        | =         | =                   | =         | =            | =            | =            | =       | =
    started                      | =        | =        | =       | =        | =        | =         | =            | =            | =            | =            | compose  | =         | =                   | =         | =            | =            | =            | =       | =
    started without a model      | =        | =        | =       | =        | =        | =         | =            | =            | =            | =            | -        | =         | =                   | =         | =            | =            | =            | =       | =
    composed                     | =        | =        | =       | =        | =        | =         | =            | =            | =            | =            | =        | -         | publish             | =         | =            | =            | =            | =       | =
    worker-done                  | =        | =        | =       | =        | =        | =         | =            | =            | =            | prepare      | start    | compose   | =                   | -         | =            | =            | =            | =       | =
    worker-done of another round | =        | =        | =       | =        | =        | =         | =            | =            | =            | =            | =        | =         | =                   | =         | =            | =            | =            | =       | =
    published                    | =        | =        | =       | =        | =        | =         | =            | =            | =            | =            | =        | =         | =                   | =         | =            | =            | -            | =       | =
    published where people spoke | =        | =        | =       | =        | =        | =         | =            | =            | =            | =            | =        | =         | =                   | =         | =            | =            | mark         | =       | =
    marked                       | =        | =        | =       | =        | =        | =         | =            | =            | =            | =            | =        | =         | =                   | =         | =            | =            | =            | -       | =
    said                         | =        | =        | =       | =        | =        | =         | arm          | arm          | -            | prepare      | start    | compose   | compose             | arm       | authorize    | answer       | publish      | mark    | =
    said by us                   | =        | =        | =       | =        | =        | =         | =            | =            | =            | prepare      | start    | compose   | compose             | arm       | =            | =            | publish      | =       | =
    heard                        | -        | -        | -       | -        | -        | -         | -            | -            | -            | prepare      | start    | compose   | compose             | -         | authorize    | answer       | publish      | mark    | -
    not marked                   | -        | -        | -       | -        | -        | -         | -            | refresh      | refresh      | prepare      | start    | compose   | compose             | -         | authorize    | answer       | publish      | refresh | refresh
    not heard                    | =        | =        | =       | =        | =        | =         | =            | =            | =            | =            | =        | =         | =                   | =         | =            | =            | =            | =       | arm
    fenced                       | =        | =        | =       | =        | =        | =         | =            | =            | =            | prepare      | cancel   | cancel    | cancel              | cancel    | =            | =            | prepare      | =       | =
    failed in passing            | =        | =        | =       | =        | =        | =         | =            | =            | =            | arm          | arm      | arm       | arm                 | arm       | =            | =            | arm          | =       | =
    failed for good              | -        | -        | -       | -        | -        | -         | -            | -            | -            | -            | cancel   | cancel    | cancel              | cancel    | authorize    | answer       | -            | mark    | hear
    read failed                  | arm      | arm      | arm     | arm      | arm      | arm       | arm          | arm          | arm          | arm          | arm      | arm       | arm                 | arm       | arm          | arm          | arm          | mark    | arm
    summoned                     | read-pr  | read-pr  | read-pr | read-pr  | read-pr  | read-pr   | read-pr      | read-pr      | read-pr      | read-pr      | read-pr  | read-pr   | read-pr             | read-pr   | =            | =            | read-pr      | mark    | read-pr
    unsaid                       | -        | -        | -       | -        | -        | -         | -            | -            | -            | prepare      | start    | compose   | compose             | -         | -            | -            | publish      | mark    | hear
    authorized                   | =        | =        | =       | =        | =        | =         | =            | =            | =            | =            | =        | =         | =                   | =         | answer       | =            | =            | =       | =
    acknowledged                 | =        | =        | =       | =        | =        | =         | =            | =            | =            | =            | =        | =         | =                   | =         | =            | =            | =            | =       | =
    answered                     | -        | -        | -       | -        | -        | -         | -            | -            | -            | prepare      | start    | compose   | compose             | -         | -            | -            | publish      | mark    | hear
    comment-deleted              | =        | =        | =       | =        | =        | =         | -            | -            | -            | =            | =        | =         | =                   | =         | authorize    | answer       | =            | mark    | hear
    comment-edited               | =        | =        | =       | =        | =        | =         | -            | refresh      | refresh      | =            | =        | =         | =                   | =         | authorize    | answer       | =            | mark    | refresh
    refreshed                    | =        | =        | =       | =        | =        | =         | =            | =            | =            | =            | =        | =         | =                   | =         | =            | =            | =            | =       | =
    concluded                    | =        | =        | =       | =        | =        | =         | =            | =            | =            | =            | =        | =         | =                   | =         | =            | =            | =            | =       | =
    cancelled                    | =        | =        | =       | =        | =        | =         | =            | =            | =            | =            | =        | =         | =                   | =         | =            | =            | =            | =       | =
    workers-stopped              | =        | =        | =       | =        | =        | =         | -            | -            | -            | prepare      | start    | compose   | compose             | -         | authorize    | answer       | publish      | mark    | hear
    woken                        | =        | =        | =       | =        | =        | =         | -            | -            | arm          | prepare      | start    | compose   | compose             | arm       | authorize    | answer       | publish      | mark    | hear
    tick                         | -        | -        | -       | -        | -        | -         | -            | -            | -            | prepare      | start    | compose   | compose             | -         | authorize    | answer       | publish      | mark    | hear
    "
  `);
});

function phaseOf({ round: open, owed, toMark }: ShepherdState): string {
  if (toMark !== undefined) return 'marking';
  return open?.phase ?? (owed === undefined ? 'idle' : 'owed');
}

it('the diagram in docs/architecture.md shows the transitions that these events make, and no others', async () => {
  const document = await readFile(new URL('../../../../docs/architecture.md', import.meta.url), 'utf8');
  const drawn = [...document.matchAll(/^ {2}(\w+) --> (\w+)/gm)].map(([, from, to]) => `${from} --> ${to}`);
  const made = Object.values(STATES).flatMap((state) =>
    Object.values(EVENTS).flatMap((event) => {
      const folded = apply(state, event, NOW_MS, TIMING);
      const late = apply(folded, { type: 'tick' }, NOW_MS + TIMING.roundTimeoutMs, TIMING);
      const next = apply(folded, { type: 'tick' }, NOW_MS, TIMING);
      const phases = [state, folded].map(phaseOf);
      return [
        phases.join(' --> '),
        `${phaseOf(folded)} --> ${phaseOf(next)}`,
        `${phaseOf(folded)} --> ${phaseOf(late)}`,
      ];
    }),
  );
  const moves = (edges: readonly string[]): readonly string[] =>
    [...new Set(edges)].filter((edge) => edge.split(' --> ')[0] !== edge.split(' --> ')[1]).toSorted();
  expect(moves(made)).toEqual(moves(drawn));
});
