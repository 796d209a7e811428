import { describe, expect, test } from 'vitest';
import type { Decision } from './answer.ts';
import type { RawFile } from './changed-file.ts';
import type { Finding } from './finding.ts';
import type { Ledger } from './ledger-entry.ts';
import type { RoundInput } from './round.ts';
import { allDone, finding, numbered, rawFile } from './testing/builders.ts';
import { decision, item } from './testing/decisions.ts';
import { review } from './testing/reviews.ts';

const base = numbered(60);
const withQuery = base.replace('line 20\n', 'const rows = db.query("SELECT " + id);\n');
const a = rawFile('src/a.ts', base, withQuery);
const grown = rawFile('src/a.ts', base, withQuery.replace('line 50\n', 'fifty\n'));
const repaired = rawFile('src/a.ts', base, base.replace('line 20\n', 'const rows = find(id);\n'));
const rewritten = rawFile(
  'src/a.ts',
  base,
  base.replace('line 20\n', 'const rows = db.query("SELECT *" + id);\n'),
);
const injection = finding('src/a.ts', 'The id goes into the query: SQL injection', { line: 20 });
const noTest = finding('src/a.ts', 'No test covers the query');

interface Step {
  readonly files: readonly RawFile[];
  readonly found?: readonly Finding[];
  readonly decided?: Partial<Decision>;
  /** What else is decided about it. */
  readonly also?: Partial<Decision>;
  /** Which entry that is about; by default the first. */
  readonly nth?: number;
  readonly open?: readonly string[];
  readonly failed?: boolean;
  readonly input?: Partial<RoundInput>;
}

/** Rounds in which security finds what is said, and people decide about an entry. */
function after(...steps: readonly Step[]) {
  return review(
    steps.map(({ files, found = [], decided, also, nth = 0, open = [], failed = false, input = {} }) => ({
      files,
      input,
      outcomes: allDone({ security: found }).filter(({ aspect }) => !failed || aspect !== 'security'),
      decided: (ledger: Ledger) =>
        ledger
          .slice(nth, nth + 1)
          .flatMap(({ id }) =>
            [decided, also].flatMap((one) => (one === undefined ? [] : [decision(id, one)])),
          ),
      reopenedItems: new Set(open.map(item)),
    })),
  );
}

const states = (ledger: Ledger) => ledger.map(({ state }) => state);
const start: Step = { files: [a], found: [injection] };
const byTeam: Partial<Decision> = {};
const byAuthor: Partial<Decision> = { state: 'disputed', by: 'ada' };
const verdict: Partial<Decision> = { because: 'answered', itemId: item('c') };

