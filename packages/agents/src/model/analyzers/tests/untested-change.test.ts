import { describe, expect, it } from 'vitest';
import { findingsOf, rangeOf } from '../testing/range.ts';

const RULE = 'tests/untested-change';
const BEFORE = 'export function price(grams: number) {\n  return grams * 2;\n}\n';
const NEW_FUNCTION = '\nexport function discount(grams: number) {\n  return grams > 1000 ? 0.1 : 0;\n}\n';
const LONG = Array.from({ length: 20 }, (_, index) => `log(${index});`).join('\n');
const TESTS = { 'src/price.test.ts': 'test' };

describe('changes without tests', () => {
  it('are important where a new function is exported from a tested file', async () => {
    const input = rangeOf({ 'src/price.ts': { before: BEFORE, after: BEFORE + NEW_FUNCTION } }, TESTS);
    expect(await findingsOf(RULE, input)).toMatchObject([
      {
        file: 'src/price.ts',
        line: 5,
        severity: 'important',
        message: expect.stringContaining('`discount`'),
      },
    ]);
  });

  it('are a suggestion where much changes, once for the range', async () => {
    const changes = {
      'src/price.ts': { before: BEFORE, after: `${BEFORE}${LONG}\n` },
      'src/weight.ts': { before: 'const a = 1;\n', after: `const a = 2;\n${LONG}\n` },
    };
    const input = rangeOf(changes, { ...TESTS, 'src/__tests__/weight.test.ts': 'test' });
    expect(await findingsOf(RULE, input)).toMatchObject([{ severity: 'suggestion' }]);
  });

  it.each([
    ['there is a test in the range', { 'test/discount.spec.ts': 'test' }, TESTS],
    ['the file has no tests', {}, {}],
    ['only another file has tests', {}, { 'src/weight.test.ts': 'test' }],
  ])('are not claimed where %s', async (_, more, others) => {
    const changes = { 'src/price.ts': { before: BEFORE, after: BEFORE + NEW_FUNCTION }, ...more };
    expect(await findingsOf(RULE, rangeOf(changes, others))).toEqual([]);
  });

  it.each([
    ['a small change', BEFORE.replace('* 2', '* 3')],
    ['a comment', `// ${LONG.replaceAll('\n', '\n// ')}\n${BEFORE}`],
    ['an exported type', `${BEFORE}export interface Price {}\n`],
    ['a new signature', BEFORE.replace('grams: number', 'grams: bigint')],
  ])('are not claimed for %s', async (_, after) => {
    expect(await findingsOf(RULE, rangeOf({ 'src/price.ts': { before: BEFORE, after } }, TESTS))).toEqual([]);
  });

  it('count a test file that nobody reads', async () => {
    const input = rangeOf(
      { 'src/price.ts': { before: BEFORE, after: BEFORE + NEW_FUNCTION }, 'src/price.test.ts': 'test' },
      TESTS,
    );
    const files = input.files.map((file) =>
      file.path === 'src/price.test.ts' ? { ...file, hunks: [], unread: 'too-large' as const } : file,
    );
    expect(await findingsOf(RULE, { ...input, files })).toEqual([]);
  });
});
