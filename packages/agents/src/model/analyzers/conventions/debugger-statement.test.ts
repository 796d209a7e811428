import { describe, expect, it } from 'vitest';
import { linesFound } from '../testing/range.ts';

describe('debugger statement', () => {
  const rule = 'conventions/debugger-statement';

  it('is found in sources and tests', async () => {
    expect(await linesFound(rule, 'function f() {\n  debugger;\n}\n')).toEqual([2]);
    expect(await linesFound(rule, 'debugger\n', 'src/a.test.jsx')).toEqual([1]);
  });

  it.each([
    ['a string', "log('debugger;');"],
    ['a comment', '// debugger;'],
    ['a name', 'const debuggerEnabled = options.debugger;'],
  ])('is not %s', async (_, code) => {
    expect(await linesFound(rule, code)).toEqual([]);
  });
});
