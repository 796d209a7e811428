// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code under analysis
import { describe, expect, it } from 'vitest';
import { linesFound } from '../testing/range.ts';

const RULE = 'security/dynamic-code';

describe('code from text', () => {
  it.each([
    'eval(expression);',
    'const f = new Function("x", body);',
    'const f = Function(body);',
    'eval(`a${b}`);',
  ])('finds %s', async (code) => {
    expect(await linesFound(RULE, code)).toEqual([1]);
  });

  it.each([
    "eval('1 + 1');",
    "const root = new Function('return this')();",
    'const f: Function = g;',
    'evaluate(expression);',
    'sandbox.eval(expression);',
    "const s = 'eval(x)';",
    '// eval(x)',
    'if (f instanceof Function) g();',
  ])('leaves %s', async (code) => {
    expect(await linesFound(RULE, code)).toEqual([]);
  });
});
