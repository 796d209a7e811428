import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { median, quantile, summarize } from './statistics.ts';

const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 50 });

describe('quantile', () => {
  it('is a value that enough of the values do not exceed, and no smaller one is', () => {
    fc.assert(
      fc.property(values, fc.double({ min: 0.01, max: 1, noNaN: true }), (all, share) => {
        const found = quantile(all, share);
        const atMost = all.filter((value) => value <= found).length;
        const below = all.filter((value) => value < found).length;
        expect(all).toContain(found);
        expect(atMost).toBeGreaterThanOrEqual(Math.ceil(all.length * share));
        expect(below).toBeLessThan(Math.ceil(all.length * share));
      }),
    );
  });

  it('needs values', () => {
    expect(() => quantile([], 0.5)).toThrow(RangeError);
  });
});

describe('median', () => {
  it.each([
    [[3], 3],
    [[4, 1], 2.5],
    [[9, 1, 2], 2],
    [[10, 2, 1, 4], 3],
  ])('of %j is %d', (all, expected) => {
    expect(median(all)).toBe(expected);
  });
});

describe('summarize', () => {
  it('gives median, extremes and the number of runs, to four digits', () => {
    expect(summarize([1.23456, 3, 2])).toEqual({ median: 2, min: 1.235, max: 3, runs: 3 });
  });
});
