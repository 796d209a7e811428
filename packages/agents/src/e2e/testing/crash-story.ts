/**
 * What happens to the discussion on a pull request whose service dies in the middle of a round: first two items, of
 * which one is resolved; then, in the round of the crash, five that are due; then, before the service is back, two.
 *
 * @module
 */
import { expect, vi } from 'vitest';
import { type Held, markerDeath, type Step } from './deaths.ts';
import { type MarkerFile, markerFiles } from './marker-files.ts';
import type { ServiceProcess } from './service-process.ts';
import { type Installation, install, openTalkWorld, PATIENCE, type TalkWorld } from './talk-world.ts';

/** Items that are due in the round of the crash. */
export const DUE = 5;

/** A world with one service, which can be started again. */
export interface CrashStage {
  readonly world: TalkWorld;
  readonly installation: Installation;
  /** Starts it where it does not run. */
  readonly serve: () => Promise<ServiceProcess>;
  /** Kills it where it is held. */
  readonly kill: (held: readonly Held[]) => Promise<void>;
  /** People act, and no delivery tells of it. */
  readonly unheard: <T>(act: () => Promise<T>) => Promise<T>;
}

/** Opens it; the service does not run yet. */
export async function openCrashStage(onEnd: (end: () => unknown) => void): Promise<CrashStage> {
  const world = await openTalkWorld(onEnd);
  const installation = await install(world, 'data', onEnd, markerDeath(world.folder));
  let running: ServiceProcess | undefined;
  const serve = async (): Promise<ServiceProcess> => {
    running ??= await installation.start();
    world.simulator.setWebhookUrl(`${running.url}/webhooks/github`);
    return running;
  };
  return {
    world,
    installation,
    serve,
    kill: async (held) => {
      running?.freeze();
      for (const { beforeDeath } of held) await beforeDeath?.();
      await running?.kill();
      running = undefined;
      for (const { afterDeath } of held) afterDeath?.();
    },
    unheard: async (act) => {
      world.simulator.setWebhookUrl(undefined);
      const result = await act();
      if (running !== undefined) await serve();
      return result;
    },
  };
}

/** One pull request, and what became of it. */
export interface Story {
  readonly number: number;
  /** Gets the service to the step where it is to die. */
  readonly reach: () => Promise<Held>;
  /** What there was of the round when it died. */
  readonly found: () => Promise<Found>;
  /** People talk on, and are not heard. */
  readonly talkOn: () => Promise<void>;
  /** Lets the round that was broken off end, and makes the next one. */
  readonly goOn: () => Promise<void>;
  /** Rounds in which reviewers were shown this, see `sightings`: before the crash, broken off by it, next. */
  readonly seen: (what: RegExp) => readonly (Round | undefined)[];
}

type Round = 'before' | 'broken' | 'next';
type Markers = ReadonlyMap<string, MarkerFile>;

/** What a crash leaves. */
export interface Found {
  /** Reviewers whose call completed. */
  readonly reviewers: number;
  /** Of which round the comment speaks. */
  readonly comment: 'old' | 'new';
  /** Markers that are new or changed. */
  readonly marked: number;
}

const LINE = { path: 'src/total.ts', line: 1 } as const;

/** Begins a story, up to the round of the crash. @param inFirst whether that is the first round */
export async function beginStory(
  stage: CrashStage,
  name: string,
  step: Step,
  inFirst: boolean,
): Promise<Story> {
  const { world, installation, unheard } = stage;
  const { simulator, stateDir } = world;
  const { number, remark, old } = await unheard(() => firstTalk(world, name));
  const heads = new Map<Round, string>();
  if (!inFirst) {
    heads.set('before', await hearOpened(world, number));
    await installation.settled(number, heads.get('before') ?? '');
    await vi.waitFor(async () => expect((await markerFiles(stateDir, number)).size).toBe(2), PATIENCE);
  }
  const { question, ...others } = await unheard(() => secondTalk(world, number, { remark, old }));
  const before = await markerFiles(stateDir, number);
  const items = [
    remark.nodeId,
    old.threadId,
    question.nodeId,
    others.praise.reviewNodeId,
    others.doubt.threadId,
  ];
  let left: Markers = before;
  return {
    number,
    reach: async () => {
      const held = step({ world, installation, service: await stage.serve(), number });
      heads.set('broken', inFirst ? await hearOpened(world, number) : await world.push(number));
      await held.isThere;
      return held;
    },
    found: async () => {
      left = await markerFiles(stateDir, number);
      const head = heads.get('broken') ?? '';
      return {
        reviewers: installation.reviewersDone(number, head),
        comment: world.reviewedSha(number) === head ? 'new' : 'old',
        marked: [...left].filter(([id, { text }]) => before.get(id)?.text !== text).length,
      };
    },
    talkOn: () =>
      unheard(async () => {
        await simulator.editComment(question.id, 'A question, in other words');
        items.push((await simulator.comment(number, { author: 'mia', body: 'An afterthought' })).nodeId);
      }),
    goOn: async () => {
      await installation.settled(number, heads.get('broken') ?? '');
      heads.set('next', await world.push(number));
      await installation.settled(number, heads.get('next') ?? '');
      await vi.waitFor(async () => {
        expectMarkers(await markerFiles(stateDir, number), items, left);
        expect(await installation.status(number)).toMatchObject({ unsurfacedItems: 0, memoryTrouble: null });
      }, PATIENCE);
    },
    seen: (what) =>
      installation
        .sightings(number, what)
        .map((sha) => [...heads].find(([, head]) => head.startsWith(sha))?.[0]),
  };
}

async function firstTalk({ open, simulator }: TalkWorld, name: string) {
  const number = await open(name);
  const old = await simulator.startThread(number, { ...LINE, author: 'bob', body: 'An old doubt' });
  await simulator.resolveThread(old.threadId, 'ada');
  return { number, old, remark: await simulator.comment(number, { author: 'mia', body: 'A remark' }) };
}

async function secondTalk(
  { simulator }: TalkWorld,
  number: number,
  { remark, old }: { readonly remark: { readonly id: number }; readonly old: { readonly threadId: string } },
) {
  await simulator.editComment(remark.id, 'A remark, in other words');
  await simulator.unresolveThread(old.threadId, 'bob');
  return {
    question: await simulator.comment(number, { author: 'mia', body: 'A question' }),
    praise: await simulator.submitReview(number, { author: 'eve', state: 'approved', body: 'A praise' }),
    doubt: await simulator.startThread(number, { ...LINE, author: 'eve', body: 'A new doubt' }),
  };
}

/** Lets the service hear of a pull request, which it does not know yet. Returns its head. */
async function hearOpened({ simulator }: TalkWorld, number: number): Promise<string> {
  const opened = simulator.deliveries.find(
    ({ action, payload }) => action === 'opened' && payload.number === number,
  );
  await simulator.redeliver(opened?.guid ?? '');
  return simulator.pullRequest(number).head.sha;
}

/** One for each item, of which those that a crash left keep the time of the first delivery. */
function expectMarkers(markers: Markers, items: readonly string[], left: Markers): void {
  expect([...markers.keys()].toSorted()).toEqual(items.toSorted());
  for (const [id, { marker }] of left) expect(markers.get(id)?.marker.seenAt).toBe(marker.seenAt);
}
