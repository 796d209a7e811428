import { RefusedActError } from '../errors.ts';
import { nodeId } from './node-id.ts';
import { requirePullRequest, updatePullRequest } from './pull-requests.ts';
import type { ReviewComment, ReviewRecord, ReviewState, ThreadRecord } from './records.ts';
import { commentsInThread } from './threads.ts';
import type { World } from './world.ts';

export interface NewReview {
  readonly pullRequest: number;
  readonly author: string;
  readonly state: ReviewState;
  readonly body: string;
  readonly byApp: boolean;
}

/** @throws RefusedActError when there is no such pull request. */
export function createReview(world: World, wanted: NewReview): ReviewRecord {
  const review: ReviewRecord = {
    ...wanted,
    ...freshlyWritten(world, 'PRR'),
    commitSha: requirePullRequest(world, wanted.pullRequest).head.sha,
  };
  updatePullRequest(world, wanted.pullRequest, {});
  world.accounts.ensure(wanted.author);
  world.reviews.set(review.id, review);
  return review;
}

/** Adds a comment to a thread, as part of a review. The first one starts it, later ones reply to that. */
export function addReviewComment(
  world: World,
  thread: ThreadRecord,
  review: ReviewRecord,
  body: string,
): ReviewComment {
  const [first] = commentsInThread(world, thread.nodeId);
  const comment: ReviewComment = {
    ...freshlyWritten(world, 'PRRC'),
    pullRequest: thread.pullRequest,
    thread: thread.nodeId,
    review: review.id,
    author: review.author,
    byApp: review.byApp,
    body,
    replyTo: first === undefined ? undefined : (first.replyTo ?? first.id),
    reactions: [],
  };
  world.reviewComments.set(comment.id, comment);
  const before = world.threadComments.get(thread.nodeId) ?? [];
  world.threadComments.set(thread.nodeId, [...before, comment.id]);
  return comment;
}

/** Adds a reply, and the review of empty body in which GitHub wraps it. */
export function addReply(
  world: World,
  thread: ThreadRecord,
  reply: { readonly author: string; readonly body: string; readonly byApp: boolean },
): { readonly review: ReviewRecord; readonly comment: ReviewComment } {
  const { pullRequest } = thread;
  const { author, body, byApp } = reply;
  const review = createReview(world, { pullRequest, author, state: 'commented', body: '', byApp });
  return { review, comment: addReviewComment(world, thread, review, body) };
}

function freshlyWritten(world: World, prefix: 'PRR' | 'PRRC') {
  const at = world.now();
  const id = world.nextId();
  return {
    id,
    nodeId: nodeId(prefix, id),
    createdAt: at,
    updatedAt: at,
    lastEdit: undefined,
    minimized: undefined,
  };
}

/** Replaces fields of a review and sets its time of update. @throws RefusedActError when there is none. */
export function updateReview(world: World, id: number, fields: Partial<ReviewRecord>): ReviewRecord {
  const next = { ...requireReview(world, id), updatedAt: world.now(), ...fields };
  world.reviews.set(id, next);
  return next;
}

/** As {@link updateReview}, for a review comment. */
export function updateReviewComment(world: World, id: number, fields: Partial<ReviewComment>): ReviewComment {
  const next = { ...requireReviewComment(world, id), updatedAt: world.now(), ...fields };
  world.reviewComments.set(id, next);
  return next;
}

/** Deletes a comment, and its thread with the last one. */
export function removeReviewComment(world: World, comment: ReviewComment): void {
  world.reviewComments.delete(comment.id);
  const left = (world.threadComments.get(comment.thread) ?? []).filter((id) => id !== comment.id);
  world.threadComments.set(comment.thread, left);
  if (left.length === 0) world.threads.delete(comment.thread);
}

/** @throws RefusedActError when there is no such review. */
export function requireReview(world: World, id: number): ReviewRecord {
  const review = world.reviews.get(id);
  if (review === undefined) throw new RefusedActError(`There is no review ${id}`);
  return review;
}

/** @throws RefusedActError when there is no such review comment. */
export function requireReviewComment(world: World, id: number): ReviewComment {
  const comment = world.reviewComments.get(id);
  if (comment === undefined) throw new RefusedActError(`There is no review comment ${id}`);
  return comment;
}
