/**
 * Whether a Shepherd has to be told to look at its PR. Pure: one comparison of what GitHub lists with what the
 * Shepherd knows.
 *
 * @module
 */
import type { OpenPullRequest } from '../github/open-pull-requests.ts';
import { isUnheard } from '../review/decide-conversation.ts';
import { due } from '../review/due.ts';
import { isStranded } from '../review/gating.ts';
import type { Seen, ShepherdState } from '../review/state.ts';

/** What a pass is made for. */
export interface Occasion {
  /** The first pass after a start: what was refused for good may have been set right meanwhile. */
  readonly isFirst: boolean;
  readonly nowMs: number;
  /** When the factory first ran on this database. */
  readonly firstStartMs: number;
}

/** Whether the Shepherd of an open PR knows less than GitHub, left something undone, or is missing. */
export function isBehind(
  state: ShepherdState | undefined,
  pr: OpenPullRequest,
  { isFirst, nowMs, firstStartMs }: Occasion,
): boolean {
  // A new installation must not review a whole backlog: what was open before waits until something happens.
  // GitHub tells whole seconds.
  if (state === undefined) return pr.updatedAtMs >= Math.floor(firstStartMs / 1000) * 1000;
  const { seen, failure } = state;
  if (seen === undefined || differs(seen, pr) || due(state, nowMs) !== undefined) return true;
  if (isUnheard(state, pr.updatedAtMs)) return true;
  return isStranded(state) && (isFirst || failure?.retryable !== false);
}

/** Whether the Shepherd of a PR that is not open does not know that, or has not done what follows from it. */
export function missedEnd(state: ShepherdState | undefined, nowMs: number): boolean {
  return state !== undefined && (state.seen?.open === true || due(state, nowMs) !== undefined);
}

function differs(seen: Seen, pr: OpenPullRequest): boolean {
  return (
    !seen.open ||
    seen.headSha !== pr.headSha ||
    seen.draft !== pr.draft ||
    seen.baseRef !== pr.baseRef ||
    [...seen.labels].sort().join('\n') !== [...pr.labels].sort().join('\n')
  );
}
