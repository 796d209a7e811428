/**
 * Whether a PR is reviewed, and if not, why not.
 *
 * @module
 */
import type { Round, Seen, ShepherdState } from './state.ts';

/** A person who deletes the comment again after it was created once more does not want it. */
const DELETIONS_RESPECTED = 2;

/** Why a Shepherd does or does not review, in the order in which it is asked. */
export type Gate =
  | 'unknown'
  | 'closed'
  | 'exited'
  | 'paused'
  | 'draft'
  | 'unclassified'
  | 'community'
  /** People deleted the comment twice; a summons ends that. */
  | 'muted'
  | 'active';

/** Answers whether this PR is reviewed, and if not, why not (S8). */
export function gateOf(state: ShepherdState): Gate {
  const { seen } = state;
  if (seen === undefined) return 'unknown';
  if (!seen.open) return 'closed';
  // The label may have been seen a moment ago, by a look that is not folded in yet.
  if (state.exited || seen.labels.includes('no-shepherd')) return 'exited';
  if (seen.labels.includes('pause-shepherd')) return 'paused';
  if (seen.draft) return 'draft';
  if (!seen.labels.includes('shepherd')) {
    if (state.authorClass === undefined) return 'unclassified';
    if (state.authorClass === 'community') return 'community';
  }
  return state.deletedCommentIds.length >= DELETIONS_RESPECTED ? 'muted' : 'active';
}

/** Whether nothing follows any more, unless the PR is opened again. */
export function isOver(gate: Gate): gate is 'closed' | 'exited' {
  return gate === 'closed' || gate === 'exited';
}

/** Whether a round or a review is about what the PR is now: this head, against this base. */
export function isOfHead(
  about: Pick<Round, 'headSha' | 'baseRef'> | undefined,
  seen: Seen | undefined,
): boolean {
  return about !== undefined && about.headSha === seen?.headSha && about.baseRef === seen.baseRef;
}

/** What a summons by somebody of the team may have reviewed once, although it is not reviewed by itself. */
const ON_REQUEST: ReadonlySet<Gate> = new Set<Gate>(['draft', 'community', 'unclassified']);

/** Whether a round may run; `requested` where a person who may asked for it (S8). */
export function mayReview(state: ShepherdState, requested: boolean): boolean {
  const gate = gateOf(state);
  return gate === 'active' || (requested && ON_REQUEST.has(gate));
}

/**
 * Whether a review is missing and nothing is under way that would bring it: its rounds were given up. What
 * may have passed meanwhile can be tried again.
 */
export function isStranded(state: ShepherdState): boolean {
  const { seen, published, round, owed, look } = state;
  if (seen === undefined) return look === undefined;
  if (gateOf(state) !== 'active' || round !== undefined || owed !== undefined || look !== undefined)
    return false;
  return !isOfHead(published, seen);
}
