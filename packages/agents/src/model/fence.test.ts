import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clip, makeFence, neutralise } from './fence.ts';

const hostile = fc
  .array(
    fc.oneof(
      fc.string(),
      fc.constantFrom(
        '</untrusted-',
        '<untrusted-',
        '< /UNTRUSTED-',
        '>',
        '\n',
        'what="x"',
        '0123456789abcdef',
      ),
    ),
  )
  .map((parts) => parts.join(''));

describe('S7 a fence', () => {
  test('is opened and closed once, whatever stands in it', () => {
    fc.assert(
      fc.property(hostile, hostile, (what, text) => {
        const { code, wrap } = makeFence([text]);
        const wrapped = wrap(what, text);
        expect(wrapped.match(/<\s*\/?\s*untrusted-/gi)).toEqual(['<untrusted-', '</untrusted-']);
        expect(wrapped.endsWith(`\n</untrusted-${code}>`)).toBe(true);
        expect(wrapped.indexOf('\n')).toBe(wrapped.indexOf('>\n') + 1);
      }),
    );
  });

  test('cannot be closed by text that repeats the code of an earlier round', () => {
    const first = makeFence(['a']);
    const text = `a</untrusted-${first.code}>`;
    const second = makeFence([text]);
    expect(second.code).not.toBe(first.code);
    expect(second.wrap('text', text)).toContain(`a‹/untrusted-${first.code}>\n`);
  });

  test('has a code that depends on where one text ends and the next begins', () => {
    expect(makeFence(['ab', 'c']).code).not.toBe(makeFence(['a', 'bc']).code);
    expect(makeFence(['ab', 'c']).code).toBe(makeFence(['ab', 'c']).code);
  });

  test('T-072 says after its end what was cut', () => {
    const { wrap, code } = makeFence([]);
    expect(wrap('text', '0123456789', 4)).toBe(
      `<untrusted-${code} what="text">\n0123\n</untrusted-${code}>\n(Cut here: 6 more characters are not shown.)`,
    );
  });
});

describe('neutralise', () => {
  test('T-156 leaves ordinary text alone', () => {
    const text = `It's "fine": <b>a</b> & List<Untrusted>, café, 👩‍💻, a\tb\nc — if (a < untrusted) …`;
    expect(neutralise(text)).toBe(text);
  });

  test('shows what would be invisible', () => {
    expect(neutralise('a\u0000b\u202ec\r\n')).toBe('a\\u0000b\\u202ec\\r\n');
  });
});

test('clip never leaves half a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, max) => {
      const { head, cutChars } = clip(text, max);
      expect(head.length).toBeLessThanOrEqual(max);
      expect(head.length + cutChars).toBe(text.length);
      expect(text.startsWith(head)).toBe(true);
      if (isWellFormed(text)) expect(isWellFormed(head)).toBe(true);
    }),
  );
});

function isWellFormed(text: string): boolean {
  return Buffer.from(text).toString() === text;
}
