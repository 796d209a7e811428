import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, startFixture } from '../../testing/fixture.ts';

let fixture: Fixture;
let nowMs = Date.parse('2026-03-01T10:00:00Z');

beforeAll(async () => {
  fixture = await startFixture({ now: () => new Date(nowMs) });
});

afterAll(() => fixture.simulator.close());

let branches = 0;
async function openFresh() {
  branches += 1;
  const branch = `topic-${branches}`;
  await fixture.commit(branch, { 'new.txt': 'one\ntwo\n' }, 'main');
  const { number } = await fixture.simulator.openPullRequest({ head: branch, base: 'main', title: branch });
  return { pull_number: number, ...fixture.names };
}

const threadOn = (pull: { readonly pull_number: number }, line: number, author = 'dora') =>
  fixture.simulator.startThread(pull.pull_number, { author, path: 'new.txt', line, body: `on ${line}` });

/** Asked for without the check against GitHub's description, which does not know what GitHub answers here. */
async function unchecked(path: string) {
  const { token } = (await fixture.octokit.auth({ type: 'installation' })) as { token: string };
  const headers = { authorization: `token ${token}` };
  return (await fetch(`${fixture.simulator.url}/repos/acme/widgets${path}`, { headers })).json();
}

describe('reviews', () => {
  it('are listed in every state, with the empty ones that carry single comments', async () => {
    const { simulator, octokit } = fixture;
    const pull = await openFresh();
    const { reviewId } = await simulator.submitReview(pull.pull_number, {
      author: 'alice',
      state: 'approved',
    });
    await threadOn(pull, 1);
    await simulator.dismissReview(reviewId, 'bob');
    const { data } = await octokit.rest.pulls.listReviews({ ...pull, per_page: 1 });
    expect(data).toMatchObject([
      { id: reviewId, state: 'DISMISSED', body: '', user: { login: 'alice' }, author_association: 'MEMBER' },
    ]);
    const all = await octokit.paginate(octokit.rest.pulls.listReviews, { ...pull, per_page: 1 });
    expect(all.map(({ state, body }) => [state, body])).toEqual([
      ['DISMISSED', ''],
      ['COMMENTED', ''],
    ]);
    const missing = octokit.rest.pulls.listReviews({ ...pull, pull_number: 999 });
    await expect(missing).rejects.toMatchObject({ status: 404 });
  });
});

describe('review comments', () => {
  it('are read one by one and as a list, by id, by update, and since a time', async () => {
    const { simulator, octokit } = fixture;
    const pull = await openFresh();
    const first = await threadOn(pull, 1);
    nowMs += 60_000;
    const second = await threadOn(pull, 2);
    nowMs += 60_000;
    await simulator.editReviewComment(first.commentId, 'edited');
    const ids = async (query: { sort?: 'created' | 'updated'; direction?: 'asc' | 'desc'; since?: string }) =>
      (await octokit.rest.pulls.listReviewComments({ ...pull, ...query })).data.map(({ id }) => id);
    const ascending = [first.commentId, second.commentId];
    expect(await ids({})).toEqual(ascending);
    expect(await ids({ direction: 'desc' })).toEqual(ascending);
    expect(await ids({ sort: 'created', direction: 'desc' })).toEqual(ascending.toReversed());
    expect(await ids({ sort: 'updated' })).toEqual(ascending.toReversed());
    expect(await ids({ since: new Date(nowMs).toISOString() })).toEqual([first.commentId]);
    const one = { ...fixture.names, comment_id: first.commentId };
    expect((await octokit.rest.pulls.getReviewComment(one)).data).toMatchObject({
      body: 'edited',
      path: 'new.txt',
      line: 1,
      user: { login: 'dora' },
    });
    expect((await octokit.rest.pulls.get(pull)).data.review_comments).toBe(2);
  });

  it('have no line once they are outdated', async () => {
    const { simulator, commit } = fixture;
    const pull = await openFresh();
    const { commentId } = await threadOn(pull, 2);
    const pushed = await commit('scratch', { 'new.txt': 'one\nother\n' }, `topic-${branches}`);
    await simulator.push(`topic-${branches}`, pushed);
    expect(await unchecked(`/pulls/comments/${commentId}`)).toMatchObject({
      line: null,
      position: null,
      original_line: 2,
    });
  });

  it('are replied to by the bot, at most in one level, and deliver as a person’s reply does', async () => {
    const { simulator, octokit } = fixture;
    const pull = await openFresh();
    const { commentId } = await threadOn(pull, 1);
    const from = simulator.deliveries.length;
    const reply = (comment_id: number, body: string) =>
      octokit.rest.pulls.createReplyForReviewComment({ ...pull, comment_id, body });
    const { data } = await reply(commentId, 'Answer');
    expect(data).toMatchObject({ in_reply_to_id: commentId, user: { login: 'horton[bot]', type: 'Bot' } });
    await simulator.delivered();
    expect(simulator.deliveries.slice(from).map(({ event, action }) => `${event}.${action}`)).toEqual([
      'pull_request_review.submitted',
      'pull_request_review_comment.created',
    ]);
    await expect(reply(data.id, 'deeper')).rejects.toMatchObject({ status: 422 });
    await expect(reply(commentId, ' ')).rejects.toMatchObject({ status: 422 });
    await expect(reply(999_999, 'nowhere')).rejects.toMatchObject({ status: 404 });
    await simulator.lock(pull.pull_number);
    await expect(reply(commentId, 'late')).rejects.toMatchObject({ status: 403 });
    expect(simulator.reviewComments(pull.pull_number).map(({ body }) => body)).toEqual(['on 1', 'Answer']);
  });

  it('get each reaction once', async () => {
    const { octokit, names } = fixture;
    const { commentId } = await threadOn(await openFresh(), 1);
    const wanted = { ...names, comment_id: commentId, content: 'eyes' } as const;
    const react = () => octokit.rest.reactions.createForPullRequestReviewComment(wanted);
    expect([(await react()).status, (await react()).status]).toEqual([201, 200]);
    const { data } = await octokit.rest.pulls.getReviewComment({ ...names, comment_id: commentId });
    expect(data.reactions).toMatchObject({ total_count: 1, eyes: 1 });
  });
});

describe('what a deleted account wrote', () => {
  it('stays without an author in reviews, and as the ghost’s elsewhere', async () => {
    const { simulator, octokit, names } = fixture;
    const pull = await openFresh();
    const { commentId } = await threadOn(pull, 1, 'casper');
    await simulator.comment(pull.pull_number, { author: 'casper', body: 'boo' });
    simulator.deleteAccount('casper');
    expect((await octokit.rest.pulls.listReviews(pull)).data).toMatchObject([{ user: null }]);
    const { data } = await octokit.rest.pulls.getReviewComment({ ...names, comment_id: commentId });
    expect(data).toMatchObject({ user: null, body: 'on 1', author_association: 'NONE' });
    const comments = await octokit.rest.issues.listComments({ ...names, issue_number: pull.pull_number });
    expect(comments.data).toMatchObject([{ user: { login: 'ghost' }, body: 'boo' }]);
    const gone = octokit.rest.users.getByUsername({ username: 'casper' });
    await expect(gone).rejects.toMatchObject({ status: 404 });
  });
});
