import { describe, expect, test } from 'vitest';
import { ASPECTS } from '../ids.ts';
import type { Finding } from '../review/finding.ts';
import { plainTexts } from './plain-texts.ts';
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
    expect(summary(round, {})).toMatch(/^Changes 5 files \(\+10 −0\), in `packages\/api` and `docs`\. /);
    expect(summary(sampleRound(), {})).toMatch(/^Changes 1 file \(\+1 −0\), in `src`\. /);
    const root = sampleRound({ files: [sampleFile('README.md', ['one'])] });
    expect(summary(root, {})).toMatch(/^Changes 1 file \(\+1 −0\)\. /);
  });

  test('says that nothing was found only where everything was looked at', () => {
    expect(summary(sampleRound(), {})).toMatch(/All six aspects were looked at, and nothing was found\.$/);
  });

  test('T-116 names what was not looked at', () => {
    const outcomes = ASPECTS.map((aspect) =>
      aspect === 'security'
        ? { aspect, status: 'failed' as const, why: 'x' }
        : { aspect, status: 'done' as const, findings: [] },
    );
    const binary = sampleFile('logo.png', [], { unread: 'binary', hunks: [] });
    const round = sampleRound({ files: [...sampleRound().files, binary], listComplete: false });
    expect(summary(round, {}, { outcomes })).toMatch(
      /Nothing was found in what was looked at\. Not the whole picture: security not reviewed; 1 file not read; the list of files cut by GitHub\.$/,
    );
  });

  test('judges by the worst finding', () => {
    expect(summary(sampleRound(), { perf: [slow], correctness: [nan] })).toMatch(
      /1 critical point must be fixed first, and 1 important one should be\.$/,
    );
    expect(summary(sampleRound(), { perf: [slow], conventions: [name] })).toMatch(
      /1 important point should be fixed\.$/,
    );
    expect(summary(sampleRound(), { conventions: [name] })).toMatch(
      /Nothing stands in its way; 1 suggestion\.$/,
    );
  });

  test('of a follow-up says what changed since', () => {
    const round = sampleRound({ incremental: true, changedFiles: 3, totalFiles: 9 });
    expect(summary(round, {})).toMatch(/^3 files of this pull request changed since the last review\./);
  });
});

describe('the status of earlier findings', () => {
  const followUp = sampleRound({ incremental: true });

  test('counts by state', () => {
    const before = { correctness: [nan], perf: [slow] };
    expect(plainTexts(resultOf(followUp, { perf: [slow] }, { before })).previousStatus).toBe(
      'Of the earlier findings: 1 fixed, 1 still open.',
    );
  });

  test('is absent where there were none', () => {
    expect(plainTexts(resultOf(followUp, { perf: [slow] })).previousStatus).toBeUndefined();
  });

  test('tells a finding that was not repeated from one that was fixed', () => {
    const seen = followUp.files.map((file) => ({
      ...file,
      hunks: file.hunks.map((hunk) => ({ ...hunk, isNew: false })),
    }));
    const same = { ...followUp, files: seen };
    expect(plainTexts(resultOf(same, {}, { before: { correctness: [nan] } })).previousStatus).toBe(
      'Of the earlier findings: 1 not found again, although the code is the same.',
    );
  });
});
