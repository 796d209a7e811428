/**
 * What the comment has to say although no round is published: that reviews wait because there were too many,
 * or that the newest commit could not be reviewed. Without it a reader would take an old review for the
 * newest one (S5, T-123).
 *
 * @module
 */
import type { Sha } from '../ids.ts';
import { isStranded, mayReview } from './gating.ts';
import type { ShepherdState } from './state.ts';

/** One thing to say. */
export type Notice =
  | { readonly kind: 'capped'; readonly untilMs: number; readonly newCommits: boolean }
  | { readonly kind: 'failed'; readonly headSha: Sha; readonly what: string }
  /** It is not sure what reviewers were shown before. */
  | { readonly kind: 'memory'; readonly what: string }
  /** The check at the end of the round found items that nobody was shown. */
  | { readonly kind: 'missed'; readonly what: string };

/** What is to be said now, if anything. */
export function noticeOf(state: ShepherdState): Notice | undefined {
  const { owed, seen, published, failure } = state;
  const isMissing = seen !== undefined && published?.headSha !== seen.headSha;
  if (owed?.capped === true) return { kind: 'capped', untilMs: owed.dueAtMs, newCommits: isMissing };
  if (isMissing && failure !== undefined && isStranded(state)) {
    return { kind: 'failed', headSha: seen.headSha, what: failure.what };
  }
  return memoryNotice(state);
}

/** What is to be said of the memory of the discussion, if anything. */
export function memoryNotice({
  memoryTrouble,
  violation,
}: Pick<ShepherdState, 'memoryTrouble' | 'violation'>): Notice | undefined {
  if (memoryTrouble !== undefined) return { kind: 'memory', what: memoryTrouble };
  return violation === undefined ? undefined : { kind: 'missed', what: violation };
}

/** Tells two notices apart; a repeated failure is the same notice, so that it is written once (T-181). */
export function noticeKey(notice: Notice): string {
  switch (notice.kind) {
    case 'capped':
      return `capped ${notice.untilMs}${notice.newCommits ? ' new commits' : ''}`;
    case 'failed':
      return `failed ${notice.headSha} ${notice.what}`;
    case 'memory':
      // Its text is the same whatever is wrong.
      return notice.kind;
    case 'missed':
      return `${notice.kind} ${notice.what}`;
  }
}

/** What the standing comment is to be written again for; `undefined` where it may stand as it is. */
export function refreshDue(state: ShepherdState): { readonly notice?: Notice } | undefined {
  // Also where it was reviewed on request: what stands there is ours.
  if (state.published?.commentId === undefined || !mayReview(state, true)) return undefined;
  const notice = noticeOf(state);
  const told = notice === undefined ? {} : { notice };
  if (state.editedBy !== undefined) return told;
  if (notice !== undefined) return noticeKey(notice) === state.noticeShown ? undefined : told;
  // A notice that no longer holds goes with the next review; only where none is to come it is taken off.
  const isIdle = state.round === undefined && state.owed === undefined && state.look === undefined;
  return state.noticeShown !== undefined && isIdle ? told : undefined;
}
