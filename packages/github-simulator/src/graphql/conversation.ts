import { commentHtmlUrl } from '../shapes/comment.ts';
import { HTML_ROOT, timestamp } from '../shapes/common.ts';
import { reviewHtmlUrl } from '../shapes/review.ts';
import { reviewCommentHtmlUrl } from '../shapes/review-comment.ts';
import { nodeId } from '../world/node-id.ts';
import { requirePullRequest } from '../world/pull-requests.ts';
import type {
  PullRequestRecord,
  ReviewComment,
  ReviewRecord,
  StoredComment,
  ThreadRecord,
} from '../world/records.ts';
import { requireReview } from '../world/reviews.ts';
import { commentsInThread, requireThread } from '../world/threads.ts';
import { commentsOf, ofPullRequest } from '../world/world.ts';
import { connectionOf } from './connection.ts';
import type { Arguments, QueryContext } from './context.ts';
import { actor, written } from './written.ts';

/** Type `PullRequest`, with its conversation. */
export function pullRequest(context: QueryContext, pr: PullRequestRecord) {
  const { world } = context;
  return {
    __typename: 'PullRequest',
    id: nodeId('PR', pr.id),
    databaseId: pr.id,
    fullDatabaseId: String(pr.id),
    number: pr.number,
    url: `${HTML_ROOT}/${world.owner}/${world.repo}/pull/${pr.number}`,
    title: pr.title,
    body: pr.body ?? '',
    state: pr.merge === undefined ? pr.state.toUpperCase() : 'MERGED',
    isDraft: pr.draft,
    closed: pr.state === 'closed',
    merged: pr.merge !== undefined,
    locked: pr.locked,
    headRefOid: pr.head.sha,
    headRefName: pr.head.ref,
    baseRefOid: pr.baseSha,
    baseRefName: pr.baseRef,
    author: actor(world, pr.author),
    authorAssociation: world.accounts.associationOf(pr.author, context.seesMembers),
    viewerDidAuthor: pr.author === world.accounts.bot.login,
    createdAt: timestamp(pr.createdAt),
    updatedAt: timestamp(pr.updatedAt),
    comments: (args: Arguments) =>
      connectionOf({
        typeName: 'IssueComment',
        all: commentsOf(world, pr.number),
        args,
        toNode: (comment) => issueComment(context, comment),
      }),
    reviews: ({ states, ...args }: Arguments) =>
      connectionOf({
        typeName: 'PullRequestReview',
        all: ofPullRequest(world.reviews, pr.number).filter((found) => isAmong(states, found)),
        args,
        toNode: (found) => review(context, found),
      }),
    reviewThreads: (args: Arguments) =>
      connectionOf({
        typeName: 'PullRequestReviewThread',
        all: ofPullRequest(world.threads, pr.number),
        args,
        toNode: (found) => thread(context, found),
      }),
  };
}

/** Type `IssueComment`. */
export function issueComment(context: QueryContext, comment: StoredComment) {
  return {
    __typename: 'IssueComment',
    ...written(context, comment, commentHtmlUrl(context.world, comment)),
    pullRequest: () => pullRequestOf(context, comment),
  };
}

/** Type `PullRequestReview`. */
export function review(context: QueryContext, record: ReviewRecord) {
  const { world } = context;
  return {
    __typename: 'PullRequestReview',
    ...written(context, record, reviewHtmlUrl(world, record)),
    state: record.state.toUpperCase(),
    submittedAt: timestamp(record.createdAt),
    commit: { __typename: 'Commit', oid: record.commitSha },
    pullRequest: () => pullRequestOf(context, record),
    comments: (args: Arguments) =>
      reviewComments(
        context,
        args,
        ofPullRequest(world.reviewComments, record.pullRequest).filter(({ review: id }) => id === record.id),
      ),
  };
}

/** Type `PullRequestReviewThread`. */
export function thread(context: QueryContext, record: ThreadRecord) {
  const { world } = context;
  const { nodeId: id, original, current, resolvedBy } = record;
  const isResolved = resolvedBy !== undefined;
  const isOutdated = current === undefined;
  return {
    __typename: 'PullRequestReviewThread',
    id,
    isResolved,
    isOutdated,
    isCollapsed: isResolved || isOutdated,
    resolvedBy: resolvedBy === undefined ? null : resolver(context, resolvedBy),
    path: record.path,
    diffSide: original.kind === 'line' ? original.side : 'RIGHT',
    ...lineFields(record),
    pullRequest: () => pullRequestOf(context, record),
    comments: (args: Arguments) => reviewComments(context, args, commentsInThread(world, id)),
  };
}

/** Type `PullRequestReviewComment`. */
export function reviewComment(context: QueryContext, comment: ReviewComment) {
  const { world } = context;
  const place = requireThread(world, comment.thread);
  const { original, current } = place;
  const parent = world.reviewComments.get(comment.replyTo ?? Number.NaN);
  return {
    __typename: 'PullRequestReviewComment',
    ...written(context, comment, reviewCommentHtmlUrl(world, comment)),
    state: 'SUBMITTED',
    path: place.path,
    diffHunk: original.kind === 'line' ? original.diffHunk : '',
    outdated: current === undefined,
    ...lineFields(place),
    commit: { __typename: 'Commit', oid: (current ?? original).headSha },
    originalCommit: { __typename: 'Commit', oid: original.headSha },
    replyTo: parent === undefined ? null : () => reviewComment(context, parent),
    pullRequest: () => pullRequestOf(context, comment),
    pullRequestReview: () => review(context, requireReview(world, comment.review)),
  };
}

function reviewComments(context: QueryContext, args: Arguments, all: readonly ReviewComment[]) {
  const toNode = (comment: ReviewComment) => reviewComment(context, comment);
  return connectionOf({ typeName: 'PullRequestReviewComment', all, args, toNode });
}

/** Numbers of lines, the same for a thread and for its comments. */
function lineFields({ original, current }: ThreadRecord) {
  return {
    line: current?.kind === 'line' ? current.line : null,
    originalLine: original.kind === 'line' ? original.line : null,
    startLine: null,
    originalStartLine: null,
    subjectType: original.kind.toUpperCase(),
  };
}

/** Always a `User` in the schema, whoever it was: an App then keeps its `[bot]`, as `viewer` does. */
function resolver({ world }: QueryContext, login: string) {
  const who = actor(world, login);
  return who === null ? null : { ...who, __typename: 'User', login: world.accounts.ensure(login).login };
}

function pullRequestOf(context: QueryContext, { pullRequest: number }: { readonly pullRequest: number }) {
  return pullRequest(context, requirePullRequest(context.world, number));
}

function isAmong(states: unknown, { state }: ReviewRecord): boolean {
  return !Array.isArray(states) || states.includes(state.toUpperCase());
}
