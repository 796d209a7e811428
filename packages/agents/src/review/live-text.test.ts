import { describe, expect, test } from 'vitest';
import { liveText } from './live-text.ts';

/** What GitHub takes at most. */
const MAX_BYTES = 262_144;

function filled(part: string, chars: number = MAX_BYTES): string {
  return part.repeat(Math.ceil(chars / part.length)).slice(0, chars);
}

function says(text: string): string {
  return liveText(text).paragraphs.join('\n');
}

describe('a text as long as GitHub takes', () => {
  test.each(['[a](', 'a <!-- ', 'a\n=\n', `${'- '.repeat(16)}a\n`, '* - ', '_*'])(
    'is read in time where it is full of %j',
    (part) => {
      const blocks = filled(`${filled(part, 6_000)}\n\n`);
      expect(says(`first\n\n${blocks}\n\nlast`)).not.toContain('last');
    },
  );

  test('is read beyond a log in fences, before and behind it', () => {
    const log = filled('at run (a.ts:1)\n> a quote\n<!--\n');
    for (const fence of ['```', '~~~~', '``````']) {
      expect(says(`first\n${fence} text\n${log}\n${fence}\nlast`)).toBe('first\nlast');
      expect(says(`first\n\n${fence}\n${log}`)).toBe('first');
    }
  });

  test('is read block by block until it is too long', () => {
    const read = liveText(`first\n\n${filled('some words\n\n')}last`).paragraphs;
    expect(read[0]).toBe('first');
    expect(read.length).toBeGreaterThan(200);
    expect(new Set(read.slice(1, -1))).toEqual(new Set(['some words']));
  });

  test('is read until it may show something, where one block is too long', () => {
    expect(says(`first\n\n${filled('words ')}`)).toMatch(/^first\n(?:words ?)+$/);
    expect(says(`first\nand \`last ${filled('words ')}\``)).toBe('first\nand');
    expect(says(`first\n\n[last ${filled('words ')}](a)`)).toBe('first');
    expect(says(filled('@'))).toBe('');
  });

  test.each([
    ['HTML that goes on', `<div>\n\`\`\`\n${filled('a\n')}\`\`\`\nlast`],
    ['an HTML comment', `<!--\n\n\`\`\`\n${filled('a\n')}\`\`\`\n\nlast`],
    ['a fence of a list', `1. a\n\n   ~~~\n   \`\`\`\n${filled('   a\n')}\nlast`],
    ['a fence with ticks behind it', `~~~ \`a\`\n\`\`\`\n~~~\n\n\`\`\`\n~~~\nlast\n${filled('a\n')}`],
    ['a fence that a shorter one does not close', `\`\`\`\`\n\`\`\`\n~~~~\nlast\n${filled('a\n')}`],
  ])('does not take for text: %s', (_, text) => {
    expect(says(text)).not.toContain('last');
  });
});

test('lists and quotes deeper than anybody writes are not read, rules of dashes are none', () => {
  expect(says(`${'> '.repeat(20)}a\n\nlast`)).toBe('');
  expect(says(`${'1. '.repeat(20)}a\n\nlast`)).toBe('');
  expect(says(`${'- '.repeat(40)}\n\nlast`)).toBe('last');
  expect(says(`\`\`\`\n${'>'.repeat(40)}\n\`\`\`\nlast`)).toBe('last');
});

test('tells whether something is shown besides', () => {
  const shows = (text: string) => liveText(text).showsMore;
  expect(['> a', '```\na\n```', '![a](b)', '<div>a</div>'].map(shows)).toEqual([true, true, true, true]);
  expect(['a `b`', '<!-- a -->', '***', ''].map(shows)).toEqual([false, false, false, false]);
});
