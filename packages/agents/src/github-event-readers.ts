/**
 * From a payload to the facts of an event: one reader for each event and action that somebody acts on.
 *
 * @module
 */
import type { z } from 'zod';
import {
  editedPayload,
  issueCommentPayload,
  labelPayload,
  pullRequestPayload,
  reviewCommentPayload,
  reviewPayload,
  reviewThreadPayload,
  synchronizePayload,
} from './github-event-schemas.ts';
import type { Actor, CommentFacts, PrEvent } from './github-event-types.ts';
import type { RepoRef } from './ids.ts';

type WithoutId<E> = E extends PrEvent ? Omit<E, 'deliveryId'> : never;
/** An event without what only the delivery's headers tell. */
type EventFacts = WithoutId<PrEvent>;

/** A payload that was read, or the path of the first field that stood in the way. */
type ReadPayload =
  | { readonly kind: 'facts'; readonly facts: EventFacts }
  | { readonly kind: 'malformed'; readonly missing: string };

/** Reads the payload of one event and action. Never throws. */
export type PayloadReader = (body: unknown) => ReadPayload;

function reader<S extends z.ZodType>(schema: S, build: (payload: z.output<S>) => EventFacts): PayloadReader {
  return (body) => {
    const result = schema.safeParse(body);
    if (result.success) return { kind: 'facts', facts: build(result.data) };
    return { kind: 'malformed', missing: result.error.issues[0]?.path.join('.') || 'body' };
  };
}

interface Envelope {
  readonly repository: { readonly full_name: RepoRef };
  readonly sender: Actor;
}

function common(payload: Envelope, target: { readonly number: number; readonly state: string }) {
  return {
    pr: { ...payload.repository.full_name, number: target.number },
    sender: payload.sender,
    open: target.state === 'open',
  };
}

function pullRequestFacts(payload: z.output<typeof pullRequestPayload>) {
  const { pull_request } = payload;
  return {
    type: 'pull_request' as const,
    ...common(payload, pull_request),
    headSha: pull_request.head.sha,
    baseSha: pull_request.base.sha,
    draft: pull_request.draft,
    author: pull_request.user,
    labels: pull_request.labels,
  };
}

interface RawComment {
  readonly id: number;
  readonly node_id: string;
  readonly body: string;
  readonly user: Actor;
}

function commentFacts(raw: RawComment): CommentFacts {
  return { id: raw.id, nodeId: raw.node_id, body: raw.body, author: raw.user };
}

function plain(action: 'opened' | 'reopened' | 'ready_for_review' | 'converted_to_draft'): PayloadReader {
  return reader(pullRequestPayload, (payload) => ({ ...pullRequestFacts(payload), action }));
}

function label(action: 'labeled' | 'unlabeled'): PayloadReader {
  return reader(labelPayload, (payload) => ({
    ...pullRequestFacts(payload),
    action,
    label: payload.label.name,
  }));
}

function issueComment(action: 'created' | 'edited' | 'deleted'): PayloadReader {
  return reader(issueCommentPayload, (payload) => ({
    type: 'issue_comment',
    action,
    ...common(payload, payload.issue),
    comment: commentFacts(payload.comment),
    previousBody: payload.changes,
  }));
}

function review(action: 'submitted' | 'edited' | 'dismissed'): PayloadReader {
  return reader(reviewPayload, (payload) => ({
    type: 'pull_request_review',
    action,
    ...common(payload, payload.pull_request),
    review: { ...commentFacts(payload.review), state: payload.review.state },
    previousBody: payload.changes,
  }));
}

function reviewComment(action: 'created' | 'edited' | 'deleted'): PayloadReader {
  return reader(reviewCommentPayload, (payload) => ({
    type: 'pull_request_review_comment',
    action,
    ...common(payload, payload.pull_request),
    comment: {
      ...commentFacts(payload.comment),
      inReplyToId: payload.comment.in_reply_to_id,
      reviewId: payload.comment.pull_request_review_id,
    },
    previousBody: payload.changes,
  }));
}

function reviewThread(action: 'resolved' | 'unresolved'): PayloadReader {
  return reader(reviewThreadPayload, (payload) => ({
    type: 'pull_request_review_thread',
    action,
    ...common(payload, payload.pull_request),
    thread: { nodeId: payload.thread.node_id },
  }));
}

/** `event.action` → its reader. A map, because names of events come from outside. */
export const PAYLOAD_READERS: ReadonlyMap<string, PayloadReader> = new Map<string, PayloadReader>([
  ['pull_request.opened', plain('opened')],
  ['pull_request.reopened', plain('reopened')],
  ['pull_request.ready_for_review', plain('ready_for_review')],
  ['pull_request.converted_to_draft', plain('converted_to_draft')],
  [
    'pull_request.synchronize',
    reader(synchronizePayload, (payload) => ({
      ...pullRequestFacts(payload),
      action: 'synchronize',
      before: payload.before,
      after: payload.after,
    })),
  ],
  [
    'pull_request.edited',
    reader(editedPayload, (payload) => ({
      ...pullRequestFacts(payload),
      action: 'edited',
      previousBaseRef: payload.changes.base?.ref.from ?? null,
      titleChanged: payload.changes.title !== undefined,
      bodyChanged: payload.changes.body !== undefined,
    })),
  ],
  ['pull_request.labeled', label('labeled')],
  ['pull_request.unlabeled', label('unlabeled')],
  [
    'pull_request.closed',
    reader(pullRequestPayload, (payload) => ({
      ...pullRequestFacts(payload),
      action: 'closed',
      merged: payload.pull_request.merged,
    })),
  ],
  ['issue_comment.created', issueComment('created')],
  ['issue_comment.edited', issueComment('edited')],
  ['issue_comment.deleted', issueComment('deleted')],
  ['pull_request_review.submitted', review('submitted')],
  ['pull_request_review.edited', review('edited')],
  ['pull_request_review.dismissed', review('dismissed')],
  ['pull_request_review_comment.created', reviewComment('created')],
  ['pull_request_review_comment.edited', reviewComment('edited')],
  ['pull_request_review_comment.deleted', reviewComment('deleted')],
  ['pull_request_review_thread.resolved', reviewThread('resolved')],
  ['pull_request_review_thread.unresolved', reviewThread('unresolved')],
]);
