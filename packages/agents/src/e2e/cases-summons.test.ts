import { describe, expect, it, onTestFinished } from 'vitest';
import { playRound, toolCall } from '../model/testing/answers.ts';
import { chooseAt } from '../model/testing/client.ts';
import { startProviderServer } from '../model/testing/provider-server.ts';
import type { ProviderRequest } from '../model/testing/provider-types.ts';
import {
  acknowledged,
  answered,
  openPr,
  PLAIN,
  pushTo,
  repliesOf,
  reviewsOf,
  roundsOf,
  type Scene,
  say,
  tell,
  threadRepliesOf,
  untold,
} from './testing/scene.ts';
import { openStage, type Stage } from './testing/stage.ts';
import { openTimedStage } from './testing/timed-stage.ts';

const TEAM = { members: ['ada', 'mia'] };
const HOUR_MS = 3_600_000;

/** Opens a stage with one reviewed PR of ada's, number 1. */
async function openReviewed(): Promise<Stage> {
  const stage = await openStage(TEAM);
  await openPr(stage, 'feature');
  await stage.published(1);
  await stage.quiet();
  return stage;
}

/** A model that reviews as it is told, and gives one answer to every question. */
async function startModel(answer: string, round: Parameters<typeof playRound>[0] = {}) {
  const isQuestion = ({ body }: ProviderRequest): boolean =>
    JSON.stringify(body.tools).includes('submit_answer');
  const provider = await startProviderServer({
    answer: (request) =>
      isQuestion(request) ? toolCall('submit_answer', { answer, complete: true }) : playRound(round)(request),
  });
  onTestFinished(() => provider.close());
  return { model: chooseAt(provider.url), questions: () => provider.requests.filter(isQuestion).length };
}

/** Whoever saw our eyes has one answer, and nobody has two (T-137). */
function expectOneAnswerEach(stage: Scene, number: number): void {
  const answers = answered(stage, number);
  expect(answers).toEqual([...new Set(answers)]);
  expect(answers).toEqual(expect.arrayContaining([...acknowledged(stage, number)]));
}

describe('what people do in reviews', () => {
  it('T-014 has one answer for each act, in its place: a whole review, a single comment, a reply', async () => {
    const stage = await openReviewed();
    const { reviewNodeId } = await stage.simulator.submitReview(1, {
      author: 'mia',
      state: 'changes_requested',
      body: '@horton status',
      comments: [
        { path: 'feature.test.ts', line: 1, body: 'Hm. @horton status' },
        { path: 'feature.test.ts', body: '@horton status, please' },
      ],
    });
    await stage.quiet();
    expect(answered(stage, 1)).toEqual([reviewNodeId]);
    expect(threadRepliesOf(stage, 1)).toEqual([]);

    // It comes as a review of empty text, too.
    const started = await stage.simulator.startThread(1, {
      author: 'mia',
      path: 'feature.test.ts',
      line: 1,
      body: '@horton status',
    });
    await stage.quiet();
    expect(threadRepliesOf(stage, 1)).toMatchObject([
      { thread: started.threadId, replyTo: started.commentId },
    ]);
    expect(acknowledged(stage, 1)).toEqual([started.commentNodeId]);

    // In a thread of others; whichever of its two events comes first.
    const { threadId, commentId } = await stage.simulator.startThread(1, {
      author: 'eve',
      path: 'feature.test.ts',
      line: 1,
      body: 'Why only?',
    });
    await stage.quiet();
    const told = await untold(stage, async () => {
      await stage.simulator.reply(threadId, { author: 'mia', body: '@horton help' });
    });
    await tell(stage, [...told.toReversed(), ...told]);
    await stage.quiet();
    expect(threadRepliesOf(stage, 1)).toMatchObject([{}, { thread: threadId, replyTo: commentId }]);
    expectOneAnswerEach(stage, 1);
    // Our replies come back to us as events of their own, and are not answered.
    expect(answered(stage, 1)).toHaveLength(3);
    expect(repliesOf(stage, 1)).toHaveLength(1);
    expect(roundsOf(stage, 1)).toHaveLength(1);
  });

  it('T-136 asks by a mention that an edit added, and only by that; hiding, which comes as an edit, asks nothing', async () => {
    const stage = await openReviewed();
    const { reviewId, threads } = await stage.simulator.submitReview(1, {
      author: 'mia',
      body: 'Looks god.',
      comments: [{ path: 'feature.test.ts', line: 1, body: 'Why onli?' }],
    });
    const commentId = threads[0]?.commentId ?? 0;
    await stage.simulator.editReview(reviewId, 'Looks good.');
    await stage.simulator.editReviewComment(commentId, 'Why only?');
    await stage.quiet();
    expect(answered(stage, 1)).toEqual([]);
    await stage.simulator.editReview(reviewId, 'Looks good. @horton status');
    await stage.quiet();
    await stage.simulator.editReviewComment(commentId, 'Why only? @horton help');
    await stage.quiet();
    await stage.simulator.editReview(reviewId, 'Looks good! @horton status');
    await stage.simulator.editReviewComment(commentId, 'Why only?! @horton help');
    await stage.quiet();
    expect(answered(stage, 1)).toHaveLength(2);
    expect(threadRepliesOf(stage, 1)).toHaveLength(1);

    const { nodeId } = await say(stage, 1, '@horton status');
    await stage.simulator.minimize(nodeId, 'resolved', 'mia');
    await stage.simulator.unminimize(nodeId, 'mia');
    await stage.quiet();
    expect(answered(stage, 1).filter((to) => to === nodeId)).toHaveLength(1);
    expect(answered(stage, 1)).toHaveLength(3);
  });
});

