import { RefusedActError } from '../errors.ts';
import type { Hook } from '../webhooks/hook.ts';
import { reviewCommentPayload, reviewPayload, threadPayload } from '../webhooks/review-payloads.ts';
import { requirePullRequest } from '../world/pull-requests.ts';
import type { Anchor, ReviewComment, ReviewRecord, ReviewState, ThreadRecord } from '../world/records.ts';
import {
  addReply,
  addReviewComment,
  createReview,
  removeReviewComment,
  requireReview,
  requireReviewComment,
  updateReview,
  updateReviewComment,
} from '../world/reviews.ts';
import { anchorFor, createThread, requireThread, type ThreadSubject } from '../world/threads.ts';
import type { World } from '../world/world.ts';

/** A comment that starts a thread. */
export interface InlineComment extends ThreadSubject {
  readonly body: string;
}

/** A thread with what was answered in it. */
export interface FormerThread extends InlineComment {
  readonly author: string;
  readonly replies?: readonly { readonly author: string; readonly body: string }[];
}

export interface SubmitReview {
  readonly author: string;
  /** Default: commented. */
  readonly state?: Exclude<ReviewState, 'dismissed'>;
  /** Default: empty. */
  readonly body?: string;
  readonly comments?: readonly InlineComment[];
}

export interface StartedThread {
  /** Node id: a thread has no other. */
  readonly threadId: string;
  readonly commentId: number;
  readonly commentNodeId: string;
}

export interface WrittenReply {
  readonly commentId: number;
  readonly commentNodeId: string;
  /** The review of empty body that carries it. */
  readonly reviewId: number;
}

/**
 * What people do in reviews. Every act resolves when its deliveries were answered. All throw RefusedActError
 * for what GitHub would refuse, such as a comment on a line that the diff does not show.
 */
export interface ReviewActs {
  /** Deliveries: `pull_request_review.submitted`, then `pull_request_review_comment.created` for each comment. */
  submitReview(
    pullRequest: number,
    wanted: SubmitReview,
  ): Promise<{
    readonly reviewId: number;
    readonly reviewNodeId: string;
    readonly threads: readonly StartedThread[];
  }>;
  /** A single comment. GitHub wraps it in a review of empty body, so the deliveries are those of a review. */
  startThread(
    pullRequest: number,
    wanted: InlineComment & { readonly author: string },
  ): Promise<StartedThread & { readonly reviewId: number }>;
  /** Wrapped in a review of its own, as a single comment is. */
  /**
   * Whole conversations that were there before the App was installed: nothing is delivered. Each of them is a
   * comment with its replies, in order.
   */
  addThreads(pullRequest: number, wanted: readonly FormerThread[]): Promise<readonly StartedThread[]>;
  reply(threadId: string, wanted: { readonly author: string; readonly body: string }): Promise<WrittenReply>;
  /** @param by who edits. Default: the author. */
  editReview(id: number, body: string, by?: string): Promise<void>;
  dismissReview(id: number, by: string): Promise<void>;
  editReviewComment(id: number, body: string, by?: string): Promise<void>;
  /** With the last comment the thread is gone. */
  deleteReviewComment(id: number, by?: string): Promise<void>;
  /** Nothing happens, and nothing is delivered, when it is resolved already. */
  resolveThread(threadId: string, by: string): Promise<void>;
  unresolveThread(threadId: string, by: string): Promise<void>;
}

export function reviewActs(world: World, hook: Hook): ReviewActs {
  return { ...writingActs(world, hook), ...changingActs(world, hook) };
}

type WritingActs = Pick<ReviewActs, 'submitReview' | 'startThread' | 'addThreads' | 'reply'>;

function writingActs(world: World, hook: Hook): WritingActs {
  return {
    submitReview: async (pullRequest, wanted) => {
      const { review, comments } = await writeReview(world, pullRequest, wanted);
      await tellOfReview(world, hook, review, comments);
      return { reviewId: review.id, reviewNodeId: review.nodeId, threads: comments.map(startedThread) };
    },
    startThread: async (pullRequest, wanted) => {
      const { review, comment } = await beginThread(world, pullRequest, wanted);
      await tellOfReview(world, hook, review, [comment]);
      return { ...startedThread(comment), reviewId: review.id };
    },
    addThreads: async (pullRequest, wanted) => {
      const started: StartedThread[] = [];
      for (const { replies = [], ...former } of wanted) {
        const { comment } = await beginThread(world, pullRequest, former);
        const thread = requireThread(world, comment.thread);
        for (const reply of replies) addReply(world, thread, { ...reply, byApp: false });
        started.push(startedThread(comment));
      }
      return started;
    },
    reply: async (threadId, wanted) => {
      const thread = requireThread(world, threadId);
      const { review, comment } = addReply(world, thread, { ...wanted, byApp: false });
      await tellOfReview(world, hook, review, [comment]);
      return { commentId: comment.id, commentNodeId: comment.nodeId, reviewId: review.id };
    },
  };
}