describe('updateLedger: what people decide', () => {
  test('a decision is kept with the entry, and told in the round in which it is made', () => {
    const { ledger, changes } = after(start, { files: [a], decided: byTeam });
    expect(ledger).toMatchObject([
      { state: 'withdrawn', decidedIteration: 2, decision: { by: 'tess', because: 'resolved', itemId: 't' } },
    ]);
    expect(ledger[0]).not.toHaveProperty('decision.findingId');
    expect(changes).toMatchObject({ withdrawn: ledger, disputed: [], still: [], fixed: [] });
    const later = after(start, { files: [a], decided: byTeam }, { files: [a], decided: byTeam });
    expect(later.changes).toMatchObject({ withdrawn: [], disputed: [] });
    expect(later.ledger).toMatchObject([{ state: 'withdrawn', decidedIteration: 2 }]);
  });

  test('T-052 what is found again in the same code is not raised', () => {
    const again: Step = { files: [grown], found: [{ ...injection, message: 'Attackers control this' }] };
    const { ledger, changes } = after(start, { files: [a], decided: byAuthor }, again);
    expect(ledger).toMatchObject([{ state: 'disputed', finding: injection, decidedIteration: 2 }]);
    expect(changes).toMatchObject({ added: [], reopened: [], still: [] });
  });

  test('found again in the very round: a reviewer that takes it back is contradicted, a thread is not', () => {
    const again: Step = { files: [grown], found: [injection] };
    expect(after(start, { ...again, decided: verdict }).ledger).toMatchObject([
      { state: 'disputed', decision: { state: 'disputed' } },
    ]);
    expect(states(after(start, { ...again, decided: byTeam }).ledger)).toEqual(['withdrawn']);
  });

  test('found again in other code: a thread that was resolved since the last round is spent, whatever else decides', () => {
    const onOther: Step = { files: [rewritten], found: [injection], decided: byTeam };
    const later: Step = { files: [rewritten], found: [injection], decided: byTeam };
    const { ledger, changes } = after(start, onOther);
    expect(ledger).toMatchObject([{ state: 'open', spentItems: ['t'] }]);
    expect(changes).toMatchObject({ still: ledger, withdrawn: [] });
    expect(states(after(start, onOther, later).ledger)).toEqual(['open']);
    expect(states(after(start, onOther, { ...later, decided: { itemId: item('u') } }).ledger)).toEqual([
      'withdrawn',
    ]);
    const both: Step = { ...onOther, also: { ...verdict, state: 'disputed' } };
    const disputed = after(start, both);
    expect(disputed.ledger).toMatchObject([{ state: 'disputed', spentItems: ['t'] }]);
    expect(states(after(start, both, later).ledger)).toEqual(['disputed']);
  });

  test('not found again: what a reviewer takes back is not called fixed or forgotten', () => {
    expect(states(after(start, { files: [grown], decided: verdict }).ledger)).toEqual(['withdrawn']);
    const wholeFile: Step = { files: [a], found: [noTest] };
    expect(states(after(wholeFile, { files: [grown], decided: verdict }).ledger)).toEqual(['withdrawn']);
  });

  test('mended and resolved at once: fixed', () => {
    const { ledger, changes } = after(start, { files: [repaired], decided: byAuthor });
    expect(ledger).toMatchObject([{ state: 'fixed', fixedBecause: 'changed' }]);
    expect(changes).toMatchObject({ fixed: ledger, disputed: [] });
  });

  test('the team ends a dispute, anybody else does not end a withdrawal', () => {
    const contested = after(start, { files: [a], decided: byAuthor }, { files: [a], decided: verdict });
    expect(contested.ledger).toMatchObject([{ state: 'withdrawn', decidedIteration: 3 }]);
    expect(contested.changes.withdrawn).toEqual(contested.ledger);
    const resolved: Step = { files: [grown], found: [injection], decided: byTeam };
    expect(states(after(start, { files: [a], decided: byAuthor }, resolved).ledger)).toEqual(['withdrawn']);
    const settled = after(start, { files: [a], decided: byTeam }, { files: [a], decided: byAuthor });
    expect(settled.ledger).toMatchObject([{ state: 'withdrawn', decidedIteration: 2 }]);
  });

  test('a finding that did not come again for once is decided when it does', () => {
    const missed: readonly Step[] = [start, { files: [grown] }];
    const again: Step = { files: [a], found: [injection], decided: byTeam };
    expect(after(...missed, again).ledger).toMatchObject([{ state: 'withdrawn', decidedIteration: 3 }]);
    expect(states(after(...missed, { files: [grown], decided: byTeam }, again).ledger)).toEqual([
      'withdrawn',
    ]);
    expect(states(after(...missed, { ...again, files: [rewritten] }).ledger)).toEqual(['open']);
  });
});

