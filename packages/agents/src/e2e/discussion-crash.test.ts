import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  amongMarkers,
  type Death,
  markerDeath,
  orderFile,
  whenAsking,
  whenTaken,
  withCallsOpen,
  withSomeAnswered,
  withTextsOpen,
} from './testing/deaths.ts';
import { markerFiles } from './testing/marker-files.ts';
import type { ServiceProcess } from './testing/service-process.ts';
import { type Installation, install, openTalkWorld, PATIENCE, type TalkWorld } from './testing/talk-world.ts';

/** A step of a round at which the service dies, and what is there by then. */
interface Row {
  readonly step: string;
  readonly death: Death;
  /** Default: the second round of its pull request. */
  readonly round?: 'first';
  /** Reviewers whose call completed. */
  readonly reviewers: number;
  readonly comment: 'old' | 'new';
  /** Markers that are new or changed. */
  readonly marked: number;
}

const QUESTION = { method: 'POST', path: /\/graphql$/ } as const;
const CREATION = { method: 'POST', path: /\/issues\/\d+\/comments$/ } as const;
const CHANGE = { method: 'PATCH', path: /\/issues\/comments\/\d+$/ } as const;
/** Items that a second round is to show. */
const DUE = 5;

const UNREAD = { reviewers: 0, comment: 'old', marked: 0 } as const;
const READ = { ...UNREAD, reviewers: 6 } as const;
const PUBLISHED = { ...READ, comment: 'new' } as const;

const ROWS: readonly Row[] = [
  { step: 'before the snapshot is answered', death: whenAsking(QUESTION), ...UNREAD },
  {
    step: 'between the snapshot and the model calls',
    // The second question is for the texts of files, which reviewers ask when they begin.
    death: whenAsking({ ...QUESTION, after: 1 }),
    ...UNREAD,
  },
  { step: 'with all model calls open', death: withCallsOpen, ...UNREAD },
  { step: 'with some model calls answered', death: withSomeAnswered, ...UNREAD, reviewers: 2 },
  { step: 'with all reviewers done and no texts', death: withTextsOpen, ...UNREAD, reviewers: 6 },
  { step: 'before the comment is changed', death: whenAsking(CHANGE), ...READ },
  { step: 'before the first comment is written', death: whenAsking(CREATION), ...READ, round: 'first' },
  { step: 'between the change of the comment and its answer', death: whenTaken(CHANGE), ...PUBLISHED },
  {
    step: 'between the first comment and its answer',
    death: whenTaken(CREATION),
    ...PUBLISHED,
    round: 'first',
  },
  { step: 'between the comment and the first marker', death: amongMarkers(0), ...PUBLISHED },
  { step: 'between two markers', death: amongMarkers(1), ...PUBLISHED, marked: 1 },
  { step: 'between the last marker and the state', death: amongMarkers(DUE), ...PUBLISHED, marked: DUE },
];

