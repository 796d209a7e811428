/**
 * A suite: a warm-up, then so many runs of each measurement.
 *
 * @module
 */

import type { Figures } from './figures.ts';
import type { Measurement, RunResult } from './measurement.ts';
import { type Summary, summarize } from './statistics.ts';
import { createWorkbench, type WorkbenchOptions } from './workbench.ts';

/** Figures, and the ways to them. */
export interface Suite<TKey extends string> {
  readonly figures: Figures<TKey>;
  readonly measurements: readonly Measurement<TKey>[];
}

/** What was found, by key. */
export type Findings<TKey extends string> = Partial<Readonly<Record<TKey, Summary>>>;

/** Settings of {@link runSuite}. */
export interface SuiteOptions<TKey extends string> extends WorkbenchOptions {
  /** Absent: all. */
  readonly only?: readonly TKey[];
  /** Runs that count. */
  readonly runs: number;
  /** Is told of the progress, for people. */
  readonly onProgress: (line: string) => void;
}

async function measure<TKey extends string>(
  { keys, open, isWarm, maxRuns = Number.POSITIVE_INFINITY }: Measurement<TKey>,
  options: SuiteOptions<TKey>,
): Promise<readonly (readonly [TKey, Summary])[]> {
  const bench = createWorkbench(options);
  const runs = Math.min(options.runs, maxRuns);
  try {
    const runOnce = await open(bench);
    if (!isWarm) await runOnce();
    const results: RunResult<TKey>[] = [];
    for (let run = 1; run <= runs; run += 1) {
      options.onProgress(`${keys.join(', ')}: run ${run} of ${runs}`);
      results.push(await runOnce());
    }
    return keys.map((key) => [key, summarize(results.flatMap((result) => result[key] ?? []))]);
  } finally {
    await bench.close();
  }
}

/** Measures. @returns a summary for each key, in the order of the table */
export async function runSuite<TKey extends string>(
  { figures, measurements }: Suite<TKey>,
  options: SuiteOptions<TKey>,
): Promise<Findings<TKey>> {
  const wanted = options.only ?? (Object.keys(figures) as TKey[]);
  const found = new Map<TKey, Summary>();
  for (const measurement of measurements) {
    if (!measurement.keys.some((key) => wanted.includes(key))) continue;
    for (const [key, summary] of await measure(measurement, options)) found.set(key, summary);
  }
  const inOrder = wanted.flatMap((key) => {
    const summary = found.get(key);
    return summary === undefined ? [] : [[key, summary] as const];
  });
  return Object.fromEntries(inOrder) as Findings<TKey>;
}
