import { describe, expect, it } from 'vitest';
import { findingsOf, linesFound, rangeOf } from '../testing/range.ts';

const RULE = 'tests/skipped-test';
const PATH = 'src/parcels.test.ts';

describe('skipped tests', () => {
  it.each([
    "it.skip('a', () => {});",
    "describe.skip('a', () => {});",
    "xit('a', () => {});",
    "xdescribe('a', () => {});",
  ])('are a suggestion: %s', async (code) => {
    const findings = await findingsOf(RULE, rangeOf({ [PATH]: code }));
    expect(findings.map(({ line, severity }) => [line, severity])).toEqual([[1, 'suggestion']]);
  });

  it.each([
    ['a condition', "test.skip(browser === 'webkit', 'not there yet');"],
    ['a skip within a test', 'test.skip();'],
    ['skipIf', "it.skipIf(isWindows)('a', () => {});"],
    ['a to-do', "it.todo('a');"],
    ['a tracked one', "// flaky, see https://github.com/acme/app/issues/12\nit.skip('a', () => {});"],
    ['one with a ticket', "it.skip('a (OPS-12)', () => {});"],
    ['a string', 'const code = "it.skip(\'a\', () => {});";'],
    ['a query', 'rows.skip(10);'],
  ])('are not claimed: %s', async (_, code) => {
    expect(await linesFound(RULE, code, PATH)).toEqual([]);
  });

  it('are left where the test was skipped before', async () => {
    const before = "it.skip('a', () => {\n  expect(f(1)).toBe(1);\n});\n";
    const input = rangeOf({ [PATH]: { before, after: before.replace('f(1)', 'f(2)') } });
    const moved = rangeOf({ [PATH]: { before, after: `describe('group', () => {\n  ${before}});\n` } });
    expect(await findingsOf(RULE, input)).toEqual([]);
    expect(await findingsOf(RULE, moved)).toEqual([]);
  });
});
