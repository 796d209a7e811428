import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentBefore, entryLine, packageOf, parseManifest } from './manifest.ts';
import { viewRange } from './rule.ts';
import { changedFile, rangeOf } from './testing/range.ts';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', '  d'), { maxLength: 40 });

describe('contentBefore', () => {
  it('gives back what was there, whatever changed', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const [old, head] = [before, after].map((text) => [...text, ''].join('\n')) as [string, string];
        expect(contentBefore(changedFile('a', old, head), head)).toBe(old);
      }),
    );
  });

  it('claims nothing where the hunks do not fit', () => {
    const file = changedFile('a', 'x\ny\n', 'x\nz\n');
    expect(contentBefore(file, 'x\nother\n')).toBeUndefined();
  });
});

describe('entryLine', () => {
  const text =
    '{\n  "scripts": { "pg": "psql" },\n  "dependencies": {\n    "a": "1",\n    "pg": "8"\n  }\n}\n';

  it('finds an entry within its section only', () => {
    expect(entryLine(text, 'dependencies', 'pg')).toBe(5);
    expect(entryLine(text, 'scripts', 'pg')).toBe(2);
    expect(entryLine(text, 'dependencies', 'b')).toBeUndefined();
    expect(entryLine(text, 'devDependencies', 'pg')).toBeUndefined();
  });
});

describe('packages', () => {
  it('own the files below them, the nearest first', async () => {
    const range = viewRange(
      rangeOf({}, { 'package.json': '{"name":"root"}', 'packages/a/package.json': '{"name":"a"}' }),
    );
    expect((await packageOf(range, 'packages/a/src/deep/x.ts'))?.manifest.name).toBe('a');
    expect((await packageOf(range, 'packages/b/x.ts'))?.manifest.name).toBe('root');
    expect((await packageOf(range, 'x.ts'))?.directory).toBe('');
    expect(await packageOf(viewRange(rangeOf({})), 'a/x.ts')).toBeUndefined();
  });

  it('are read leniently: a malformed field counts as absent', () => {
    expect(parseManifest('{"name": 1, "private": "yes", "dependencies": []}')).toMatchObject({
      private: false,
      dependencies: {},
    });
    expect(parseManifest('{"name": 1}')?.name).toBeUndefined();
    expect(parseManifest('[]')).toBeUndefined();
    expect(parseManifest('{')).toBeUndefined();
  });
});
