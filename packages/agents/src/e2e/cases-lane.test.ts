import { describe, expect, it, onTestFinished } from 'vitest';
import { playRound } from '../model/testing/answers.ts';
import { chooseAt } from '../model/testing/client.ts';
import { startProviderServer } from '../model/testing/provider-server.ts';
import { holdNth } from './testing/hold-nth.ts';
import {
  answered,
  lastTold,
  openPr,
  PLAIN,
  publishedShas,
  pushTo,
  repliesOf,
  reviewsOf,
  roundsOf,
  say,
  tell,
  untold,
} from './testing/scene.ts';
import { openStage, type Stage } from './testing/stage.ts';

const TEAM = { members: ['ada', 'mia'] };

/** More than a round asks. */
const MAX_QUESTIONS = 20;

/**
 * Opens a PR, stops its round at the question of this number, lets `act` happen and the round go on. Writes are
 * not stopped: what GitHub has got cannot be taken back. False where the round asked less.
 */
async function actAt(
  stage: Stage,
  question: number,
  number: number,
  act: (head: string) => Promise<unknown>,
): Promise<boolean> {
  const head = `pr-${number}`;
  await openPr(stage, head, { draft: true });
  await stage.quiet();
  const held = holdNth(stage.simulator, question);
  await stage.simulator.setDraft(number, false);
  const reached = await Promise.race([held.reached, stage.published(1, number)]);
  const isReached = reached === 'reached';
  if (isReached) await act(head);
  held.release();
  await stage.quiet();
  return isReached;
}

/** The same with a PR for each question of a round. Returns how many those are. */
async function atEachQuestion(
  stage: Stage,
  act: (number: number, head: string) => Promise<unknown>,
  check: (number: number) => void,
): Promise<number> {
  for (let at = 1; at <= MAX_QUESTIONS; at += 1) {
    if (!(await actAt(stage, at, at, (head) => act(at, head)))) return at - 1;
    check(at);
  }
  throw new Error('the round did not end');
}

