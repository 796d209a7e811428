import { RefusedActError } from '../errors.ts';
import type { Hook } from '../webhooks/hook.ts';
import { issueCommentPayload } from '../webhooks/payloads.ts';
import { requirePullRequest } from '../world/pull-requests.ts';
import type { MinimizeReason } from '../world/records.ts';
import type { World } from '../world/world.ts';

/** What moderators and account owners do. */
export interface ModerationActs {
  /**
   * Hides a comment, a review comment or the summary of a review, by its node id. Of a comment in the
   * timeline GitHub has been seen to deliver `edited` with the same body before and after; otherwise it
   * delivers nothing.
   *
   * @throws RefusedActError when there is nothing of that id.
   */
  minimize(nodeId: string, reason: MinimizeReason, by: string): Promise<void>;
  /** Shows again what was hidden. */
  unminimize(nodeId: string, by: string): Promise<void>;
  /** Closes an account. What it wrote stays, without an author. GitHub delivers nothing. */
  deleteAccount(login: string): void;
}

export function moderationActs(world: World, hook: Hook): ModerationActs {
  const mark = async (nodeId: string, minimized: MinimizeReason | undefined, by: string) => {
    const comment = setMinimized(world.comments, nodeId, minimized);
    const found =
      comment ??
      setMinimized(world.reviews, nodeId, minimized) ??
      setMinimized(world.reviewComments, nodeId, minimized);
    if (found === undefined) throw new RefusedActError(`There is nothing to hide with the id ${nodeId}`);
    if (comment === undefined) return;
    const pr = requirePullRequest(world, comment.pullRequest);
    const payload = issueCommentPayload(world, pr, comment, 'edited', by, comment.body);
    await hook.send('issue_comment', payload);
  };
  return {
    minimize: mark,
    unminimize: (nodeId, by) => mark(nodeId, undefined, by),
    deleteAccount: (login) => world.accounts.remove(login),
  };
}

interface Hideable {
  readonly nodeId: string;
  readonly minimized: MinimizeReason | undefined;
}

/** The changed record, undefined when it is not among these. */
function setMinimized<T extends Hideable>(
  records: Map<number, T>,
  nodeId: string,
  minimized: MinimizeReason | undefined,
): T | undefined {
  for (const [id, record] of records) {
    if (record.nodeId !== nodeId) continue;
    const next = { ...record, minimized };
    records.set(id, next);
    return next;
  }
  return undefined;
}
