/**
 * How figures are measured: processes are set up once, then run several times.
 *
 * @module
 */

import type { FigureKey } from './figures.ts';

/** What a measurement may use. */
export interface Workbench {
  /** A new directory on the disk under test. */
  createDir(): Promise<string>;
  removeDir(path: string): Promise<void>;
}

/** What one run found. */
export type RunResult = Partial<Readonly<Record<FigureKey, number>>>;

/** A measurement that is set up. */
export interface OpenMeasurement {
  run(): Promise<RunResult>;
  /** Ends its processes. */
  close(): Promise<void>;
}

/** A way to some of the figures. */
export interface Measurement {
  readonly keys: readonly FigureKey[];
  open(bench: Workbench): Promise<OpenMeasurement>;
}
