import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChangedFile, Hunk } from '../review/changed-file.ts';
import { diffText, divideRoom } from './diff-text.ts';

const hunk: Hunk = {
  oldStart: 8,
  newStart: 9,
  isNew: true,
  lines: [
    { kind: 'context', text: 'const a = 1;', oldLine: 8, newLine: 9 },
    { kind: 'del', text: 'const b = 2;', oldLine: 9 },
    { kind: 'add', text: 'const b = 3;', newLine: 10 },
  ],
};

function file(hunks: readonly Hunk[]): ChangedFile {
  return { path: 'a.ts', status: 'modified', additions: 1, deletions: 1, hunks };
}

describe('diffText', () => {
  test('numbers lines on the new side and labels removed ones', () => {
    expect(diffText(file([hunk]))).toEqual({
      text: [
        '--- lines 9 to 10',
        '      9  |const a = 1;',
        'removed -|const b = 2;',
        '     10 +|const b = 3;',
      ].join('\n'),
      cutLines: 0,
    });
  });

  test('marks hunks that an earlier review saw', () => {
    expect(diffText(file([{ ...hunk, isNew: false }, hunk])).text.split('\n--- ')).toEqual([
      expect.stringMatching(/^--- lines 9 to 10 \(seen before/),
      expect.stringMatching(/^lines 9 to 10\n/),
    ]);
  });

  test('a hunk that only removes is placed by its start', () => {
    const only: Hunk = { ...hunk, lines: [{ kind: 'del', text: 'x', oldLine: 9 }] };
    expect(diffText(file([only])).text).toBe('--- line 9\nremoved -|x');
  });

  test('cuts in whole lines and counts them', () => {
    const cut = diffText(file([hunk]), 50);
    expect(cut.text.split('\n')).toEqual(['--- lines 9 to 10', '      9  |const a = 1;']);
    expect(cut.cutLines).toBe(2);
  });

  test('cuts a line that has no end', () => {
    const long: Hunk = { ...hunk, lines: [{ kind: 'add', text: 'x'.repeat(5_000), newLine: 9 }] };
    expect(diffText(file([long])).text).toMatch(/x{1000} \[4000 more characters of this line\]$/);
  });
});

describe('T-081 divideRoom', () => {
  test('one large file does not take the place of the small ones', () => {
    expect(divideRoom([450_000, 300, 200], 10_000)).toEqual([9_500, 300, 200]);
  });

  test('where not even a part of each fits, the least important get nothing', () => {
    expect(divideRoom([5_000, 5_000, 5_000], 4_500)).toEqual([2_250, 2_250, 0]);
  });

  test('gives nobody more than it needs, all no more than there is, and everything where it fits', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20_000), { maxLength: 12 }), fc.nat(60_000), (lengths, room) => {
        const shares = divideRoom(lengths, room);
        const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0);
        expect(sum(shares)).toBeLessThanOrEqual(room);
        shares.forEach((share, index) => {
          expect(share).toBeLessThanOrEqual(lengths[index] ?? 0);
        });
        if (sum(lengths) <= room) expect(shares).toEqual(lengths);
      }),
    );
  });
});
