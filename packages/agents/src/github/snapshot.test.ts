import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statusesOf, textsOf } from '../conversation/item.ts';
import { bodiesOf, READ_AT_MS, startTalkHost, type TalkHost } from './testing/talk.ts';

let host: TalkHost;
let simulator: TalkHost['simulator'];

beforeAll(async () => {
  host = await startTalkHost({ mannequins: ['moved'], creationsPerMinute: 1_000 });
  simulator = host.simulator;
});

afterAll(() => simulator.close());

describe('a conversation', () => {
  it('is read with one request: threads, comments and reviews, in the order in which they began', async () => {
    const { pr, read } = await host.openTalk();
    const review = await simulator.submitReview(pr.number, {
      author: 'ada',
      state: 'changes_requested',
      body: 'Please mend it',
    });
    host.tick();
    const thread = await simulator.startThread(pr.number, {
      author: 'ada',
      path: 'a.ts',
      line: 2,
      body: 'Why 2?',
    });
    host.tick();
    const comment = await simulator.comment(pr.number, { author: 'mallory', body: 'Me too' });
    host.tick();
    const reply = await simulator.reply(thread.threadId, { author: 'eve', body: 'It was 1 before' });
    await simulator.resolveThread(thread.threadId, 'eve');
    const { sha } = simulator.pullRequest(pr.number).head;
    const url = `https://github.com/acme/shop/pull/${pr.number}`;
    const by = (login: string) => ({ login, isBot: false });
    const { result, queries } = await host.counted(read);
    expect(queries).toBe(1);
    expect(result).toEqual({
      headSha: sha,
      readAtMs: READ_AT_MS,
      items: [
        {
          kind: 'summary',
          id: review.reviewNodeId,
          verdict: 'changes-requested',
          sha,
          said: {
            id: review.reviewNodeId,
            author: by('ada'),
            association: 'MEMBER',
            body: 'Please mend it',
            createdAt: '2026-05-25T14:05:00Z',
            byUs: false,
            restId: review.reviewId,
            url: `${url}#pullrequestreview-${review.reviewId}`,
          },
        },
        {
          kind: 'thread',
          id: thread.threadId,
          path: 'a.ts',
          line: 2,
          originalLine: 2,
          subject: 'line',
          isResolved: true,
          resolvedBy: 'eve',
          isOutdated: false,
          comments: [
            {
              id: thread.commentNodeId,
              author: by('ada'),
              association: 'MEMBER',
              body: 'Why 2?',
              createdAt: '2026-05-25T14:06:00Z',
              byUs: false,
              restId: thread.commentId,
              url: `${url}#discussion_r${thread.commentId}`,
            },
            {
              id: reply.commentNodeId,
              author: by('eve'),
              association: 'NONE',
              body: 'It was 1 before',
              createdAt: '2026-05-25T14:08:00Z',
              byUs: false,
              restId: reply.commentId,
              url: `${url}#discussion_r${reply.commentId}`,
            },
          ],
        },
        {
          kind: 'comment',
          id: comment.nodeId,
          said: {
            id: comment.nodeId,
            author: by('mallory'),
            association: 'NONE',
            body: 'Me too',
            createdAt: '2026-05-25T14:07:00Z',
            byUs: false,
            restId: comment.id,
            url: `${url}#issuecomment-${comment.id}`,
          },
        },
      ],
    });
  });

  it('may be empty', async () => {
    const { read } = await host.openTalk();
    expect((await read()).items).toEqual([]);
  });

  it('is read as it was written, whatever that is', async () => {
    const { pr, read } = await host.openTalk();
    const bodies = [
      '9007199254740993',
      '123n',
      '{"a":9007199254740993}',
      '\r\n\u0000\u2028',
      '") { id } #',
      '👀',
    ];
    for (const body of bodies) {
      host.tick();
      await simulator.comment(pr.number, { author: 'ada', body });
    }
    expect(bodiesOf((await read()).items)).toEqual(bodies);
  });

  it('row 2.12 a: what was hidden before the first look is there, with its text and the reason', async () => {
    const { pr, read } = await host.openTalk();
    const { reviewNodeId, threads } = await simulator.submitReview(pr.number, {
      author: 'ada',
      state: 'approved',
      body: 'Fine but for this',
      comments: [{ path: 'a.ts', line: 1, body: 'Look here' }],
    });
    const comment = await simulator.comment(pr.number, { author: 'ada', body: 'Noise' });
    const ids = [reviewNodeId, threads[0]?.commentNodeId ?? '', comment.nodeId];
    for (const [index, reason] of (['outdated', 'resolved', 'off-topic'] as const).entries()) {
      await simulator.minimize(ids[index] ?? '', reason, 'ada');
    }
    const { items } = await read();
    const texts = items.flatMap(textsOf).map(({ body, hidden }) => [body, hidden]);
    expect(new Map(texts as [string, string][])).toEqual(
      new Map([
        ['Fine but for this', 'outdated'],
        ['Look here', 'resolved'],
        ['Noise', 'off-topic'],
      ]),
    );
    expect(items.map(statusesOf)).toEqual([['hidden'], ['hidden'], ['hidden']]);
    await simulator.unminimize(comment.nodeId, 'ada');
    expect((await read()).items.map(statusesOf)).toContainEqual(['active']);
  });

  it('row 2.12 f, faults 20 and 45: has the request for changes also after its author approved', async () => {
    const { pr, read } = await host.openTalk();
    await simulator.submitReview(pr.number, { author: 'ada', state: 'changes_requested', body: 'No' });
    host.tick();
    await simulator.submitReview(pr.number, { author: 'ada', state: 'approved' });
    expect((await read()).items).toMatchObject([
      { kind: 'summary', verdict: 'changes-requested', said: { body: 'No' } },
      { kind: 'summary', verdict: 'approved', said: { body: '' } },
    ]);
  });

  it('row 2.12 g, fault 45: has what was dismissed before the first look', async () => {
    const { pr, read } = await host.openTalk();
    const { reviewId } = await simulator.submitReview(pr.number, {
      author: 'ada',
      state: 'changes_requested',
      body: 'No',
    });
    await simulator.dismissReview(reviewId, 'bob');
    const { items } = await read();
    expect(items).toMatchObject([{ verdict: 'dismissed', said: { body: 'No', author: { login: 'ada' } } }]);
    expect(items.map(statusesOf)).toEqual([['dismissed']]);
  });

  it('row 2.12 h: is there also after the merge', async () => {
    const { pr, read } = await host.openTalk('merged\n');
    await simulator.closePullRequest(pr.number, { merged: true });
    await simulator.comment(pr.number, { author: 'ada', body: 'It broke production' });
    expect(bodiesOf((await read()).items)).toEqual(['It broke production']);
  });

  it('row 2.12 j: tells that a thread was opened again', async () => {
    const { find, addThreads } = await host.openTalk();
    const [id = ''] = await addThreads(1);
    await simulator.resolveThread(id, 'ada');
    expect(await find(id)).toMatchObject({ isResolved: true, resolvedBy: 'ada' });
    await simulator.unresolveThread(id, 'eve');
    const opened = await find(id);
    expect(opened).toMatchObject({ isResolved: false });
    expect(opened).not.toHaveProperty('resolvedBy');
  });

  it('row 2.12 k: has more than 50 approvals, those without a text too', async () => {
    const { pr, read } = await host.openTalk();
    for (let index = 0; index < 60; index += 1) {
      const body = index % 2 === 0 ? '' : `Yes ${index}`;
      await simulator.submitReview(pr.number, { author: `dev-${index}`, state: 'approved', body });
    }
    const { items } = await read();
    expect(items).toHaveLength(60);
    expect(items.every((item) => item.kind === 'summary' && item.verdict === 'approved')).toBe(true);
  });

  it('has a review once: the envelope of comments at lines and of replies is no item of its own', async () => {
    const { pr, read } = await host.openTalk();
    const { threadId } = await simulator.startThread(pr.number, {
      author: 'ada',
      path: 'a.ts',
      line: 1,
      body: 'A',
    });
    await simulator.reply(threadId, { author: 'eve', body: 'B' });
    const comments = [{ path: 'a.ts', line: 3, body: 'D' }];
    await simulator.submitReview(pr.number, { author: 'ada', body: 'C', comments });
    const { items } = await read();
    expect(items.map(({ kind }) => kind).toSorted()).toEqual(['summary', 'thread', 'thread']);
    expect(bodiesOf(items).toSorted()).toEqual(['A', 'B', 'C', 'D']);
  });

  it('fault 38: is read anew each time, edits and deletions included', async () => {
    const { pr, read } = await host.openTalk();
    const first = await simulator.comment(pr.number, { author: 'ada', body: 'A' });
    const second = await simulator.comment(pr.number, { author: 'ada', body: 'B' });
    expect(bodiesOf((await read()).items)).toEqual(['A', 'B']);
    host.tick();
    await simulator.editComment(first.id, 'A, after some thought');
    await simulator.deleteComment(second.id);
    expect((await read()).items).toMatchObject([
      { said: { body: 'A, after some thought', editedAt: '2026-05-25T14:06:00Z' } },
    ]);
  });
});

