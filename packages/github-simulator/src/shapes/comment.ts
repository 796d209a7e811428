import type { StoredComment } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { simpleUser } from './accounts.ts';
import { integration } from './app.ts';
import { HTML_ROOT, timestamp } from './common.ts';
import { reactionRollup } from './reaction.ts';

/** Schema `issue-comment`. */
export function issueComment(world: World, comment: StoredComment, seesMembers: boolean) {
  const repo = `${world.url}/repos/${world.owner}/${world.repo}`;
  const url = `${repo}/issues/comments/${comment.id}`;
  return {
    url,
    html_url: commentHtmlUrl(world, comment),
    issue_url: `${repo}/issues/${comment.pullRequest}`,
    id: comment.id,
    node_id: comment.nodeId,
    user: simpleUser(world, world.accounts.ensure(comment.author)),
    created_at: timestamp(comment.createdAt),
    updated_at: timestamp(comment.updatedAt),
    body: comment.body,
    author_association: world.accounts.associationOf(comment.author, seesMembers),
    reactions: reactionRollup(`${url}/reactions`, comment.reactions),
    performed_via_github_app: comment.byApp ? integration(world) : null,
    minimized: comment.minimized === undefined ? null : { reason: comment.minimized },
    pin: null,
  };
}

/** Address of a comment among the pages for people. */
export function commentHtmlUrl(world: World, { pullRequest, id }: StoredComment): string {
  return `${HTML_ROOT}/${world.owner}/${world.repo}/pull/${pullRequest}#issuecomment-${id}`;
}
