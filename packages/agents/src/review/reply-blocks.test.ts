import { describe, expect, test } from 'vitest';
import { replyBlocks } from './reply-blocks.ts';

/** Blocks in short: `>` or `own`, and their lines; what names nothing has brackets. */
function read(body: string) {
  return replyBlocks(body).map(({ kind, byMail, lines }) => [
    kind === 'own' ? 'own' : byMail ? '> by mail' : '>',
    ...lines.map(({ text, live }) => (live === text ? text : `[${text}]`)),
  ]);
}

describe('a text is split into what was written and what was quoted', () => {
  test.each<readonly [string, string, readonly (readonly string[])[]]>([
    [
      'a reply below a quotation',
      '> a\n> b\n\nc\n\nd',
      [
        ['>', 'a', 'b'],
        ['own', 'c', '', 'd'],
      ],
    ],
    [
      'a reply straight below it',
      '> a\nb',
      [
        ['>', 'a'],
        ['own', 'b'],
      ],
    ],
    ['quotations apart by empty lines', '> a\n\n> b\n', [['>', 'a', 'b']]],
    ['a quotation of a quotation', '> > a\n>> b\n>c', [['>', 'a', 'b', 'c']]],
    [
      'line ends of all kinds',
      '> a\r\nb\rc',
      [
        ['>', 'a'],
        ['own', 'b', 'c'],
      ],
    ],
    ['code', 'a\n```ts\n> b\n```\nc', [['own', 'a', '[```ts]', '[> b]', '[```]', 'c']]],
    ['code that is never closed', 'a\n~~~\nb', [['own', 'a', '[~~~]', '[b]']]],
    [
      'code in a quotation, which ends it',
      '> ```\n> a\nb',
      [
        ['>', '[```]', '[a]'],
        ['own', 'b'],
      ],
    ],
    [
      'a fence within a longer one',
      '````\n```\na\n````\nb',
      [['own', '[````]', '[```]', '[a]', '[````]', 'b']],
    ],
    ['code within a line', '`a` ```b``` c', [['own', '`a` ```b``` c']]],
    [
      'a comment',
      'a <!-- b --> c\n<!--\nd\n--> e',
      [['own', '[a <!-- b --> c]', '[<!--]', '[d]', '[--> e]']],
    ],
    ['a sign of more than that', 'a > b\n    > c', [['own', 'a > b', '    > c']]],
    ['nothing', '\n \n', []],
  ])('%s', (_, body, expected) => {
    expect(read(body)).toEqual(expected);
  });

  test('what stands beside a comment still names', () => {
    const [block] = replyBlocks('a <!-- b --> c <!-- d\ne --> f');
    expect(block?.lines.map(({ live }) => live)).toEqual(['a  c ', ' f']);
  });
});

describe('of an answer by mail', () => {
  test.each<readonly [string, string, readonly (readonly string[])[]]>([
    [
      'the older message is marked',
      'a\n\nOn Mon, 2 Mar 2026 at 10:00 b wrote:\n> c',
      [
        ['own', 'a'],
        ['> by mail', 'c'],
      ],
    ],
    [
      'also behind an empty line',
      'a\nOn Mon, 2 Mar 2026 at 10:00 b wrote:\n\n> c',
      [
        ['own', 'a'],
        ['> by mail', 'c'],
      ],
    ],
    [
      'and what stands between its lines is kept',
      'On 2 Mar 2026 at 10:00 b wrote:\n> c\n\nd\n\n> e',
      [
        ['> by mail', 'c'],
        ['own', 'd'],
        ['> by mail', 'e'],
      ],
    ],
    [
      'and left out where it is not quoted',
      'a\n\nAm 02.03.2026 um 10:00 schrieb b:\n\nc\n\n> d',
      [['own', 'a']],
    ],
    ['behind a line that says so, too', 'a\n\n-----Original Message-----\nc\n\nd', [['own', 'a']]],
    [
      'but not where the line is code',
      '```\nOn 2 Mar 2026 at 10:00 b wrote:\n```\na',
      [['own', '[```]', '[On 2 Mar 2026 at 10:00 b wrote:]', '[```]', 'a']],
    ],
  ])('%s', (_, body, expected) => {
    expect(read(body)).toEqual(expected);
  });
});
