import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { composeReview, type ReviewComment } from './compose.ts';
import type { Finding } from './finding.ts';
import type { Ledger } from './ledger-entry.ts';
import { allDone, finding, numbered, rawFile } from './testing/builders.ts';
import { decision } from './testing/decisions.ts';
import { nodesOf, shownText, treeOf } from './testing/markdown-tree.ts';
import { expectSound, review } from './testing/reviews.ts';

const base = numbered(60);
const a = rawFile('src/a.ts', base, base.replace('line 20\n', 'const q = "SELECT " + id;\n'));
const b = rawFile('src/b.ts', base, base.replace('line 30\n', 'for (const id of ids) load(id);\n'));
const injection = finding('src/a.ts', 'The id goes into the query', { line: 20, severity: 'critical' });
const slow = finding('src/b.ts', 'One query per row', { line: 30 });

type Rounds = Parameters<typeof review>[0];
const first: Rounds[number] = { files: [a, b], outcomes: allDone({ security: [injection], perf: [slow] }) };
const quiet: Rounds[number] = { files: [a, b], outcomes: allDone() };
/** The injection is disputed by Ada's answer, the slow query taken back by Tess. */
const decided: Rounds[number] = {
  ...quiet,
  decided: ([one, two]: Ledger) => [
    ...(one === undefined
      ? []
      : [
          decision(one.id, {
            state: 'disputed',
            because: 'answered',
            by: 'ada',
            url: 'https://github.com/acme/shop/pull/7#issuecomment-5',
            why: 'The router checks it, says @ada in #12.',
          }),
        ]),
    ...(two === undefined ? [] : [decision(two.id)]),
  ],
};

function write(rounds: Rounds, extra: Partial<ReviewComment> = {}): string {
  const body = composeReview(review(rounds, extra));
  expectSound(body);
  return body;
}

/** The lines under Previous Review Status. */
function statusIn(body: string): readonly string[] {
  const [, status = ''] = body.split('### Previous Review Status\n\n');
  const [text = ''] = status.split('\n\n**Coverage**');
  return text.split('\n').filter((line) => line !== '');
}

describe('composeReview: what people decided', () => {
  test('is told by name in the round in which it happens, with whose word it was and why', () => {
    expect(statusIn(write([first, decided]))).toEqual([
      'Withdrawn 1, disputed 1.',
      '- Withdrawn: One query per row (`src/b.ts`, [tess resolved the thread](https://github.com/acme/shop/pull/7#discussion_r12))',
      '- Disputed (critical): The id goes into the query (`src/a.ts`, [ada answered](https://github.com/acme/shop/pull/7#issuecomment-5)): The router checks it, says `@ada` in `#12`.',
    ]);
  });

  test('of earlier rounds, what is disputed is listed as long as it is', () => {
    expect(statusIn(write([first, decided, quiet]))).toEqual([
      'Still disputed 1.',
      '- Still disputed (critical): The id goes into the query (`src/a.ts`, [ada answered](https://github.com/acme/shop/pull/7#issuecomment-5))',
    ]);
  });

  test('is told in full rounds, too, where nothing else is told of earlier ones', () => {
    const body = write([first, decided, { ...first, input: { incremental: false } }]);
    expect(statusIn(body)).toHaveLength(2);
    expect(write([first, { ...first, input: { incremental: false } }])).not.toContain('Previous Review');
  });

  test('S5 where nothing is open but something disputed, nothing is called clean', () => {
    const body = write([first, decided, quiet]);
    expect(body).toContain('\n**No open issues; 1 finding is disputed.**\n');
    expect(body).not.toContain('No issues found');
    expect(
      write([
        { ...first, outcomes: allDone({ perf: [slow] }) },
        { ...quiet, decided: ([one]) => (one === undefined ? [] : [decision(one.id)]) },
      ]),
    ).toContain('\n**No issues found.**\n');
  });

  test.each<readonly [string, Partial<ReviewComment['coverage']['files']>, boolean, string]>([
    [
      'files were not read',
      { unread: [{ path: 'x', why: 'budget' }] },
      true,
      'No open issues in the 2 files that were read; 1 finding is disputed.',
    ],
    [
      'no file was read',
      { read: 0, inRange: 2 },
      true,
      'No file of this change was read. 1 finding is disputed.',
    ],
    [
      'not all aspects are done',
      {},
      false,
      'The aspects that were reviewed have no open findings; 1 finding is disputed.',
    ],
  ])('S5 %s: so it is said', (_name, files, isDone, expected) => {
    const made = review([first, decided, { ...first, outcomes: allDone() }]);
    const coverage = {
      ...made.coverage,
      files: { ...made.coverage.files, read: 2, ...files },
      coverage: made.coverage.coverage.map((covered) =>
        isDone || covered.aspect !== 'tests'
          ? covered
          : { ...covered, status: 'failed' as const, why: 'late' },
      ),
    };
    expect(composeReview({ ...made, coverage })).toContain(`\n${expected}\n`);
  });

  test('beside open findings, it is counted with them', () => {
    const other: Finding = { ...slow, line: 31, message: 'Nobody awaits this' };
    const body = write([
      { ...first, outcomes: allDone({ security: [injection], correctness: [other] }) },
      { ...decided, decided: (ledger) => decided.decided?.(ledger.slice(0, 1)) ?? [] },
    ]);
    expect(body).toContain('\n1 important · 1 disputed\n');
  });

  test('a thread that is open again brings the finding back', () => {
    const rounds = [first, decided, { ...quiet, decided: () => [] }];
    const made = review(rounds);
    const thread = made.ledger.flatMap((entry) => ('decision' in entry ? [entry.decision.itemId] : []));
    const body = write([...rounds, { ...quiet, reopenedItems: new Set(thread) }]);
    expect(body).toContain('**Important: One query per row** · *open again*');
    expect(statusIn(body)[0]).toBe('Still disputed 1, open again 1.');
  });

  test('many are counted, and the first of them named', () => {
    const many = Array.from({ length: 14 }, (_, index) =>
      finding('src/a.ts', `Number${index} is wrong in its own way`, { line: index + 17 }),
    );
    const big = rawFile('src/a.ts', '', base);
    const body = write([
      { files: [big], outcomes: allDone({ correctness: many }) },
      {
        files: [big],
        outcomes: allDone(),
        decided: (ledger) => ledger.map(({ id }) => decision(id, { state: 'disputed' })),
      },
      { files: [big], outcomes: allDone() },
    ]);
    expect(body).toContain('14 findings are disputed');
    expect(statusIn(body)).toHaveLength(12);
    expect(statusIn(body).at(-1)).toBe('- Still disputed: 4 more');
  });
});