describe('a service that is killed with SIGKILL', () => {
  // A process takes longer to start than a row to run, so that all share one world; each row has its own PR.
  const ends: (() => unknown)[] = [];
  let world: TalkWorld;
  let installation: Installation;
  let running: ServiceProcess | undefined;
  beforeAll(async () => {
    const onEnd = (end: () => unknown) => void ends.unshift(end);
    world = await openTalkWorld(onEnd);
    installation = await install(world, 'data', onEnd, markerDeath(world.folder));
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });

  async function serve(): Promise<ServiceProcess> {
    running ??= await installation.start();
    world.simulator.setWebhookUrl(`${running.url}/webhooks/github`);
    return running;
  }

  /** Of what people do in it, no delivery tells. */
  async function unheard<T>(act: () => Promise<T>): Promise<T> {
    world.simulator.setWebhookUrl(undefined);
    const result = await act();
    if (running !== undefined) await serve();
    return result;
  }

  async function hearOpened(number: number): Promise<string> {
    const { simulator } = world;
    const opened = simulator.deliveries.findLast(({ action }) => action === 'opened');
    await simulator.redeliver(opened?.guid ?? '');
    return simulator.pullRequest(number).head.sha;
  }

  it.each(ROWS)(
    '$step loses nothing and repeats nothing',
    async ({ step, death, round, ...then }) => {
      const { simulator, stateDir } = world;
      const service = await serve();
      const line = { path: 'src/total.ts', line: 1 } as const;
      const { number, remark, old } = await unheard(async () => {
        const opened = await world.open(step.replaceAll(' ', '-'));
        const thread = await simulator.startThread(opened, { ...line, author: 'bob', body: 'An old doubt' });
        await simulator.resolveThread(thread.threadId, 'ada');
        const said = await simulator.comment(opened, { author: 'mia', body: 'A remark' });
        return { number: opened, remark: said, old: thread };
      });
      const heads: Record<string, string> = {};
      if (round !== 'first') {
        heads.before = await hearOpened(number);
        await installation.settled(number, heads.before);
        await vi.waitFor(async () => expect((await markerFiles(stateDir, number)).size).toBe(2), PATIENCE);
      }
      const { question, praise, doubt } = await unheard(async () => {
        await simulator.editComment(remark.id, 'A remark, in other words');
        await simulator.unresolveThread(old.threadId, 'bob');
        return {
          question: await simulator.comment(number, { author: 'mia', body: 'A question' }),
          praise: await simulator.submitReview(number, {
            author: 'eve',
            state: 'approved',
            body: 'A praise',
          }),
          doubt: await simulator.startThread(number, { ...line, author: 'eve', body: 'A new doubt' }),
        };
      });
      const before = await markerFiles(stateDir, number);

      const dies = death({ world, installation, service, number });
      heads.killed = round === 'first' ? await hearOpened(number) : await world.push(number);
      await dies;
      running = undefined;
      await rm(orderFile(world.folder), { force: true });
      const left = await markerFiles(stateDir, number);
      expect({
        reviewers: installation.reviewersDone(number, heads.killed),
        comment: world.reviewedSha(number) === heads.killed ? 'new' : 'old',
        marked: [...left].filter(([id, { text }]) => before.get(id)?.text !== text).length,
      }).toEqual(then);

      const late = await unheard(async () => {
        await simulator.editComment(question.id, 'A question, in other words');
        return simulator.comment(number, { author: 'mia', body: 'An afterthought' });
      });
      const next = await serve();
      await installation.settled(number, heads.killed);
      heads.next = await world.push(number);
      await installation.settled(number, heads.next);
      const items = [old.threadId, remark.nodeId, question.nodeId, praise.reviewNodeId, doubt.threadId];
      await vi.waitFor(async () => {
        const markers = await markerFiles(stateDir, number);
        expect([...markers.keys()].toSorted()).toEqual([...items, late.nodeId].toSorted());
        for (const [id, { marker }] of left) expect(markers.get(id)?.marker.seenAt).toBe(marker.seenAt);
      }, PATIENCE);

      const seen = (what: RegExp): readonly (string | undefined)[] =>
        installation
          .sightings(number, what)
          .map((sha) => Object.keys(heads).find((name) => heads[name]?.startsWith(sha)));
      expect(seen(/: A remark, in other words$/)).toEqual(['killed']);
      expect(seen(/: A praise$/)).toEqual(['killed']);
      expect(seen(/: A new doubt$/)).toEqual(['killed']);
      expect(seen(/: An old doubt$/)).toEqual(round === 'first' ? ['killed'] : ['before', 'killed']);
      expect(seen(/^reopened: /)).toEqual(round === 'first' ? [] : ['killed']);
      const whenRead = then.reviewers === 0 && seen(/: A question$/).length === 0 ? 'killed' : 'next';
      expect(seen(/: A question, in other words$/)).toEqual([whenRead]);
      expect(seen(/: An afterthought$/)).toEqual([whenRead]);
      expect(world.reviews(number)).toHaveLength(1);
      expect(next.log()).not.toMatch(/neither shown|cannot be/);
    },
    60_000,
  );
});
