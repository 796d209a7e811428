import { describe, expect, it } from 'vitest';
import { GHOST, type PrEvent, parseDelivery, repositoryOf } from './github-events.ts';
import { examplePayload, type Payload } from './testing/webhook-examples.ts';

const pr = { owner: 'Codertocat', repo: 'Hello-World', number: 2 };
const codertocat = { login: 'Codertocat', id: 21031067, isBot: false };

function understood(event: string, body: unknown): PrEvent {
  const result = parseDelivery({ event, deliveryId: 'guid-1', body });
  if (result.kind !== 'event') throw new Error(`${event} is ${JSON.stringify(result)}`);
  return result.event;
}

/** A comment on a pull request: all examples are on an issue. */
function commentOnPr(index: number, edit: (body: Payload) => void = () => {}): Payload {
  return examplePayload('issue_comment', index, (body) => {
    body.issue.pull_request = { url: 'https://api.github.com/repos/Codertocat/Hello-World/pulls/1' };
    edit(body);
  });
}

describe('pull_request', () => {
  const headSha = 'ec26c3e57ca3a959ca5aad62de7213c562f8c821';
  const base = {
    type: 'pull_request',
    deliveryId: 'guid-1',
    pr,
    sender: codertocat,
    open: true,
    headSha,
    baseSha: 'f95f852bd8fca8fcc58a9a2d6c842781e32a215e',
    draft: false,
    author: codertocat,
    labels: [] as readonly string[],
  };

  it('opened, with everything that it carries', () => {
    expect(understood('pull_request', examplePayload('pull_request', 0))).toEqual({
      ...base,
      action: 'opened',
    });
  });

  it('converted_to_draft is a draft', () => {
    expect(understood('pull_request', examplePayload('pull_request', 6))).toEqual({
      ...base,
      action: 'converted_to_draft',
      draft: true,
      labels: ['bug'],
    });
  });

  it('synchronize carries both ends of the push', () => {
    const body = examplePayload('pull_request', 22);
    expect(understood('pull_request', body)).toMatchObject({
      action: 'synchronize',
      before: body.before,
      after: body.after,
    });
  });

  it('labeled and unlabeled name the label', () => {
    expect(understood('pull_request', examplePayload('pull_request', 8))).toMatchObject({
      action: 'labeled',
      label: 'bug',
    });
    expect(understood('pull_request', examplePayload('pull_request', 25))).toMatchObject({
      action: 'unlabeled',
      label: 'bug',
    });
  });

  it('closed tells whether it was merged', () => {
    expect(understood('pull_request', examplePayload('pull_request', 3))).toMatchObject({
      action: 'closed',
      merged: false,
      open: false,
    });
    const merged = examplePayload('pull_request', 3, (body) => {
      body.pull_request.merged = true;
      body.pull_request.merged_at = '2026-01-01T00:00:00Z';
    });
    expect(understood('pull_request', merged)).toMatchObject({ action: 'closed', merged: true });
  });

  it('T-044: edited tells a new base from a new title or text', () => {
    const edited = (changes: unknown) =>
      understood(
        'pull_request',
        examplePayload('pull_request', 12, (body) => Object.assign(body, { action: 'edited', changes })),
      );
    expect(edited({ base: { ref: { from: 'main' }, sha: { from: headSha } } })).toEqual({
      ...base,
      labels: ['bug'],
      action: 'edited',
      previousBaseRef: 'main',
      titleChanged: false,
      bodyChanged: false,
    });
    expect(edited({ title: { from: 'old' }, body: { from: null } })).toMatchObject({
      previousBaseRef: null,
      titleChanged: true,
      bodyChanged: true,
    });
  });

  it('is understood from a fork whose repository was deleted, by an account that was deleted', () => {
    const body = examplePayload('pull_request', 0, (payload) => {
      payload.pull_request.head.repo = null;
      payload.pull_request.user = null;
      payload.sender = null;
    });
    expect(understood('pull_request', body)).toEqual({
      ...base,
      action: 'opened',
      sender: GHOST,
      author: GHOST,
    });
  });

  it('keeps the case of the repository, and ids in lower case', () => {
    const body = examplePayload('pull_request', 0, (payload) => {
      payload.repository.full_name = 'Electric-SQL/Electric';
      payload.pull_request.head.sha = headSha.toUpperCase();
    });
    expect(understood('pull_request', body)).toMatchObject({
      pr: { owner: 'Electric-SQL', repo: 'Electric', number: 2 },
      headSha,
    });
    expect(repositoryOf(body)).toEqual({ owner: 'Electric-SQL', repo: 'Electric' });
  });
});

