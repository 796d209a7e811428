import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  beginStory,
  type CrashStage,
  DUE,
  type Found,
  openCrashStage,
  type Story,
} from './testing/crash-story.ts';
import {
  amongMarkers,
  type Held,
  type Step,
  whenAsking,
  whenTaken,
  withCallsOpen,
  withSomeAnswered,
  withTextsOpen,
} from './testing/deaths.ts';

/** A pull request in the middle of a round, and what is there by then. */
interface Row {
  readonly step: string;
  readonly at: Step;
  /** Default: the second. */
  readonly round?: 'first';
  readonly found: Found;
}

const SNAPSHOT = { method: 'POST', path: /\/graphql$/ } as const;
const COMPARISON = { method: 'GET', path: /\/compare\// } as const;
const CREATION = { method: 'POST', path: /\/issues\/\d+\/comments$/ } as const;
const CHANGE = { method: 'PATCH', path: /\/issues\/comments\/\d+$/ } as const;

const UNREAD: Found = { reviewers: 0, comment: 'old', marked: 0 };
const READ: Found = { ...UNREAD, reviewers: 6 };
const PUBLISHED: Found = { ...READ, comment: 'new' };

/** One process that is killed once has a pull request at each of these steps. */
const AT_ONCE: readonly Row[] = [
  { step: 'with all model calls open', at: withCallsOpen, found: UNREAD },
  { step: 'with some model calls answered', at: withSomeAnswered, found: { ...UNREAD, reviewers: 2 } },
  { step: 'with all reviewers done and no texts', at: withTextsOpen, found: READ },
  { step: 'before the comment is changed', at: whenAsking(CHANGE), found: READ },
  { step: 'before the first comment is written', at: whenAsking(CREATION), found: READ, round: 'first' },
  { step: 'between the change of the comment and its answer', at: whenTaken(CHANGE), found: PUBLISHED },
  {
    step: 'between the first comment and its answer',
    at: whenTaken(CREATION),
    found: PUBLISHED,
    round: 'first',
  },
  { step: 'between the snapshot and the model calls', at: whenAsking(COMPARISON, SNAPSHOT), found: UNREAD },
  { step: 'before the snapshot is answered', at: whenAsking(SNAPSHOT), found: UNREAD },
];

/** At these a process can have only one. */
const ALONE: readonly Row[] = [
  { step: 'between the comment and the first marker', at: amongMarkers(0), found: PUBLISHED },
  { step: 'between two markers', at: amongMarkers(1), found: { ...PUBLISHED, marked: 1 } },
  {
    step: 'between the last marker and the state',
    at: amongMarkers(DUE),
    found: { ...PUBLISHED, marked: DUE },
  },
];

const CRASHES = [AT_ONCE, ...ALONE.map((row) => [row])].map((rows) => ({ rows }));

/** Stories by their steps, and what the crash left of each. */
type Told = ReadonlyMap<string, { readonly story: Story; readonly found: Found }>;

/** Brings a pull request to each of the steps, kills the service, and lets all of them go on. */
async function crash(stage: CrashStage, rows: readonly Row[]): Promise<Told> {
  await stage.serve();
  const stories: (readonly [string, Story])[] = [];
  for (const { step, at, round } of rows) {
    stories.push([step, await beginStory(stage, step.replaceAll(' ', '-'), at, round === 'first')]);
  }
  const held: Held[] = [];
  for (const [, { reach }] of stories) held.push(await reach());
  await stage.kill(held);
  const told = await Promise.all(
    stories.map(async ([step, story]) => [step, { story, found: await story.found() }] as const),
  );
  for (const [, { talkOn }] of stories) await talkOn();
  await stage.serve();
  await Promise.all(stories.map(([, { goOn }]) => goOn()));
  return new Map(told);
}

describe('a service that is killed with SIGKILL', () => {
  const ends: (() => unknown)[] = [];
  let stage: CrashStage;
  beforeAll(async () => {
    stage = await openCrashStage((end) => void ends.unshift(end));
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });

  describe.each(CRASHES)('at one moment', ({ rows }) => {
    let told: Told;
    beforeAll(async () => {
      told = await crash(stage, rows);
    }, 120_000);

    it.each(rows)('$step loses nothing and repeats nothing', ({ step, round, found }) => {
      const { story, ...left } = told.get(step) ?? {};
      expect(left).toEqual({ found });
      const seen: Story['seen'] = (what) => story?.seen(what) ?? [];
      expect(seen(/: A remark, in other words$/)).toEqual(['broken']);
      expect(seen(/: A praise$/)).toEqual(['broken']);
      expect(seen(/: A new doubt$/)).toEqual(['broken']);
      expect(seen(/: An old doubt$/)).toEqual(round === 'first' ? ['broken'] : ['before', 'broken']);
      expect(seen(/^reopened: /)).toEqual(round === 'first' ? [] : ['broken']);
      const isShownAsItWas = seen(/: A question$/).length > 0;
      expect(seen(/: A question, in other words$/)).toEqual([isShownAsItWas ? 'next' : 'broken']);
      expect(seen(/: An afterthought$/)).toEqual([isShownAsItWas ? 'next' : 'broken']);
      expect(stage.world.reviews(story?.number ?? 0)).toHaveLength(1);
    });
  });
});
