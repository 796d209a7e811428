/**
 * The part of the state machine that is about the conversation: when it is read, and what follows from what was
 * read. Conversation alone starts no round; a request of somebody who may does. See `decide.ts` for how it is used.
 *
 * @module
 */
import type { WakeId } from '../ids.ts';
import type { Unsurfaced } from './conversation-state.ts';
import { gateOf } from './gating.ts';
import { type ShepherdState, without } from './state.ts';
import { type Trouble, waitFor } from './trouble.ts';

/** Reads within so long, before they are spaced out. */
const READS_WINDOW_MS = 5 * 60_000;
const READS_IN_WINDOW = 5;
/** Failed reads after which the count stays what it was; the next round reads the conversation in any case. */
const MAX_READS = 6;
/** The same of a PR that is closed, which no round will read any more: a day, once a minute. */
const MAX_LAST_READS = 1_440;

/**
 * Whether it is worth to know what was said: where rounds take it into account, and where one did. Also of a PR
 * that is closed, whose late items are kept.
 */
function isListening(state: ShepherdState): boolean {
  const gate = gateOf(state);
  if (gate === 'unknown' || gate === 'exited') return false;
  return gate === 'active' || state.roundsBegun > 0;
}

/** Whether it may be read now. While a PR is paused, it waits: nobody asks for the count (S8). */
export function mayHear(state: ShepherdState): boolean {
  return isListening(state) && gateOf(state) !== 'paused';
}

/** GitHub notes that something happened to a PR a moment after we did it. */
const OWN_ACT_MS = 5_000;

/** Whether something happened to the PR since it was listened to that may have been said by others. */
export function isUnheard(state: ShepherdState, updatedAtMs: number): boolean {
  if (!mayHear(state) || state.heardAtMs === undefined || state.hearing !== undefined) return false;
  const ownMs = Math.max(state.published?.atMs ?? 0, state.repliesMs.at(-1) ?? 0) + OWN_ACT_MS;
  return updatedAtMs > Math.max(state.heardAtMs, ownMs);
}

/** Somebody said or changed something. It is read once for all who speak within the window. */
export function onSaid(
  state: ShepherdState,
  event: { readonly commentId?: number },
  nowMs: number,
  settleMs: number,
): ShepherdState {
  // Our own comment comes back as an event, too.
  if (event.commentId !== undefined && isOurComment(state, event.commentId)) return state;
  // The window is not put off: whoever goes on speaking is heard all the same.
  if (state.hearing !== undefined || !isListening(state)) return state;
  const notBeforeMs = Math.max(nowMs + settleMs, quietUntilMs(state, nowMs));
  return { ...state, hearing: { notBeforeMs, attempts: 0 } };
}

/** Until when it was read often enough: on a busy PR a read a minute does for a count. */
function quietUntilMs({ heardMs }: ShepherdState, nowMs: number): number {
  const recent = heardMs.filter((timeMs) => timeMs > nowMs - READS_WINDOW_MS);
  return (recent.at(-READS_IN_WINDOW) ?? Number.NEGATIVE_INFINITY) + READS_WINDOW_MS;
}

function isOurComment({ published, ourReplyIds }: ShepherdState, commentId: number): boolean {
  return commentId === published?.commentId || ourReplyIds.includes(commentId);
}

/** To be read at once. */
export function hearNow(state: ShepherdState, nowMs: number): ShepherdState {
  return { ...state, hearing: { notBeforeMs: nowMs, attempts: 0 } };
}

export function onHeard(
  state: ShepherdState,
  event: {
    readonly unsurfaced: Unsurfaced;
    readonly heardAtMs: number;
    readonly memoryTrouble?: string;
  },
  nowMs: number,
): ShepherdState {
  const { unsurfaced, heardAtMs, memoryTrouble } = event;
  return {
    // What was wrong with the memory was looked at again.
    ...without(state, 'hearing', 'memoryTrouble'),
    unsurfaced,
    heardAtMs,
    heardMs: [...state.heardMs, nowMs].slice(-READS_IN_WINDOW),
    ...(memoryTrouble === undefined ? {} : { memoryTrouble }),
  };
}

export function onHearingFailed(state: ShepherdState, trouble: Trouble, nowMs: number): ShepherdState {
  const { hearing } = state;
  if (hearing === undefined) return state;
  const attempts = hearing.attempts + 1;
  const maxReads = state.seen?.open === false ? MAX_LAST_READS : MAX_READS;
  if (!trouble.retryable || attempts >= maxReads) return without(state, 'hearing');
  return { ...state, hearing: { attempts, notBeforeMs: nowMs + waitFor(trouble, hearing.attempts) } };
}

/** Markers are written, or could not be: then the items are shown again, and the state says why. */
export function onMarked(
  state: ShepherdState,
  event: {
    readonly wakeId: WakeId;
    readonly readAtMs?: number;
    readonly unsurfaced?: Unsurfaced;
    readonly memoryTrouble?: string;
    readonly violation?: string;
  },
  nowMs: number,
): ShepherdState {
  if (state.toMark !== event.wakeId) return state;
  const { readAtMs, unsurfaced, memoryTrouble, violation } = event;
  const marked: ShepherdState = {
    ...without(state, 'toMark', 'memoryTrouble', 'violation'),
    ...(unsurfaced === undefined ? {} : { unsurfaced }),
    ...(memoryTrouble === undefined ? {} : { memoryTrouble }),
    ...(violation === undefined ? {} : { violation }),
  };
  // What was said during the round was counted meanwhile, and is not in this count.
  const isOld = readAtMs !== undefined && (state.heardAtMs ?? 0) > readAtMs;
  return isOld && marked.hearing === undefined ? hearNow(marked, nowMs) : marked;
}

/** A bug, said aloud; what was not marked is shown again. */
export function onMarkFailed(state: ShepherdState, { what }: Trouble): ShepherdState {
  return { ...without(state, 'toMark'), violation: `what was shown could not be marked: ${what}` };
}
