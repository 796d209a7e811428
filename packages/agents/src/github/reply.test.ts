import type { Octokit } from '@octokit/rest';
import type { GitHubSimulator } from '@openfactory/github-simulator';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PermanentError, TransientError } from '../errors.ts';
import { acknowledge, parseReplyMarker, publishReply, type Reply, replyMarker } from './reply.ts';
import { SHOP, type Shop, startShop } from './testing/shop.ts';

/** One pull request of its own. */
interface World {
  readonly number: number;
  /** Writes, or finds what was written. */
  readonly publish: (reply: Partial<Reply>) => ReturnType<typeof publishReply>;
  readonly comments: () => readonly string[];
  readonly startThread: () => ReturnType<GitHubSimulator['startThread']>;
}

let shop: Shop;
let simulator: GitHubSimulator;
let octokit: Octokit;

beforeAll(async () => {
  shop = await startShop({ 'b.txt': 'b\n' });
  ({ simulator, octokit } = shop);
});

afterAll(() => simulator.close());

async function openWorld(): Promise<World> {
  const number = await shop.openPullRequest();
  const reply: Reply = { to: 'IC_1', place: { kind: 'comment' }, body: 'Answer', sinceMs: Date.now() };
  const own = { botUserId: simulator.botUserId };
  return {
    number,
    publish: (over) => publishReply(octokit, { ...SHOP, number }, own, { ...reply, ...over }),
    comments: () => simulator.comments(number).map(({ body }) => body),
    startThread: () => simulator.startThread(number, { author: 'ada', path: 'b.txt', line: 1, body: 'Why?' }),
  };
}

function injectHere(fault: Parameters<GitHubSimulator['inject']>[0]): void {
  onTestFinished(simulator.inject(fault));
}

describe('the marker of a reply', () => {
  it('is the last line, and tells what it answers', () => {
    expect(replyMarker('IC_kwDO')).toBe('<!-- pr-shepherd-reply {"to":"IC_kwDO"} -->');
    expect(parseReplyMarker(`Answer\n\n${replyMarker('IC_kwDO')}\n`)).toBe('IC_kwDO');
  });

  it('survives any id, and ends no comment early', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (to) => {
        expect(parseReplyMarker(replyMarker(to))).toBe(to);
        expect(replyMarker(to).indexOf('>')).toBe(replyMarker(to).length - 1);
      }),
    );
  });

  it.each([
    '',
    'Answer',
    `${replyMarker('a')}\nmore`,
    '<!-- pr-shepherd {"v":1,"sha":"x","iteration":1} -->',
    '<!-- pr-shepherd-reply {"to":} -->',
    '<!-- pr-shepherd-reply {"to":7} -->',
    '<!-- pr-shepherd-reply {"to":""} -->',
  ])('is not seen in %j', (body) => {
    expect(parseReplyMarker(body)).toBeUndefined();
  });
});

describe('a reply in the conversation', () => {
  it('is written once for what it answers', async () => {
    const world = await openWorld();
    const first = await world.publish({});
    expect(first.action).toBe('created');
    expect(await world.publish({ body: 'Another answer' })).toEqual({ ...first, action: 'found' });
    // Our clock may be ahead of GitHub's.
    const later = await world.publish({ sinceMs: Date.now() + 60_000 });
    expect(later).toEqual({ ...first, action: 'found' });
    expect(await world.publish({ to: 'IC_2' })).toMatchObject({ action: 'created' });
    expect(world.comments()).toEqual([
      `Answer\n\n${replyMarker('IC_1')}`,
      `Answer\n\n${replyMarker('IC_2')}`,
    ]);
  });

  it('is found on a later page, and by nobody else’s marker', async () => {
    const world = await openWorld();
    await simulator.comment(world.number, { author: 'ada', body: `Mine\n\n${replyMarker('IC_1')}` });
    for (let n = 0; n < 100; n += 1) await simulator.comment(world.number, { author: 'ada', body: `${n}` });
    const first = await world.publish({});
    expect(first.action).toBe('created');
    expect(await world.publish({})).toEqual({ ...first, action: 'found' });
  });

  it('T-092 is found after its answer was lost', async () => {
    const world = await openWorld();
    const path = /\/issues\/\d+\/comments$/;
    injectHere({ method: 'POST', path, times: 1, afterEffect: true });
    await expect(world.publish({})).rejects.toBeInstanceOf(TransientError);
    expect(await world.publish({})).toMatchObject({ action: 'found' });
    expect(world.comments()).toHaveLength(1);
  });

  it('is not written where it cannot be looked for', async () => {
    const world = await openWorld();
    injectHere({ method: 'GET', path: /\/comments/, respond: { status: 403, body: {} } });
    await expect(world.publish({})).rejects.toBeInstanceOf(PermanentError);
    expect(world.comments()).toEqual([]);
  });

  it('is refused for good where the conversation is locked', async () => {
    const world = await openWorld();
    await simulator.lock(world.number);
    await expect(world.publish({})).rejects.toBeInstanceOf(PermanentError);
  });
});

