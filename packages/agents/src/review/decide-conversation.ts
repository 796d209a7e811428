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

/** Failed reads after which the count stays what it was; the next round reads the conversation in any case. */
const MAX_READS = 6;
/** The same of a PR that is closed, which no round will read any more: a day, once a minute. */
const MAX_LAST_READS = 1_440;

/**
 * Whether it is worth to know what was said: where rounds take it into account, and where one did. Also of a PR
 * that is closed, whose late items are kept.
 */
export function mayHear(state: ShepherdState): boolean {
  const gate = gateOf(state);
  if (gate === 'unknown' || gate === 'exited') return false;
  return gate === 'active' || state.published !== undefined;
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
  if (!mayHear(state)) return state;
  // The window is not put off: whoever goes on speaking is heard all the same.
  return { ...state, hearing: state.hearing ?? { notBeforeMs: nowMs + settleMs, attempts: 0 } };
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
): ShepherdState {
  const { unsurfaced, heardAtMs, memoryTrouble } = event;
  return {
    ...without(state, 'hearing'),
    unsurfaced,
    heardAtMs,
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
    readonly unsurfaced?: Unsurfaced;
    readonly memoryTrouble?: string;
    readonly violation?: string;
  },
): ShepherdState {
  if (state.toMark !== event.wakeId) return state;
  const { unsurfaced, memoryTrouble, violation } = event;
  return {
    ...without(state, 'toMark', 'memoryTrouble', 'violation'),
    ...(unsurfaced === undefined ? {} : { unsurfaced }),
    ...(memoryTrouble === undefined ? {} : { memoryTrouble }),
    ...(violation === undefined ? {} : { violation }),
  };
}
