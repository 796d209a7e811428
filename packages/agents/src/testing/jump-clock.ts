/**
 * A clock that stands still until a test lets it jump to the next timer.
 *
 * @module
 */

/** The clock; see `PacerClock` and the runtime's `Clock`, which it both is. */
export interface JumpClock {
  now(): number;
  setTimer(atMs: number, callback: () => void): () => void;
  /** Moves on to the earliest timer and calls what is due then. Returns whether there was one. */
  jump(): boolean;
}

interface Timer {
  readonly atMs: number;
  readonly callback: () => void;
}

/** Builds a clock that shows `startMs`. */
export function createJumpClock(startMs = 0): JumpClock {
  let nowMs = startMs;
  const timers = new Set<Timer>();
  return {
    now: () => nowMs,
    setTimer: (atMs, callback) => {
      const timer = { atMs, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    jump: () => {
      if (timers.size === 0) return false;
      nowMs = Math.max(nowMs, Math.min(...[...timers].map(({ atMs }) => atMs)));
      const due = [...timers].filter(({ atMs }) => atMs <= nowMs).toSorted((a, b) => a.atMs - b.atMs);
      for (const timer of due) {
        // One that ran before it may have taken it back.
        if (timers.delete(timer)) timer.callback();
      }
      return true;
    },
  };
}
