/**
 * The part of the state machine that is about rounds: when one is owed, begins, moves on, is dropped or
 * retried. See `decide.ts` for how it is used.
 *
 * @module
 */
import { ASPECTS, type Aspect, type Sha, shortSha, type WakeId } from '../ids.ts';
import { type Failure, gateOf, type Owed, type Round, type ShepherdState } from './state.ts';

/** A push supersedes no round once its commits have waited for this long. */
const STARVED_MS = 10 * 60_000;
/** Rounds that may begin in one hour; beyond that one is owed for the end of the hour (S9). */
const ROUNDS_PER_HOUR = 8;
export const HOUR_MS = 3_600_000;
/** Waits before an attempt is repeated; the last one is used for all further attempts. */
const BACKOFF_MS: readonly number[] = [1_000, 4_000, 15_000, 60_000];

/** Windows, from the configuration. */
export interface Timing {
  /** How long after a push a round waits for the next one. */
  readonly settleMs: number;
  /** How long a round may take. */
  readonly roundTimeoutMs: number;
}

/** What went wrong, and whether it passes by itself. */
export interface Trouble {
  readonly retryable: boolean;
  readonly what: string;
  /** How long GitHub asked to be left alone. */
  readonly retryAfterMs?: number;
}

/** What is remembered of a failure that is not tried again. */
export function failureOf(trouble: Trouble, nowMs: number): Failure {
  return { what: trouble.what, atMs: nowMs, retryable: trouble.retryable };
}

/** How long to wait before the next attempt: longer each time, and at least as long as GitHub asked. */
export function waitFor(trouble: Trouble, attempts: number): number {
  return Math.max(backoff(attempts), trouble.retryAfterMs ?? 0);
}

export function without<K extends keyof ShepherdState>(state: ShepherdState, key: K): ShepherdState {
  const { [key]: _dropped, ...rest } = state;
  // Only optional keys are ever named here, so the rest is a whole state.
  return rest as unknown as ShepherdState;
}

/** A round is owed when the PR is active and this very head, against this base, has no review (T-041, T-141). */
export function owe(state: ShepherdState, nowMs: number, dueAtMs: number): ShepherdState {
  const { seen, published, round } = state;
  if (seen === undefined || gateOf(state) !== 'active') return state;
  const covers = round ?? published;
  if (covers?.headSha === seen.headSha && covers.baseRef === seen.baseRef) return without(state, 'owed');
  return { ...state, owed: { sinceMs: state.owed?.sinceMs ?? nowMs, dueAtMs } };
}

/**
 * A push during a round drops it, once: if the round before was dropped too, or its commits have waited for
 * ten minutes, the running one finishes and says that newer commits are pending. Else a busy PR would never
 * be reviewed.
 */
export function supersede(state: ShepherdState, nowMs: number): ShepherdState {
  const { round, seen } = state;
  if (round === undefined || seen === undefined) return state;
  if (round.headSha === seen.headSha && round.baseRef === seen.baseRef) return state;
  const starved = nowMs - round.owedSinceMs > STARVED_MS;
  const retargeted = round.baseRef !== seen.baseRef;
  if (!retargeted && (state.supersededLast || starved)) {
    return { ...state, round: { ...round, mayBeStale: true } };
  }
  // Its commits go on waiting since when they did.
  const owed: Owed = { sinceMs: round.owedSinceMs, dueAtMs: nowMs };
  return { ...dropRound(state), supersededLast: true, owed };
}

export function dropRound(state: ShepherdState): ShepherdState {
  const { round } = state;
  if (round === undefined) return state;
  const working = round.phase === 'starting' || round.phase === 'reviewing';
  return { ...without(state, 'round'), ...(working ? { toCancel: round.wakeId } : {}) };
}

export function inRound(
  state: ShepherdState,
  wakeId: WakeId,
  change: (round: Round) => Round,
): ShepherdState {
  const { round } = state;
  return round?.wakeId === wakeId ? { ...state, round: change(round) } : state;
}

export function advance(round: Round, phase: Round['phase']): Round {
  return { ...round, phase, attempts: 0, retryAtMs: 0 };
}

export function onPrepared(
  state: ShepherdState,
  event: { readonly wakeId: WakeId; readonly baseSha: Sha; readonly empty: boolean },
): ShepherdState {
  if (state.round?.wakeId !== event.wakeId) return state;
  const round: Round = {
    ...advance(state.round, event.empty ? 'publishing' : 'starting'),
    baseSha: event.baseSha,
    pending: event.empty ? [] : ASPECTS,
  };
  // From here on workers may exist, also if the process dies before it says so.
  return { ...state, round, workersActive: state.workersActive || !event.empty };
}

