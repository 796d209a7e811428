import { describe, expect, it } from 'vitest';
import { linesFound } from '../testing/range.ts';

describe('comparison of typeof', () => {
  const rule = 'correctness/typeof-comparison';

  it.each([
    "if (typeof x === 'strng') f();",
    "if ('array' !== typeof x) f();",
    'if (typeof x === undefined) f();',
    'if (typeof x == `Object`) f();',
  ])('finds %s', async (code) => {
    expect(await linesFound(rule, code)).toEqual([1]);
  });

  it.each([
    "if (typeof x === 'string') f();",
    'if (typeof x === typeof y) f();',
    'if (typeof x === kind) f();',
    "const t = typeof x + 'strng';",
    "type T = typeof x extends 'strng' ? 1 : 2;",
    'const s = "typeof x === \'strng\'";',
    "if (typeof x === 'unknown') f();",
  ])('leaves %s', async (code) => {
    expect(await linesFound(rule, code)).toEqual([]);
  });
});
