/**
 * The runtime's figures: a warm-up, then so many runs of each measurement.
 *
 * @module
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Summary, summarize } from '../statistics.ts';
import { FIGURES, type FigureKey } from './figures.ts';
import { IDLE } from './idle.ts';
import type { Measurement, Workbench } from './measurement.ts';
import { MESSAGING } from './messaging.ts';
import { WEBHOOKS } from './webhooks.ts';

/** What was found, by key. */
export type Findings = Partial<Record<FigureKey, Summary>>;

/** Settings of {@link runRuntimeSuite}. */
export interface RuntimeSuiteOptions {
  /** Absent: all. */
  readonly only?: readonly FigureKey[];
  /** Runs that count; there is one more to warm up. */
  readonly runs: number;
  /** Where the databases lie while they are used. */
  readonly dir: string;
  /** Is told of the progress, for people. */
  readonly onProgress: (line: string) => void;
}

const MEASUREMENTS: readonly Measurement[] = [...MESSAGING, WEBHOOKS, IDLE];

function createWorkbench(dir: string): Workbench {
  return {
    createDir: () => mkdtemp(join(dir, 'openfactory-bench-')),
    removeDir: (path) => rm(path, { recursive: true, force: true }),
  };
}

async function measure(
  measurement: Measurement,
  { runs, dir, onProgress }: RuntimeSuiteOptions,
): Promise<Findings> {
  const opened = await measurement.open(createWorkbench(dir));
  try {
    await opened.run(); // warms up
    const values = new Map<FigureKey, number[]>(measurement.keys.map((key) => [key, []]));
    for (let run = 1; run <= runs; run += 1) {
      onProgress(`${measurement.keys.join(', ')}: run ${run} of ${runs}`);
      const result = await opened.run();
      for (const key of measurement.keys) values.get(key)?.push(result[key] ?? Number.NaN);
    }
    return Object.fromEntries([...values].map(([key, found]) => [key, summarize(found)]));
  } finally {
    await opened.close();
  }
}

/** Measures. @returns a summary for each key, in the order of the table */
export async function runRuntimeSuite(options: RuntimeSuiteOptions): Promise<Findings> {
  const keys = options.only ?? (Object.keys(FIGURES) as FigureKey[]);
  const findings: Findings = {};
  for (const measurement of MEASUREMENTS) {
    if (!measurement.keys.some((key) => keys.includes(key))) continue;
    Object.assign(findings, await measure(measurement, options));
  }
  return Object.fromEntries(keys.flatMap((key) => (findings[key] ? [[key, findings[key]]] : [])));
}
