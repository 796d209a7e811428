import { describe, expect, test } from 'vitest';
import { judge } from '../conversation/gate.ts';
import type { Item, ItemId, Said } from '../conversation/item.ts';
import { composeReview } from './compose.ts';
import { countDiscussion, type Receipt, receiptBlocks } from './receipt.ts';
import { allDone, finding, numbered, rawFile, sha } from './testing/builders.ts';
import { expectSound, review } from './testing/reviews.ts';

const none: Receipt = {
  threads: 0,
  comments: 0,
  summaries: 0,
  fresh: 0,
  edited: 0,
  reopened: 0,
  resolved: 0,
  outdated: 0,
  hidden: 0,
  deferred: 0,
  readBy: 'reviewers',
  trouble: [],
};
const some: Receipt = { ...none, threads: 3, comments: 5, summaries: 2, fresh: 4 };

function written(receipt: Partial<Receipt>): string {
  return receiptBlocks({ ...none, ...receipt }).join('\n\n');
}

describe('receiptBlocks', () => {
  test('is one folded line, and what is in it', () => {
    const full = { edited: 1, reopened: 1, resolved: 2, outdated: 1, hidden: 3, deferred: 2 };
    expect(written({ ...some, ...full, newestAt: '2026-05-26T14:05:59Z' })).toBe(
      [
        '<details>\n<summary>Discussion taken into account: 3 threads, 5 comments, 2 reviews; 4 new, 2 deferred</summary>',
        '4 new, 1 edited, 1 reopened · 2 resolved, 1 outdated, 3 hidden. 2 deferred to the next round. Newest: 2026-05-26 14:05 UTC.',
        '</details>',
      ].join('\n\n'),
    );
  });

  test.each<readonly [Partial<Receipt>, string, string]>([
    [{ threads: 1, fresh: 1 }, '1 thread; 1 new', '1 new.'],
    [{ comments: 1 }, '1 comment', 'Nothing new.'],
    [{ summaries: 1, comments: 2, resolved: 1 }, '2 comments, 1 review', 'Nothing new · 1 resolved.'],
    [{ threads: 2, edited: 2 }, '2 threads', '2 edited.'],
    [{ threads: 2, newestAt: 'never' }, '2 threads', 'Nothing new.'],
    [
      { threads: 2, newestAt: '2026-05-26T23:30:00-05:00' },
      '2 threads',
      'Nothing new. Newest: 2026-05-27 04:30 UTC.',
    ],
  ])('%j: what is not there is left out', (receipt, title, details) => {
    expect(written(receipt)).toBe(
      `<details>\n<summary>Discussion taken into account: ${title}</summary>\n\n${details}\n\n</details>`,
    );
  });

  test('S6 what nobody read was not taken into account', () => {
    const text = written({ ...some, readBy: 'nobody', deferred: 4 });
    expect(text).toContain('<summary>Discussion not read: 3 threads, 5 comments, 2 reviews; 4 new</summary>');
    expect(text).toContain('No model read it in this round. 4 new. 4 deferred to the next round.');
    expect(text).not.toContain('taken into account');
  });

  test('nothing where there is nothing to tell', () => {
    expect(receiptBlocks(none)).toEqual([]);
    expect(receiptBlocks({ ...none, readBy: 'nobody' })).toEqual([]);
  });

  test('S7 trouble is told in sentences that do nothing, and never without a sign outside', () => {
    const trouble = ['Its memory cannot be written: <b> @ops </details>'];
    expect(written({ trouble })).toBe(
      '<details>\n<summary>Discussion: 1 problem</summary>\n\nIts memory cannot be written: \\<b> `@ops` \\</details>\n\n</details>',
    );
    expect(written({ ...some, trouble: ['One.', 'Two.'] })).toContain(
      '2 reviews; 4 new; 2 problems</summary>',
    );
    expect(
      receiptBlocks({ ...none, trouble: Array<string>(99).fill('x'.repeat(9999)) }).join('').length,
    ).toBeLessThan(2000);
  });
});

describe('the receipt in the comment', () => {
  const file = rawFile('src/a.ts', '', numbered(600));
  const body = (amount: number, receipt?: Receipt) => {
    const many = Array.from({ length: amount }, (_, index) =>
      finding('src/a.ts', `Number${index} is wrong. ${'long '.repeat(40)}`, { line: index + 1 }),
    );
    const rounds = [{ files: [file], outcomes: allDone({ perf: many }) }];
    return composeReview(review(rounds, receipt === undefined ? {} : { receipt }));
  };

  test('stands at its end, and survives when the rest is shortened', () => {
    for (const amount of [0, 1, 300]) {
      const text = body(amount, some);
      expectSound(text);
      expect(text).toMatch(/4 new<\/summary>\n\n4 new\.\n\n<\/details>\n\n---\n\n\*Review iteration/);
    }
    expect(body(300, some)).toContain('Shortened to fit');
  });

  test('is not there where there is no discussion', () => {
    expect(body(0)).not.toContain('Discussion');
    expect(body(0, none)).not.toContain('Discussion');
  });
});

describe('countDiscussion', () => {
  const said = (id: string, extra: Partial<Said> = {}): Said => ({
    id: id as ItemId,
    author: { login: 'olaf', isBot: false },
    association: 'NONE',
    body: 'x',
    createdAt: '2026-05-26T10:00:00Z',
    byUs: false,
    url: `https://github.com/acme/shop/pull/7#${id}`,
    ...extra,
  });
  const thread = (id: string, isResolved: boolean, isOutdated: boolean, comments: readonly Said[]): Item => ({
    kind: 'thread',
    id: id as ItemId,
    path: 'src/a.ts',
    subject: 'line',
    isResolved,
    isOutdated,
    comments,
  });

  test('counts items by kind, by what is new, and by each of their states', () => {
    const items: readonly Item[] = [
      thread('T1', true, true, [said('c1'), said('c2', { createdAt: '2026-05-26T11:00:00Z' })]),
      thread('T2', false, false, [said('c3'), said('c4', { byUs: true, createdAt: '2026-05-27T00:00:00Z' })]),
      { kind: 'comment', id: 'C' as ItemId, said: said('C', { hidden: 'spam' }) },
      {
        kind: 'summary',
        id: 'S' as ItemId,
        verdict: 'approved',
        said: said('S', { createdAt: '2026-05-25T10:00:00Z', editedAt: '2026-05-26T12:30:00Z' }),
      },
    ];
    const snapshot = { headSha: sha('1'), readAtMs: 1, items };
    const before = judge(snapshot, new Map(), new Set());
    const markers = new Map(before.slice(1).map(({ item, mark }) => [item.id, { ...mark, seenAt: 1 }]));
    expect(countDiscussion(judge(snapshot, markers, new Set()))).toEqual({
      threads: 2,
      comments: 1,
      summaries: 1,
      fresh: 1,
      edited: 0,
      reopened: 0,
      resolved: 1,
      outdated: 1,
      hidden: 1,
      newestAt: '2026-05-26T12:30:00Z',
    });
  });

  test('nothing said: nothing counted, and no time', () => {
    expect(countDiscussion([])).not.toHaveProperty('newestAt');
  });
});