describe('composeReview: whose word it was (S7)', () => {
  function statusWith(extra: Parameters<typeof decision>[1], comment: Partial<ReviewComment> = {}): string {
    const by = ([one]: Ledger) => (one === undefined ? [] : [decision(one.id, extra)]);
    return statusIn(write([first, { ...quiet, decided: by }], comment))[1] ?? '';
  }

  test.each([
    ['ada-b_c', '[ada-b_c resolved the thread]('],
    ['ghost', '[somebody resolved the thread]('],
    ['@team', '[`@team` resolved the thread]('],
    ['GH-1', '[`GH-1` resolved the thread]('],
    ['a](https://x.example) [b', '[`a](https://x.example) [b` resolved the thread]('],
  ])('%s is no mention and no link of its own', (by, expected) => {
    expect(statusWith({ by })).toContain(expected);
  });

  test('it is linked to the page of the PR, whatever its address says', () => {
    expect(statusWith({ url: 'https://evil.example/x#discussion_r1' })).toContain(
      '](https://github.com/acme/shop/pull/7#discussion_r1)',
    );
    expect(statusWith({ url: 'https://github.com/acme/shop/pull/7#a)b' })).toContain(
      ', tess resolved the thread)',
    );
    expect(statusWith({}, { webUrl: '' })).toContain('(`src/a.ts`, tess resolved the thread)');
  });

  test('whatever the texts hold, the comment is sound, and each link leads to the PR', () => {
    const pieces = [
      '`',
      '](',
      ')',
      '[',
      '<b>',
      '-->',
      '@bob',
      '#1',
      '\n\n',
      '*',
      'http://x.example',
      '</details>',
      'a',
    ];
    const nasty = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(nasty, nasty, nasty, fc.boolean(), (by, why, url, isAnswer) => {
        const extra = { by, why, url, because: isAnswer ? ('answered' as const) : ('resolved' as const) };
        const body = write([
          first,
          { ...quiet, decided: (ledger) => ledger.map(({ id }) => decision(id, extra)) },
        ]);
        const links = nodesOf(treeOf(body)).filter(({ type }) => type === 'link');
        expect(
          links.filter(({ url: target }) => !target?.startsWith('https://github.com/acme/shop/')),
        ).toEqual([]);
        expect(links.map(shownText).filter((text) => text.includes('\n'))).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});
