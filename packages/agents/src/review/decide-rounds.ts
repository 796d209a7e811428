/**
 * The part of the state machine that is about rounds: when one is owed, begins, moves on, is dropped or
 * retried. See `decide.ts` for how it is used.
 *
 * @module
 */
import { ASPECTS, type Aspect, type Sha, shortSha, type WakeId } from '../ids.ts';
import type { Unsurfaced } from './conversation-state.ts';
import { failRequests, serveRequests } from './decide-summons.ts';
import { gateOf, isOfHead, mayReview } from './gating.ts';
import { memoryNotice, noticeKey } from './notice.ts';
import { type Owed, type Round, type ShepherdState, without } from './state.ts';
import { failureOf, HOUR_MS, type Trouble, waitFor, withinHour } from './trouble.ts';

/** A push supersedes no round once its commits have waited for this long. */
const STARVED_MS = 10 * 60_000;
/** Rounds that may begin in one hour; beyond that one is owed for the end of the hour (S9). */
const ROUNDS_PER_HOUR = 8;

/** Windows, from the configuration. */
export interface Timing {
  /** How long after a push a round waits for the next one. */
  readonly settleMs: number;
  /** How long a round may take. */
  readonly roundTimeoutMs: number;
}

/** A round is owed when the PR is active and this very head, against this base, has no review (T-041, T-141). */
export function owe(state: ShepherdState, nowMs: number, dueAtMs: number): ShepherdState {
  const { seen, published, round } = state;
  if (seen === undefined) return state;
  // What a person asked for stays owed whatever was reviewed before; the head of that time is taken (T-040).
  if (state.owed?.request !== undefined) return state;
  // Who the author is may still be asked for: the window runs meanwhile.
  const gate = gateOf(state);
  if (gate !== 'active' && gate !== 'unclassified') return state;
  if (isOfHead(round ?? published, seen)) return without(state, 'owed');
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
  if (isOfHead(round, seen)) return state;
  const starved = nowMs - round.owedSinceMs > STARVED_MS;
  const retargeted = round.baseRef !== seen.baseRef;
  if (!retargeted && (state.supersededLast || starved)) {
    return { ...state, round: { ...round, mayBeStale: true } };
  }
  // Its commits go on waiting since when they did, and so do those who asked for it.
  const request = state.owed?.request ?? round.request;
  const owed: Owed = {
    sinceMs: round.owedSinceMs,
    dueAtMs: nowMs,
    ...(request === undefined ? {} : { request }),
  };
  return { ...dropRound(state), supersededLast: true, owed };
}

export function dropRound(state: ShepherdState): ShepherdState {
  const { round } = state;
  if (round === undefined) return state;
  const working = round.phase === 'starting' || round.phase === 'reviewing';
  return { ...without(state, 'round'), ...(working ? { toCancel: round.wakeId } : {}) };
}

function inRound(state: ShepherdState, wakeId: WakeId, change: (round: Round) => Round): ShepherdState {
  const { round } = state;
  return round?.wakeId === wakeId ? { ...state, round: change(round) } : state;
}

/** Texts that were not asked for by the end of a phase are not wanted after it. */
function advance(round: Round, phase: Round['phase']): Round {
  const { trouble: _passed, ...rest } = withoutTextsDue(round);
  return { ...rest, phase, attempts: 0, retryAtMs: 0 };
}

function withoutTextsDue({ textsDue: _dropped, ...round }: Round): Round {
  return round;
}

export function onPrepared(
  state: ShepherdState,
  event: {
    readonly wakeId: WakeId;
    readonly baseSha: Sha;
    readonly empty: boolean;
    readonly heardAtMs: number;
    readonly unsurfaced: Unsurfaced;
  },
): ShepherdState {
  if (state.round?.wakeId !== event.wakeId || state.round.phase !== 'preparing') return state;
  const round: Round = {
    ...advance(state.round, event.empty ? 'publishing' : 'starting'),
    ...(event.empty ? { unchanged: true as const } : {}),
    baseSha: event.baseSha,
    pending: event.empty ? [] : ASPECTS,
  };
  // From here on workers may exist, also if the process dies before it says so.
  const { heardAtMs, unsurfaced } = event;
  return { ...state, round, heardAtMs, unsurfaced, workersActive: state.workersActive || !event.empty };
}

export function onStarted(
  state: ShepherdState,
  event: { readonly wakeId: WakeId; readonly asksTexts: boolean },
): ShepherdState {
  return inRound(state, event.wakeId, (round) => {
    if (round.phase !== 'starting') return round;
    if (event.asksTexts) return { ...advance(round, 'reviewing'), textsDue: true };
    return advance(round, round.pending.length === 0 ? 'publishing' : 'reviewing');
  });
}

export function onComposed(state: ShepherdState, wakeId: WakeId): ShepherdState {
  return inRound(state, wakeId, (round) => {
    const complete = round.pending.length === 0 && round.phase === 'reviewing';
    return complete ? advance(round, 'publishing') : withoutTextsDue(round);
  });
}

