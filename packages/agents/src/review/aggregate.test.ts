import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ASPECTS } from '../ids.ts';
import { aggregate } from './aggregate.ts';
import type { RawFile } from './changed-file.ts';
import { indexFile } from './diff-index.ts';
import { SEVERITIES } from './finding.ts';
import { updateLedger } from './ledger.ts';
import type { WorkerOutcome } from './round.ts';
import { selectForReview } from './select.ts';
import { allDone, finding, numbered, rawFile, roundInput, sha } from './testing/builders.ts';

const a = rawFile('src/a.ts', numbered(30), numbered(30).replace('line 10\n', 'const q = "SELECT " + id;\n'));
const lock: RawFile = { path: 'logo.png', status: 'modified', additions: 0, deletions: 0 };
const input = roundInput([a, lock]);

function places(...findings: Parameters<typeof finding>[]) {
  return aggregate(allDone({ security: findings.map((args) => finding(...args)) }), input).findings;
}

describe('aggregate: coverage', () => {
  test('six done', () => {
    const { coverage, files } = aggregate(allDone(), input);
    expect(coverage).toEqual(ASPECTS.map((aspect) => ({ aspect, status: 'done' })));
    expect(files).toEqual({
      read: 1,
      inRange: 2,
      inPr: 2,
      listComplete: true,
      unread: [{ path: 'logo.png', why: 'binary' }],
    });
  });

  test('T-115 an aspect that failed, is partial, or gave no answer is named with its reason', () => {
    const outcomes: WorkerOutcome[] = [
      { aspect: 'security', status: 'failed', why: 'the model answered 529' },
      {
        aspect: 'perf',
        status: 'partial',
        why: 'the answer was cut',
        findings: [finding('src/a.ts', 'Slow')],
      },
    ];
    const { coverage, findings } = aggregate(outcomes, input);
    expect(coverage[2]).toEqual({ aspect: 'security', status: 'failed', why: 'the model answered 529' });
    expect(coverage[3]).toEqual({ aspect: 'perf', status: 'partial', why: 'the answer was cut' });
    expect(coverage[0]).toMatchObject({ aspect: 'correctness', status: 'failed' });
    expect(findings).toHaveLength(1);
  });
});

describe('aggregate: anchors', () => {
  test('T-090 a line outside of the diff costs the anchor, not the finding', () => {
    const [first, second] = places(
      ['src/a.ts', 'Bad', { line: 500 }],
      ['src/a.ts', 'Worse thing', { line: 10 }],
    );
    expect(first).toMatchObject({ place: { kind: 'file' }, finding: { message: 'Bad' } });
    expect(first?.finding).not.toHaveProperty('line');
    expect(second).toMatchObject({
      finding: { line: 10 },
      place: { kind: 'line', text: 'const q = "SELECT " + id;' },
    });
  });

  test('T-094 the quoted line counts more than the number', () => {
    const [found] = places(['src/a.ts', 'Bad', { line: 8, quote: 'const q = "SELECT "+id;' }]);
    expect(found?.finding.line).toBe(10);
  });

  test('a file that was not in the range is said to be so', () => {
    expect(places(['src/other.ts', 'Bad', { line: 3 }])[0]?.place).toEqual({ kind: 'outside' });
  });

  test.each(['./src/a.ts', 'b/src/a.ts', '/src/a.ts', ' src/a.ts'])('the file may be written %j', (path) => {
    expect(places([path, 'Bad', { line: 10 }])[0]?.finding).toMatchObject({ file: 'src/a.ts', line: 10 });
  });

  test('T-173 the old name of a renamed file is its new name', () => {
    const renamed = { ...a, path: 'src/new.ts', previousPath: 'src/a.ts', status: 'renamed' } as const;
    const { findings } = aggregate(
      allDone({ perf: [finding('src/a.ts', 'Bad', { line: 10 })] }),
      roundInput([renamed]),
    );
    expect(findings[0]?.finding.file).toBe('src/new.ts');
  });

  test('T-174 a removed file has no lines to point to', () => {
    const removed = roundInput([rawFile('src/gone.ts', numbered(3), '')]);
    const { findings } = aggregate(
      allDone({ perf: [finding('src/gone.ts', 'Still used', { line: 1 })] }),
      removed,
    );
    expect(findings[0]?.place).toEqual({ kind: 'removed' });
  });

  test('T-079 a claim about a file that nobody read is left out and counted', () => {
    const result = aggregate(allDone({ perf: [finding('logo.png', 'Too large')] }), input);
    expect(result).toMatchObject({ findings: [], droppedUnread: 1 });
  });
});

