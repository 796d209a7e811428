import { describe, expect, test } from 'vitest';
import type { Aspect } from '../ids.ts';
import type { RawFile } from './changed-file.ts';
import type { Finding } from './finding.ts';
import { updateLedger } from './ledger.ts';
import type { Ledger } from './ledger-entry.ts';
import type { RoundInput, WorkerOutcome } from './round.ts';
import { allDone, finding, numbered, rawFile, sha } from './testing/builders.ts';
import { ledgerRound } from './testing/rounds.ts';

type Found = Partial<Record<Aspect, readonly Finding[]>>;

const base = numbered(60);
const query = 'const rows = db.query("SELECT " + id);\n';
const withQuery = base.replace('line 20\n', query);
const a = rawFile('src/a.ts', base, withQuery);
const injection = finding('src/a.ts', 'The id goes into the query: SQL injection', {
  line: 20,
  severity: 'critical',
});

type Steps = readonly {
  readonly files: readonly RawFile[];
  readonly found?: Found;
  readonly outcomes?: readonly WorkerOutcome[];
  readonly extra?: Partial<RoundInput>;
}[];

/** One round after another over the PR's files of each. */
function rounds(...steps: Steps) {
  let ledger: Ledger = [];
  let before: readonly RawFile[] = [];
  let changes = updateLedger([], ledgerRound({ before: [], now: [] }, 0, allDone())).changes;
  steps.forEach(({ files, found, outcomes, extra }, index) => {
    const result = updateLedger(ledger, {
      ...ledgerRound({ before, now: files }, index + 1, outcomes ?? allDone(found), extra),
      readAtMs: index + 1,
    });
    ledger = result.ledger;
    changes = result.changes;
    before = files;
  });
  return { ledger, changes };
}

const states = (ledger: Ledger) => ledger.map((entry) => entry.state);

describe('updateLedger: identity', () => {
  test('a new finding is open, and known by where and when it was said', () => {
    const { ledger, changes } = rounds({ files: [a], found: { security: [injection] } });
    expect(ledger).toMatchObject([
      { state: 'open', aspects: ['security'], firstIteration: 1, firstSha: sha('1'), lastSha: sha('1') },
    ]);
    expect(changes.added).toEqual(ledger);
    expect(ledger[0]?.id).toMatch(/^[0-9a-f]{16}$/);
  });

  test('T-051 moved lines and another wording in a changed file: the same entry', () => {
    const moved = rawFile('src/a.ts', base, `${numbered(9, 'top')}${withQuery}`);
    const reworded = finding('src/a.ts', 'Attackers control this statement', { line: 29 });
    const { ledger, changes } = rounds(
      { files: [a], found: { security: [injection] } },
      { files: [moved], found: { security: [reworded] } },
    );
    expect(ledger).toHaveLength(1);
    expect(ledger[0]).toMatchObject({ firstIteration: 1, lastSha: sha('2'), finding: reworded });
    expect(changes).toMatchObject({ added: [], fixed: [], still: ledger });
  });

  test('since when it is open at its line is known, so that nobody spoke of it there before', () => {
    const found: Found = { security: [injection] };
    const moved = rawFile('src/a.ts', base, `${numbered(9, 'top')}${withQuery}`);
    const grown = rawFile('src/a.ts', base, withQuery.replace('line 50\n', 'fifty\n'));
    const repaired = rawFile('src/a.ts', base, base);
    const sinceMs = (...steps: Steps) => rounds(...steps).ledger[0]?.placedAtMs;
    const start = { files: [a], found };
    expect(sinceMs({ files: [] }, start)).toBe(2);
    expect(sinceMs(start, { files: [grown], found })).toBe(1);
    expect(sinceMs(start, { files: [moved] })).toBe(2);
    expect(sinceMs(start, { files: [repaired] })).toBe(1);
    expect(sinceMs(start, { files: [repaired] }, start)).toBe(3);
  });

  test('an edited line with the same remark is the same entry', () => {
    const edited = rawFile(
      'src/a.ts',
      base,
      base.replace('line 20\n', 'const all = db.query("SELECT *" + id);\n'),
    );
    const { ledger, changes } = rounds(
      { files: [a], found: { security: [injection] } },
      { files: [edited], found: { security: [injection] } },
    );
    expect(ledger).toHaveLength(1);
    expect(changes.still).toHaveLength(1);
  });

  test('two aspects may say two things about one line', () => {
    const slow = finding('src/a.ts', 'One query per row', { line: 20 });
    const found: Found = { security: [injection], perf: [slow] };
    const { ledger, changes } = rounds({ files: [a], found }, { files: [{ ...a, additions: 1 }], found });
    expect(ledger).toHaveLength(2);
    expect(new Set(ledger.map(({ id }) => id)).size).toBe(2);
    expect(changes.still).toHaveLength(2);
  });

  test('the same text in two places is two entries, each followed by its place', () => {
    const twice = base.replace('line 10\n', '  return null;\n').replace('line 50\n', '  return null;\n');
    const at = (line: number) => finding('src/a.ts', 'Callers do not expect null', { line });
    const { ledger } = rounds(
      { files: [rawFile('src/a.ts', base, twice)], found: { correctness: [at(10), at(50)] } },
      {
        files: [rawFile('src/a.ts', base, `new\n${twice}`.replace('  return null;\n', ''))],
        found: { correctness: [at(50)] },
      },
    );
    expect(ledger.map((entry) => [entry.state, entry.finding.line])).toEqual([
      ['fixed', 10],
      ['open', 50],
    ]);
  });

  test('a file-level finding is known by its message', () => {
    const noTest = finding('src/a.ts', 'No test covers the query');
    const again = finding('src/a.ts', 'No test covers this query yet');
    const grown = rawFile('src/a.ts', base, `${withQuery}end\n`);
    const { ledger } = rounds(
      { files: [a], found: { tests: [noTest] } },
      { files: [grown], found: { tests: [again] } },
    );
    expect(ledger).toMatchObject([{ state: 'open', firstIteration: 1 }]);
  });
});

