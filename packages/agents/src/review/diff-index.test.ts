import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commentableLines, indexFile } from './diff-index.ts';
import { numbered, patchOf, rawFile } from './testing/builders.ts';

describe('indexFile', () => {
  test('numbers the lines of both sides', () => {
    const file = indexFile(rawFile('src/a.ts', 'one\ntwo\nthree\n', 'one\nTWO\nthree\nfour\n'));
    expect(file.hunks).toEqual([
      {
        oldStart: 1,
        newStart: 1,
        isNew: true,
        lines: [
          { kind: 'context', text: 'one', oldLine: 1, newLine: 1 },
          { kind: 'del', text: 'two', oldLine: 2 },
          { kind: 'add', text: 'TWO', newLine: 2 },
          { kind: 'context', text: 'three', oldLine: 3, newLine: 3 },
          { kind: 'add', text: 'four', newLine: 4 },
        ],
      },
    ]);
    expect(file.unread).toBeUndefined();
  });

  test('T-099 the mark for a missing last line end is no line', () => {
    const file = indexFile(rawFile('a.ts', 'one\n', 'one\ntwo'));
    expect(file.hunks[0]?.lines.map((line) => line.text)).toEqual(['one', 'two']);
  });

  test('T-095 only the new side can be commented on', () => {
    const file = indexFile(rawFile('a.ts', numbered(9), numbered(9).replace('line 5\n', 'five\n')));
    expect(commentableLines(file).map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8]);
    expect(commentableLines(file).filter(({ added }) => added)).toEqual([
      { line: 5, text: 'five', added: true, isNew: true },
    ]);
  });

  test('text that looks like a diff header is text', () => {
    const file = indexFile(
      rawFile('a.sql', '-- old\nkeep\n', '++ new\nkeep\n@@ -1 +1 @@\ndiff --git a/x b/x\n'),
    );
    expect(commentableLines(file).map(({ text }) => text)).toEqual([
      '++ new',
      'keep',
      '@@ -1 +1 @@',
      'diff --git a/x b/x',
    ]);
  });

  test.each([
    ['cut in the middle of a hunk', '@@ -1,3 +1,4 @@\n one\n+two'],
    ['not a patch', 'Sorry, this diff is unavailable.'],
    ['a header without numbers', '@@ what @@\n+a'],
    ['empty', ''],
    ['a second file behind the first', '@@ -1 +1 @@\n-a\n+b\n--- c\n+++ d\n@@ -1 +1 @@\n-a\n+b'],
  ])('T-080 a patch that is %s is not read, and says so', (_what, patch) => {
    const file = indexFile({ path: 'a.ts', status: 'modified', additions: 1, deletions: 0, patch });
    expect(file).toMatchObject({ hunks: [], unread: 'too-large' });
  });

  test('T-079 a patch that ends before its last hunk is not read', () => {
    const patch = '@@ -1 +1 @@\n-a\n+b';
    expect(indexFile({ path: 'a.ts', status: 'modified', additions: 5, deletions: 1, patch }).unread).toBe(
      'too-large',
    );
  });

  test.each([
    ['a large file', { status: 'modified', additions: 2000, deletions: 81, path: 'a.ts' }, 'too-large'],
    ['a new image', { status: 'added', additions: 0, deletions: 0, path: 'logo.png' }, 'binary'],
    ['a changed image', { status: 'modified', additions: 0, deletions: 0, path: 'logo.png' }, 'binary'],
    [
      'an empty new file',
      { status: 'added', additions: 0, deletions: 0, path: 'pkg/__init__.py' },
      undefined,
    ],
    ['a changed mode', { status: 'modified', additions: 0, deletions: 0, path: 'run.sh' }, undefined],
    ['a pure rename (T-069)', { status: 'renamed', additions: 0, deletions: 0, path: 'logo.png' }, undefined],
  ] as const)('without a patch: %s', (_what, raw, unread) => {
    expect(indexFile(raw).unread).toBe(unread);
  });

  test('hunks that stood in the earlier patch are not new, wherever they moved', () => {
    const base = numbered(40);
    const first = base.replace('line 5\n', 'five\n');
    const second = `${numbered(4, 'top')}${first}`.replace('line 30\n', 'thirty\n');
    const file = indexFile(
      rawFile('a.ts', `${numbered(4, 'top')}${base}`, second),
      rawFile('a.ts', base, first),
    );
    expect(file.hunks.map((hunk) => [hunk.newStart, hunk.isNew])).toEqual([
      [6, false],
      [31, true],
    ]);
  });

  test('a hunk that stood there once and now stands there twice is new once', () => {
    const block = `${numbered(7, 'same')}`;
    const base = `${block}${numbered(20)}${block}`;
    const changed = block.replace('same 4\n', 'changed\n');
    const before = rawFile('a.ts', base, `${changed}${numbered(20)}${block}`);
    const now = rawFile('a.ts', base, `${changed}${numbered(20)}${changed}`);
    // The two hunks differ in context, unless the block stands far from both ends.
    expect(indexFile(now, before).hunks.filter((hunk) => hunk.isNew)).toHaveLength(1);
  });

  const line = fc.constantFrom(
    '',
    ' ',
    'a',
    '+a',
    '-a',
    '\\ x',
    '@@ -1 +1 @@',
    '--- a',
    '+++ b',
    'é\t',
    'x\r',
    'Index: x',
  );
  const text = fc
    .array(line, { maxLength: 12 })
    .chain((lines) =>
      fc.boolean().map((ended) => lines.join('\n') + (ended && lines.length > 0 ? '\n' : '')),
    );

  test('every line of the new side that the patch shows has the text and the number of the file', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const patch = patchOf(before, after);
        fc.pre(patch !== undefined);
        const raw = rawFile('a.ts', before, after);
        const file = indexFile(raw);
        expect(file.unread).toBeUndefined();
        const lines = after.split('\n');
        for (const { line: number, text: shown } of commentableLines(file))
          expect(shown).toBe(lines[number - 1]);
        const adds = commentableLines(file).filter(({ added }) => added);
        expect(adds).toHaveLength(raw.additions);
      }),
    );
  });

  test('never throws, whatever the patch holds', () => {
    const piece = fc.oneof(line, fc.string({ unit: 'binary' }), fc.constant('@@ -1,2 +1,2 @@'));
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const file = indexFile({
          path: 'a.ts',
          status: 'modified',
          additions: 0,
          deletions: 0,
          patch: pieces.join('\n'),
        });
        expect(file.unread === 'too-large' || file.hunks.length > 0).toBe(true);
      }),
    );
  });
});
