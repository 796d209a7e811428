import { describe, expect, it } from 'vitest';
import type { Actor, CommentFacts, PrEvent } from '../github-event-types.ts';
import type { DeliveryId, Sha } from '../ids.ts';
import type { ShepherdEvent } from '../review/decide.ts';
import { mayMentionUs, understand } from './understand.ts';

const NAMES = ['horton', 'pr-shepherd'];

/** What is understood of an event, besides that somebody spoke. */
function asked(event: PrEvent, names: readonly string[]) {
  return understand(event, names).filter(({ type }) => type !== 'said');
}
const MIA: Actor = { login: 'mia', id: 1, isBot: false };
const EVE: Actor = { login: 'eve', id: 2, isBot: false };
const US: Actor = { login: 'horton[bot]', id: 3, isBot: true };
const sha = (digit: string): Sha => digit.repeat(40) as Sha;

const common = {
  deliveryId: 'd' as DeliveryId,
  pr: { owner: 'acme', repo: 'shop', number: 1 },
  sender: MIA,
  open: true,
};
const ofPr = {
  ...common,
  type: 'pull_request' as const,
  headSha: sha('a'),
  baseSha: sha('c'),
  draft: false,
  author: MIA,
  labels: [],
};

function text(body: string, author: Actor = MIA): CommentFacts {
  return { id: 7, nodeId: 'IC_7', body, author };
}

function comment(body: string, change: Partial<Extract<PrEvent, { type: 'issue_comment' }>> = {}): PrEvent {
  return {
    ...common,
    type: 'issue_comment',
    action: 'created',
    comment: text(body),
    previousBody: null,
    ...change,
  };
}

function inline(
  body: string,
  id: number,
  reviewId: number | null,
  inReplyToId: number | null = null,
): PrEvent {
  return {
    ...common,
    type: 'pull_request_review_comment',
    action: 'created',
    comment: { id, nodeId: `RC_${id}`, body, author: MIA, reviewId, inReplyToId },
    previousBody: null,
  };
}

function review(body: string, action: 'submitted' | 'edited' | 'dismissed' = 'submitted'): PrEvent {
  return {
    ...common,
    type: 'pull_request_review',
    action,
    review: { id: 5, nodeId: 'RV_5', body, author: MIA, state: 'commented' },
    previousBody: null,
  };
}

function heard(event: PrEvent): Extract<ShepherdEvent, { type: 'summoned' }>['heard'] | undefined {
  const events = asked(event, NAMES);
  return events.flatMap((found) => (found.type === 'summoned' ? [found.heard] : []))[0];
}

describe('what happens to a pull request', () => {
  const look = [{ type: 'pr-changed', push: false }];
  it.each<[string, PrEvent, readonly unknown[]]>([
    ['opened', { ...ofPr, action: 'opened' }, look],
    ['reopened', { ...ofPr, action: 'reopened' }, look],
    ['ready_for_review', { ...ofPr, action: 'ready_for_review' }, look],
    ['converted_to_draft', { ...ofPr, action: 'converted_to_draft' }, look],
    ['closed', { ...ofPr, action: 'closed', merged: true }, look],
    ['labeled', { ...ofPr, action: 'labeled', label: 'shepherd' }, look],
    ['unlabeled', { ...ofPr, action: 'unlabeled', label: 'pause-shepherd' }, look],
    [
      'synchronize',
      { ...ofPr, action: 'synchronize', before: sha('b'), after: sha('a') },
      [{ type: 'pr-changed', push: true, replacedSha: sha('b') }],
    ],
    [
      'edited, title and body',
      { ...ofPr, action: 'edited', previousBaseRef: null, titleChanged: true, bodyChanged: true },
      [],
    ],
    [
      'edited, base (T-044)',
      { ...ofPr, action: 'edited', previousBaseRef: 'main', titleChanged: false, bodyChanged: false },
      look,
    ],
    [
      'a thread resolved',
      { ...common, type: 'pull_request_review_thread', action: 'resolved', thread: { nodeId: 'T' } },
      [],
    ],
    [
      'a thread unresolved',
      { ...common, type: 'pull_request_review_thread', action: 'unresolved', thread: { nodeId: 'T' } },
      [],
    ],
    ['a comment', comment('Looks good.'), []],
    ['a comment deleted', comment('Looks good.', { action: 'deleted' }), [{ type: 'unsaid', to: 'IC_7' }]],
    ['a review', review('Looks good.'), []],
    ['a review dismissed', review('@horton review', 'dismissed'), []],
    ['a review comment', inline('Why?', 1, 5), []],
  ])('%s', (_name, event, expected) => {
    expect(asked(event, NAMES)).toEqual(expected);
  });
});

