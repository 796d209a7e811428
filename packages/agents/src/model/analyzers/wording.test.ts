import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeName, joined, nameList } from './wording.ts';

describe('names in a message', () => {
  it('are listed whole where they fit', () => {
    expect(nameList(['a'])).toBe('`a`');
    expect(nameList(['a', 'b'])).toBe('`a` and `b`');
    expect(nameList(['a', 'b', 'c'])).toBe('`a`, `b` and `c`');
  });

  it('are counted where they do not', () => {
    expect(nameList(['alpha', 'beta', 'gamma', 'delta'], 30)).toBe('`alpha`, `beta` and 2 more');
    expect(codeName('a-name-that-is-too-long', 10)).toBe('`a-name-…`');
  });

  it('never take more room than there is, and the first is always told', () => {
    const names = fc.array(fc.stringMatching(/^[a-z]{1,80}$/), { minLength: 1, maxLength: 900 });
    fc.assert(
      fc.property(names, (list) => {
        const text = nameList(list);
        expect(text.length).toBeLessThanOrEqual(40);
        expect(text.startsWith(`\`${(list[0] ?? '').slice(0, 20)}`)).toBe(true);
      }),
    );
  });
});

it('numbers are joined as people write them', () => {
  expect([[4], [4, 5], [4, 5, 6]].map(joined)).toEqual(['4', '4 and 5', '4, 5 and 6']);
});
