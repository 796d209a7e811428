import { describe, expect, it } from 'vitest';
import { linesFound } from '../testing/range.ts';

describe('assignment of a literal in a condition', () => {
  const rule = 'correctness/literal-assignment-in-condition';

  it.each([
    "if (state = 'done') f();",
    'while (open = true) f();',
    'if (this.count = 0) f();',
    'do { f(); } while (open = false);',
    'if (x = undefined) f();',
  ])('finds %s', async (code) => {
    expect(await linesFound(rule, code)).toEqual([1]);
  });

  it.each([
    "if (state === 'done') f();",
    'while (match = pattern.exec(text)) f();',
    'if (match = find()) f();',
    "if ((state = 'done')) f();",
    "if (ok) state = 'done';",
    'for (i = 0; i < 3; i += 1) f();',
    "const check = () => (state = 'done');",
  ])('leaves %s', async (code) => {
    expect(await linesFound(rule, code)).toEqual([]);
  });
});
