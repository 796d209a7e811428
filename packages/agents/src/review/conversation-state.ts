/**
 * What a Shepherd knows of its PR's conversation between two wakes. The items themselves are on GitHub, and what
 * of them was delivered stands in the markers. Plain data.
 *
 * @module
 */
import type { WakeId } from '../ids.ts';

/** Items that no reviewer has been shown as they are now. */
export interface Unsurfaced {
  readonly count: number;
  /** How many of them are more than an order to us, so that a round about them is worth its price. */
  readonly worthReading: number;
}

/** The part of a Shepherd's state that is about the conversation. */
export interface ConversationState {
  /** Round whose comment stands, and whose delivered items are to be marked before anything else (S6). */
  readonly toMark?: WakeId;
  /** Present while the conversation is to be read, for the count alone: nothing is marked by that. */
  readonly hearing?: { readonly notBeforeMs: number; readonly attempts: number };
  /** As it was when the conversation was last read; absent before that. */
  readonly unsurfaced?: Unsurfaced;
  /** When the conversation was last read, in milliseconds since the epoch; absent before that. */
  readonly heardAtMs?: number;
  /** When it was read for the count, the newest last; a few of these. */
  readonly heardMs: readonly number[];
  /** Why it is not sure what was delivered before, so that items may be shown again; a clause. */
  readonly memoryTrouble?: string;
  /** What the check at the end of the last round found missing; a bug, said aloud. */
  readonly violation?: string;
}
