/**
 * Whether a round still fits its PR, asked before anything is spent or written.
 *
 * @module
 */
import type { PullRequestRead } from '../github/pull-request.ts';
import type { PrRef } from '../ids.ts';
import type { ShepherdEvent } from '../review/decide.ts';
import { isOlder } from '../review/decide-look.ts';
import { mayReview } from '../review/gating.ts';
import type { PrFacts } from '../review/round.ts';
import type { Round, ShepherdState } from '../review/state.ts';
import { seenOf } from './seen.ts';
import type { FactoryServices } from './services.ts';

/** A look that the round passed. */
type Fenced = Extract<PullRequestRead, { found: true }>;

/** The PR as it was `read`, or what follows where the round no longer fits it. */
export function fenceRound(
  services: FactoryServices,
  pr: PrRef,
  { round, state }: { readonly round: Round; readonly state: ShepherdState },
  read: PullRequestRead,
): Fenced | ShepherdEvent {
  const { wakeId, iteration, baseSha, headSha } = round;
  if (read.found && fits(round, state, read.pr)) return read;
  services.onProgress({ type: 'round', state: 'dropped', pr, wakeId, iteration, baseSha, headSha, files: 0 });
  return read.found ? { type: 'fenced', wakeId, seen: seenOf(read.pr) } : { type: 'pr-gone' };
}

/** A review of a commit that is no longer the head is published only where the round was allowed to be late. */
function fits(round: Round, state: ShepherdState, pr: PrFacts): boolean {
  const allowed = mayReview({ ...state, seen: seenOf(pr) }, round.request !== undefined);
  // An answer from before what was seen already says nothing about now.
  if (!allowed || pr.baseRef !== round.baseRef || isOlder(seenOf(pr), state.seen)) return false;
  return pr.headSha === round.headSha || round.mayBeStale;
}
