import { describe, expect, it } from 'vitest';
import { findingsOf, linesFound, rangeOf } from '../testing/range.ts';

const RULE = 'tests/focused-test';
const PATH = 'src/parcels.test.ts';

describe('focused tests', () => {
  it.each([
    "it.only('a', () => {});",
    "describe.only('a', () => {});",
    "test.concurrent.only('a', async () => {});",
    "it.only.each([1, 2])('a %i', (n) => {});",
    "fit('a', () => {});",
    "fdescribe('a', function () {});",
    "it.only('a', () => {}, 1000);",
  ])('are found: %s', async (code) => {
    expect(await linesFound(RULE, code, PATH)).toEqual([1]);
  });

  it('are found in a folder of tests, with the remedy', async () => {
    const [finding] = await findingsOf(RULE, rangeOf({ 'test/a.js': "\nfit('a', () => {});" }));
    expect(finding).toMatchObject({
      line: 2,
      severity: 'important',
      suggestedFix: expect.stringContaining('`it(…)`'),
    });
  });

  it.each([
    ["it('it.only', () => {});", PATH],
    ["// it.only('a', () => {});", PATH],
    ['const code = "it.only(\'a\', () => {});";', PATH],
    ['model.fit(data, () => {});', PATH],
    ['fit(data);', PATH],
    ['const only = options.only;', PATH],
    ["it.only('a', () => {});", 'docs/testing.md'],
    ["it.only('a', () => {});", 'test/fixtures/focused.ts'],
    ["it.only('a', () => {});", 'src/runner.ts'],
  ])('are not claimed: %s in %s', async (code, path) => {
    expect(await linesFound(RULE, code, path)).toEqual([]);
  });

  it('are left where the range takes the focus away', async () => {
    const input = rangeOf({ [PATH]: { before: "it.only('a', () => {});\n", after: "it('a', () => {});\n" } });
    expect(await findingsOf(RULE, input)).toEqual([]);
  });
});
