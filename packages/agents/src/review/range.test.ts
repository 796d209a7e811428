import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RawFile } from './changed-file.ts';
import { computeRange, fillEarlier } from './range.ts';
import { numbered, rawFile } from './testing/builders.ts';

const base = numbered(40);
const edited = base.replace('line 20\n', 'twenty\n');
const plain = rawFile('src/a.ts', base, edited);
const main = numbered(6, 'main');
/** The same change after the base branch gained lines above it. */
const rebased = rawFile('src/a.ts', `${main}${base}`, `${main}${edited}`);
const binary: RawFile = { path: 'logo.png', status: 'modified', additions: 0, deletions: 0 };
const large: RawFile = { path: 'data.ts', status: 'added', additions: 9000, deletions: 0 };

describe('computeRange', () => {
  test('a first round holds every file, all hunks new', () => {
    const { files, gonePaths } = computeRange([], [plain, binary]);
    expect(files.map((file) => file.path)).toEqual(['src/a.ts', 'logo.png']);
    expect(files[0]?.hunks.every((hunk) => hunk.isNew)).toBe(true);
    expect(gonePaths).toEqual([]);
  });

  test('T-033 a pure rebase is empty, and says where the lines went', () => {
    expect(computeRange([plain, binary, large], [rebased, binary, large])).toEqual({
      files: [],
      gonePaths: [],
      carried: [{ from: 'src/a.ts', to: 'src/a.ts', hunks: [{ from: 17, to: 23, lineCount: 7 }] }],
    });
  });

  test('T-036 what came in from the base branch is not in the range', () => {
    const second = rawFile('src/b.ts', 'x\n', 'y\n');
    expect(computeRange([plain], [rebased, second]).files.map((file) => file.path)).toEqual(['src/b.ts']);
  });

  test('a changed file is shown whole, with its known hunks marked', () => {
    const now = rawFile('src/a.ts', base, edited.replace('line 2\n', 'two\n'));
    const [file] = computeRange([plain], [now]).files;
    expect(file?.hunks.map((hunk) => hunk.isNew)).toEqual([true, false]);
  });

  test('a change that is reverted is gone', () => {
    expect(computeRange([plain, binary], [binary])).toMatchObject({ files: [], gonePaths: ['src/a.ts'] });
  });

  test('a missing line end at the end of the file is a change', () => {
    const before = rawFile('a.ts', 'one\n', 'one\ntwo\n');
    expect(computeRange([before], [rawFile('a.ts', 'one\n', 'one\ntwo')]).files).toHaveLength(1);
  });

  test.each([
    ['status', { ...binary, status: 'added' }],
    ['counts', { ...binary, additions: 3 }],
  ] as const)('a file without a patch changes with its %s', (_what, now) => {
    expect(computeRange([binary], [now]).files).toHaveLength(1);
  });

  test('a file without a text is in the range again when its bytes are others', () => {
    const old = { ...binary, blobSha: 'a' };
    expect(computeRange([old], [{ ...old, blobSha: 'b' }]).files).toMatchObject([{ unread: 'binary' }]);
    expect(computeRange([old], [{ ...old }]).files).toEqual([]);
  });

  test('bytes that came from the base branch are no change of a file that is only renamed', () => {
    const pure = {
      path: 'b.ts',
      previousPath: 'a.ts',
      status: 'renamed',
      additions: 0,
      deletions: 0,
    } as const;
    expect(computeRange([{ ...pure, blobSha: 'a' }], [{ ...pure, blobSha: 'b' }]).files).toEqual([]);
  });

  test('the removal of another file with the same text is another removal', () => {
    const range = computeRange([rawFile('a.ts', base, '')], [rawFile('b.ts', base, '')]);
    expect(range).toMatchObject({ files: [{ path: 'b.ts' }], gonePaths: ['a.ts'], carried: [] });
  });

  test('a lone carriage return ends no line, so that it hides no change behind it', () => {
    const text = (end: string) => rawFile('a.ts', '', `const a = 1;\r@@ ${end}\n`);
    expect(computeRange([text('harmless')], [text('harmful')]).files).toHaveLength(1);
  });

  test('a file whose patch became too large to be given is in the range, unread', () => {
    const { patch: _, ...now } = { ...plain, additions: 5000 };
    expect(computeRange([plain], [now]).files).toMatchObject([{ path: 'src/a.ts', unread: 'too-large' }]);
  });

  describe('T-173 renames', () => {
    const renamed = rawFile('src/b.ts', base, edited, { status: 'renamed', previousPath: 'src/a.ts' });

    test('a file that was only renamed since is carried', () => {
      const range = computeRange([plain], [renamed]);
      expect(range).toMatchObject({
        files: [],
        gonePaths: [],
        carried: [{ from: 'src/a.ts', to: 'src/b.ts' }],
      });
    });

    test('renamed once more', () => {
      const again = { ...renamed, path: 'src/c.ts' };
      expect(computeRange([renamed], [again])).toMatchObject({
        files: [],
        gonePaths: [],
        carried: [{ from: 'src/b.ts', to: 'src/c.ts' }],
      });
    });

    test('a rename that is taken back', () => {
      expect(computeRange([renamed], [plain])).toMatchObject({ files: [], gonePaths: [] });
    });

    test('renamed and changed: in the range, with its known hunks marked and its way told', () => {
      const now = rawFile('src/b.ts', base, edited.replace('line 2\n', 'two\n'), {
        status: 'renamed',
        previousPath: 'src/a.ts',
      });
      const range = computeRange([plain], [now]);
      expect(range.files[0]?.hunks.map((hunk) => hunk.isNew)).toEqual([true, false]);
      expect(range).toMatchObject({
        gonePaths: [],
        carried: [{ from: 'src/a.ts', to: 'src/b.ts', hunks: [{ from: 17, to: 17 }] }],
      });
    });

    test('a new file under the old name is new', () => {
      const newcomer = rawFile('src/a.ts', '', 'fresh\n');
      const range = computeRange([plain], [renamed, newcomer]);
      expect(range.files.map((file) => file.path)).toEqual(['src/a.ts']);
      expect(range.files[0]?.hunks[0]?.isNew).toBe(true);
    });

    test('an added file that was given another name is followed by its content', () => {
      const range = computeRange([rawFile('x.ts', '', base)], [rawFile('y.ts', '', base)]);
      expect(range).toMatchObject({ files: [], gonePaths: [], carried: [{ from: 'x.ts', to: 'y.ts' }] });
    });

    test('a pure rename that becomes another one is in the range', () => {
      const pure: RawFile = { path: 'b', previousPath: 'a', status: 'renamed', additions: 0, deletions: 0 };
      expect(computeRange([pure], [{ ...pure, path: 'c' }]).files.map((file) => file.path)).toEqual(['c']);
    });
  });

  const arbitraryFile = fc
    .record({ name: fc.constantFrom('a', 'b', 'c', 'd'), at: fc.nat(38), kind: fc.nat(4) })
    .map(({ name, at, kind }): RawFile => {
      const target = base.replace(`line ${at + 1}\n`, `changed ${at}\n`);
      if (kind === 0) return { path: name, status: 'modified', additions: 0, deletions: 0 };
      if (kind === 1) return rawFile(name, '', target);
      if (kind === 2) return rawFile(name, base, target, { status: 'renamed', previousPath: `old-${name}` });
      if (kind === 3) return { path: name, status: 'modified', additions: 5000, deletions: 1 };
      return rawFile(name, base, target);
    });
  const files = fc.uniqueArray(arbitraryFile, { selector: (file) => file.path });

  test('T-076 a cut list that is filled from what was not touched hides no change', () => {
    fc.assert(
      fc.property(files, files, fc.nat(4), (before, now, cut) => {
        const touched = new Set(
          [...before, ...now].flatMap((file) => {
            const isSame = [before, now].every((list) =>
              list.some((other) => isDeepStrictEqual(other, file)),
            );
            return isSame ? [] : [file.path, file.previousPath ?? file.path];
          }),
        );
        const filled = fillEarlier(before.slice(0, cut), now, touched);
        const paths = computeRange(filled, now).files.map((file) => file.path);
        const truth = computeRange(before, now).files.map((file) => file.path);
        expect(paths).toEqual(expect.arrayContaining(truth));
        for (const path of paths) expect(truth.includes(path) || touched.has(path)).toBe(true);
      }),
    );
  });

  test('nothing changed since itself', () => {
    fc.assert(
      fc.property(files, (now) => {
        expect(computeRange(now, now)).toEqual({ files: [], gonePaths: [], carried: [] });
      }),
    );
  });

  test('each file of then is carried on, in the range, or gone', () => {
    fc.assert(
      fc.property(files, files, (before, now) => {
        const range = computeRange(before, now);
        const here = new Set(now.map((file) => file.path));
        for (const { path } of before) {
          const moved = range.carried.some((move) => move.from === path);
          expect(moved || here.has(path) || range.gonePaths.includes(path)).toBe(true);
        }
        for (const path of range.gonePaths) expect(here.has(path)).toBe(false);
        for (const file of range.files) expect(here.has(file.path)).toBe(true);
      }),
    );
  });
});
