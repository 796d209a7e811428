import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Item } from '../conversation/item.ts';
import type { LedgerEntry } from './ledger-entry.ts';
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

describe('T-052 a comment answers a finding', () => {
  test.each([
    ['quotes it as GitHub does', `${quoted(nan)}\n\nThis is intentional because the router checks it.`],
    ['writes straight below', `${quoted(nan)}\nThis is intentional because the router checks it.`],
    ['quotes its title', '> **Critical: NaN from the query goes through unchecked** · *new*\n\nNo.'],
    ['quotes the title as plain text', '> Critical: NaN from the query goes through unchecked\n\nNo.'],
    ['quotes a quotation', '> > **Critical: NaN from the query goes through unchecked**\n> Why?\n\nNo.'],
    [
      'quotes it wrapped by a mail program',
      '> **Critical: NaN from the query\n> goes through unchecked**\nNo.',
    ],
    ['quotes the rest of the message', '> **Issue**: A request with `limit=x` reads every row.\n\nNo.'],
    ['quotes a part of a sentence', '> request with limit=x reads every\n\nNo.'],
    ['quotes the impact', '> **Impact**: The database is read from end to end.\n\nNo.'],
    ['repeats the title', 'About "NaN from the query goes through unchecked": no.'],
    ['names the line', 'src/limit.ts:12 is intentional'],
    ['names the line as code', 'See `src/limit.ts:12`, it is intentional'],
    ['names the line in words', 'In `src/limit.ts`, line 12 the router has checked it.'],
    ['names lines around it', '(src/limit.ts:10-14) is intentional'],
    ['names the file shortly', 'limit.ts:12 is intentional'],
    [
      'gives the address',
      'https://github.example/acme/shop/blob/0123456789abcdef/src/limit.ts#L12 is intentional',
    ],
    [
      'gives the address of lines',
      '[this](https://github.example/acme/shop/blob/main/src/limit.ts#L10-L13) ok',
    ],
    ['answers in German', `${quoted(nan)}\n\nDas ist Absicht, der Router prüft es schon.`],
    ['answers by a sign', `${quoted(nan)}\n\n👍`],
  ])('that it %s', (_, body) => {
    const links = link([comment(body)]);
    expect(links).toHaveLength(1);
    expect(links[0]?.[0]).toBe('nan');
    expect(links[0]?.[2]).toBe('direct');
    expect(links[0]?.[1]).not.toContain('> ');
  });

  test.each([
    ['shows code', '```\nat read (src/limit.ts:12)\n```\nThat is the trace.'],
    ['shows code in a quotation', '> ```\n> at read (src/limit.ts:12)\n> ```\n\nThat is the trace.'],
    ['hides the name', 'Nice. <!-- src/limit.ts:12 -->\n<!--\nsrc/limit.ts:12'],
    ['names another line', 'src/limit.ts:11 is fine'],
    ['names another file', 'other/src/limit.ts:12 is fine'],
    ['names the end of another name', 'src/rate-limit.ts:12 is fine'],
    ['says the short title alone', 'That is a vague name.'],
    ['quotes somebody who names its line', '> Renamed it, as in src/limit.ts:12, ok?\n\nYes.'],
    ['quotes few words', '> reads every row\n\nNo.'],
    ['quotes it and says nothing', quoted(nan)],
    ['says nothing', ''],
    [
      'lets a mail program quote all',
      `Thanks!\n\nOn Mon, 2 Mar 2026 at 10:00 horton[bot] wrote:\n\n${quoted(...ledger)}`,
    ],
    ['lets a mail program repeat all', 'Thanks!\n\n-----Original Message-----\nsrc/limit.ts:12 is wrong'],
  ])('but not where it only %s', (_, body) => {
    expect(link([comment(body)])).toEqual([]);
  });

  test('by its line only since it stands there', () => {
    const at = (time: string) => ({ createdAt: `2026-03-01T${time}Z` });
    const moved = { ...nan, placedAtMs: Date.parse('2026-03-01T10:00:00.700Z') };
    const texts = (entry: LedgerEntry, time: string) =>
      link(
        [
          comment('src/limit.ts:12 is fine', at(time)),
          thread([said('src/limit.ts:12 is fine', at(time))], { line: 500 }),
          comment(`${quoted(nan)}\n\nNo.`, at(time)),
        ],
        [entry],
      );
    expect(texts(moved, '10:00:00')).toHaveLength(3);
    expect(texts(moved, '09:59:59')).toEqual([['nan', 'No.', 'direct']]);
    expect(texts(nan, '09:59:59')).toHaveLength(3);
  });

  test('with a short title by its severity, whatever that is now', () => {
    expect(link([comment('> **Important: Vague name**\n\nIt is the name of the field.')])).toEqual([
      ['naming', 'It is the name of the field.', 'direct'],
    ]);
  });

  test('in whatever state the finding is', () => {
    const fixed: LedgerEntry = { ...nan, state: 'fixed', fixedIteration: 2, fixedBecause: 'changed' };
    expect(link([comment('src/limit.ts:12 was right')], [fixed])).toHaveLength(1);
  });

  test('and so does the text of a review', () => {
    const one = said(`${quoted(retry)}\n\nIt is bounded by the caller.`);
    const summary: Item = { kind: 'summary', id: one.id, verdict: 'changes-requested', said: one };
    expect(link([summary])).toEqual([['retry', 'It is bounded by the caller.', 'direct']]);
  });

  test('that has a path with brackets', () => {
    const page = entry('page', finding('app/(shop)/[id]/page.tsx', 'x', { line: 3 }));
    expect(link([comment('`app/(shop)/[id]/page.tsx:3` is generated')], [page])).toHaveLength(1);
    expect(link([comment('(see [id]/page.tsx:3)')], [page])).toHaveLength(1);
  });
});

