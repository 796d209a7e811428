import { RefusedActError } from '../errors.ts';
import type { Hook } from '../webhooks/hook.ts';
import { issueCommentPayload } from '../webhooks/payloads.ts';
import { createComment, replaceBody } from '../world/comments.ts';
import { requirePullRequest } from '../world/pull-requests.ts';
import type { StoredComment } from '../world/records.ts';
import type { World } from '../world/world.ts';

/** What people do in the conversation of a pull request. Acts resolve when their deliveries were answered. */
export interface CommentActs {
  comment(
    pullRequest: number,
    wanted: { readonly author: string; readonly body: string },
  ): Promise<{ id: number; nodeId: string }>;
  /** @param by who edits; anybody with write access may. Default: the author. */
  editComment(id: number, body: string, by?: string): Promise<void>;
  deleteComment(id: number, by?: string): Promise<void>;
}

export function commentActs(world: World, hook: Hook): CommentActs {
  const tell = async (
    comment: StoredComment,
    action: 'created' | 'edited' | 'deleted',
    by: string = comment.author,
    previousBody?: string,
  ) => {
    const pr = requirePullRequest(world, comment.pullRequest);
    await hook.send('issue_comment', issueCommentPayload(world, pr, comment, action, by, previousBody));
  };
  return {
    comment: async (pullRequest, { author, body }) => {
      const comment = createComment(world, { pullRequest, author, body, byApp: false });
      await tell(comment, 'created');
      return { id: comment.id, nodeId: comment.nodeId };
    },
    editComment: async (id, body, by) => {
      const before = requireComment(world, id);
      const after = replaceBody(world, before, body, by ?? before.author);
      await tell(after, 'edited', by, before.body);
    },
    deleteComment: async (id, by) => {
      const comment = requireComment(world, id);
      world.comments.delete(id);
      await tell(comment, 'deleted', by);
    },
  };
}

function requireComment(world: World, id: number): StoredComment {
  const comment = world.comments.get(id);
  if (comment === undefined) throw new RefusedActError(`There is no comment ${id}`);
  return comment;
}
