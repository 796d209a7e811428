/**
 * The part of the state machine that is about looks at the PR: when it is read, and what follows from what
 * GitHub says. See `decide.ts` for how it is used.
 *
 * @module
 */
import type { Sha } from '../ids.ts';
import { hearNow, mayHear } from './decide-conversation.ts';
import { dropRound, owe, supersede, type Timing } from './decide-rounds.ts';
import { gateOf, isOver, mayReview } from './gating.ts';
import { type Look, type Seen, type ShepherdState, without } from './state.ts';
import { failureOf, type Trouble, waitFor } from './trouble.ts';

/** A push restarts the window, but a stream of pushes may not put the round off for longer than this. */
const MAX_SETTLE_MS = 60_000;
/** Failed reads of a PR after which it is left to the sweep: about half an hour. */
const MAX_READS = 30;
/** Reads of a PR whose answer lags behind the event. */
const MAX_LAG_READS = 3;
/** The same where its answer is older than what was seen: some three minutes. */
const MAX_OLDER_READS = 6;
/** After this the class of an author is asked again. */
const CLASS_TTL_MS = 10 * 60_000;

/** GitHub's answer is behind its own event. */
const LAG: Trouble = { retryable: true, what: 'GitHub still reports the commit that a push replaced' };
const OLDER: Trouble = { retryable: true, what: 'GitHub answers with what was true earlier' };
const ABSENT: Trouble = { retryable: true, what: 'GitHub does not know the pull request' };
export const FRESH_LOOK: Look = { settle: false, attempts: 0, notBeforeMs: 0 };

export function lookAgain(
  state: ShepherdState,
  event: { readonly push: boolean; readonly replacedSha?: Sha },
): ShepherdState {
  const settle = event.push && (state.look?.settle ?? true);
  const replaced = event.replacedSha ?? state.look?.replacedSha;
  return {
    ...state,
    look: {
      ...FRESH_LOOK,
      settle,
      ...(replaced === undefined ? {} : { replacedSha: replaced }),
    },
  };
}

export function onRead(state: ShepherdState, seen: Seen, nowMs: number, timing: Timing): ShepherdState {
  const look = state.look ?? FRESH_LOOK;
  const doubted = doubt(state, look, seen, nowMs);
  if (doubted !== undefined) return doubted;
  const next = without({ ...state, seen, exited: exits(state, seen) }, 'look');
  const kept = hearingLast(endUnwanted(askingAnew(tellingAnew(next), nowMs)), state.seen, nowMs);
  const dueAtMs = look.settle ? settleUntil(kept, nowMs, timing) : nowMs;
  return owe(supersede(kept, nowMs), nowMs, dueAtMs);
}

/** The state in which it looks again, where what GitHub says is more likely old than true. */
function doubt(state: ShepherdState, look: Look, seen: Seen, nowMs: number): ShepherdState | undefined {
  if (isOlder(seen, state.seen)) return doubting(state, look, OLDER, MAX_OLDER_READS, nowMs);
  const lags = look.replacedSha !== undefined && look.replacedSha === seen.headSha;
  return lags ? doubting(state, look, LAG, MAX_LAG_READS, nowMs) : undefined;
}

/** `undefined` where it was doubted often enough: a server that was set back is right in the end. */
function doubting(
  state: ShepherdState,
  look: Look,
  why: Trouble,
  maxDoubts: number,
  nowMs: number,
): ShepherdState | undefined {
  const { doubts = 0 } = look;
  if (doubts >= maxDoubts) return undefined;
  const notBeforeMs = nowMs + waitFor(why, doubts);
  return { ...state, look: { ...look, doubts: doubts + 1, notBeforeMs, what: why.what } };
}

/** Whether an answer is from before what was seen already (T-005). */
export function isOlder(seen: Seen, last: Seen | undefined): boolean {
  return seen.updatedAt !== undefined && last?.updatedAt !== undefined && seen.updatedAt < last.updatedAt;
}

/** For good, also after the label is taken off. */
function exits(state: ShepherdState, seen: Seen): boolean {
  return state.exited || seen.labels.includes('no-shepherd');
}

/** A PR that was opened again may be closed again, and then that is told again. */
function tellingAnew(state: ShepherdState): ShepherdState {
  return isOver(gateOf(state)) ? state : without(state, 'told');
}

/** With its end a PR's conversation is read once more, so that nobody's last word is lost. */
function hearingLast(state: ShepherdState, before: Seen | undefined, nowMs: number): ShepherdState {
  const hasEnded = before?.open === true && state.seen?.open === false;
  return hasEnded && mayHear(state) ? hearNow(state, nowMs) : state;
}

/** Asked when something happens, and not only because time has passed. */
function askingAnew(state: ShepherdState, nowMs: number): ShepherdState {
  const isOld = state.authorClass !== undefined && nowMs - (state.classifiedAtMs ?? 0) > CLASS_TTL_MS;
  return isOld && !state.seen?.labels.includes('shepherd') ? { ...state, classOld: true } : state;
}

/** Nothing is kept running that may not run: pausing discards the round (S8). What closes is concluded. */
function endUnwanted(state: ShepherdState): ShepherdState {
  if (gateOf(state) === 'unclassified') return state;
  const { round, owed } = state;
  const isUnwanted = (request: unknown): boolean => !mayReview(state, request !== undefined);
  const next = owed !== undefined && isUnwanted(owed.request) ? without(state, 'owed') : state;
  if (round === undefined || !isUnwanted(round.request)) return next;
  const dropped = dropRound(next);
  const isOver = state.seen?.open === false && (round.phase === 'reviewing' || round.phase === 'publishing');
  return isOver ? { ...dropped, toConclude: round } : dropped;
}

export function onClassified(
  state: ShepherdState,
  authorClass: 'team' | 'community',
  nowMs: number,
): ShepherdState {
  const asked = { ...without(state, 'classOld'), authorClass, classifiedAtMs: nowMs, classifyAttempts: 0 };
  if (authorClass === state.authorClass) return asked;
  const next = endUnwanted(asked);
  return owe(next, nowMs, next.owed?.dueAtMs ?? nowMs);
}

function settleUntil(state: ShepherdState, nowMs: number, timing: Timing): number {
  const sinceMs = state.owed?.sinceMs ?? nowMs;
  return Math.min(nowMs + timing.settleMs, sinceMs + MAX_SETTLE_MS);
}

/** GitHub says that there is no such PR: straight after an event it may not know it yet (T-027). */
export function onGone(state: ShepherdState, nowMs: number): ShepherdState {
  const doubted = doubting(state, state.look ?? FRESH_LOOK, ABSENT, MAX_LAG_READS, nowMs);
  if (doubted !== undefined) return doubted;
  const { seen } = state;
  const looked = without(state, 'look', 'owed');
  const gone: Seen | undefined = seen === undefined ? undefined : { ...seen, open: false, gone: true };
  return gone === undefined ? dropRound(looked) : endUnwanted({ ...looked, seen: gone });
}

export function onReadFailed(state: ShepherdState, trouble: Trouble, nowMs: number): ShepherdState {
  const look = state.look ?? FRESH_LOOK;
  // The sweep reads the PR again; until then nothing spins (S9).
  if (!trouble.retryable || look.attempts >= MAX_READS) {
    return { ...without(state, 'look'), failure: failureOf(trouble, nowMs) };
  }
  const notBeforeMs = nowMs + waitFor(trouble, look.attempts);
  return { ...state, look: { ...look, attempts: look.attempts + 1, notBeforeMs, what: trouble.what } };
}
