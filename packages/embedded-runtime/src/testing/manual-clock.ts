import type { Clock } from '../clock.ts';

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /** Moves on and calls the timers that are due, in order of their time. */
  advance(ms: number): void;
}

/** @param startMs - the first `now()`, in milliseconds since the epoch */
export function createManualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let nowMs = startMs;
  const timers = new Map<symbol, { readonly fireAtMs: number; readonly callback: () => void }>();
  const nextDue = () =>
    [...timers].filter(([, t]) => t.fireAtMs <= nowMs).sort(([, a], [, b]) => a.fireAtMs - b.fireAtMs)[0];
  return {
    now: () => nowMs,
    setTimer(fireAtMs, callback) {
      const id = Symbol('timer');
      timers.set(id, { fireAtMs, callback });
      return () => void timers.delete(id);
    },
    advance(ms) {
      nowMs += ms;
      for (let due = nextDue(); due !== undefined; due = nextDue()) {
        timers.delete(due[0]);
        due[1].callback();
      }
    },
  };
}
