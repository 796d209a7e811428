import { describe, expect, it } from 'vitest';
import { findingsOf, rangeOf } from '../testing/range.ts';

describe('leftover files', () => {
  const rule = 'conventions/leftover-file';

  it('are found when added', async () => {
    const found = await findingsOf(rule, rangeOf({ 'src/a.ts.orig': 'x\n', 'src/a.ts.rej': 'y\n' }));
    expect(found.map(({ file, severity }) => [file, severity])).toEqual([
      ['src/a.ts.rej', 'important'],
      ['src/a.ts.orig', 'suggestion'],
    ]);
  });

  it('are left when deleted, in fixtures, or only alike in name', async () => {
    const input = rangeOf({
      'a.orig': { before: 'x\n', after: null },
      'test/fixtures/b.rej': 'x\n',
      'src/orig.ts': 'x\n',
      'docs/rej.md': 'x\n',
    });
    expect(await findingsOf(rule, input)).toEqual([]);
  });
});
