/**
 * Numbers of several runs as one figure. Pure.
 *
 * @module
 */

/** What `--json` prints for each key. */
export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** How many runs there were, without the warm-up. */
  readonly runs: number;
}

/**
 * The smallest value that at least this share of the values does not exceed.
 *
 * @param share - above 0, at most 1
 * @throws RangeError when there are no values
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.ceil(sorted.length * share) - 1];
  if (value === undefined) throw new RangeError('a quantile of no values');
  return value;
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}

/** Median and extremes, to four significant digits. */
export function summarize(values: readonly number[]): Summary {
  return {
    median: round(median(values)),
    min: round(Math.min(...values)),
    max: round(Math.max(...values)),
    runs: values.length,
  };
}