describe('conversation', () => {
  it('issue_comment on a PR', () => {
    expect(understood('issue_comment', commentOnPr(2))).toEqual({
      type: 'issue_comment',
      action: 'created',
      deliveryId: 'guid-1',
      pr: { ...pr, number: 1 },
      sender: codertocat,
      open: true,
      comment: {
        id: 492700400,
        nodeId: 'MDEyOklzc3VlQ29tbWVudDQ5MjcwMDQwMA==',
        body: "You are totally right! I'll get this fixed right away.",
        author: codertocat,
      },
      previousBody: null,
    });
  });

  it('T-136: an edit tells the text before it, a created comment has none', () => {
    const edited = commentOnPr(7, (body) => {
      body.changes = { body: { from: 'before' } };
    });
    expect(understood('issue_comment', edited)).toMatchObject({ action: 'edited', previousBody: 'before' });
  });

  it('a comment of a bot, and of a deleted account', () => {
    const bot = commentOnPr(2, (body) => {
      body.sender = { login: 'horton[bot]', id: 41898282, type: 'Bot' };
      body.comment.user = body.sender;
    });
    const author = { login: 'horton[bot]', id: 41898282, isBot: true };
    expect(understood('issue_comment', bot)).toMatchObject({ sender: author, comment: { author } });

    const ghost = commentOnPr(2, (body) => Object.assign(body.comment, { user: null, body: null }));
    expect(understood('issue_comment', ghost)).toMatchObject({ comment: { author: GHOST, body: '' } });
  });

  it('T-014: a review and its inline comment each name the review', () => {
    const review = understood('pull_request_review', examplePayload('pull_request_review', 0));
    expect(review).toMatchObject({
      action: 'submitted',
      review: { id: 237895671, state: 'commented', body: '', author: codertocat },
    });
    const comment = understood(
      'pull_request_review_comment',
      examplePayload('pull_request_review_comment', 0),
    );
    expect(comment).toMatchObject({ comment: { id: 284312630, reviewId: 237895671, inReplyToId: null } });
    const reply = examplePayload('pull_request_review_comment', 0, (body) => {
      body.comment.in_reply_to_id = 284312600;
    });
    expect(understood('pull_request_review_comment', reply)).toMatchObject({
      comment: { inReplyToId: 284312600 },
    });
  });

  it('an edited review', () => {
    const body = examplePayload('pull_request_review', 0, (payload) => {
      payload.action = 'edited';
      payload.review.state = 'APPROVED';
      payload.review.body = 'now with words';
      payload.changes = { body: { from: '' } };
    });
    expect(understood('pull_request_review', body)).toMatchObject({
      action: 'edited',
      review: { state: 'approved', body: 'now with words' },
      previousBody: '',
    });
  });

  it('a thread names its node id, also where GitHub names no sender', () => {
    const body = examplePayload('pull_request_review_thread', 0, (payload) => {
      delete payload.sender;
    });
    expect(understood('pull_request_review_thread', body)).toEqual({
      type: 'pull_request_review_thread',
      action: 'resolved',
      deliveryId: 'guid-1',
      pr: { owner: 'octo-org', repo: 'octo-repo', number: 118 },
      sender: GHOST,
      open: true,
      thread: { nodeId: 'PRRT_kwDOEL39TM4w7XDQ' },
    });
  });
});
