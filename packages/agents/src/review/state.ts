/**
 * What a Shepherd knows about its PR between two wakes: plain data, kept as one row, so that every change is
 * atomic. Everything that is to be done follows from it (see `decide.ts`), so a crash loses no intention.
 *
 * @module
 */
import type { Aspect, Sha, WakeId } from '../ids.ts';

/** How far a round has come. A round moves only downwards in this list, or is dropped. */
export type RoundPhase =
  /** The range is to be read from GitHub. */
  | 'preparing'
  /** The workers are to be spawned and asked. */
  | 'starting'
  /** The workers work. */
  | 'reviewing'
  /** The comment is to be written. */
  | 'publishing';

/** The open round; there is at most one (S1). */
export interface Round {
  readonly wakeId: WakeId;
  readonly phase: RoundPhase;
  readonly iteration: number;
  /** What was reviewed last; in a first or full round the base tip, and the merge base once prepared. */
  readonly baseSha: Sha;
  readonly headSha: Sha;
  /** Branch that the PR wants to change; another one makes the next round a full one. */
  readonly baseRef: string;
  /** Tip of the base branch when the round began. */
  readonly baseTip: Sha;
  /** Whether only what changed since `baseSha` is reviewed. */
  readonly incremental: boolean;
  /** Since when its commits have waited for a review. */
  readonly owedSinceMs: number;
  readonly startedAtMs: number;
  /** When what has arrived is published with the missing aspects named (S5, S9). */
  readonly deadlineAtMs: number;
  /** Aspects that have not answered. */
  readonly pending: readonly Aspect[];
  /** Failed attempts of the present phase. */
  readonly attempts: number;
  /** The present phase is not tried before this time. */
  readonly retryAtMs: number;
  /** Whether it may be published although newer commits are pending, because too many were superseded. */
  readonly mayBeStale: boolean;
}

/** The last published review. */
export interface Published {
  readonly headSha: Sha;
  /**
   * Commit up to which all six aspects have read everything: where the next range begins. Behind `headSha`
   * after a review with a gap, so that the gap is read again (S5); absent until there was one without.
   */
  readonly completeSha?: Sha;
  readonly baseRef: string;
  readonly iteration: number;
  readonly commentId: number;
  readonly atMs: number;
}

/** A round that is due once its settle window has passed. */
export interface Owed {
  /** When the first push of the window came. */
  readonly sinceMs: number;
  readonly dueAtMs: number;
}

/** What GitHub said when the PR was last read. */
export interface Seen {
  readonly open: boolean;
  readonly draft: boolean;
  readonly labels: readonly string[];
  readonly headSha: Sha;
  readonly baseRef: string;
  readonly baseSha: Sha;
  readonly author: string;
  readonly authorIsBot: boolean;
}

/** That the PR is to be read. */
export interface Look {
  /** True when only pushes asked; a round then waits for the window to pass. */
  readonly settle: boolean;
  /** Commit that a push replaced: if GitHub still reports it as head, its answer lags behind. */
  readonly replacedSha?: Sha;
  readonly attempts: number;
  readonly notBeforeMs: number;
}

/** Why something was given up; told once, not repeated (S9). */
export interface Failure {
  readonly what: string;
  /** Whether it may have passed meanwhile; else a person has to change something. */
  readonly retryable: boolean;
  readonly atMs: number;
}

/** The whole state. */
export interface ShepherdState {
  readonly seen?: Seen;
  readonly look?: Look;
  readonly authorClass?: 'team' | 'community';
  readonly classifyAttempts: number;
  readonly classifyNotBeforeMs: number;
  /** `no-shepherd` was seen: for good, also after the label is taken off. */
  readonly exited: boolean;
  readonly published?: Published;
  readonly round?: Round;
  readonly owed?: Owed;
  /** Number of rounds begun; makes wake ids unique. */
  readonly roundsBegun: number;
  /** Whether the round before this one was dropped for a newer push. */
  readonly supersededLast: boolean;
  /** Round whose workers are to be stopped. */
  readonly toCancel?: WakeId;
  /** Whether workers exist that have not been told to shut down. */
  readonly workersActive: boolean;
  /** Begin of each round of the last hour. */
  readonly roundStartsMs: readonly number[];
  /** Time for which a wake-up message is already under way. */
  readonly armedAtMs?: number;
  readonly failure?: Failure;
}

/** A Shepherd that has heard nothing yet. */
export const INITIAL_STATE: ShepherdState = {
  classifyAttempts: 0,
  classifyNotBeforeMs: 0,
  exited: false,
  roundsBegun: 0,
  supersededLast: false,
  workersActive: false,
  roundStartsMs: [],
};

/**
 * Whether a review is missing and nothing is under way that would bring it: its rounds were given up. What
 * may have passed meanwhile can be tried again.
 */
export function isStranded(state: ShepherdState): boolean {
  const { seen, published, round, owed, look } = state;
  if (seen === undefined) return look === undefined;
  if (gateOf(state) !== 'active' || round !== undefined || owed !== undefined || look !== undefined)
    return false;
  return published?.headSha !== seen.headSha || published.baseRef !== seen.baseRef;
}

/** Why a Shepherd does or does not review, in the order in which it is asked. */
export type Gate =
  | 'unknown'
  | 'closed'
  | 'exited'
  | 'paused'
  | 'draft'
  | 'unclassified'
  | 'community'
  | 'active';

/** Answers whether this PR is reviewed, and if not, why not (S8). */
export function gateOf(state: ShepherdState): Gate {
  const { seen } = state;
  if (seen === undefined) return 'unknown';
  if (!seen.open) return 'closed';
  if (state.exited) return 'exited';
  if (seen.labels.includes('pause-shepherd')) return 'paused';
  if (seen.draft) return 'draft';
  if (seen.labels.includes('shepherd')) return 'active';
  if (state.authorClass === undefined) return 'unclassified';
  return state.authorClass === 'team' ? 'active' : 'community';
}