describe('who asks, and where', () => {
  it('a comment is answered under the pull request, and takes a reaction', () => {
    expect(heard(comment('@horton review'))).toEqual({
      key: 'IC_7 review',
      to: 'IC_7',
      by: 'mia',
      ask: { kind: 'review' },
      place: { kind: 'comment' },
      reactTo: { kind: 'comment', id: 7 },
    });
  });

  it('a review comment is answered in its thread, whose first comment GitHub wants named', () => {
    expect(heard(inline('@horton status', 12, 5, 11))).toMatchObject({
      place: { kind: 'review-comment', id: 11 },
      reactTo: { kind: 'review-comment', id: 12 },
    });
  });

  it('the summary of a review takes no reaction', () => {
    expect(heard(review('@horton status'))).toMatchObject({ place: { kind: 'comment' }, to: 'RV_5' });
    expect(heard(review('@horton status'))?.reactTo).toBeUndefined();
  });

  it('T-014 one review that says it twice is one request; its questions are one each', () => {
    const keys = [review('@horton review'), inline('@horton review', 1, 5), inline('@horton review', 2, 5)];
    expect(new Set(keys.map((event) => heard(event)?.key)).size).toBe(1);
    const questions = [inline('@horton why is this?', 1, 5), inline('@horton and why is that?', 2, 5)];
    expect(new Set(questions.map((event) => heard(event)?.key)).size).toBe(2);
  });

  it('T-136 an edit asks only by a mention that it adds, and then its editor asks', () => {
    const edit = { action: 'edited' as const, sender: EVE };
    expect(heard(comment('@horton review', { ...edit, previousBody: '@horton reveiw' }))).toBeUndefined();
    expect(heard(comment('@horton review', { ...edit, previousBody: 'Hm.' }))).toMatchObject({ by: 'eve' });
  });

  it.each<[string, Partial<Extract<PrEvent, { type: 'issue_comment' }>>]>([
    ['written by a bot', { comment: text('@horton review', US) }],
    ['written by a bot for somebody', { sender: US }],
    ['edited by a bot', { action: 'edited', sender: US, previousBody: '' }],
  ])('T-132 T-133 what is %s asks nothing', (_name, change) => {
    const event = comment('@horton review', change);
    expect(asked(event, NAMES)).toEqual([]);
    expect(mayMentionUs(event)).toBe(false);
  });
});

describe('our comment in other hands', () => {
  it('is seen when a person edits it, and not when we do', () => {
    const edited = { action: 'edited' as const, comment: text('## PR Shepherd Review', US) };
    expect(asked(comment('', { ...edited, sender: EVE }), NAMES)).toEqual([
      { type: 'comment-edited', commentId: 7, by: 'eve' },
    ]);
    expect(asked(comment('', { ...edited, sender: US }), NAMES)).toEqual([]);
  });

  it('T-162 is seen when it is deleted', () => {
    const gone = comment('', { action: 'deleted', comment: text('## PR Shepherd Review', US) });
    expect(asked(gone, NAMES)).toContainEqual({ type: 'comment-deleted', commentId: 7 });
  });
});

describe('T-136 fault 7: whoever speaks, resolves or hides is heard, a bot as well as a person', () => {
  it.each<[string, PrEvent, object]>([
    ['a comment', comment('Hm'), { commentId: 7 }],
    ['an edit', comment('Hm', { action: 'edited', previousBody: 'Hm' }), { commentId: 7 }],
    ['a bot', comment('', { comment: text('80%', US), sender: US }), { commentId: 7 }],
    ['a review', review(''), {}],
    ['a reply', inline('Because.', 3, 5, 2), {}],
    [
      'a thread that is resolved',
      { ...common, type: 'pull_request_review_thread', action: 'resolved', thread: { nodeId: 'T' } },
      {},
    ],
  ])('%s', (_name, event, named) => {
    expect(understand(event, NAMES)).toEqual([{ type: 'said', ...named }]);
  });
});
