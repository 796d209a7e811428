import { writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { bodyHashOf } from '../conversation/gate.ts';
import { startDeliveryRelay } from './testing/delivery-relay.ts';
import { type MarkerFile, markerFiles } from './testing/marker-files.ts';
import { type Installation, install, openTalkWorld, PATIENCE, type TalkWorld } from './testing/talk-world.ts';

interface Pair {
  readonly world: TalkWorld;
  readonly both: readonly [Installation, Installation];
  /** Keeps deliveries from the other one until the function that it returns is called. */
  readonly holdOther: () => () => Promise<void>;
  /** People act, and no delivery tells of it. */
  readonly unheard: <T>(act: () => Promise<T>) => Promise<T>;
}

/** Two services on one repository, of one App, with one state directory; each gets all deliveries. */
async function openPair(): Promise<Pair> {
  const onEnd = (end: () => unknown) => onTestFinished(async () => void (await end()));
  const world = await openTalkWorld(onEnd);
  const relay = await startDeliveryRelay();
  onEnd(relay.close);
  const both = [await install(world, 'one', onEnd), await install(world, 'other', onEnd)] as const;
  const [, other] = await Promise.all(
    both.map(async (installation) => {
      const { url } = await installation.start();
      return relay.connect(`${url}/webhooks/github`);
    }),
  );
  world.simulator.setWebhookUrl(relay.url);
  return {
    world,
    both,
    holdOther: () => {
      other?.hold();
      return async () => other?.release();
    },
    unheard: async (act) => {
      world.simulator.setWebhookUrl(undefined);
      const result = await act();
      world.simulator.setWebhookUrl(relay.url);
      return result;
    },
  };
}

/** Lets no model call of an installation end; `isThere` resolves with the first. */
function holdModel(installation: Installation) {
  let release = (): void => {};
  const gate = new Promise<undefined>((resolve) => {
    release = () => resolve(undefined);
  });
  const isThere = new Promise<void>((resolve) => {
    installation.answerWith(() => {
      resolve();
      return gate;
    });
  });
  return { isThere, release };
}

/** As a version of the service leaves it that does not know these fields. */
async function dropFields(file: MarkerFile | undefined, ...names: readonly string[]): Promise<void> {
  const { path, text } = file ?? { path: '', text: '{}' };
  const fields = Object.entries(JSON.parse(text)).filter(([name]) => !names.includes(name));
  await writeFile(path, JSON.stringify(Object.fromEntries(fields)));
}

describe('two processes on one pull request and one state directory', () => {
  it('surface every item, keep every marker, and take what a race lost for reopened', async () => {
    const { world, both, holdOther, unheard } = await openPair();
    const { simulator, stateDir } = world;
    const [one, other] = both;
    const line = { path: 'src/total.ts', line: 1 } as const;
    const settled = (sha: string) => Promise.all(both.map((each) => each.settled(number, sha)));
    const round = async (): Promise<string> => {
      const sha = await world.push(number);
      await settled(sha);
      return sha;
    };
    const timesShown = (sha: string, what: RegExp): number =>
      both.flatMap((each) => each.sightings(number, what)).filter((at) => sha.startsWith(at)).length;
    const markerOf = async (id: string) => (await markerFiles(stateDir, number)).get(id);

    // Both begin at once.
    const { number, remark, doubt, praise } = await unheard(async () => {
      const opened = await world.open('feature');
      return {
        number: opened,
        remark: await simulator.comment(opened, { author: 'mia', body: 'A remark' }),
        doubt: await simulator.startThread(opened, { ...line, author: 'bob', body: 'A doubt' }),
        praise: await simulator.submitReview(opened, { author: 'eve', state: 'approved', body: 'A praise' }),
      };
    });
    await simulator.redeliver(simulator.deliveries.find(({ action }) => action === 'opened')?.guid ?? '');
    const first = simulator.pullRequest(number).head.sha;
    await settled(first);
    for (const what of [/^new: .*: A remark$/, /^new: .*: A doubt$/, /^new: .*: A praise$/]) {
      expect(timesShown(first, what)).toBeGreaterThan(0);
    }
    const items = [remark.nodeId, doubt.threadId, praise.reviewNodeId];
    await vi.waitFor(async () => {
      expect([...(await markerFiles(stateDir, number)).keys()].toSorted()).toEqual(items.toSorted());
    }, PATIENCE);

    // The one reads early and ends late; in between the other reads a newer text, and marks.
    const { wish, hint } = await unheard(async () => ({
      wish: await simulator.comment(number, { author: 'mia', body: 'A wish' }),
      hint: await simulator.comment(number, { author: 'mia', body: 'A hint' }),
    }));
    const model = holdModel(one);
    const releaseOther = holdOther();
    const second = await world.push(number);
    await model.isThere;
    await unheard(() => simulator.editComment(wish.id, 'A greater wish'));
    await releaseOther();
    await other.settled(number, second);
    const [early, seenAt] = await vi.waitFor(async () => {
      const file = await markerOf(wish.nodeId);
      expect(file?.marker.bodyHash).toBe(bodyHashOf('A greater wish'));
      return [file?.text, (await markerOf(hint.nodeId))?.marker.seenAt] as const;
    }, PATIENCE);
    await vi.waitFor(() => expect(Date.now() / 1_000).toBeGreaterThan((seenAt ?? 0) + 1), PATIENCE);
    model.release();
    await one.settled(number, second);
    expect(timesShown(second, /: A wish$/)).toBe(1);
    expect(timesShown(second, /: A greater wish$/)).toBe(1);
    expect(timesShown(second, /: A hint$/)).toBe(2);

    // All stands as it was marked first, and nobody is shown it again.
    const third = await round();
    expect(timesShown(third, /./)).toBe(0);
    expect((await markerOf(wish.nodeId))?.text).toBe(early);
    expect((await markerOf(hint.nodeId))?.marker.seenAt).toBe(seenAt);

    // What an older version of the service overwrote is not known, and is not taken for seen.
    await dropFields(await markerOf(remark.nodeId), 'closed', 'readAtMs');
    await dropFields(await markerOf(doubt.threadId), 'closed');
    await dropFields(await markerOf(praise.reviewNodeId), 'readAtMs');
    const fourth = await round();
    expect(timesShown(fourth, /^reopened: .*: A remark$/)).toBeGreaterThan(0);
    expect(timesShown(fourth, /^reopened: .*: A doubt$/)).toBeGreaterThan(0);
    expect(timesShown(fourth, /^(?!reopened: .*: A (?:remark|doubt)$)/)).toBe(0);
    await vi.waitFor(async () => {
      const markers = await markerFiles(stateDir, number);
      expect(markers.size).toBe(5);
      for (const id of [remark.nodeId, doubt.threadId]) expect(markers.get(id)?.marker.closed).toEqual([]);
    }, PATIENCE);
    expect(timesShown(await round(), /./)).toBe(0);
  }, 60_000);
});
