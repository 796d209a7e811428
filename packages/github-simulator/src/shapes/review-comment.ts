import type { Anchor, ReviewComment } from '../world/records.ts';
import { requireThread } from '../world/threads.ts';
import type { World } from '../world/world.ts';
import { authorOrNull } from './accounts.ts';
import { HTML_ROOT, timestamp } from './common.ts';
import { reactionRollup } from './reaction.ts';

/**
 * Schema `pull-request-review-comment`, and `webhooks_review_comment`. `line` and `position` are null when
 * the thread is outdated: GitHub answers so, though its description of REST does not say so.
 */
export function reviewComment(world: World, comment: ReviewComment, seesMembers: boolean) {
  const thread = requireThread(world, comment.thread);
  const { original, current } = thread;
  const repo = `${world.url}/repos/${world.owner}/${world.repo}`;
  const url = `${repo}/pulls/comments/${comment.id}`;
  const html = reviewCommentHtmlUrl(world, comment);
  const pullRequest = `${repo}/pulls/${comment.pullRequest}`;
  return {
    url,
    pull_request_review_id: comment.review,
    id: comment.id,
    node_id: comment.nodeId,
    diff_hunk: original.kind === 'line' ? original.diffHunk : '',
    path: thread.path,
    commit_id: (current ?? original).headSha,
    original_commit_id: original.headSha,
    user: authorOrNull(world, comment.author),
    body: comment.body,
    created_at: timestamp(comment.createdAt),
    updated_at: timestamp(comment.updatedAt),
    html_url: html,
    pull_request_url: pullRequest,
    author_association: world.accounts.associationOf(comment.author, seesMembers),
    _links: { self: { href: url }, html: { href: html }, pull_request: { href: pullRequest } },
    reactions: reactionRollup(`${url}/reactions`, comment.reactions),
    subject_type: original.kind,
    ...(comment.replyTo === undefined ? {} : { in_reply_to_id: comment.replyTo }),
    ...lineFields(original, current),
  };
}

/** Address of a review comment among the pages for people. */
export function reviewCommentHtmlUrl(world: World, { pullRequest, id }: ReviewComment): string {
  return `${HTML_ROOT}/${world.owner}/${world.repo}/pull/${pullRequest}#discussion_r${id}`;
}

/** A comment on a whole file stands, in GitHub's numbers, at position 1 of no line. */
function lineFields(original: Anchor, current: Anchor | undefined) {
  const lineNow = current?.kind === 'line' ? current.line : null;
  const positionNow = current?.kind === 'line' ? current.position : 1;
  return {
    start_line: null,
    original_start_line: null,
    start_side: null,
    line: lineNow,
    original_line: original.kind === 'line' ? original.line : null,
    side: original.kind === 'line' ? original.side : 'RIGHT',
    original_position: original.kind === 'line' ? original.position : 1,
    position: current === undefined ? null : positionNow,
  };
}