describe('a thread', () => {
  it('fault 48: may be about a whole file', async () => {
    const { pr, read } = await host.openTalk();
    await simulator.startThread(pr.number, { author: 'ada', path: 'a.ts', body: 'Needed?' });
    const [item] = (await read()).items;
    expect(item).toMatchObject({ subject: 'file', path: 'a.ts', isOutdated: false });
    expect(item).not.toHaveProperty('line');
    expect(item).not.toHaveProperty('originalLine');
  });

  it('that is outdated keeps the line where it was begun', async () => {
    const { pr, read, push } = await host.openTalk();
    await simulator.startThread(pr.number, { author: 'ada', path: 'a.ts', line: 2, body: 'Why 2?' });
    await push();
    const { headSha, items } = await read();
    expect(headSha).toBe(simulator.pullRequest(pr.number).head.sha);
    expect(items).toMatchObject([{ originalLine: 2, isOutdated: true }]);
    expect(items[0]).not.toHaveProperty('line');
  });

  it('is gone with its last comment', async () => {
    const { pr, read } = await host.openTalk();
    const { commentId } = await simulator.startThread(pr.number, { author: 'ada', path: 'a.ts', body: 'A' });
    await simulator.deleteReviewComment(commentId);
    expect((await read()).items).toEqual([]);
  });
});

