import { describe, expect, it } from 'vitest';
import { linesFound } from '../testing/range.ts';

describe('comparison with a fresh object', () => {
  const rule = 'correctness/fresh-object-comparison';

  it.each(['if (items === []) f();', 'const empty = value !== {};', 'if ([] === items) f();'])(
    'finds %s',
    async (code) => {
      expect(await linesFound(rule, code)).toEqual([1]);
    },
  );

  it.each([
    'if (items.length === 0) f();',
    'if ([1, 2][i] === x) f();',
    'if (items == []) f();',
    'const first = [a] ?? b;',
    'if (x === y[0]) f();',
    "const s = 'items === []';",
  ])('leaves %s', async (code) => {
    expect(await linesFound(rule, code)).toEqual([]);
  });
});