export function onWorkerDone(
  state: ShepherdState,
  event: { readonly wakeId: WakeId; readonly aspect: Aspect },
): ShepherdState {
  return inRound(state, event.wakeId, (round) => {
    const pending = round.pending.filter((aspect) => aspect !== event.aspect);
    const complete = pending.length === 0 && round.phase === 'reviewing';
    return complete ? { ...advance(round, 'publishing'), pending } : { ...round, pending };
  });
}

export function onPublished(
  state: ShepherdState,
  event: { readonly wakeId: WakeId; readonly commentId: number; readonly complete: boolean },
  nowMs: number,
): ShepherdState {
  const { round } = state;
  if (round?.wakeId !== event.wakeId) return state;
  const { headSha, baseRef, iteration } = round;
  const completeSha = event.complete ? headSha : round.incremental ? round.baseSha : undefined;
  return {
    ...without(without(state, 'round'), 'failure'),
    published: {
      headSha,
      baseRef,
      iteration,
      commentId: event.commentId,
      atMs: nowMs,
      ...(completeSha === undefined ? {} : { completeSha }),
    },
    supersededLast: false,
  };
}

function backoff(attempts: number): number {
  return BACKOFF_MS[Math.min(attempts, BACKOFF_MS.length - 1)] ?? 0;
}

/** Retried with growing waits while the round's time lasts; what is permanent is told once and not repeated. */
export function onRoundFailed(state: ShepherdState, event: Trouble, nowMs: number): ShepherdState {
  const { round } = state;
  if (round === undefined) return state;
  const retryAtMs = nowMs + waitFor(event, round.attempts);
  // Publication outlives the deadline: by then the work is done, and only the write is left to try again.
  const lastMs = round.phase === 'publishing' ? round.deadlineAtMs + HOUR_MS : round.deadlineAtMs;
  if (event.retryable && retryAtMs <= lastMs) {
    return { ...state, round: { ...round, attempts: round.attempts + 1, retryAtMs } };
  }
  return { ...without(dropRound(state), 'owed'), failure: failureOf(event, nowMs) };
}

export function onTick(state: ShepherdState, nowMs: number, timing: Timing): ShepherdState {
  const { round, owed } = state;
  const current =
    state.armedAtMs !== undefined && state.armedAtMs <= nowMs ? without(state, 'armedAtMs') : state;
  if (round !== undefined) {
    const late = (round.phase === 'starting' || round.phase === 'reviewing') && nowMs >= round.deadlineAtMs;
    return late ? { ...current, round: advance(round, 'publishing'), toCancel: round.wakeId } : current;
  }
  // A look that is still to come may find the PR closed or paused: nothing begins before it (S8).
  if (state.look !== undefined || owed === undefined || nowMs < owed.dueAtMs) return current;
  if (gateOf(state) !== 'active') return current;
  return beginRound(current, nowMs, timing);
}

function beginRound(state: ShepherdState, nowMs: number, timing: Timing): ShepherdState {
  const { seen, published, owed } = state;
  if (seen === undefined || owed === undefined) return state;
  const recent = state.roundStartsMs.filter((startMs) => startMs > nowMs - HOUR_MS);
  const oldest = recent[0];
  if (oldest !== undefined && recent.length >= ROUNDS_PER_HOUR) {
    return { ...state, owed: { ...owed, dueAtMs: oldest + HOUR_MS }, roundStartsMs: recent };
  }
  const from = published?.baseRef === seen.baseRef ? published.completeSha : undefined;
  const round: Round = {
    wakeId: `r${state.roundsBegun + 1}-${shortSha(seen.headSha)}` as WakeId,
    phase: 'preparing',
    iteration: (published?.iteration ?? 0) + 1,
    baseSha: from ?? seen.baseSha,
    headSha: seen.headSha,
    baseRef: seen.baseRef,
    baseTip: seen.baseSha,
    incremental: from !== undefined,
    owedSinceMs: owed.sinceMs,
    startedAtMs: nowMs,
    deadlineAtMs: nowMs + timing.roundTimeoutMs,
    pending: ASPECTS,
    attempts: 0,
    retryAtMs: 0,
    mayBeStale: false,
  };
  return {
    ...without(state, 'owed'),
    round,
    roundsBegun: state.roundsBegun + 1,
    roundStartsMs: [...recent, nowMs],
  };
}