describe('aggregate: lock files (T-083)', () => {
  const [lockFile] = selectForReview([
    indexFile(rawFile('yarn.lock', '', 'evil@^1.0.0:\n  version "1.0.0"\n')),
  ]);
  const round = { ...input, files: lockFile === undefined ? [] : [lockFile] };

  test('what security says of their digest is kept, and counts as unread for everybody else', () => {
    const said = finding('yarn.lock', 'An odd package', { line: 2 });
    const result = aggregate(allDone({ security: [said], tests: [said] }), round);
    expect(result).toMatchObject({
      findings: [{ aspects: ['security'], finding: { file: 'yarn.lock', line: 2 } }],
      droppedUnread: 1,
      files: { read: 0, unread: [{ path: 'yarn.lock', why: 'generated' }] },
    });
  });

  test('what security said of them is fixed once it no longer says so', () => {
    const first = aggregate(allDone({ security: [finding('yarn.lock', 'An odd package')] }), round);
    const { ledger } = updateLedger([], { aggregation: first, input: round, iteration: 1 });
    const second = { ...round, headSha: sha('c'), incremental: true };
    const entered = { aggregation: aggregate(allDone(), second), input: second, iteration: 2 };
    expect(updateLedger(ledger, entered).changes.fixed).toHaveLength(1);
    const silent = { ...entered, aggregation: aggregate(allDone().slice(0, 2), second) };
    expect(updateLedger(ledger, silent).changes.still).toHaveLength(1);
  });
});

describe('aggregate: merging', () => {
  test('T-002 two workers on one line with one message are one finding, the higher severity wins', () => {
    const outcomes = allDone({
      correctness: [
        finding('src/a.ts', 'The query is built from user input, which allows injection', {
          line: 10,
          suggestedFix: 'Use a placeholder.',
        }),
      ],
      security: [
        finding('src/a.ts', 'User input is concatenated into the query, allowing injection', {
          line: 10,
          severity: 'critical',
          impact: 'Anyone can read all orders.',
        }),
      ],
    });
    expect(aggregate(outcomes, input).findings).toEqual([
      {
        aspects: ['security', 'correctness'],
        place: { kind: 'line', text: 'const q = "SELECT " + id;' },
        finding: {
          severity: 'critical',
          file: 'src/a.ts',
          line: 10,
          message: 'User input is concatenated into the query, allowing injection',
          impact: 'Anyone can read all orders.',
          suggestedFix: 'Use a placeholder.',
        },
      },
    ]);
  });

  test('different remarks on one line stay apart', () => {
    const outcomes = allDone({
      security: [finding('src/a.ts', 'Injection through the id', { line: 10 })],
      tests: [finding('src/a.ts', 'No test covers an unknown order', { line: 10 })],
    });
    expect(aggregate(outcomes, input).findings).toHaveLength(2);
  });

  test('worst first, whatever the order of the answers', () => {
    const outcomes = allDone({
      correctness: [finding('src/a.ts', 'Small', { severity: 'suggestion' })],
      architecture: [finding('src/a.ts', 'Grave', { severity: 'critical' }), finding('src/a.ts', 'Middle')],
    });
    const expected = ['Grave', 'Middle', 'Small'];
    for (const order of [outcomes, outcomes.toReversed()]) {
      expect(aggregate(order, input).findings.map(({ finding: { message } }) => message)).toEqual(expected);
    }
  });

  test('every finding of a worker is in the result, alone or merged, with its aspect', () => {
    const one = fc.record({
      severity: fc.constantFrom(...SEVERITIES),
      file: fc.constantFrom('src/a.ts', 'logo.png', 'x.ts'),
      line: fc.integer({ min: 1, max: 20 }),
      message: fc.constantFrom('Input is not checked', 'Not checked: input', 'No test for this', 'Slow loop'),
    });
    fc.assert(
      fc.property(fc.array(one), fc.array(one), (perf, tests) => {
        const result = aggregate(allDone({ perf, tests }), input);
        const unread = [...perf, ...tests].filter((f) => f.file === 'logo.png').length;
        expect(result.droppedUnread).toBe(unread);
        for (const [aspect, found] of [
          ['perf', perf],
          ['tests', tests],
        ] as const) {
          for (const f of found.filter((candidate) => candidate.file !== 'logo.png')) {
            expect(
              result.findings.some(
                (kept) =>
                  kept.finding.file === f.file &&
                  kept.aspects.includes(aspect) &&
                  SEVERITIES.indexOf(kept.finding.severity) <= SEVERITIES.indexOf(f.severity),
              ),
            ).toBe(true);
          }
        }
        for (const { finding: f, place } of result.findings)
          expect(f.line !== undefined).toBe(place.kind === 'line');
      }),
    );
  });
});
