import { describe, expect, it } from 'vitest';
import type { Figures } from './figures.ts';
import { renderTable } from './table.ts';

const FIGURES: Figures<'delay_ms' | 'rate_per_s' | 'size_mb'> = {
  delay_ms: { what: 'how long it takes', target: { atMost: 1.5 } },
  rate_per_s: { what: 'how many there are', target: { atLeast: 1500 } },
  size_mb: { what: 'how large it is', target: { atMost: 10 } },
};

describe('the table', () => {
  it('says of each figure whether its median reaches the target, and names the machine', () => {
    const missed = { median: 1_499, min: 1_000, max: 2_000, runs: 3 };
    const met = { median: 1.4, min: 1, max: 9, runs: 5 };
    const text = renderTable(FIGURES, { rate_per_s: missed, delay_ms: met }, '2 cores, Node 20.');
    const lines = text.split('\n');
    expect(lines[1]).toMatch(/^delay_ms\s+1\.4\s+1\s+9\s+5\s+<= 1\.5\s+yes\s+how long it takes$/);
    expect(lines[2]).toMatch(/^rate_per_s\s+1499\s+1000\s+2000\s+3\s+>= 1500\s+NO\s+how many there are$/);
    expect(text).not.toContain('size_mb');
    expect(text).toContain('2 cores, Node 20.');
  });

  it('takes a figure that is just at its target as met', () => {
    const at = { median: 1_500, min: 1_500, max: 1_500, runs: 1 };
    expect(renderTable(FIGURES, { rate_per_s: at }, '')).toContain('yes');
    expect(renderTable(FIGURES, { delay_ms: { ...at, median: 1.5 } }, '')).toContain('yes');
  });
});
