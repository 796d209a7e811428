import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RawFile } from './changed-file.ts';
import { type LedgerRound, updateLedger } from './ledger.ts';
import { type DecidedEntry, isDecided, type Ledger } from './ledger-entry.ts';
import { allDone, finding, numbered, rawFile } from './testing/builders.ts';
import { decision, item } from './testing/decisions.ts';
import { ledgerRound } from './testing/rounds.ts';

const base = numbered(60);
const withQuery = base.replace('line 20\n', 'const rows = db.query("SELECT " + id);\n');
const texts = [
  base,
  withQuery,
  withQuery.replace('"SELECT "', '"SELECT *"'),
  withQuery.replace('line 40\n', '  return null;\n'),
  `top\n${withQuery}`,
  '',
];
const messages = [
  'Input is not checked',
  'No test for this',
  'Slow loop',
  'Result is ignored',
  'Callers expect null',
];

const files = fc.uniqueArray(
  fc.record({ path: fc.constantFrom('a', 'b', 'c'), text: fc.constantFrom(...texts) }),
  { selector: ({ path }) => path },
);
const found = fc.array(
  fc.record({
    file: fc.constantFrom('a', 'b', 'c', 'd'),
    message: fc.constantFrom(...messages),
    line: fc.oneof(fc.constant(20), fc.integer({ min: 1, max: 60 })),
  }),
  { maxLength: 6 },
);
const threads = [item('t'), item('u')];
const made = fc.record({
  /** Of the ledger's entries. */
  nth: fc.nat(8),
  state: fc.constantFrom('withdrawn' as const, 'disputed' as const),
  because: fc.constantFrom('resolved' as const, 'answered' as const),
  itemId: fc.constantFrom(...threads),
});
const step = fc.record({
  files,
  found,
  other: found,
  failed: fc.boolean(),
  decided: fc.array(made, { maxLength: 4 }),
  open: fc.subarray(threads),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What a round made of a ledger. */
interface Entered {
  readonly round: LedgerRound;
  readonly before: Ledger;
  readonly after: ReturnType<typeof updateLedger>;
}

function enter(steps: readonly Step[]): readonly Entered[] {
  const entered: Entered[] = [];
  let before: readonly RawFile[] = [];
  steps.forEach(({ decided, open, ...current }, index) => {
    const now = current.files.flatMap(({ path, text }) => (text === base ? [] : [rawFile(path, base, text)]));
    const ledger = entered.at(-1)?.after.ledger ?? [];
    const decisions = decided.flatMap(({ nth, ...said }) => {
      const entry = ledger[nth % Math.max(1, ledger.length)];
      return entry === undefined ? [] : [decision(entry.id, said)];
    });
    const round = {
      ...ledgerRound({ before, now }, index + 1, outcomesOf(current)),
      decisions,
      reopenedItems: new Set(open),
      readAtMs: index + 1,
    };
    entered.push({ round, before: ledger, after: updateLedger(ledger, round) });
    before = now;
  });
  return entered;
}

function outcomesOf({ found: perf, other: tests, failed }: Pick<Step, 'found' | 'other' | 'failed'>) {
  const toFindings = (list: Step['found']) => list.map((f) => finding(f.file, f.message, { line: f.line }));
  const outcomes = allDone({ perf: toFindings(perf), tests: toFindings(tests) });
  return failed ? outcomes.slice(0, 4) : outcomes;
}

/** Checks every round of any PR. */
function always(check: (entered: Entered) => void): void {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
      for (const entered of enter(steps)) check(entered);
    }),
  );
}

/** Thread and entry, where a thread decided. */
function keyOf({ id, decision: { because, itemId } }: DecidedEntry): readonly string[] {
  return because === 'resolved' ? [`${id} ${itemId}`] : [];
}

describe('updateLedger: laws', () => {
  test('nothing is lost, ids stay and are unique, and the same round again changes nothing', () => {
    always(({ round, before, after }) => {
      const { ledger, changes } = after;
      expect(updateLedger(ledger, round)).toEqual(after);
      expect(ledger.slice(0, before.length).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
      expect(new Set(ledger.map(({ id }) => id)).size).toBe(ledger.length);
      const open = ledger.filter(({ state }) => state === 'open');
      expect(changes.added.length + changes.reopened.length + changes.still.length).toBe(open.length);
    });
  });

  test('what is found is open, unless people decided about something in that file', () => {
    always(({ round, after: { ledger } }) => {
      const decidedIn = new Set(ledger.filter(isDecided).map((entry) => entry.finding.file));
      for (const reported of round.aggregation.findings) {
        if (decidedIn.has(reported.finding.file)) continue;
        expect(ledger).toContainEqual(expect.objectContaining({ ...reported, state: 'open' }));
      }
    });
  });

  test('each decision of a round is one that was made, and is told in that round', () => {
    always(({ round: { decisions = [], reopenedItems, iteration }, after: { ledger, changes } }) => {
      const now = ledger.filter(isDecided).filter((entry) => entry.decidedIteration === iteration);
      expect([...changes.disputed, ...changes.withdrawn]).toHaveLength(now.length);
      for (const { id, decision: kept } of now) {
        const { because, itemId } = kept;
        expect(decisions).toContainEqual(expect.objectContaining({ findingId: id, because, itemId }));
        expect(because === 'resolved' && reopenedItems?.has(itemId)).toBe(false);
      }
    });
  });

  test('fault 59 a thread that was resolved over code that is no more decides nothing until it is opened', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 3, maxLength: 8 }), (steps) => {
        let spent: ReadonlySet<string> = new Set();
        for (const { round, before, after } of enter(steps)) {
          const isOpen = (key: string) =>
            [...(round.reopenedItems ?? [])].some((id) => key.endsWith(` ${id}`));
          const standing = new Set(after.ledger.filter(isDecided).flatMap(keyOf));
          const left = before.filter(isDecided).flatMap(keyOf);
          const over = after.ledger.filter((entry) => !isDecided(entry)).map(({ id }) => `${id} `);
          expect([...spent].filter((key) => standing.has(key) && !isOpen(key))).toEqual([]);
          const ended = left.filter((key) => over.some((id) => key.startsWith(id)));
          spent = new Set([...spent, ...ended].filter((key) => !isOpen(key)));
        }
      }),
    );
  });
});
