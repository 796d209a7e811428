import { nodeId } from './node-id.ts';
import { updatePullRequest } from './pull-requests.ts';
import type { StoredComment } from './records.ts';
import type { World } from './world.ts';

/** @throws RefusedActError when there is no such pull request. */
export function createComment(
  world: World,
  wanted: {
    readonly pullRequest: number;
    readonly author: string;
    readonly body: string;
    readonly byApp: boolean;
  },
): StoredComment {
  updatePullRequest(world, wanted.pullRequest, {});
  const at = world.now();
  const id = world.nextId();
  const comment: StoredComment = {
    ...wanted,
    id,
    nodeId: nodeId('IC', id),
    createdAt: at,
    updatedAt: at,
    lastEdit: undefined,
    minimized: undefined,
    reactions: [],
  };
  world.accounts.ensure(wanted.author);
  world.comments.set(id, comment);
  return comment;
}

/** Replaces the body, and keeps author and time of creation. */
export function replaceBody(world: World, comment: StoredComment, body: string, by: string): StoredComment {
  const at = world.now();
  const next = { ...comment, body, updatedAt: at, lastEdit: { at, by } };
  world.accounts.ensure(by);
  world.comments.set(comment.id, next);
  return next;
}
