/**
 * The state machine of a Shepherd. Pure: state, event and time in, state out; and from a state and a time
 * what is to be done next.
 *
 * Two functions instead of one, because of crashes (S2): {@link apply} folds what happened into the state,
 * {@link due} derives the next command from the state alone. A command that was lost with the process is
 * simply derived again, so every command must be safe to repeat.
 *
 * Events say that something may have changed; what is true is read from GitHub (`read-pr`), so duplicated,
 * reordered and redelivered events end in the same state.
 *
 * @module
 */
import type { Aspect, Sha, WakeId } from '../ids.ts';
import {
  advance,
  dropRound,
  failureOf,
  HOUR_MS,
  inRound,
  onPrepared,
  onPublished,
  onRoundFailed,
  onTick,
  onWorkerDone,
  owe,
  supersede,
  type Timing,
  type Trouble,
  waitFor,
  without,
} from './decide-rounds.ts';
import { gateOf, type Look, type Seen, type ShepherdState } from './state.ts';

/** A push restarts the window, but a stream of pushes may not put the round off for longer than this. */
const MAX_SETTLE_MS = 60_000;
/** Failed reads of a PR after which it is left to the sweep: about half an hour. */
const MAX_READS = 30;
/** Reads of a PR whose answer lags behind the event. */
const MAX_LAG_READS = 3;

/** What can happen to a Shepherd. */
export type ShepherdEvent =
  /** GitHub told of the PR; `push` names the commit that a push replaced. */
  | { readonly type: 'pr-changed'; readonly push: boolean; readonly replacedSha?: Sha }
  | { readonly type: 'pr-read'; readonly seen: Seen }
  | { readonly type: 'pr-gone' }
  | { readonly type: 'classified'; readonly authorClass: 'team' | 'community' }
  | { readonly type: 'prepared'; readonly wakeId: WakeId; readonly baseSha: Sha; readonly empty: boolean }
  | { readonly type: 'started'; readonly wakeId: WakeId }
  | { readonly type: 'worker-done'; readonly wakeId: WakeId; readonly aspect: Aspect }
  /** The comment stands; `complete` where all six aspects read everything (S5). */
  | {
      readonly type: 'published';
      readonly wakeId: WakeId;
      readonly commentId: number;
      readonly complete: boolean;
    }
  /** The PR was read just before writing, and the round no longer fits it (S3). */
  | { readonly type: 'fenced'; readonly wakeId: WakeId; readonly seen: Seen }
  | { readonly type: 'cancelled' }
  | { readonly type: 'workers-stopped' }
  | { readonly type: 'armed'; readonly atMs: number }
  | ({ readonly type: 'failed'; readonly at: FailedAt } & Trouble)
  /** The wake-up message arrived, whatever the clock says: another one has to be sent. */
  | { readonly type: 'woken' }
  /** Time passed; sent at the end of each batch of events. */
  | { readonly type: 'tick' };

/** Which command failed. */
export type FailedAt = 'read-pr' | 'classify' | 'round';

/** Folds one event into the state. */
export function apply(
  state: ShepherdState,
  event: ShepherdEvent,
  nowMs: number,
  timing: Timing,
): ShepherdState {
  switch (event.type) {
    case 'pr-changed':
      return lookAgain(state, event);
    case 'pr-read':
      return onRead(state, event.seen, nowMs, timing);
    case 'pr-gone':
      return onGone(state);
    case 'classified':
      return owe({ ...state, authorClass: event.authorClass, classifyAttempts: 0 }, nowMs, nowMs);
    case 'prepared':
      return onPrepared(state, event);
    case 'started':
      return inRound(state, event.wakeId, (round) =>
        advance(round, round.pending.length === 0 ? 'publishing' : 'reviewing'),
      );
    case 'worker-done':
      return onWorkerDone(state, event);
    case 'published':
      return onPublished(state, event, nowMs);
    case 'fenced':
      // As if a push had been heard of: the round may be dropped once, and then finishes (see `supersede`).
      return state.round?.wakeId === event.wakeId
        ? onRead({ ...state, look: FRESH_LOOK }, event.seen, nowMs, timing)
        : state;
    case 'cancelled':
      return without(state, 'toCancel');
    case 'workers-stopped':
      return { ...state, workersActive: false };
    case 'armed':
      return { ...state, armedAtMs: event.atMs };
    case 'failed':
      return onFailed(state, event, nowMs);
    case 'woken':
      return without(state, 'armedAtMs');
    case 'tick':
      return onTick(state, nowMs, timing);
  }
}

/** GitHub's answer is behind its own event. */
const LAG: Trouble = { retryable: true, what: 'GitHub still reports the commit that a push replaced' };
const FRESH_LOOK: Look = { settle: false, attempts: 0, notBeforeMs: 0 };

function lookAgain(
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

function onRead(state: ShepherdState, seen: Seen, nowMs: number, timing: Timing): ShepherdState {
  const look = state.look ?? FRESH_LOOK;
  const lags = look.replacedSha !== undefined && look.replacedSha === seen.headSha;
  if (lags && look.attempts < MAX_LAG_READS) {
    return {
      ...state,
      look: { ...look, attempts: look.attempts + 1, notBeforeMs: nowMs + waitFor(LAG, look.attempts) },
    };
  }
  const next = without(
    { ...state, seen, exited: state.exited || seen.labels.includes('no-shepherd') },
    'look',
  );
  const gate = gateOf(next);
  // Whatever is not active and may still become so keeps nothing running: pausing discards the round (S8).
  if (gate !== 'active' && gate !== 'unclassified') return without(dropRound(next), 'owed');
  const dueAtMs = look.settle ? settleUntil(next, nowMs, timing) : nowMs;
  return owe(supersede(next, nowMs), nowMs, dueAtMs);
}

function settleUntil(state: ShepherdState, nowMs: number, timing: Timing): number {
  const sinceMs = state.owed?.sinceMs ?? nowMs;
  return Math.min(nowMs + timing.settleMs, sinceMs + MAX_SETTLE_MS);
}

function onGone(state: ShepherdState): ShepherdState {
  const dropped = without(without(dropRound(state), 'owed'), 'look');
  return dropped.seen === undefined ? dropped : { ...dropped, seen: { ...dropped.seen, open: false } };
}

function onFailed(
  state: ShepherdState,
  event: { readonly at: FailedAt } & Trouble,
  nowMs: number,
): ShepherdState {
  const failed: ShepherdState = event.retryable ? state : { ...state, failure: failureOf(event, nowMs) };
  switch (event.at) {
    case 'read-pr': {
      const look = state.look ?? FRESH_LOOK;
      // The sweep reads the PR again; until then nothing spins (S9).
      if (!event.retryable || look.attempts >= MAX_READS) {
        return { ...without(state, 'look'), failure: failureOf(event, nowMs) };
      }
      const notBeforeMs = nowMs + waitFor(event, look.attempts);
      return { ...state, look: { ...look, attempts: look.attempts + 1, notBeforeMs } };
    }
    case 'classify':
      return {
        ...failed,
        classifyAttempts: state.classifyAttempts + 1,
        classifyNotBeforeMs: nowMs + (event.retryable ? waitFor(event, state.classifyAttempts) : HOUR_MS),
      };
    case 'round':
      return onRoundFailed(failed, event, nowMs);
  }
}
