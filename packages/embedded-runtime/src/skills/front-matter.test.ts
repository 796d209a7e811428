import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FrontMatter, parseFrontMatter } from './front-matter.ts';

function file(...lines: readonly string[]): string {
  return ['---', ...lines, '---', '# Text'].join('\n');
}

describe('parseFrontMatter', () => {
  it('reads every key', () => {
    const content = file(
      'description: Review a diff: carefully',
      'whenToUse: "The PR touches auth"',
      'keywords: [security, "auth", injection]',
      'arguments:',
      '  - base',
      '  - head',
      'argument-hint: <base> <head>',
      'user-invocable: true',
      'author: somebody',
    );
    expect(parseFrontMatter(content)).toEqual({
      description: 'Review a diff: carefully',
      whenToUse: 'The PR touches auth',
      keywords: ['security', 'auth', 'injection'],
      arguments: ['base', 'head'],
      argumentHint: '<base> <head>',
      userInvocable: true,
    });
  });

  it.each([
    ['a comma list', ['keywords: a, b ,c'], { keywords: ['a', 'b', 'c'] }],
    ['an empty list', ['keywords:'], { keywords: [] }],
    ['a list that another key ends', ['keywords:', '  - a', 'description: d', '  - b'], { keywords: ['a'] }],
    ['a list without indent, which is none', ['keywords:', '- a'], { keywords: [] }],
    ['anything but true', ['user-invocable: yes'], { userInvocable: false }],
  ])('reads %s', (_name, lines, expected) => {
    expect(parseFrontMatter(file(...lines))).toMatchObject(expected);
  });

  it('reads files with Windows line ends', () => {
    expect(parseFrontMatter('---\r\ndescription: d\r\n---\r\n')).toEqual({ description: 'd' });
  });

  it.each([
    ['the fence is not on the first line', '\n---\ndescription: d\n---\n'],
    ['the fence is never closed', '---\ndescription: d\n'],
    ['the fence closes on line 26', ['---', 'description: d', ...Array(23).fill(''), '---'].join('\n')],
  ])('finds none when %s', (_name, content) => {
    expect(parseFrontMatter(content)).toEqual({});
  });

  it('takes a fence that closes on line 25', () => {
    const content = ['---', 'description: d', ...Array(22).fill(''), '---'].join('\n');
    expect(parseFrontMatter(content)).toEqual({ description: 'd' });
  });

  const plain = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 :_./#$-]{0,30}$/).map((text) => text.trim());
  const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}$/);
  const fields = fc.record(
    {
      description: plain,
      whenToUse: plain,
      keywords: fc.array(word, { maxLength: 5 }),
      arguments: fc.array(word, { maxLength: 5 }),
      argumentHint: plain,
      userInvocable: fc.boolean(),
    },
    { requiredKeys: [] },
  );

  function render(given: Partial<FrontMatter>, asLines: boolean): string {
    const list = (items: readonly string[]): string =>
      asLines ? items.map((item) => `\n  - ${item}`).join('') : ` [${items.join(', ')}]`;
    const names = { argumentHint: 'argument-hint', userInvocable: 'user-invocable' } as const;
    const lines = Object.entries(given).map(([key, value]) => {
      const name = key in names ? names[key as keyof typeof names] : key;
      return `${name}:${Array.isArray(value) ? list(value) : ` ${value}`}`;
    });
    return file(...lines);
  }

  it('reads back whatever was written, in either form of list', () => {
    fc.assert(
      fc.property(fields, fc.boolean(), (given, asLines) => {
        expect(parseFrontMatter(render(given, asLines))).toEqual(given);
      }),
    );
  });

  it('survives any text', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom('---', 'keywords:', '  - ', 'description: "', ':', '[,'),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        const front = parseFrontMatter(lines.join('\n'));
        for (const list of [front.keywords, front.arguments]) expect(list ?? []).not.toContain('');
      }),
    );
  });
});