describe('a comment about several findings', () => {
  test('answers each below its quotation', () => {
    const body = `Thanks for looking.\n\n${quoted(nan)}\n\nFixed in 1a2b3c4.\n\n${quoted(retry)}\nNo, see src/limit.ts:90.\n\n> Somebody else\n\nYes.`;
    expect(link([comment(body)])).toEqual([
      ['nan', 'Fixed in 1a2b3c4.', 'direct'],
      ['retry', 'No, see src/limit.ts:90.', 'direct'],
    ]);
  });

  test('answers each on its line', () => {
    const body = 'My answers:\n- src/limit.ts:12: fixed\n  in 1a2b3c4\n- src/client.ts:40: intentional';
    expect(link([comment(body)])).toEqual([
      ['nan', '- src/limit.ts:12: fixed\n  in 1a2b3c4', 'direct'],
      ['retry', '- src/client.ts:40: intentional', 'direct'],
    ]);
  });

  test('answers those that it quotes together', () => {
    const links = link([comment(`${quoted(nan, retry)}\n\nBoth are intentional.`)]);
    expect(links).toEqual([
      ['nan', 'Both are intentional.', 'direct'],
      ['retry', 'Both are intentional.', 'direct'],
    ]);
  });

  test('by mail answers between the lines', () => {
    const body = `On Mon, 2 Mar 2026 at 10:00 horton[bot] wrote:\n${quoted(nan)}\nDone.\n${quoted(retry)}\n> Reply to this email`;
    expect(link([comment(body)])).toEqual([['nan', 'Done.', 'direct']]);
  });

  test('of one title or one line tells them apart by what it shows of both', () => {
    const twin = entry('twin', { ...nan.finding, file: 'src/page.ts', line: 5 });
    const other = entry(
      'other',
      finding('src/limit.ts', 'The default of the limit is not documented', { line: 12 }),
    );
    expect(link([comment(`${quoted(twin)}\n\nNo.`)], [nan, twin])).toEqual([['twin', 'No.', 'direct']]);
    expect(link([comment(`${quoted(other)}\n\nNo.`)], [nan, other])).toEqual([['other', 'No.', 'direct']]);
    expect(link([comment('src/limit.ts:12 is fine')], [nan, other])).toHaveLength(2);
  });

  test('with one quotation says all of it about that', () => {
    expect(link([comment(`I do not agree:\n${quoted(nan)}\nThe router checks.`)])).toEqual([
      ['nan', 'I do not agree:\nThe router checks.', 'direct'],
    ]);
    expect(link([comment(`The router checks.\n\n${quoted(nan)}`)])).toEqual([
      ['nan', 'The router checks.', 'direct'],
    ]);
  });
});

test('a claim that it is mended is that of its part alone', () => {
  const body = `${quoted(nan)}\n\nFixed in 1a2b3c4.\n\n${quoted(retry)}\n\nThis is intentional.`;
  const answers = linkAnswers(ledger, [comment(body)], speakers);
  expect(answers.map(({ claimsFix }) => claimsFix)).toEqual([true, undefined]);
});

test('the oldest answers come first, whatever their items', () => {
  const late = said('src/limit.ts:12 late', { createdAt: '2026-03-02T10:00:00Z' });
  const early = said('src/limit.ts:12 early', { createdAt: '2026-03-01T10:00:00Z' });
  const middle = comment('src/limit.ts:12 middle', { createdAt: '2026-03-02T09:00:00.5Z' });
  expect(link([thread([early, late], { line: 500 }), middle]).map(([, text]) => text)).toEqual([
    'src/limit.ts:12 early',
    'src/limit.ts:12 middle',
    'src/limit.ts:12 late',
  ]);
});

test('any text is read, and never gives an answer that its writer did not write', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '> ',
      '>',
      '\n',
      '\r\n',
      '```',
      '~~~',
      '<!--',
      '-->',
      'src/limit.ts:12',
      '`',
      '(',
      '🎉',
      quoted(nan),
      'On 1 May ada wrote:',
    ),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const body = pieces.join('');
      for (const { text, findingId } of linkAnswers(ledger, [comment(body)], speakers)) {
        expect(ledger.map(({ id }) => id)).toContain(findingId);
        expect(text).not.toBe('');
        for (const line of text.split('\n')) expect(body).toContain(line);
      }
    }),
  );
});

test('a long ledger and a long conversation are linked without comparing each with each', () => {
  const many = Array.from({ length: 300 }, (_, n) =>
    entry(
      `f${n}`,
      finding('src/limit.ts', `Value ${n} goes through without a check of its range`, { line: n * 10 + 1 }),
    ),
  );
  const items = Array.from({ length: 6_000 }, (_, n) =>
    thread([said(`The value ${n} is checked by its caller, so the range holds here.`)], {
      line: (n % 300) * 10 + 2,
    }),
  );
  const links = linkAnswers(many, items, speakers);
  expect(new Set(links.map(({ findingId }) => findingId)).size).toBe(300);
});
