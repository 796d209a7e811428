import { nodeId } from './node-id.ts';
import { updatePullRequest } from './pull-requests.ts';
import type { ReactionContent, ReactionRecord, StoredComment } from './records.ts';
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
  const comment = { ...wanted, id, nodeId: nodeId('IC', id), createdAt: at, updatedAt: at, reactions: [] };
  world.accounts.ensure(wanted.author);
  world.comments.set(id, comment);
  return comment;
}

/** Replaces the body, and keeps author and time of creation. */
export function replaceBody(world: World, comment: StoredComment, body: string): StoredComment {
  const next = { ...comment, body, updatedAt: world.now() };
  world.comments.set(comment.id, next);
  return next;
}

/** Adds a reaction unless this person has it there already. */
export function react(
  world: World,
  comment: StoredComment,
  author: string,
  content: ReactionContent,
): { readonly reaction: ReactionRecord; readonly created: boolean } {
  const known = comment.reactions.find((found) => found.author === author && found.content === content);
  if (known !== undefined) return { reaction: known, created: false };
  const reaction = { id: world.nextId(), author, content, createdAt: world.now() };
  world.comments.set(comment.id, { ...comment, reactions: [...comment.reactions, reaction] });
  return { reaction, created: true };
}
