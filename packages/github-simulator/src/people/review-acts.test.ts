import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RefusedActError } from '../errors.ts';
import { type Fixture, type Receiver, startFixture, startReceiver } from '../testing/fixture.ts';

let fixture: Fixture;
let receiver: Receiver;
let from = 0;

const TEN_LINES = Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`);

beforeAll(async () => {
  [fixture, receiver] = await Promise.all([startFixture(), startReceiver()]);
  fixture.simulator.setWebhookUrl(receiver.url);
  await fixture.commit('main', { 'ten.txt': TEN_LINES.join('') });
});

beforeEach(() => {
  from = receiver.received.length;
});

afterAll(async () => {
  await fixture.simulator.close();
  await receiver.close();
});

/** What this test received as `event.action` and payload, each checked against GitHub's description. */
function arrived() {
  return receiver.received.slice(from).map(({ headers, body }) => {
    const payload = JSON.parse(body);
    const event = `${headers['x-github-event']}`;
    const schema = `webhook-${event}-${payload.action}`.replaceAll('_', '-');
    expect(fixture.openApi.checkSchema(schema, payload)).toBeUndefined();
    return { name: `${event}.${payload.action}`, payload };
  });
}

const names = () => arrived().map(({ name }) => name);

/** A pull request of alice that changes line 5 of `ten.txt` and adds `new.txt`; its deliveries do not count. */
let branches = 0;
async function openFresh() {
  branches += 1;
  const branch = `topic-${branches}`;
  await fixture.commit(branch, { 'ten.txt': withLine(5, 'changed'), 'new.txt': 'n1\nn2\n' }, 'main');
  const opened = await fixture.simulator.openPullRequest({
    head: branch,
    base: 'main',
    title: branch,
    author: 'alice',
  });
  from = receiver.received.length;
  return { ...opened, branch };
}

function withLine(line: number, text: string): string {
  return TEN_LINES.with(line - 1, `${text}\n`).join('');
}

async function push(branch: string, files: Record<string, string | null>) {
  const sha = await fixture.commit(`next-of-${branch}`, files, branch);
  await fixture.simulator.push(branch, sha);
  return sha;
}

const inlineOf = (number: number) =>
  fixture.simulator.reviewComments(number).map(({ author, body }) => `${author}: ${body}`);

describe('people who review', () => {
  it('submit a review: one delivery for it, one for each comment', async () => {
    const { simulator } = fixture;
    const { number, headSha } = await openFresh();
    const { reviewId, threads } = await simulator.submitReview(number, {
      author: 'bob',
      state: 'changes_requested',
      body: 'Please look',
      comments: [
        { path: 'ten.txt', line: 5, body: 'Why?' },
        { path: 'ten.txt', line: 5, side: 'LEFT', body: 'This was fine' },
        { path: 'new.txt', body: 'Is this file needed?' },
      ],
    });
    expect(names()).toEqual([
      'pull_request_review.submitted',
      ...Array(3).fill('pull_request_review_comment.created'),
    ]);
    const [review, right, left, file] = arrived().map(({ payload }) => payload);
    expect(review).toMatchObject({
      review: { id: reviewId, state: 'changes_requested', body: 'Please look', commit_id: headSha },
      pull_request: { number, user: { login: 'alice' } },
      sender: { login: 'bob' },
    });
    expect(review.review.author_association).toBe('COLLABORATOR');
    expect(right.comment).toMatchObject({
      id: threads[0]?.commentId,
      path: 'ten.txt',
      line: 5,
      side: 'RIGHT',
      original_line: 5,
      position: 5,
      subject_type: 'line',
      pull_request_review_id: reviewId,
    });
    expect(right.comment.diff_hunk).toMatch(/^@@ -2,7 \+2,7 @@.*\n-line 5\n\+changed$/s);
    expect(left.comment).toMatchObject({ side: 'LEFT', line: 5, position: 4 });
    expect(file.comment).toMatchObject({ path: 'new.txt', line: null, subject_type: 'file' });
    expect(new Set(threads.map(({ threadId }) => threadId)).size).toBe(3);
  });

  it('start a thread and reply: each comes with a review of empty body', async () => {
    const { simulator } = fixture;
    const { number } = await openFresh();
    const started = await simulator.startThread(number, {
      author: 'dora',
      path: 'new.txt',
      line: 1,
      body: 'A',
    });
    const reply = await simulator.reply(started.threadId, { author: 'alice', body: 'B' });
    const last = await simulator.reply(started.threadId, { author: 'dora', body: 'C' });
    expect(names()).toEqual(
      Array(3).fill(['pull_request_review.submitted', 'pull_request_review_comment.created']).flat(),
    );
    const payloads = arrived().map(({ payload }) => payload);
    expect(payloads[0].review).toMatchObject({ id: started.reviewId, state: 'commented', body: null });
    expect(payloads[1].comment).not.toHaveProperty('in_reply_to_id');
    for (const [index, written] of [reply, last].entries()) {
      expect(payloads[3 + 2 * index].comment).toMatchObject({
        id: written.commentId,
        in_reply_to_id: started.commentId,
        pull_request_review_id: written.reviewId,
      });
    }
    expect(inlineOf(number)).toEqual(['dora: A', 'alice: B', 'dora: C']);
  });

  it('edit and delete comments, of others too, and the thread goes with the last one', async () => {
    const { simulator } = fixture;
    const { number } = await openFresh();
    const first = await simulator.startThread(number, {
      author: 'dora',
      path: 'new.txt',
      line: 1,
      body: 'A',
    });
    const second = await simulator.reply(first.threadId, { author: 'alice', body: 'B' });
    from = receiver.received.length;
    await simulator.editReviewComment(second.commentId, 'BB', 'bob');
    await simulator.deleteReviewComment(first.commentId);
    expect(arrived().map(({ name, payload }) => [name, payload.sender.login, payload.comment.body])).toEqual([
      ['pull_request_review_comment.edited', 'bob', 'BB'],
      ['pull_request_review_comment.deleted', 'dora', 'A'],
    ]);
    expect(arrived()[0]?.payload.changes).toEqual({ body: { from: 'B' } });
    await simulator.reply(first.threadId, { author: 'dora', body: 'C' });
    expect(arrived().at(-1)?.payload.comment.in_reply_to_id).toBe(first.commentId);
    for (const { id } of simulator.reviewComments(number)) await simulator.deleteReviewComment(id);
    const gone = simulator.reply(first.threadId, { author: 'dora', body: 'D' });
    await expect(gone).rejects.toBeInstanceOf(RefusedActError);
    await expect(simulator.deleteReviewComment(first.commentId)).rejects.toBeInstanceOf(RefusedActError);
  });

  it('edit and dismiss reviews', async () => {
    const { simulator } = fixture;
    const { number } = await openFresh();
    const { reviewId } = await simulator.submitReview(number, { author: 'bob', state: 'approved' });
    await simulator.editReview(reviewId, 'Fine');
    await simulator.dismissReview(reviewId, 'alice');
    expect(arrived().slice(1)).toMatchObject([
      {
        name: 'pull_request_review.edited',
        payload: { changes: { body: { from: '' } }, review: { body: 'Fine' } },
      },
      {
        name: 'pull_request_review.dismissed',
        payload: { review: { state: 'dismissed', user: { login: 'bob' } }, sender: { login: 'alice' } },
      },
    ]);
    await expect(simulator.dismissReview(reviewId, 'alice')).rejects.toBeInstanceOf(RefusedActError);
  });

  it('resolve a thread and take that back, and nothing is told twice', async () => {
    const { simulator } = fixture;
    const { number } = await openFresh();
    const { threadId } = await simulator.startThread(number, {
      author: 'dora',
      path: 'new.txt',
      line: 1,
      body: 'A',
    });
    from = receiver.received.length;
    for (const by of ['alice', 'bob']) await simulator.resolveThread(threadId, by);
    for (const by of ['dora', 'bob']) await simulator.unresolveThread(threadId, by);
    expect(arrived()).toMatchObject([
      {
        name: 'pull_request_review_thread.resolved',
        payload: { thread: { node_id: threadId, comments: [{ body: 'A' }] }, sender: { login: 'alice' } },
      },
      { name: 'pull_request_review_thread.unresolved', payload: { sender: { login: 'dora' } } },
    ]);
  });

  it('are refused what GitHub refuses, and nothing of it stays', async () => {
    const { simulator } = fixture;
    const { number } = await openFresh();
    const refused = [
      () => simulator.startThread(number, { author: 'dora', path: 'ten.txt', line: 1, body: 'far away' }),
      () => simulator.startThread(number, { author: 'dora', path: 'README.md', body: 'unchanged' }),
      () => simulator.submitReview(number, { author: 'alice', state: 'approved' }),
      () => simulator.submitReview(number, { author: 'bob', state: 'changes_requested' }),
      () => simulator.startThread(999, { author: 'dora', path: 'new.txt', line: 1, body: 'x' }),
      () => simulator.resolveThread('PRRT_none', 'bob'),
      () => simulator.minimize('IC_none', 'spam', 'bob'),
      () => simulator.editReview(1, 'x'),
    ];
    for (const act of refused) await expect(act()).rejects.toBeInstanceOf(RefusedActError);
    expect(arrived()).toEqual([]);
    expect(simulator.reviewComments(number)).toEqual([]);
  });
});

describe('what is hidden', () => {
  it('arrives as an edit of the same body for a comment in the timeline, and not at all for others', async () => {
    const { simulator } = fixture;
    const { number } = await openFresh();
    const comment = await simulator.comment(number, { author: 'dora', body: 'Noise' });
    const { reviewNodeId, threads } = await simulator.submitReview(number, {
      author: 'dora',
      body: 'Summary',
      comments: [{ path: 'new.txt', line: 2, body: 'Inline' }],
    });
    from = receiver.received.length;
    await simulator.minimize(reviewNodeId, 'resolved', 'bob');
    await simulator.minimize(threads[0]?.commentNodeId ?? '', 'outdated', 'bob');
    await simulator.minimize(comment.nodeId, 'off-topic', 'bob');
    const edited = { body: 'Noise', minimized: { reason: 'off-topic' } };
    expect(arrived()).toMatchObject([
      { name: 'issue_comment.edited', payload: { comment: edited, changes: { body: { from: 'Noise' } } } },
    ]);
    await simulator.unminimize(comment.nodeId, 'bob');
    expect(arrived().at(-1)?.payload.comment.minimized).toBeNull();
    const { data } = await fixture.octokit.rest.issues.listComments({
      ...fixture.names,
      issue_number: number,
    });
    expect(data).toMatchObject([{ id: comment.id, minimized: null }]);
  });
});

describe('threads after a push', () => {
  /** Where the threads stand, from the next comment's delivery on. */
  async function placesAfter(threadIds: readonly string[]) {
    from = receiver.received.length;
    for (const thread of threadIds) await fixture.simulator.reply(thread, { author: 'dora', body: 'ping' });
    return arrived()
      .filter(({ name }) => name === 'pull_request_review_comment.created')
      .map(({ payload: { comment } }) => [comment.line, comment.original_line, comment.position]);
  }

  it('move with their line, and are outdated when it changes, goes, or leaves the diff', async () => {
    const { simulator } = fixture;
    const { number, branch } = await openFresh();
    const start = async (path: string, line?: number, side: 'LEFT' | 'RIGHT' = 'RIGHT') => {
      const subject = line === undefined ? { path } : { path, line, side };
      return (await simulator.startThread(number, { author: 'dora', body: 'x', ...subject })).threadId;
    };
    const threads = [
      await start('ten.txt', 5),
      await start('ten.txt', 5, 'LEFT'),
      await start('new.txt', 2),
      await start('new.txt'),
    ];
    await push(branch, { 'ten.txt': `top\n${withLine(5, 'changed')}`, 'new.txt': 'n1\nother\n' });
    expect(await placesAfter(threads)).toEqual([
      [6, 5, 7],
      [5, 5, 6],
      [null, 2, null],
      [null, null, 1],
    ]);
    await push(branch, { 'ten.txt': TEN_LINES.join(''), 'new.txt': null });
    expect((await placesAfter(threads)).map(([line, , position]) => [line, position])).toEqual(
      Array(4).fill([null, null]),
    );
    // What comes back is found again.
    await push(branch, { 'ten.txt': withLine(5, 'changed') });
    expect((await placesAfter(threads.slice(0, 1)))[0]).toEqual([5, 5, 5]);
  });
});
