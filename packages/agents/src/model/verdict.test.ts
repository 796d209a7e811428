import { parseStreamingJson } from '@mariozechner/pi-ai';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ItemId } from '../conversation/item.ts';
import type { FindingId } from '../ids.ts';
import type { WorkerOutcome } from '../review/round.ts';
import { reviewByModel } from './ask-review.ts';
import type { EarlierFinding } from './earlier-part.ts';
import { buildReviewPrompt } from './prompt.ts';
import { runDirect } from './run.ts';
import { parseSubmission } from './submit-findings.ts';
import { type Cut, findings, status, toolCall } from './testing/answers.ts';
import { chooseAt, recordingLog } from './testing/client.ts';
import { startProviderServer } from './testing/provider-server.ts';
import type { ProviderAnswer } from './testing/provider-types.ts';
import { sampleRound } from './testing/round.ts';

const finding = { severity: 'critical', file: 'src/limit.ts', message: 'NaN goes through' } as const;

function whole(earlier: unknown): string {
  return JSON.stringify({ findings: [finding], earlier, complete: true });
}

function verdictsIn(answer: unknown) {
  const read = parseSubmission(answer);
  return read.status === 'bad' ? 'bad' : read.verdicts;
}

describe('T-059 verdicts are read leniently', () => {
  test.each([
    [1, 1],
    ['1', 1],
    ['F1', 1],
    ['f12', 12],
    ['#1', 1],
    ['#F3', 3],
    ['[F2]', 2],
    ['Finding 2', 2],
    ['F1: NaN goes through', 1],
    [' F4 ', 4],
  ])('the number %j is %i', (named, number) => {
    expect(verdictsIn(whole([{ finding: named, verdict: 'disputed', why: 'no' }]))).toEqual([
      { number, verdict: 'disputed', why: 'no' },
    ]);
  });

  test.each([
    ['withdrawn', 'withdrawn'],
    ['Withdraw', 'withdrawn'],
    ['RETRACTED.', 'withdrawn'],
    [' "disputed" ', 'disputed'],
    ['undecided', 'disputed'],
  ])('the word %j is %s', (verdict, expected) => {
    expect(verdictsIn(whole([{ finding: 'F1', verdict, why: ' The caller checks. ' }]))).toEqual([
      { number: 1, verdict: expected, why: 'The caller checks.' },
    ]);
  });

  test.each([
    [{ finding: 'the first', verdict: 'withdrawn' }],
    [{ finding: 0, verdict: 'withdrawn' }],
    [{ finding: -1, verdict: 'withdrawn' }],
    [{ finding: '1.5', verdict: 'withdrawn' }],
    [{ finding: '12345', verdict: 'withdrawn' }],
    [{ finding: { number: 1 }, verdict: 'withdrawn' }],
    [{ finding: 'F1', verdict: 'not withdrawn' }],
    [{ finding: 'F1', verdict: 'withdrawn or disputed' }],
    [{ finding: 'F1', verdict: 'fixed' }],
    [{ finding: 'F1', verdict: 'constructor' }],
    [{ finding: 'F1' }],
    ['F1 withdrawn'],
    [null],
  ])('%j is left out, and costs no finding', (entry) => {
    expect(parseSubmission(whole([entry]))).toEqual({ status: 'ok', findings: [finding], verdicts: [] });
  });

  test.each([[undefined], [null], ['none'], [{}], [7]])('a list that is %j is no list', (earlier) => {
    expect(parseSubmission(whole(earlier))).toEqual({ status: 'ok', findings: [finding], verdicts: [] });
  });

  test('a missing reason is none, and a list in a string is a list', () => {
    const answer = { findings: [], earlier: JSON.stringify([{ finding: 2, verdict: 'withdrawn' }]) };
    expect(verdictsIn({ ...answer, complete: true })).toEqual([{ number: 2, verdict: 'withdrawn', why: '' }]);
  });
});

const anyVerdict = fc.record({
  number: fc.integer({ min: 1, max: 999 }),
  verdict: fc.constantFrom('withdrawn', 'disputed'),
  why: fc.constantFrom('"quoted" {x}', '`a[0]`, b]}', 'no', '\\d+ \\', '"earlier": [{"finding":"F9"}]'),
});
const cutAnswers = fc
  .tuple(
    fc.array(anyVerdict, { maxLength: 4 }),
    fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  )
  .map(([verdicts, share]) => {
    const text = whole(verdicts.map(({ number, ...said }) => ({ finding: `F${number}`, ...said })));
    return { verdicts, text: text.slice(0, Math.floor(text.length * share)) };
  });

