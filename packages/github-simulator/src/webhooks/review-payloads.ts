import { timestamp } from '../shapes/common.ts';
import { simplePullRequest } from '../shapes/pull-request.ts';
import { deliveredReview } from '../shapes/review.ts';
import { reviewComment } from '../shapes/review-comment.ts';
import { requirePullRequest } from '../world/pull-requests.ts';
import type { ReviewComment, ReviewRecord, ThreadRecord } from '../world/records.ts';
import { commentsInThread } from '../world/threads.ts';
import type { World } from '../world/world.ts';
import { common, type Payload } from './payloads.ts';

/** A `pull_request_review` payload. `previousBody` only for edits. */
export function reviewPayload(
  world: World,
  review: ReviewRecord,
  action: 'submitted' | 'edited' | 'dismissed',
  sender: string,
  previousBody?: string,
): Payload {
  return {
    action,
    review: deliveredReview(world, review),
    ...shared(world, review.pullRequest, sender, previousBody),
  };
}

/** A `pull_request_review_comment` payload. `previousBody` only for edits. */
export function reviewCommentPayload(
  world: World,
  comment: ReviewComment,
  action: 'created' | 'edited' | 'deleted',
  sender: string,
  previousBody?: string,
): Payload {
  return {
    action,
    comment: reviewComment(world, comment, false),
    ...shared(world, comment.pullRequest, sender, previousBody),
  };
}

/** A `pull_request_review_thread` payload. */
export function threadPayload(
  world: World,
  thread: ThreadRecord,
  action: 'resolved' | 'unresolved',
  sender: string,
): Payload {
  const comments = commentsInThread(world, thread.nodeId);
  return {
    action,
    thread: {
      node_id: thread.nodeId,
      comments: comments.map((comment) => reviewComment(world, comment, false)),
    },
    updated_at: timestamp(world.now()),
    ...shared(world, thread.pullRequest, sender, undefined),
  };
}

function shared(
  world: World,
  pullRequest: number,
  sender: string,
  previousBody: string | undefined,
): Payload {
  return {
    ...(previousBody === undefined ? {} : { changes: { body: { from: previousBody } } }),
    pull_request: simplePullRequest(world, requirePullRequest(world, pullRequest), false),
    ...common(world, sender),
  };
}
