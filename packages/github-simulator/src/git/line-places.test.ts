import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { followLine, placeInPatch } from './line-places.ts';

const PATCH = [
  '@@ -1,4 +1,4 @@ head',
  ' one',
  '-two',
  '+TWO',
  ' three',
  ' four',
  '@@ -20,2 +20,3 @@',
  ' twenty',
  '+added',
  ' twenty-one',
  '\\ No newline at end of file',
].join('\n');

describe('a line in a patch', () => {
  it('is found on either side, with its position and the hunk that ends at it', () => {
    expect(placeInPatch(PATCH, 2, 'RIGHT')).toEqual({
      position: 3,
      diffHunk: '@@ -1,4 +1,4 @@ head\n one\n-two\n+TWO',
    });
    expect(placeInPatch(PATCH, 2, 'LEFT')).toEqual({
      position: 2,
      diffHunk: '@@ -1,4 +1,4 @@ head\n one\n-two',
    });
    expect(placeInPatch(PATCH, 21, 'RIGHT')).toEqual({
      position: 8,
      diffHunk: '@@ -20,2 +20,3 @@\n twenty\n+added',
    });
    expect(placeInPatch(PATCH, 21, 'LEFT')?.position).toBe(9);
  });

  it('is not found between hunks or beyond them', () => {
    for (const line of [0, 5, 19, 23]) expect(placeInPatch(PATCH, line, 'RIGHT')).toBeUndefined();
  });
});

describe('a line followed through a diff', () => {
  it('moves with what was added and removed above it, and is lost where it was changed', () => {
    const diff = ['@@ -2,0 +3,2 @@', '+a', '+b', '@@ -5 +7 @@', '-c', '+C', '@@ -8,2 +9,0 @@'].join('\n');
    const followed = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((line) => followLine(diff, line));
    expect(followed).toEqual([1, 2, 5, 6, undefined, 8, 9, undefined, undefined, 10]);
  });

  it('keeps its text, whatever was inserted and deleted around it', () => {
    const edit = fc.record({ keep: fc.integer({ min: 1, max: 4 }), remove: fc.nat(3), add: fc.nat(3) });
    const edits = fc.array(
      edit.filter(({ remove, add }) => remove + add > 0),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(edits, (steps) => {
        const { before, after, diff } = edited(steps);
        const followed = before.map((_, index) => followLine(diff, index + 1));
        expect(followed.map((line) => (line === undefined ? 'lost' : after[line - 1]))).toEqual(
          before.map((text) => (text.startsWith('kept') ? text : 'lost')),
        );
      }),
    );
  });
});

interface Edit {
  readonly keep: number;
  readonly remove: number;
  readonly add: number;
}

/** A file before and after some edits, and the diff that git would write without context. */
function edited(steps: readonly Edit[]) {
  const before: string[] = [];
  const after: string[] = [];
  const headers: string[] = [];
  const numbered = (word: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${word} ${headers.length}.${index}`);
  // Of an empty range git names the line before it.
  const range = (lines: readonly string[], count: number) => `${lines.length + Math.min(count, 1)},${count}`;
  for (const { keep, remove, add } of steps) {
    const kept = numbered('kept', keep);
    before.push(...kept);
    after.push(...kept);
    headers.push(`@@ -${range(before, remove)} +${range(after, add)} @@`);
    before.push(...numbered('removed', remove));
    after.push(...numbered('added', add));
  }
  return { before, after, diff: headers.join('\n') };
}
