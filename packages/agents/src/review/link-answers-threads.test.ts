import { describe, expect, test } from 'vitest';
import type { Association, Item } from '../conversation/item.ts';
import { linkAnswers } from './link-answers.ts';
import {
  comment,
  entry,
  ledger,
  link,
  nan,
  quoted,
  retry,
  said,
  speakers,
  thread,
} from './testing/answers.ts';
import { finding } from './testing/builders.ts';

describe('a thread', () => {
  test('that is worded like the finding answers it, wherever it stands in the file', () => {
    const first = said('NaN from the query goes through here, unchecked', { by: 'tess' });
    const answer = said('The router checks it.');
    expect(link([thread([first, answer], { line: 70, originalLine: 70 })])).toEqual([
      ['nan', first.body, 'direct'],
      ['nan', 'The router checks it.', 'direct'],
    ]);
    expect(link([thread([first], { path: 'src/client.ts' })])).toEqual([]);
  });

  test.each([
    [{ line: 9 }, true],
    [{ line: 15 }, true],
    [{ line: 16 }, false],
    [{ line: 8 }, false],
    [{ path: 'src/other.ts' }, false],
    [{ subject: 'file' as const }, false],
  ])('at %j, and about something else, is nearby: %s', (over, isNearby) => {
    expect(link([thread([said('Please rename this.')], over)])).toEqual(
      isNearby ? [['nan', 'Please rename this.', 'nearby']] : [],
    );
  });

  test('that is outdated stands where it was begun', () => {
    const { line: _, ...outdated } = thread([said('Hm.')], { isOutdated: true });
    expect(link([{ ...outdated, originalLine: 13 }])).toEqual([['nan', 'Hm.', 'nearby']]);
    expect(link([{ ...outdated, originalLine: 30 }])).toEqual([]);
  });

  test('about a file stands at the findings about that file', () => {
    const whole = entry('whole', finding('src/limit.ts', 'Nothing in this file has a test'));
    const { line: _, originalLine: __, ...about } = thread([said('Why this file?')], { subject: 'file' });
    expect(link([about], [whole, nan])).toEqual([['whole', 'Why this file?', 'nearby']]);
  });

  test('answers directly from the text on with which the team names the finding', () => {
    const items = [
      thread([
        said('Rename this?'),
        said(`${quoted(retry)}\n\nAlso this.`, { by: 'tess' }),
        said('Fixed.', { by: 'bob' }),
      ]),
    ];
    expect(link(items)).toEqual([
      ['nan', 'Rename this?', 'nearby'],
      ['retry', 'Also this.', 'direct'],
      ['nan', 'Also this.', 'nearby'],
      ['retry', 'Fixed.', 'direct'],
      ['nan', 'Fixed.', 'nearby'],
    ]);
  });

  test('is no direct answer of others below what somebody outside of the team names', () => {
    const items = [
      thread(
        [
          said('Please rename this.', { by: 'tess' }),
          said('As in src/limit.ts:12, ok?', { by: 'eve' }),
          said('Yes, that is fine.', { by: 'tess' }),
          said('Thanks!', { by: 'eve' }),
          said('src/limit.ts:12 is fine, too.', { by: 'tess' }),
          said('Oh.', { by: 'bob' }),
        ],
        { path: 'src/other.ts' },
      ),
    ];
    expect(link(items)).toEqual([
      ['nan', 'As in src/limit.ts:12, ok?', 'direct'],
      ['nan', 'Yes, that is fine.', 'nearby'],
      ['nan', 'Thanks!', 'direct'],
      ['nan', 'src/limit.ts:12 is fine, too.', 'direct'],
      ['nan', 'Oh.', 'direct'],
    ]);
  });

  test('counts what we say in it only where nobody outside of the team may have asked for it', () => {
    const ours = () => said('NaN from the query goes through unchecked.', { byUs: true });
    const fine = () => said('That is fine.', { by: 'tess' });
    const asked = (by: string) => link([thread([said('Is it?', { by }), ours(), fine()], { line: 500 })]);
    expect(asked('tess')).toEqual([['nan', 'That is fine.', 'direct']]);
    expect(asked('eve')).toEqual([['nan', 'That is fine.', 'nearby']]);
  });

  test('answers what we said in it; by mail, too', () => {
    const ours = said('NaN from the query goes through unchecked. It is not fixed.', { byUs: true });
    const mail =
      'It is checked.\n\nOn Mon, 2 Mar 2026 at 10:00 horton[bot] wrote:\n> NaN from the query goes through unchecked.';
    expect(link([thread([ours, said('Is it?'), said(mail)], { line: 500 })])).toEqual([
      ['nan', 'Is it?', 'direct'],
      ['nan', 'It is checked.', 'direct'],
    ]);
  });
});

describe('T-063 whose word it is', () => {
  const one = (item: Item) => linkAnswers(ledger, [item], speakers)[0];

  test.each<readonly [string, Parameters<typeof said>[1], string, string]>([
    ['the author', {}, 'ada', 'author'],
    ['the author in capitals', { by: 'Ada' }, 'Ada', 'author'],
    ['one of the team', { by: 'tess' }, 'tess', 'team'],
    ['anybody', { by: 'eve', association: 'OWNER' as Association }, 'eve', 'other'],
    ['a bot', { author: { login: 'tess', isBot: true } }, 'tess', 'bot'],
  ])('is that of %s', (_, over, by, standing) => {
    const item = comment('src/limit.ts:12 no', over);
    expect(one(item)).toMatchObject({ by, standing, itemId: item.id });
  });

  test('of the team goes before that of the author', () => {
    const item = comment('src/limit.ts:12 no', { by: 'tess' });
    expect(linkAnswers(ledger, [item], { ...speakers, prAuthor: 'tess' })[0]?.standing).toBe('team');
  });

  test("is nobody's where the account was deleted", () => {
    const { author: _, ...gone } = said('src/limit.ts:12 no');
    expect(one({ kind: 'comment', id: gone.id, said: gone })).toMatchObject({
      by: 'ghost',
      standing: 'other',
    });
  });

  test('is never ours', () => {
    expect(link([comment(quoted(...ledger).replaceAll('> ', ''), { byUs: true })])).toEqual([]);
    expect(link([thread([said('src/limit.ts:12 is resolved.', { byUs: true })])])).toEqual([]);
  });

  test('that a thread is resolved is read from its state, and never from its words', () => {
    const words = thread([said('Resolved by tess.')]);
    expect(one(words)).not.toHaveProperty('resolvedBy');
    expect(one({ ...words, isResolved: true, resolvedBy: 'tess' })?.resolvedBy).toEqual({
      login: 'tess',
      standing: 'team',
    });
  });

  test.each([
    ['ada', 'author'],
    ['Bob', 'other'],
    ['rabbit', 'bot'],
    ['tess', 'team'],
    ['stranger', 'other'],
    ['Tess', 'team'],
    ['linter[bot]', 'bot'],
  ])('of who resolved, %s, is %s', (resolvedBy, standing) => {
    const items = [
      thread([said('Rename this?')], { isResolved: true, resolvedBy }),
      comment('Hi', { by: 'bob' }),
      comment('Hi', { author: { login: 'rabbit', isBot: true } }),
    ];
    expect(linkAnswers(ledger, items, speakers)[0]?.resolvedBy).toEqual({ login: resolvedBy, standing });
  });

  test("of a resolver whose account was deleted is nobody's", () => {
    expect(one(thread([said('Hm.')], { isResolved: true }))?.resolvedBy).toEqual({
      login: 'ghost',
      standing: 'other',
    });
  });
});
