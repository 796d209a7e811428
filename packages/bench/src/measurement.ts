/**
 * How figures are measured: set up once, then run several times.
 *
 * @module
 */

import type { Workbench } from './workbench.ts';

/** What one run found. */
export type RunResult<TKey extends string> = Partial<Readonly<Record<TKey, number>>>;

/** A way to some of the figures of a suite. */
export interface Measurement<TKey extends string> {
  readonly keys: readonly TKey[];
  /** Each run, or `open`, warms up what it measures: the first run counts. Default: a run before them warms up. */
  readonly isWarm?: true;
  /** Runs that count, at most, where one takes long. Default: as many as are asked for. */
  readonly maxRuns?: number;
  /** Sets up. @returns does one run */
  open(bench: Workbench): Promise<() => Promise<RunResult<TKey>>>;
}
