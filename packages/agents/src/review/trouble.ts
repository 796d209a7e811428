/**
 * What goes wrong, and how long to wait before it is tried again.
 *
 * @module
 */
import type { Failure } from './state.ts';

export const HOUR_MS = 3_600_000;
/** The times of the last hour. */
export function withinHour(timesMs: readonly number[], nowMs: number): readonly number[] {
  return timesMs.filter((timeMs) => timeMs > nowMs - HOUR_MS);
}

/** Waits before an attempt is repeated; the last one is used for all further attempts. */
const BACKOFF_MS: readonly number[] = [1_000, 4_000, 15_000, 60_000];

/** What went wrong, and whether it passes by itself. */
export interface Trouble {
  readonly retryable: boolean;
  readonly what: string;
  /** How long GitHub asked to be left alone. */
  readonly retryAfterMs?: number;
}

/** What is remembered of a failure that is not tried again. */
export function failureOf(trouble: Trouble, nowMs: number): Failure {
  return { what: trouble.what, atMs: nowMs, retryable: trouble.retryable };
}

/** How long to wait before the next attempt: longer each time, and at least as long as GitHub asked. */
export function waitFor(trouble: Trouble, attempts: number): number {
  return Math.max(backoff(attempts), trouble.retryAfterMs ?? 0);
}

function backoff(attempts: number): number {
  return BACKOFF_MS[Math.min(attempts, BACKOFF_MS.length - 1)] ?? 0;
}
