import { describe, expect, test } from 'vitest';
import type { Finding } from '../review/finding.ts';
import { judgedTexts, plainTexts } from './plain-texts.ts';
import { resultOf } from './testing/result.ts';
import { sampleFile, sampleRound } from './testing/round.ts';

const nan: Finding = { severity: 'critical', file: 'src/limit.ts', line: 1, message: 'NaN goes through' };
const name: Finding = { severity: 'suggestion', file: 'src/limit.ts', message: 'the name says too little' };
const slow: Finding = {
  severity: 'important',
  file: 'src/limit.ts',
  message: 'parsed anew for each request',
};

function summary(...args: Parameters<typeof resultOf>): string {
  return plainTexts(resultOf(...args)).summary;
}

describe('the summary', () => {
  test('says how much changed, and where', () => {
    const paths = ['packages/api/src/a.ts', 'packages/api/src/b.ts', 'docs/c.md', 'README.md', 'x `y`/d.ts'];
    const round = sampleRound({ files: paths.map((path) => sampleFile(path, ['one', 'two'])) });
    expect(summary(round, {})).toMatch(/^Changes 5 files \(\+10 −0\), in `packages\/api` and `docs`\.$/);
    expect(summary(sampleRound(), {})).toMatch(/^Changes 1 file \(\+1 −0\), in `src`\.$/);
    const root = sampleRound({ files: [sampleFile('README.md', ['one'])] });
    expect(summary(root, {})).toMatch(/^Changes 1 file \(\+1 −0\)\.$/);
  });

  test('claims nothing about a round without findings', () => {
    expect(summary(sampleRound(), {})).toMatch(/^Changes 1 file \(\+1 −0\), in `src`\.$/);
    expect(summary(sampleRound(), { conventions: [name] })).toMatch(/in `src`\.$/);
  });

  test('judges by the worst finding', () => {
    expect(summary(sampleRound(), { perf: [slow], correctness: [nan] })).toMatch(
      /1 critical point must be fixed first, and 1 important one should be\.$/,
    );
    expect(summary(sampleRound(), { perf: [slow], conventions: [name] })).toMatch(
      /1 important point should be fixed\.$/,
    );
  });

  test('of a follow-up says what changed since', () => {
    const round = sampleRound({ incremental: true, changedFiles: 3, totalFiles: 9 });
    expect(summary(round, {})).toMatch(/^3 files of this pull request changed since the last review\./);
  });
});

describe("the model's texts", () => {
  const texts = {
    summary: 'Reads the limit from the query',
    workingWell: 'One parser.',
    issueConformance: 'Done.',
  };

  test('get the judgement of what was found', () => {
    expect(judgedTexts(texts, resultOf(sampleRound(), { correctness: [nan] }))).toEqual({
      ...texts,
      summary: 'Reads the limit from the query. 1 critical point must be fixed first.',
    });
  });

  test('are judged by what is still open, too', () => {
    const still = resultOf(sampleRound(), { correctness: [nan] }).changes.added;
    const nothing = resultOf(sampleRound(), {});
    const result = { ...nothing, changes: { ...nothing.changes, still } };
    expect(judgedTexts(texts, result).summary).toMatch(/ 1 critical point must be fixed first\.$/);
  });

  test('T-067 praise nothing where nothing is open', () => {
    expect(judgedTexts(texts, resultOf(sampleRound(), {}))).toEqual({
      summary: texts.summary,
      issueConformance: texts.issueConformance,
    });
  });
});
