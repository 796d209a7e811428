/**
 * The runtime's figures: a warm-up, then so many runs of each measurement.
 *
 * @module
 */

import { type Summary, summarize } from '../statistics.ts';
import { createWorkbench, type WorkbenchOptions } from '../workbench.ts';
import { FIGURES, type FigureKey } from './figures.ts';
import { IDLE } from './idle.ts';
import type { Measurement, RunResult } from './measurement.ts';
import { MESSAGING } from './messaging.ts';
import { WEBHOOKS } from './webhooks.ts';

/** What was found, by key. */
export type Findings = Partial<Record<FigureKey, Summary>>;

/** Settings of {@link runRuntimeSuite}. */
export interface RuntimeSuiteOptions extends WorkbenchOptions {
  /** Absent: all. */
  readonly only?: readonly FigureKey[];
  /** Runs that count; there is one more to warm up. */
  readonly runs: number;
  /** Is told of the progress, for people. */
  readonly onProgress: (line: string) => void;
}

const MEASUREMENTS: readonly Measurement[] = [...MESSAGING, WEBHOOKS, IDLE];

async function measure({ keys, open }: Measurement, options: RuntimeSuiteOptions): Promise<Findings> {
  const bench = createWorkbench(options);
  try {
    const runOnce = await open(bench);
    await runOnce(); // warms up
    const results: RunResult[] = [];
    for (let run = 1; run <= options.runs; run += 1) {
      options.onProgress(`${keys.join(', ')}: run ${run} of ${options.runs}`);
      results.push(await runOnce());
    }
    return Object.fromEntries(
      keys.map((key) => [key, summarize(results.flatMap((result) => result[key] ?? []))]),
    );
  } finally {
    await bench.close();
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