describe('T-016 a question that was answered', () => {
  it('is answered no more: not by a push, not under another delivery id, not after a restart', async () => {
    const { model, questions } = await startModel('It holds the tests.');
    const stage = await openStage({ ...TEAM, model });
    await openPr(stage, 'feature');
    await stage.published(1);
    const question = await say(stage, 1, '@horton why is this file needed?');
    const inThread = await stage.simulator.startThread(1, {
      author: 'mia',
      path: 'feature.test.ts',
      line: 1,
      body: '@horton what does this line do?',
    });
    await stage.quiet();
    const both = [question.nodeId, inThread.commentNodeId].toSorted();
    expect(answered(stage, 1)).toEqual(both);
    expect(repliesOf(stage, 1)).toEqual([expect.stringContaining('It holds the tests.')]);
    const said = stage.simulator.deliveries.filter(({ event }) => event !== 'pull_request');

    await pushTo(stage, 'feature', { 'b.ts': 'export const b = 1;\n' });
    await stage.published(2);
    await tell(stage, said);
    await stage.quiet();
    expect(answered(stage, 1)).toEqual(both);

    await stage.stopService();
    await stage.startService();
    await tell(stage, said);
    await pushTo(stage, 'feature', { 'feature.test.ts': PLAIN });
    await stage.published(3);
    await stage.quiet();
    expect(answered(stage, 1)).toEqual(both);
    expect(questions()).toBe(2);
    expectOneAnswerEach(stage, 1);
  });
});

