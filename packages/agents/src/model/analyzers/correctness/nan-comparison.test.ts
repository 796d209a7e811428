import { describe, expect, it } from 'vitest';
import { findingsOf, linesFound, rangeOf } from '../testing/range.ts';

describe('comparison with NaN', () => {
  const rule = 'correctness/nan-comparison';

  it.each([
    'if (weight === NaN) return;',
    'if (weight != Number.NaN) return;',
    'const bad = NaN == weight;',
    'const less = weight < NaN;',
  ])('finds %s', async (code) => {
    expect(await linesFound(rule, code)).toEqual([1]);
  });

  it.each([
    'if (Number.isNaN(weight)) return;',
    'Object.is(weight, NaN);',
    'const weight = NaN;',
    'const weight = NaN + 1;',
    "if (text === 'NaN') return;",
    '// weight === NaN',
    'if (flags.NaN === weight) return;',
    'if (isNaN === check) return;',
  ])('leaves %s', async (code) => {
    expect(await linesFound(rule, code)).toEqual([]);
  });

  it('says the result and the remedy', async () => {
    const [finding] = await findingsOf(rule, rangeOf({ 'src/a.ts': 'if (NaN !== weight) f();' }));
    expect(finding?.message).toContain('always true');
    expect(finding?.suggestedFix).toContain('!Number.isNaN(weight)');
  });
});
