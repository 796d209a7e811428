/**
 * How figures are measured: set up once, then run several times.
 *
 * @module
 */

import type { Workbench } from '../workbench.ts';
import type { FigureKey } from './figures.ts';

/** What one run found. */
export type RunResult = Partial<Readonly<Record<FigureKey, number>>>;

/** A way to some of the figures. */
export interface Measurement {
  readonly keys: readonly FigureKey[];
  /** Sets up. @returns does one run */
  open(bench: Workbench): Promise<() => Promise<RunResult>>;
}