describe('who said it', () => {
  it('fault 62: a deleted account was a person, and only what GitHub calls a bot is one', async () => {
    const { pr, read } = await host.openTalk();
    const authors = ['gone', 'ada', 'moved', 'acme', 'linter[bot]'];
    for (const author of authors) await simulator.comment(pr.number, { author, body: author });
    simulator.deleteAccount('gone');
    const { items } = await read();
    const speakers = items.flatMap(textsOf).map(({ author, association }) => ({ author, association }));
    expect(speakers).toEqual([
      { author: undefined, association: 'NONE' },
      { author: { login: 'ada', isBot: false }, association: 'MEMBER' },
      { author: { login: 'moved', isBot: false }, association: 'MANNEQUIN' },
      { author: { login: 'acme', isBot: false }, association: 'OWNER' },
      { author: { login: 'linter[bot]', isBot: true }, association: 'NONE' },
    ]);
  });

  it('fault 44: what looks like ours is not ours, and ours is whatever it looks like', async () => {
    const { pr, read } = await host.openTalk();
    const names = { owner: pr.owner, repo: pr.repo };
    const { data: ours } = await host.octokit.rest.issues.createComment({
      ...names,
      issue_number: pr.number,
      body: 'x',
    });
    await simulator.comment(pr.number, { author: 'horton', body: '## PR Shepherd Review' });
    const { items } = await read();
    expect(items.flatMap(textsOf)).toMatchObject([
      { byUs: true, restId: ours.id, author: { login: 'horton[bot]', isBot: true } },
      { byUs: false, author: { login: 'horton', isBot: false } },
    ]);
  });

  it('is ours after we edited it, and no more after somebody else did, whatever their name', async () => {
    const { pr, find } = await host.openTalk();
    const names = { owner: pr.owner, repo: pr.repo };
    const { threadId, commentId } = await simulator.startThread(pr.number, {
      author: 'ada',
      path: 'a.ts',
      line: 1,
      body: 'A',
    });
    const { data: reply } = await host.octokit.rest.pulls.createReplyForReviewComment({
      ...names,
      pull_number: pr.number,
      comment_id: commentId,
      body: 'An answer',
    });
    const { data: comment } = await host.octokit.rest.issues.createComment({
      ...names,
      issue_number: pr.number,
      body: 'x',
    });
    await host.octokit.rest.issues.updateComment({ ...names, comment_id: comment.id, body: 'y' });
    expect(await find(threadId)).toMatchObject({ comments: [{ byUs: false }, { byUs: true }] });
    expect(await find(comment.node_id)).toMatchObject({ said: { body: 'y', byUs: true } });
    await simulator.editReviewComment(reply.id, 'Something else', 'ada');
    await simulator.editComment(comment.id, 'z', 'horton');
    expect(await find(threadId)).toMatchObject({
      comments: [{ byUs: false }, { byUs: false, body: 'Something else', author: { isBot: true } }],
    });
    expect(await find(comment.node_id)).toMatchObject({ said: { body: 'z', byUs: false } });
  });
});