describe('one lane', () => {
  it('T-004 T-005 pushes and requests at the same moment end in one true comment, each request answered once', async () => {
    const stage = await openStage(TEAM);
    const number = await openPr(stage, 'feature');
    await stage.published(1);
    const commits = [await stage.commit('feature', { 'two.ts': 'export const two = 2;\n' })];
    await Promise.all([
      stage.simulator.push('feature', commits[0] ?? '', { by: 'ada' }),
      stage.simulator.comment(number, { author: 'mia', body: '@horton review' }),
      stage.simulator.comment(number, { author: 'ada', body: '@pr-shepherd review full' }),
      stage.simulator.addLabel(number, 'docs', { by: 'mia' }),
    ]);
    const head = await pushTo(stage, 'feature', { 'feature.test.ts': PLAIN });
    await stage.quiet();
    const asked = stage.simulator.comments(number).filter(({ byApp }) => !byApp);
    expect(answered(stage, number)).toEqual(asked.map(({ nodeId }) => nodeId).toSorted());
    expect(publishedShas(stage, number).at(-1)).toBe(head);
    expect(reviewsOf(stage, number)).toEqual([expect.stringContaining(`"sha":"${head}"`)]);
  });

  it('T-004 each round reads from the last reviewed commit on, and never two at once', async () => {
    const contents: string[] = [];
    let running = 0;
    let atOnce = 0;
    const provider = await startProviderServer({
      answer: async (request) => {
        const head = /export const (v\d+) /g;
        if (request.aspect === 'perf') {
          running += 1;
          atOnce = Math.max(atOnce, running);
          contents.push([...request.userText.matchAll(head)].map((match) => match[1]).join(' '));
          void request.closed.then(() => {
            running -= 1;
          });
        }
        return playRound({})(request);
      },
    });
    onTestFinished(() => provider.close());
    const stage = await openStage({ model: chooseAt(provider.url) });
    await openPr(stage, 'feature', { files: { 'v1.ts': 'export const v1 = 1;\n' } });
    await stage.published(1);
    await pushTo(stage, 'feature', { 'v2.ts': 'export const v2 = 2;\n' });
    await stage.published(2);
    await Promise.all([
      pushTo(stage, 'feature', { 'v3.ts': 'export const v3 = 3;\n' }),
      stage.simulator.comment(1, { author: 'ada', body: '@horton review' }),
    ]);
    await stage.quiet();
    expect(contents.slice(0, 2)).toEqual(['v1', 'v2']);
    expect(new Set(contents.slice(2))).toEqual(new Set(['v3']));
    expect(atOnce).toBe(1);
    expect(repliesOf(stage, 1)).toHaveLength(1);
  });

  it('T-005 deliveries in any order, and each several times, end alike', async () => {
    const stage = await openStage(TEAM);
    const orders = [
      ['reversed', <T>(told: readonly T[]) => told.toReversed()],
      ['first-last', <T>([first, ...rest]: readonly T[]) => [...rest, ...(first ? [first] : [])]],
      ['thrice', <T>(told: readonly T[]) => told.flatMap((one) => [one, one, one])],
    ] as const;
    for (const [at, [branch, arrange]] of orders.entries()) {
      const number = at + 1;
      let head = '';
      const told = await untold(stage, async () => {
        await openPr(stage, branch, { draft: true });
        await pushTo(stage, branch, { 'a.ts': 'export const a = 1;\n' });
        await stage.simulator.setDraft(number, false);
        await stage.simulator.addLabel(number, 'pause-shepherd');
        await stage.simulator.closePullRequest(number);
        await stage.simulator.reopenPullRequest(number);
        await stage.simulator.removeLabel(number, 'pause-shepherd');
        await stage.simulator.comment(number, { author: 'mia', body: '@horton status' });
        head = await pushTo(stage, branch, { [`${branch}.test.ts`]: PLAIN });
      });
      await tell(stage, arrange(told));
      await stage.quiet();
      expect(publishedShas(stage, number), branch).toEqual([head]);
      expect(reviewsOf(stage, number), branch).toHaveLength(1);
      expect(repliesOf(stage, number), branch).toHaveLength(1);
    }
  });

  it('T-005 T-041 what is delivered days late, of an older commit, changes nothing', async () => {
    const stage = await openStage(TEAM);
    await openPr(stage, 'feature');
    await stage.published(1);
    await pushTo(stage, 'feature', { 'a.ts': 'export const a = 1;\n' });
    await stage.published(2);
    await pushTo(stage, 'feature', { 'feature.test.ts': PLAIN });
    await stage.published(3);
    await stage.quiet();
    const [review] = reviewsOf(stage, 1);
    const pushes = stage.simulator.deliveries.filter(({ event }) => event === 'pull_request');
    await tell(stage, pushes.toReversed());
    await stage.quiet();
    expect(publishedShas(stage, 1)).toHaveLength(3);
    expect(reviewsOf(stage, 1)).toEqual([review]);
  });

  it('T-005 a look that GitHub answers from before the last push writes nothing about the older commit', async () => {
    const stage = await openStage(TEAM);
    await openPr(stage, 'feature');
    await stage.published(1);
    const old = lastTold(stage, 1);
    const replaced = stage.simulator.pullRequest(1).head.sha;
    const head = await pushTo(stage, 'feature', { 'feature.test.ts': PLAIN });
    await stage.published(2);
    await stage.quiet();
    stage.simulator.inject({
      method: 'GET',
      path: /\/pulls\/1$/,
      times: 1,
      respond: { status: 200, body: old },
    });
    await stage.simulator.addLabel(1, 'docs');
    await stage.quiet();
    expect(publishedShas(stage, 1)).toEqual([replaced, head]);
    expect(reviewsOf(stage, 1)).toEqual([expect.stringContaining(`"sha":"${head}"`)]);
  });

  it('T-041 a comment about an older commit is no review of what came later', async () => {
    const stage = await openStage({ ...TEAM, settleMs: 60_000 });
    await openPr(stage, 'feature');
    await stage.published(1);
    const head = await pushTo(stage, 'feature', { 'a.ts': 'export const a = 1;\n' });
    await stage.quiet();
    // Still in its window: who asks now, asks about the new commit.
    await say(stage, 1, '@horton review');
    expect(publishedShas(stage, 1).at(-1)).toBe(head);
    expect(repliesOf(stage, 1)).toEqual([expect.stringContaining('Reviewed at')]);
    await say(stage, 1, '@horton review');
    expect(repliesOf(stage, 1)[1]).toContain('stands: nothing changed since');
    expect(roundsOf(stage, 1)).toHaveLength(2);
  });
});

describe('what happens in mid-round', () => {
  it('T-006 a push leaves no comment that takes the replaced commit for the newest', async () => {
    const stage = await openStage();
    let pushed = '';
    const questions = await atEachQuestion(
      stage,
      async (_number, head) => {
        pushed = await pushTo(stage, head, { [`${head}.test.ts`]: PLAIN });
      },
      (number) => {
        expect(publishedShas(stage, number), `question ${number}`).toEqual([pushed]);
        expect(reviewsOf(stage, number), `question ${number}`).toHaveLength(1);
      },
    );
    expect(questions).toBeGreaterThan(2);
  });

  it('T-008 a close, whenever it comes, and a pause or a draft at the last look leave no comment', async () => {
    const stage = await openStage();
    const { simulator } = stage;
    const last = await atEachQuestion(
      stage,
      (number) => simulator.closePullRequest(number, { merged: number % 2 === 0 }),
      (number) => expect(stage.ours(number), `question ${number}`).toEqual([]),
    );
    const acts = [
      (number: number) => simulator.addLabel(number, 'pause-shepherd'),
      (number: number) => simulator.setDraft(number, true),
    ];
    for (const [at, act] of acts.entries()) {
      const number = last + 2 + at;
      expect(await actAt(stage, last, number, () => act(number))).toBe(true);
      expect(stage.ours(number)).toEqual([]);
    }
  });
});
