/**
 * GitHub's events as events of the state machine: what may have changed, who asks something of us, and who
 * changes what we wrote. Pure.
 *
 * @module
 */
import type { Actor, CommentFacts, PrEvent } from '../github-event-types.ts';
import type { ShepherdEvent } from '../review/decide.ts';
import { summonedBy, summonedByEdit } from '../review/mention.ts';
import { type Heard, requestKey } from '../review/summons.ts';

/** Events that carry a text. */
type Said = Extract<
  PrEvent,
  { type: 'issue_comment' | 'pull_request_review' | 'pull_request_review_comment' }
>;

/** Whether one has to know our name to understand an event. */
export function mayMentionUs(event: PrEvent): boolean {
  const text = textOf(event);
  return text !== undefined && isHuman(event, text) && text.body.includes('@');
}

/** Understands an event. `names` are what we are called. */
export function understand(event: PrEvent, names: readonly string[]): readonly ShepherdEvent[] {
  switch (event.type) {
    case 'pull_request':
      return pullRequestEvents(event);
    // A thread that is resolved starts no round by itself.
    case 'pull_request_review_thread':
      return [{ type: 'said' }];
    default:
      return [spoke(event), ...saidEvents(event, names)];
  }
}

function pullRequestEvents(event: Extract<PrEvent, { type: 'pull_request' }>): readonly ShepherdEvent[] {
  // A new title or text changes no code; a new base branch does (T-044).
  if (event.action === 'edited' && event.previousBaseRef === null) return [];
  if (event.action !== 'synchronize') return [{ type: 'pr-changed', push: false }];
  return [{ type: 'pr-changed', push: true, replacedSha: event.before }];
}

/** Of whomever: also a bot's words are to be shown, and an edit may be somebody hiding the text. */
function spoke(said: Said): ShepherdEvent {
  return said.type === 'issue_comment' ? { type: 'said', commentId: said.comment.id } : { type: 'said' };
}

function saidEvents(said: Said, names: readonly string[]): readonly ShepherdEvent[] {
  const text = textOf(said);
  if (text === undefined) return [];
  if (said.action === 'deleted') return [...onOurComment(said, text), { type: 'unsaid', to: text.nodeId }];
  if (said.action === 'dismissed') return [];
  if (!isHuman(said, text)) return onOurComment(said, text);
  const ask =
    said.action === 'edited'
      ? summonedByEdit(said.previousBody, text.body, names)
      : summonedBy(text.body, names);
  if (ask === undefined) return [];
  return [
    {
      type: 'summoned',
      heard: { ...placeOf(said, text), ask, key: requestKey(text.nodeId, ask.kind, reviewIdOf(said, text)) },
    },
  ];
}

function textOf(event: PrEvent): CommentFacts | undefined {
  if (event.type === 'pull_request_review') return event.review;
  return event.type === 'issue_comment' || event.type === 'pull_request_review_comment'
    ? event.comment
    : undefined;
}

/** Text of our own and of bots never counts, and neither does what a bot edits (T-132, T-133). */
function isHuman(event: PrEvent, text: CommentFacts): boolean {
  return !text.author.isBot && !event.sender.isBot;
}

/** Our comment is a bot's; what other bots' comments go through, the state machine sees by the id. */
function onOurComment(said: Said, text: CommentFacts): readonly ShepherdEvent[] {
  if (said.type !== 'issue_comment' || !text.author.isBot) return [];
  if (said.action === 'deleted') return [{ type: 'comment-deleted', commentId: text.id }];
  // Our own edits come back as events, too.
  if (said.action !== 'edited' || said.sender.isBot) return [];
  return [{ type: 'comment-edited', commentId: text.id, by: said.sender.login }];
}

/** The review that a text belongs to; one act of a person may fire an event for it and one for each of its comments. */
function reviewIdOf(said: Said, text: CommentFacts): number | null {
  if (said.type === 'pull_request_review') return text.id;
  return said.type === 'pull_request_review_comment' ? said.comment.reviewId : null;
}

function placeOf(said: Said, text: CommentFacts): Omit<Heard, 'key' | 'ask'> {
  const by = asker(said, text).login;
  const heard = { to: text.nodeId, by };
  if (said.type === 'pull_request_review_comment') {
    const { id, inReplyToId } = said.comment;
    const place = { kind: 'review-comment' as const, id: inReplyToId ?? id };
    return { ...heard, place, reactTo: { kind: 'review-comment', id } };
  }
  const place = { kind: 'comment' as const };
  return said.type === 'pull_request_review'
    ? { ...heard, place }
    : { ...heard, place, reactTo: { kind: 'comment', id: text.id } };
}

/** Who adds a mention by an edit is who asks, whoever wrote the comment. */
function asker(said: Said, text: CommentFacts): Actor {
  return said.action === 'edited' ? said.sender : text.author;
}
