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

/** More requests than a round makes that ask something, rather than write a comment. */
const MAX_REQUESTS = 20;

/**
 * Opens a PR, stops its round at its first request and lets `act` happen; then another PR at its second one, and
 * so on, until a round asks nothing more. Writes are not stopped: what GitHub has got cannot be taken back.
 */
async function atEachRequest(
  stage: Stage,
  act: (number: number, head: string) => Promise<unknown>,
  check: (number: number, when: string) => void,
): Promise<void> {
  for (let at = 1; at <= MAX_REQUESTS; at += 1) {
    const head = `at-${at}`;
    const number = await openPr(stage, head, { draft: true });
    await stage.quiet();
    const held = holdNth(stage.simulator, at);
    await stage.simulator.setDraft(number, false);
    const when = await Promise.race([held.reached, stage.published(1, number)]);
    if (typeof when !== 'string') return;
    await act(number, head);
    held.release();
    await stage.quiet();
    check(number, when);
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

  it.each([
    ['the other way round', <T>(told: readonly T[]) => told.toReversed()],
    ['with the first one last', <T>([first, ...rest]: readonly T[]) => [...rest, ...(first ? [first] : [])]],
    ['each three times', <T>(told: readonly T[]) => told.flatMap((one) => [one, one, one])],
  ])('T-005 deliveries that arrive %s end alike', async (_how, arrange) => {
    const stage = await openStage(TEAM);
    let head = '';
    const told = await untold(stage, async () => {
      await openPr(stage, 'feature', { draft: true });
      await pushTo(stage, 'feature', { 'a.ts': 'export const a = 1;\n' });
      await stage.simulator.setDraft(1, false);
      await stage.simulator.addLabel(1, 'pause-shepherd');
      await stage.simulator.closePullRequest(1);
      await stage.simulator.reopenPullRequest(1);
      await stage.simulator.removeLabel(1, 'pause-shepherd');
      await stage.simulator.comment(1, { author: 'mia', body: '@horton status' });
      head = await pushTo(stage, 'feature', { 'feature.test.ts': PLAIN });
    });
    await tell(stage, arrange(told));
    await stage.published(1);
    await stage.quiet();
    expect(publishedShas(stage, 1)).toEqual([head]);
    expect(reviewsOf(stage, 1)).toHaveLength(1);
    expect(repliesOf(stage, 1)).toHaveLength(1);
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
    const heads = new Map<number, string>();
    await atEachRequest(
      stage,
      async (number, head) => {
        heads.set(number, await pushTo(stage, head, { [`${head}.test.ts`]: PLAIN }));
      },
      (number, when) => {
        expect(publishedShas(stage, number), when).toEqual([heads.get(number)]);
        expect(reviewsOf(stage, number), when).toHaveLength(1);
      },
    );
  });

  it('T-008 a PR that is closed gets no comment any more', async () => {
    const stage = await openStage();
    await atEachRequest(
      stage,
      (number) => stage.simulator.closePullRequest(number, { merged: number % 2 === 0 }),
      (number, when) => expect(stage.ours(number), when).toEqual([]),
    );
  });

  it('T-008 a PR that is paused or made a draft gets no comment any more', async () => {
    const stage = await openStage();
    const acts = [
      (number: number) => stage.simulator.addLabel(number, 'pause-shepherd'),
      (number: number) => stage.simulator.setDraft(number, true),
    ];
    await atEachRequest(
      stage,
      async (number) => acts[number % acts.length]?.(number),
      (number, when) => expect(stage.ours(number), when).toEqual([]),
    );
  });
});