describe('updateLedger: what closes an entry', () => {
  const start = { files: [a], found: { security: [injection] } };
  const repaired = rawFile('src/a.ts', base, base.replace('line 20\n', 'const rows = find(id);\n'));
  const elsewhere = rawFile('src/a.ts', base, withQuery.replace('line 50\n', 'fifty\n'));

  test('its code changed and it was not said again', () => {
    const { ledger, changes } = rounds(start, { files: [repaired] });
    expect(ledger).toMatchObject([{ state: 'fixed', fixedIteration: 2, fixedBecause: 'changed' }]);
    expect(changes).toMatchObject({ fixed: ledger, still: [] });
  });

  test('it was not said again though its code is the same: not called a fix', () => {
    expect(rounds(start, { files: [elsewhere] }).ledger).toMatchObject([
      { state: 'fixed', fixedBecause: 'not-repeated' },
    ]);
  });

  test('its file left the PR', () => {
    expect(rounds(start, { files: [] }).ledger).toMatchObject([{ state: 'fixed', fixedBecause: 'gone' }]);
  });

  test('a list that GitHub cut proves nothing about files that are not on it', () => {
    expect(states(rounds(start, { files: [], extra: { listComplete: false } }).ledger)).toEqual(['open']);
  });

  test('its file was deleted, even if its aspect failed', () => {
    const outcomes = allDone().filter(({ aspect }) => aspect !== 'security');
    const { ledger } = rounds(start, { files: [rawFile('src/a.ts', base, '')], outcomes });
    expect(ledger).toMatchObject([{ state: 'fixed', fixedBecause: 'gone' }]);
  });

  test.each(['failed', 'partial'] as const)('not when its aspect %s (S5)', (status) => {
    const outcomes = allDone().map((outcome) =>
      outcome.aspect === 'security'
        ? { aspect: 'security' as const, status, why: 'cut', findings: [] }
        : outcome,
    );
    expect(states(rounds(start, { files: [repaired], outcomes }).ledger)).toEqual(['open']);
  });

  test('not when one of its two aspects failed', () => {
    const both = { files: [a], found: { correctness: [injection], security: [injection] } };
    const outcomes = allDone().filter(({ aspect }) => aspect !== 'correctness');
    expect(states(rounds(both, { files: [repaired], outcomes }).ledger)).toEqual(['open']);
  });

  test('not when its file was not read', () => {
    const { patch: _, ...large } = { ...a, additions: 9000 };
    expect(states(rounds(start, { files: [large] }).ledger)).toEqual(['open']);
  });

  test('not when its file was not in the range', () => {
    const { ledger, changes } = rounds(start, { files: [a, rawFile('src/b.ts', '', 'x\n')] });
    expect(changes.still).toEqual(ledger);
    expect(ledger[0]?.finding).toEqual(injection);
  });

  test('what was said about no file of the PR closes when it is not said again', () => {
    const outside = finding('CHANGELOG.md', 'No changeset for this package');
    const first = { files: [a], found: { conventions: [outside] } };
    expect(states(rounds(first, { files: [repaired], found: { conventions: [outside] } }).ledger)).toEqual([
      'open',
    ]);
    expect(states(rounds(first, { files: [repaired] }).ledger)).toEqual(['fixed']);
  });

  test('said again after it was fixed: open once more, as the same entry', () => {
    const { ledger, changes } = rounds(
      start,
      { files: [repaired] },
      { files: [a], found: { security: [injection] } },
    );
    expect(ledger).toMatchObject([{ state: 'open', firstIteration: 1, openedIteration: 3 }]);
    expect(changes).toMatchObject({ added: [], reopened: ledger, still: [], fixed: [] });
  });
});

describe('updateLedger: following code', () => {
  const start = { files: [a], found: { security: [injection] } };

  test('a rebase moves the line of a file outside of the range', () => {
    const top = numbered(8, 'main');
    const { ledger } = rounds(start, { files: [rawFile('src/a.ts', `${top}${base}`, `${top}${withQuery}`)] });
    expect(ledger).toMatchObject([{ state: 'open', lastSha: sha('2'), finding: { line: 28 } }]);
  });

  test('T-173 a rename takes its findings along', () => {
    const renamed: RawFile = { ...a, path: 'src/z.ts', previousPath: 'src/a.ts', status: 'renamed' };
    expect(rounds(start, { files: [renamed] }).ledger).toMatchObject([
      { state: 'open', finding: { file: 'src/z.ts', line: 20 } },
    ]);
  });

  test('in a changed file whose aspect failed, the line is found by its text, or given up', () => {
    const outcomes = allDone().filter(({ aspect }) => aspect !== 'security');
    const moved = rawFile('src/a.ts', base, `${numbered(3, 'top')}${withQuery}`);
    expect(rounds(start, { files: [moved], outcomes }).ledger[0]?.finding.line).toBe(23);
    const lost = rawFile('src/a.ts', base, base.replace('line 20\n', 'other\n'));
    const [entry] = rounds(start, { files: [lost], outcomes }).ledger;
    expect(entry).toMatchObject({ state: 'open', place: { kind: 'file' } });
    expect(entry?.finding).not.toHaveProperty('line');
  });
});