describe('T-111 of an answer that breaks off', () => {
  test('as text, the verdicts that are whole are kept as they were sent', () => {
    let kept = 0;
    fc.assert(
      fc.property(cutAnswers, ({ verdicts, text }) => {
        const read = verdictsIn(text);
        if (read === 'bad') return;
        expect(read).toEqual(verdicts.slice(0, read.length));
        kept += read.length;
      }),
      { numRuns: 500 },
    );
    expect(kept).toBeGreaterThan(0);
  });

  test('as arguments that a lenient parser completed, none is kept that may have lost its end', () => {
    fc.assert(
      fc.property(cutAnswers, ({ verdicts, text }) => {
        const read = verdictsIn(parseStreamingJson(text));
        if (read !== 'bad') expect(read).toEqual(verdicts.slice(0, read.length));
      }),
      { numRuns: 500 },
    );
  });

  test('the one that was cut is gone, and the findings are all there', () => {
    const text = whole([
      { finding: 'F1', verdict: 'withdrawn', why: 'The caller checks.' },
      { finding: 'F2', verdict: 'withdrawn', why: 'Nobody calls it' },
    ]);
    expect(parseSubmission(text.slice(0, text.indexOf('Nobody') + 3))).toEqual({
      status: 'partial',
      findings: [finding],
      verdicts: [{ number: 1, verdict: 'withdrawn', why: 'The caller checks.' }],
      why: 'it broke off before its end',
    });
  });
});

describe('an outcome', () => {
  const earlier: readonly EarlierFinding[] = ['id-one', undefined, 'id-three'].map((id) => ({
    ...(id === undefined ? {} : { id: id as FindingId }),
    finding,
    state: 'open',
    sha: 'c'.repeat(40),
    answers: [
      {
        findingId: (id ?? '') as FindingId,
        itemId: 'IC_1' as ItemId,
        url: 'https://github.example/c/1',
        by: 'ada',
        standing: 'author',
        text: 'The caller checks it.',
        isDirect: true,
      },
    ],
  }));

  async function review(answer: ProviderAnswer): Promise<WorkerOutcome> {
    await using provider = await startProviderServer({ answer: () => answer });
    const own = { aspect: 'perf', aspectPrompt: 'About perf.', earlier, evidence: [] } as const;
    return await reviewByModel({
      prompt: buildReviewPrompt(sampleRound(), own, { sharedChars: 50_000, ownChars: 10_000 }),
      choice: chooseAt(provider.url),
      run: runDirect,
      timeoutMs: 20_000,
      log: recordingLog().log,
    });
  }

  function saying(earlierSaid: readonly unknown[], cut?: Cut): ProviderAnswer {
    return toolCall('submit_findings', { findings: [], earlier: earlierSaid, complete: true }, cut);
  }

  test('T-052 names the findings behind the numbers, and drops numbers that nobody gave', async () => {
    const said = ['F3', 'F2', 'F4', 'F1'].map((named) => ({
      finding: named,
      verdict: 'withdrawn',
      why: named,
    }));
    expect(await review(saying(said))).toEqual({
      aspect: 'perf',
      status: 'done',
      findings: [],
      verdicts: [
        { findingId: 'id-three', verdict: 'withdrawn', why: 'F3' },
        { findingId: 'id-one', verdict: 'withdrawn', why: 'F1' },
      ],
      heard: true,
    });
  });

  test.each([
    ['withdrawn', 'disputed'],
    ['disputed', 'withdrawn'],
  ])('of %s and %s for one finding is that it is disputed', async (one, other) => {
    const said = [one, other].map((verdict) => ({ finding: 'F1', verdict, why: verdict }));
    expect(await review(saying(said))).toMatchObject({
      verdicts: [{ findingId: 'id-one', verdict: 'disputed', why: 'disputed' }],
    });
  });

  test('S6 a call that failed has heard nothing, and one without verdicts has', async () => {
    expect(await review(status(401))).not.toHaveProperty('heard');
    expect(await review(saying([], { afterChars: 5 }))).toMatchObject({ status: 'failed' });
    expect(await review(saying([], { afterChars: 5 }))).not.toHaveProperty('heard');
    const outcome = await review(findings([finding]));
    expect(outcome).toMatchObject({ status: 'done', heard: true });
    expect(outcome).not.toHaveProperty('verdicts');
  });
});
