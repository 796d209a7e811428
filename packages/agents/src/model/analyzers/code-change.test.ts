import { describe, expect, it } from 'vitest';
import { changesCode } from './code-change.ts';
import { changedFile } from './testing/range.ts';

const CODE = 'export function f(a, b) {\n  return a + b;\n}\n';
const changed = (after: string | null) => changesCode(changedFile('src/a.ts', CODE, after));

describe('a change of code', () => {
  it.each([
    ['another operator', CODE.replace('+', '-')],
    ['a new line', `${CODE}f(1, 2);\n`],
    ['a line less', CODE.replace('  return a + b;\n', '')],
    ['a deleted file', null],
    ['code beside a comment', `// Adds.\n${CODE.replace('+', '-')}`],
  ])('is %s', (_, after) => {
    expect(changed(after)).toBe(true);
  });

  it.each([
    ['a comment', `// Adds.\n${CODE}`],
    ['a blank line', `\n${CODE}`],
    ['another indentation', CODE.replace('  return', '    return')],
    ['other line breaks', CODE.replace('(a, b)', '(\n  a,\n  b\n)')],
  ])('is not %s', (_, after) => {
    expect(changed(after)).toBe(false);
  });

  it('is not what was reviewed before', () => {
    const file = changedFile('src/a.ts', CODE, CODE.replace('+', '-'));
    expect(changesCode({ ...file, hunks: file.hunks.map((hunk) => ({ ...hunk, isNew: false })) })).toBe(
      false,
    );
  });
});