export function onWorkerDone(
  state: ShepherdState,
  event: { readonly wakeId: WakeId; readonly aspect: Aspect },
): ShepherdState {
  return inRound(state, event.wakeId, (round) => {
    const pending = round.pending.filter((aspect) => aspect !== event.aspect);
    // Texts that are still due were lost with a process: they are asked for first, as they would have been.
    const complete = pending.length === 0 && round.phase === 'reviewing' && round.textsDue === undefined;
    return complete ? { ...advance(round, 'publishing'), pending } : { ...round, pending };
  });
}

interface Published {
  readonly wakeId: WakeId;
  readonly commentId: number;
  readonly complete: boolean;
  /** Whether anything was said on the PR, so that what was delivered of it is to be marked. */
  readonly hasItems: boolean;
  readonly memoryTrouble?: string;
  readonly deletedCommentId?: number;
}

export function onPublished(state: ShepherdState, event: Published, nowMs: number): ShepherdState {
  const { round } = state;
  if (round?.wakeId !== event.wakeId || round.phase !== 'publishing') return state;
  const { headSha, baseRef, baseTip, iteration } = round;
  const completeSha = event.complete ? headSha : round.incremental ? round.baseSha : undefined;
  const served = serveRequests(state, round);
  return {
    ...without(served, 'round', 'failure', 'editedBy', 'noticeShown', 'memoryTrouble', 'violation'),
    published: {
      headSha,
      baseRef,
      baseTip,
      iteration,
      commentId: event.commentId,
      atMs: nowMs,
      ...(completeSha === undefined ? {} : { completeSha }),
    },
    supersededLast: false,
    ...(event.hasItems ? { toMark: round.wakeId } : {}),
    ...shownTrouble(event.memoryTrouble),
    deletedCommentIds:
      event.deletedCommentId === undefined
        ? state.deletedCommentIds
        : [...state.deletedCommentIds, event.deletedCommentId],
  };
}

/** The comment says it already. */
function shownTrouble(memoryTrouble: string | undefined): Partial<ShepherdState> {
  const notice = memoryNotice(memoryTrouble === undefined ? {} : { memoryTrouble });
  if (memoryTrouble === undefined || notice === undefined) return {};
  return { memoryTrouble, noticeShown: noticeKey(notice) };
}

/** Retried with growing waits while the round's time lasts; what is permanent is told once and not repeated. */
export function onRoundFailed(state: ShepherdState, event: Trouble, nowMs: number): ShepherdState {
  const { round } = state;
  if (round === undefined) return state;
  const retryAtMs = nowMs + waitFor(event, round.attempts);
  // Publication outlives the deadline: by then the work is done, and only the write is left to try again.
  const lastMs = round.phase === 'publishing' ? round.deadlineAtMs + HOUR_MS : round.deadlineAtMs;
  if (event.retryable && retryAtMs <= lastMs) {
    const { attempts } = round;
    return { ...state, round: { ...round, attempts: attempts + 1, retryAtMs, trouble: event.what } };
  }
  const given = { ...without(dropRound(state), 'owed'), failure: failureOf(event, nowMs) };
  return failRequests(given, event.what);
}

const TOO_LATE: Trouble = { retryable: true, what: 'the review could not begin before its time was over' };

function isUnbegun({ phase, pending }: Round): boolean {
  return phase === 'preparing' || (phase === 'starting' && pending.length === ASPECTS.length);
}

export function onTick(state: ShepherdState, nowMs: number, timing: Timing): ShepherdState {
  const { round, owed } = state;
  const current =
    state.armedAtMs !== undefined && state.armedAtMs <= nowMs ? without(state, 'armedAtMs') : state;
  if (round !== undefined) {
    const hasEnded = nowMs >= round.deadlineAtMs;
    // Nobody was asked in time: what there is to say is that there is no review (S5).
    if (hasEnded && isUnbegun(round) && state.look === undefined)
      return onRoundFailed(current, TOO_LATE, nowMs);
    const late = hasEnded && (round.phase === 'starting' || round.phase === 'reviewing');
    return late && !isUnbegun(round)
      ? { ...current, round: advance(round, 'publishing'), toCancel: round.wakeId }
      : current;
  }
  // A look that is still to come may find the PR closed or paused: nothing begins before it (S8).
  if (state.look !== undefined || owed === undefined || nowMs < owed.dueAtMs) return current;
  if (!mayReview(state, owed.request !== undefined)) return current;
  return beginRound(current, nowMs, timing);
}

function beginRound(state: ShepherdState, nowMs: number, timing: Timing): ShepherdState {
  const { seen, published, owed } = state;
  if (seen === undefined || owed === undefined) return state;
  const recent = withinHour(state.roundStartsMs, nowMs);
  const oldest = recent[0];
  if (oldest !== undefined && recent.length >= ROUNDS_PER_HOUR) {
    return { ...state, owed: { ...owed, dueAtMs: oldest + HOUR_MS, capped: true }, roundStartsMs: recent };
  }
  const isFull = owed.request === 'review-full' || published?.baseRef !== seen.baseRef;
  const from = isFull ? undefined : published?.completeSha;
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
    ...(owed.request === undefined ? {} : { request: owed.request }),
  };
  return {
    ...without(state, 'owed'),
    round,
    roundsBegun: state.roundsBegun + 1,
    roundStartsMs: [...recent, nowMs],
  };
}