describe('who gets no answer', () => {
  it('T-131 T-132 T-133 T-137 bots, people who quote or thank, who may not ask, or who take it back', async () => {
    const stage = await openReviewed();
    await say(stage, 1, '@horton help');
    const [help = ''] = repliesOf(stage, 1);
    const quoted = help.replaceAll(/^/gm, '> ');
    const before = stage.simulator.requests.length;
    for (const author of ['helper[bot]', 'dependabot[bot]']) {
      await say(stage, 1, '@horton review', author);
      await stage.simulator.submitReview(1, { author, body: '@horton status', state: 'approved' });
    }
    await say(stage, 1, `${quoted}\n\nGreat.`);
    await say(stage, 1, `Great.\n\nOn Tue, Mia wrote:\n${quoted}`);
    await say(stage, 1, 'Use `@horton review`, or:\n\n```\n@horton review\n```');
    await say(stage, 1, '@horton thanks!');
    await say(stage, 1, '@horton review full', 'eve');
    const takenBack = await untold(stage, async () => {
      const { id } = await stage.simulator.comment(1, { author: 'mia', body: '@horton help' });
      await stage.simulator.deleteComment(id);
    });
    await tell(stage, takenBack);
    await stage.quiet();
    expect(repliesOf(stage, 1)).toEqual([help]);
    expect(acknowledged(stage, 1)).toHaveLength(1);
    // A reaction to what was gone by then is the most that was tried. What was said is read by queries.
    const later = stage.simulator.requests.slice(before).filter(({ path }) => path !== '/graphql');
    expect(later.filter(({ method, status }) => method !== 'GET' && status !== 404)).toEqual([]);
  });

  it('T-132 we ourselves, whatever the code, the title and the findings that we repeat say', async () => {
    const call = '@horton review full';
    const finding = {
      severity: 'important' as const,
      file: 'call.ts',
      line: 1,
      message: `Write ${call} here.`,
    };
    const { model } = await startModel(`Say ${call}.`, {
      findings: { correctness: [{ ...finding, quote: call, impact: call, suggestedFix: call }] },
      texts: { summary: `${call}: it says so.` },
    });
    const stage = await openStage({ ...TEAM, model });
    await openPr(stage, 'call', { title: call, files: { 'call.ts': `// ${call}\n` } });
    await stage.published(1);
    await say(stage, 1, `@horton what does "${call}" mean?`);
    await stage.quiet();
    const ours = stage.ours(1);
    expect(ours).toHaveLength(2);
    for (const { body } of ours) expect(body).toContain('`@horton` review full');
    const told = stage.simulator.deliveries.filter(({ payload }) =>
      JSON.stringify(payload.sender).includes('[bot]'),
    );
    // As if a person had said the same, word for word.
    for (const { body } of ours) await say(stage, 1, body.replaceAll(/<!--.*-->/g, ''), 'mia');
    await tell(stage, told);
    await stage.quiet();
    expect(reviewsOf(stage, 1)).toHaveLength(1);
    expect(repliesOf(stage, 1)).toHaveLength(1);
  });
});

describe('what ends', () => {
  it('T-010 T-131 a closed PR says why once, however it is asked; reopened and closed again, once more', async () => {
    const stage = await openReviewed();
    const ask = async (): Promise<void> => {
      await say(stage, 1, '@horton review');
      await say(stage, 1, '@horton why?');
      await stage.simulator.submitReview(1, { author: 'mia', body: '@horton status' });
      await say(stage, 1, '@horton review', 'helper[bot]');
      await stage.quiet();
    };
    await stage.simulator.closePullRequest(1);
    await ask();
    expect(repliesOf(stage, 1)).toEqual([
      expect.stringMatching(/^Not reviewed: the pull request is closed\.\n/),
    ]);
    expect(threadRepliesOf(stage, 1)).toEqual([]);
    await stage.simulator.reopenPullRequest(1);
    await stage.quiet();
    await stage.simulator.closePullRequest(1, { merged: true });
    await ask();
    expect(repliesOf(stage, 1)).toHaveLength(2);
    expectOneAnswerEach(stage, 1);
    expect(roundsOf(stage, 1)).toHaveLength(1);

    // Merged before we ever heard of it.
    await untold(stage, async () => {
      await openPr(stage, 'unheard');
      await stage.simulator.closePullRequest(2, { merged: true });
    });
    await say(stage, 2, '@horton review');
    await say(stage, 2, '@horton review');
    expect(stage.ours(2).map(({ body }) => body)).toEqual([
      expect.stringContaining('the pull request is closed'),
    ]);
  });

  it('T-131 twelve replies an hour are the most; the others come in the next one', async () => {
    const stage = await openTimedStage(TEAM);
    await openPr(stage, 'feature');
    await stage.quiet();
    for (let count = 0; count < 14; count += 1) {
      await stage.simulator.comment(1, { author: 'mia', body: '@horton status' });
    }
    await stage.quiet();
    expect(repliesOf(stage, 1)).toHaveLength(12);
    await stage.pass(HOUR_MS);
    expect(repliesOf(stage, 1)).toHaveLength(14);
    expectOneAnswerEach(stage, 1);
  });
});
