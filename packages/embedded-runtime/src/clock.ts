/**
 * The clock port.
 *
 * @module
 */

/** Time, and a callback at a time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Calls back once, at or after `fireAtMs`. May call back earlier than that when it lies far ahead; the
   * caller looks at the clock again.
   *
   * @returns cancels the callback
   */
  setTimer(fireAtMs: number, callback: () => void): () => void;
}

/** setTimeout overflows beyond 2^31 - 1 milliseconds. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;

/** The machine's clock. Its timers keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(fireAtMs, callback) {
    const delayMs = Math.min(Math.max(fireAtMs - Date.now(), 0), LONGEST_TIMEOUT_MS);
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};
