import { describe, expect, it } from 'vitest';
import { renderTable } from './table.ts';

describe('the table', () => {
  it('says of each figure whether its median reaches the target, and names the machine', () => {
    const met = { median: 1.4, min: 1, max: 9, runs: 5 };
    const missed = { median: 1_499, min: 1_000, max: 2_000, runs: 5 };
    const text = renderTable({ send_to_handler_ms_p50: met, spawn_send_per_s: missed }, '2 cores, Node 20.');
    const lines = text.split('\n');
    expect(lines[1]).toMatch(/^send_to_handler_ms_p50\s+1\.4\s+1\s+9\s+<= 1\.5\s+yes\s/);
    expect(lines[2]).toMatch(/^spawn_send_per_s\s+1499\s+1000\s+2000\s+>= 1500\s+NO\s/);
    expect(text).toContain('Medians of 5 runs after a warm-up. 2 cores, Node 20.');
  });
});