describe('a reply in a thread', () => {
  it('is written once, into the thread', async () => {
    const world = await openWorld();
    const { commentId } = await world.startThread();
    const reply = { place: { kind: 'review-comment', id: commentId } } as const;
    const first = await world.publish(reply);
    expect(first.action).toBe('created');
    expect(await world.publish(reply)).toEqual({ ...first, action: 'found' });
    expect(world.comments()).toEqual([]);
    expect(simulator.reviewComments(world.number).at(-1)).toMatchObject({
      id: first.commentId,
      replyTo: commentId,
      body: `Answer\n\n${replyMarker('IC_1')}`,
    });
  });

  it('becomes a comment, once, where the thread is gone', async () => {
    const world = await openWorld();
    const { commentId } = await world.startThread();
    await simulator.deleteReviewComment(commentId);
    const reply = { place: { kind: 'review-comment', id: commentId } } as const;
    const first = await world.publish(reply);
    expect(await world.publish(reply)).toEqual({ ...first, action: 'found' });
    expect(world.comments()).toEqual([
      `In answer to a comment that is gone:\n\nAnswer\n\n${replyMarker('IC_1')}`,
    ]);
  });

  it('becomes a comment with a link where the comment is not the first of its thread', async () => {
    const world = await openWorld();
    const { threadId } = await world.startThread();
    const { commentId } = await simulator.reply(threadId, { author: 'ada', body: 'And here?' });
    await world.publish({ place: { kind: 'review-comment', id: commentId } });
    expect(world.comments()[0]).toMatch(
      new RegExp(`^In answer to \\[a review comment\\]\\(https?://\\S+${commentId}\\):\n\nAnswer\n\n<!--`),
    );
  });

  it('T-092 is found after its answer was lost', async () => {
    const world = await openWorld();
    const { commentId } = await world.startThread();
    const reply = { place: { kind: 'review-comment', id: commentId } } as const;
    injectHere({ method: 'POST', path: /\/replies$/, times: 1, afterEffect: true });
    await expect(world.publish(reply)).rejects.toBeInstanceOf(TransientError);
    expect(await world.publish(reply)).toMatchObject({ action: 'found' });
    expect(simulator.reviewComments(world.number)).toHaveLength(2);
    expect(world.comments()).toEqual([]);
  });

  it('does not move elsewhere because GitHub is out of order', async () => {
    const world = await openWorld();
    const { commentId } = await world.startThread();
    injectHere({ path: /\/replies$/, respond: { status: 502, body: {} } });
    const reply = { place: { kind: 'review-comment', id: commentId } } as const;
    await expect(world.publish(reply)).rejects.toBeInstanceOf(TransientError);
    expect(world.comments()).toEqual([]);
  });
});

describe('an acknowledgement', () => {
  it('may be given twice, to either kind of comment', async () => {
    const world = await openWorld();
    const { id } = await simulator.comment(world.number, { author: 'ada', body: '@horton why?' });
    const { commentId } = await world.startThread();
    const targets = [
      { kind: 'comment', id },
      { kind: 'review-comment', id: commentId },
    ] as const;
    for (const target of [...targets, ...targets]) {
      expect(await acknowledge(octokit, SHOP, target)).toBe('done');
    }
    expect(simulator.comments(world.number)[0]?.reactions).toMatchObject([{ content: 'eyes' }]);
    expect(simulator.reviewComments(world.number)[0]?.reactions).toMatchObject([{ content: 'eyes' }]);
  });

  it('is in vain where the comment was deleted', async () => {
    const world = await openWorld();
    const { id } = await simulator.comment(world.number, { author: 'ada', body: '@horton why?' });
    await simulator.deleteComment(id);
    expect(await acknowledge(octokit, SHOP, { kind: 'comment', id })).toBe('gone');
    expect(await acknowledge(octokit, SHOP, { kind: 'review-comment', id })).toBe('gone');
  });

  it('fails for good where the App may not', async () => {
    injectHere({ path: /\/reactions$/, respond: { status: 403, body: {} } });
    const acknowledged = acknowledge(octokit, SHOP, { kind: 'comment', id: 1 });
    await expect(acknowledged).rejects.toBeInstanceOf(PermanentError);
  });
});
