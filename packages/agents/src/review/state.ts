/**
 * What a Shepherd knows about its PR between two wakes: plain data, kept as one row, so that every change is
 * atomic. Everything that is to be done follows from it (see `decide.ts`), so a crash loses no intention.
 *
 * @module
 */
import type { Aspect, Sha, WakeId } from '../ids.ts';
import type { ConversationState } from './conversation-state.ts';
import type { SummonsState } from './summons.ts';

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
  /** Why the last one failed. */
  readonly trouble?: string;
  /** The present phase is not tried before this time. */
  readonly retryAtMs: number;
  /** Present while the model is to be asked for the comment's texts; in the phase `reviewing` alone. */
  readonly textsDue?: true;
  /** Whether it may be published although newer commits are pending, because too many were superseded. */
  readonly mayBeStale: boolean;
  /** Present where nothing of the PR changed and no reviewer is asked: the review stands for the new commit. */
  readonly unchanged?: true;
  /** Present where a person asked for it: it then runs for a draft and a community PR, too. */
  readonly request?: RoundRequest;
}

/** What a person asked for: what changed since the last review, or the whole PR again. */
export type RoundRequest = 'review' | 'review-full';

/** The last published review. */
export interface Published {
  readonly headSha: Sha;
  /**
   * Commit up to which all six aspects have read everything: where the next range begins. Behind `headSha`
   * after a review with a gap, so that the gap is read again (S5); absent until there was one without.
   */
  readonly completeSha?: Sha;
  readonly baseRef: string;
  /** Tip of the base branch of that review; a later one that does not descend from it makes a full round. */
  readonly baseTip?: Sha;
  readonly iteration: number;
  /** Absent after a person deleted the comment. */
  readonly commentId?: number;
  readonly atMs: number;
}

/** A round that is due once its settle window has passed. */
export interface Owed {
  /** When the first push of the window came. */
  readonly sinceMs: number;
  readonly dueAtMs: number;
  readonly request?: RoundRequest;
  /** True where it waits because too many rounds began within the hour. */
  readonly capped?: boolean;
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
  /** When GitHub last changed it, ISO 8601: an answer with an earlier time is an old answer. */
  readonly updatedAt?: string;
  /** Present where GitHub no longer knows it, or does not show it to us. */
  readonly gone?: true;
}

/** That the PR is to be read. */
export interface Look {
  /** True when only pushes asked; a round then waits for the window to pass. */
  readonly settle: boolean;
  /** Commit that a push replaced: if GitHub still reports it as head, its answer lags behind. */
  readonly replacedSha?: Sha;
  /** Looks that failed. */
  readonly attempts: number;
  /** Answers that were not believed, because GitHub may be behind itself. */
  readonly doubts?: number;
  readonly notBeforeMs: number;
  /** Why it was not done yet. */
  readonly what?: string;
}

/** Why something was given up; told once, not repeated (S9). */
export interface Failure {
  readonly what: string;
  /** Whether it may have passed meanwhile; else a person has to change something. */
  readonly retryable: boolean;
  readonly atMs: number;
}

/** What became of the one comment by other hands than ours. */
export interface CommentState {
  /** Comments of ours that people deleted. The second one is understood as a wish for silence. */
  readonly deletedCommentIds: readonly number[];
  /** Who edited the comment since it was written. */
  readonly editedBy?: string;
  /** Which notice the comment shows (see `notice.ts`). */
  readonly noticeShown?: string;
  /** When it was put back within the last hour. */
  readonly restoredMs: readonly number[];
  readonly refreshAttempts: number;
  readonly refreshNotBeforeMs: number;
}

/** The whole state. */
export interface ShepherdState extends SummonsState, CommentState, ConversationState {
  readonly seen?: Seen;
  readonly look?: Look;
  readonly authorClass?: 'team' | 'community';
  readonly classifiedAtMs?: number;
  /** Whether it is to be asked again: people join and leave teams (T-147). What was said last holds meanwhile. */
  readonly classOld?: boolean;
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
  /** Round that ended with the PR, and whose findings are to be kept. */
  readonly toConclude?: Round;
  /** Whether workers exist that have not been told to shut down. */
  readonly workersActive: boolean;
  /** Begin of each round of the last hour. */
  readonly roundStartsMs: readonly number[];
  /** Time for which a wake-up message is already under way. */
  readonly armedAtMs?: number;
  /** What ended the last round that was given up, or the last look. */
  readonly failure?: Failure;
  /** The same of a reply, or of a change to the standing comment: no round is held back by it. */
  readonly requestFailure?: Failure;
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
  summons: [],
  heard: [],
  authorAskedMs: [],
  repliesMs: [],
  ourReplyIds: [],
  heardMs: [],
  labelsNoted: [],
  deletedCommentIds: [],
  restoredMs: [],
  requestsDropped: 0,
  refreshAttempts: 0,
  refreshNotBeforeMs: 0,
};

/** The state with some of its optional fields taken out. */
export function without(state: ShepherdState, ...keys: readonly OptionalKey[]): ShepherdState {
  const rest: Record<string, unknown> = { ...state };
  for (const key of keys) delete rest[key];
  return rest as unknown as ShepherdState;
}

type OptionalKey = {
  [K in keyof ShepherdState]-?: undefined extends ShepherdState[K] ? K : never;
}[keyof ShepherdState];