describe('updateLedger: how long a decision stands', () => {
  const withdrawn: Step = { files: [a], decided: byTeam };
  const disputed: Step = { files: [a], decided: byAuthor };

  test('fault 59 it is open again once its code changed and it is found again', () => {
    const { ledger, changes } = after(start, withdrawn, {
      files: [rewritten],
      found: [injection],
      decided: byTeam,
    });
    expect(ledger).toMatchObject([{ state: 'open', openedIteration: 3, firstIteration: 1 }]);
    expect(changes).toMatchObject({ reopened: ledger, withdrawn: [] });
  });

  test('fault 59 the thread that stays resolved says nothing about the new code, until it is opened', () => {
    const reopened: readonly Step[] = [start, withdrawn, { files: [rewritten], found: [injection] }];
    const later: Step = { files: [rewritten], decided: byTeam };
    expect(states(after(...reopened, later, later).ledger)).toEqual(['open']);
    expect(states(after(...reopened, { ...later, open: ['t'] }, later).ledger)).toEqual(['withdrawn']);
    expect(states(after(...reopened, { ...later, decided: { itemId: item('u') } }).ledger)).toEqual([
      'withdrawn',
    ]);
  });

  test('a regression is raised although its thread was resolved over the fix', () => {
    const fixed: Step = { files: [repaired], decided: byAuthor };
    const back: Step = { files: [a], found: [injection], decided: byAuthor };
    expect(states(after(start, fixed, back, back).ledger)).toEqual(['open']);
    expect(states(after(start, { files: [repaired] }, back).ledger)).toEqual(['open']);
  });

  test('a file that left and came back is other code', () => {
    const back: readonly Step[] = [{ files: [] }, start, { files: [a], decided: byTeam }];
    expect(states(after(start, withdrawn, ...back).ledger)).toEqual(['open']);
  });

  test('a thread that is opened again brings it back, found or not', () => {
    const undone = after(start, withdrawn, { files: [grown], open: ['t'] });
    expect(undone.ledger).toMatchObject([{ state: 'open', openedIteration: 3 }]);
    expect(undone.ledger[0]).not.toHaveProperty('decision');
    expect(undone.changes.reopened).toEqual(undone.ledger);
    expect(states(after(start, withdrawn, { files: [a], open: ['other'] }).ledger)).toEqual(['withdrawn']);
  });

  test('what an open thread was said to have decided, it did not', () => {
    expect(states(after(start, { ...withdrawn, open: ['t'] }).ledger)).toEqual(['open']);
  });

  test('an answer is not undone by a thread', () => {
    const answered: Step = { files: [a], decided: { ...verdict, itemId: item('t') } };
    expect(states(after(start, answered, { files: [a], open: ['t'] }).ledger)).toEqual(['withdrawn']);
  });

  test.each([withdrawn, disputed])('its file left the PR: gone like others', (decided) => {
    expect(after(start, decided, { files: [] }).ledger).toMatchObject([
      { state: 'fixed', fixedBecause: 'gone' },
    ]);
  });

  test('a dispute ends with the line that it was about, what was withdrawn was never to be fixed', () => {
    expect(states(after(start, disputed, { files: [repaired] }).ledger)).toEqual(['fixed']);
    expect(states(after(start, disputed, { files: [repaired], failed: true }).ledger)).toEqual(['disputed']);
    expect(states(after(start, withdrawn, { files: [repaired] }).ledger)).toEqual(['withdrawn']);
  });

  test('not said again in the same code: as it was', () => {
    expect(states(after(start, disputed, { files: [grown] }).ledger)).toEqual(['disputed']);
  });

  test('T-173 it goes where its code goes', () => {
    const top = numbered(8, 'main');
    const renamed: RawFile = {
      ...rawFile('src/z.ts', `${top}${base}`, `${top}${withQuery}`),
      previousPath: 'src/a.ts',
      status: 'renamed',
    };
    const { ledger } = after(start, withdrawn, {
      files: [renamed],
      found: [{ ...injection, file: 'src/z.ts', line: 28 }],
    });
    expect(ledger).toMatchObject([{ state: 'withdrawn', finding: { file: 'src/z.ts', line: 28 } }]);
  });
});

describe('updateLedger: about a whole file', () => {
  const before: readonly Step[] = [
    { files: [a], found: [noTest] },
    { files: [a], decided: byTeam },
  ];

  test.each<readonly [string, Step, string]>([
    ['not in the range', { files: [a], found: [noTest] }, 'withdrawn'],
    ['changed', { files: [grown], found: [noTest] }, 'open'],
    ['changed, and not found again', { files: [grown] }, 'withdrawn'],
    ['in a full round', { files: [grown], found: [noTest], input: { incremental: false } }, 'withdrawn'],
  ])('its file is %s', (_name, step, state) => {
    expect(states(after(...before, step).ledger)).toEqual([state]);
  });

  test('changed and resolved at once: fixed', () => {
    expect(states(after(...before.slice(0, 1), { files: [grown], decided: byTeam }).ledger)).toEqual([
      'fixed',
    ]);
  });
});

describe('updateLedger: what was decided hides nothing else', () => {
  test('in other words it is known before what is over', () => {
    const says = (...messages: readonly string[]) => ({
      found: messages.map((message) => ({ ...injection, message })),
    });
    const { ledger } = after(
      { files: [a], ...says('Slow loop', 'Input is not checked') },
      { files: [grown], ...says('Input is not checked') },
      { files: [a], ...says('Callers expect null'), decided: byTeam, nth: 1 },
      { files: [grown], ...says('Result is ignored') },
    );
    expect(states(ledger)).toEqual(['fixed', 'withdrawn']);
  });

  test('S5 something graver in the same line is a finding of its own', () => {
    const name = finding('src/a.ts', 'Name it after what it holds', { line: 20, severity: 'suggestion' });
    const { ledger, changes } = after(
      { files: [a], found: [name] },
      { files: [a], decided: byTeam },
      { files: [grown], found: [injection] },
    );
    expect(states(ledger)).toEqual(['withdrawn', 'open']);
    expect(changes.added).toMatchObject([{ finding: injection }]);
  });

  test('S5 the same remark about a new line is another finding while the old line stands', () => {
    const second = 'const more = db.query("DELETE " + id);\n';
    const twice = rawFile('src/a.ts', base, withQuery.replace('line 24\n', second));
    const { ledger } = after(
      start,
      { files: [a], decided: byTeam },
      {
        files: [twice],
        found: [{ ...injection, line: 24 }],
      },
    );
    expect(ledger).toMatchObject([
      { state: 'withdrawn', finding: { line: 20 } },
      { state: 'open', finding: { line: 24 } },
    ]);
  });
});
