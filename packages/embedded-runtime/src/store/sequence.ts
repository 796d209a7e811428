/**
 * Positions of events. They grow over all streams of the host, so that rows of different streams can be put
 * in order, too.
 *
 * @module
 */

import type { SqliteDb } from '../db.ts';

/** Takes positions. */
export interface Sequence {
  /** A position that was never taken before. */
  take(): number;
  /** The next position; all that were taken are before it. */
  peek(): number;
  /** Forgets what a rollback may have undone. */
  forget(): void;
}

/** Positions are reserved in the database this many at a time; a crash loses the rest of its block. */
const BLOCK = 1024;

/** @param db - a migrated database */
export function createSequence(db: SqliteDb): Sequence {
  const read = db.prepare<{ next_seq: number }>('SELECT next_seq FROM sequence');
  const reserve = db.prepare('UPDATE sequence SET next_seq = ?');
  let next = 0;
  let endOfBlock = 0;
  return {
    take() {
      if (next >= endOfBlock) {
        next = Math.max(next, read.get()?.next_seq ?? 1);
        endOfBlock = next + BLOCK;
        reserve.run(endOfBlock);
      }
      next += 1;
      return next - 1;
    },
    peek: () => (next < endOfBlock ? next : Math.max(next, read.get()?.next_seq ?? 1)),
    forget() {
      endOfBlock = 0;
    },
  };
}

/** A position as text that sorts like the number. */
export function offsetOf(seq: number): string {
  return String(seq).padStart(16, '0');
}