function changingActs(world: World, hook: Hook): Omit<ReviewActs, keyof WritingActs> {
  const tellOfThread = (thread: ThreadRecord, action: 'resolved' | 'unresolved', by: string) =>
    hook.send('pull_request_review_thread', threadPayload(world, thread, action, by));
  return {
    editReview: async (id, body, by) => {
      const before = requireReview(world, id);
      const editor = by ?? before.author;
      const after = updateReview(world, id, { body, lastEdit: editOf(world, editor) });
      const payload = reviewPayload(world, after, 'edited', editor, before.body);
      await hook.send('pull_request_review', payload);
    },
    dismissReview: async (id, by) => {
      const { state } = requireReview(world, id);
      if (state !== 'approved' && state !== 'changes_requested') {
        throw new RefusedActError(`Can not dismiss a ${state} pull request review`);
      }
      const dismissed = updateReview(world, id, { state: 'dismissed' });
      await hook.send('pull_request_review', reviewPayload(world, dismissed, 'dismissed', by));
    },
    editReviewComment: async (id, body, by) => {
      const before = requireReviewComment(world, id);
      const editor = by ?? before.author;
      const after = updateReviewComment(world, id, { body, lastEdit: editOf(world, editor) });
      const payload = reviewCommentPayload(world, after, 'edited', editor, before.body);
      await hook.send('pull_request_review_comment', payload);
    },
    deleteReviewComment: async (id, by) => {
      const comment = requireReviewComment(world, id);
      const payload = reviewCommentPayload(world, comment, 'deleted', by ?? comment.author);
      removeReviewComment(world, comment);
      await hook.send('pull_request_review_comment', payload);
    },
    resolveThread: async (threadId, by) => {
      const thread = requireThread(world, threadId);
      if (thread.resolvedBy !== undefined) return;
      world.threads.set(threadId, { ...thread, resolvedBy: by });
      await tellOfThread(thread, 'resolved', by);
    },
    unresolveThread: async (threadId, by) => {
      const thread = requireThread(world, threadId);
      if (thread.resolvedBy === undefined) return;
      world.threads.set(threadId, { ...thread, resolvedBy: undefined });
      await tellOfThread(thread, 'unresolved', by);
    },
  };
}

function editOf(world: World, by: string): NonNullable<ReviewRecord['lastEdit']> {
  world.accounts.ensure(by);
  return { at: world.now(), by };
}

/** Anchors are found first: a review is refused as a whole when one of its comments has no place. */
async function writeReview(world: World, pullRequest: number, wanted: SubmitReview) {
  const pr = requirePullRequest(world, pullRequest);
  const { author, state = 'commented', body = '', comments = [] } = wanted;
  if (state !== 'commented' && author === pr.author) {
    throw new RefusedActError(`${author} can neither approve nor refuse their own pull request`);
  }
  if (state !== 'approved' && body === '' && comments.length === 0) {
    throw new RefusedActError('A review that says nothing must approve');
  }
  const placed = await Promise.all(
    comments.map(async (comment) => ({ ...comment, anchor: await anchorFor(world, pr, comment) })),
  );
  const review = createReview(world, { pullRequest, author, state, body, byApp: false });
  return { review, comments: placed.map((comment) => openThread(world, review, comment)) };
}

/** A thread, and the review of empty body in which GitHub wraps its first comment. */
async function beginThread(
  world: World,
  pullRequest: number,
  { author, ...wanted }: InlineComment & { readonly author: string },
) {
  const anchor = await anchorFor(world, requirePullRequest(world, pullRequest), wanted);
  const review = createReview(world, { pullRequest, author, state: 'commented', body: '', byApp: false });
  return { review, comment: openThread(world, review, { ...wanted, anchor }) };
}

function openThread(
  world: World,
  review: ReviewRecord,
  { path, body, anchor }: InlineComment & { readonly anchor: Anchor },
): ReviewComment {
  return addReviewComment(world, createThread(world, review.pullRequest, path, anchor), review, body);
}

async function tellOfReview(
  world: World,
  hook: Hook,
  review: ReviewRecord,
  comments: readonly ReviewComment[],
): Promise<void> {
  await hook.send('pull_request_review', reviewPayload(world, review, 'submitted', review.author));
  for (const comment of comments) {
    const payload = reviewCommentPayload(world, comment, 'created', comment.author);
    await hook.send('pull_request_review_comment', payload);
  }
}

function startedThread(comment: ReviewComment): StartedThread {
  return { threadId: comment.thread, commentId: comment.id, commentNodeId: comment.nodeId };
}
