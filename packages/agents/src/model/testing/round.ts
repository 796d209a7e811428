import type { ChangedFile, Hunk } from '../../review/changed-file.ts';
import type { RoundInput } from '../../review/round.ts';
import { roundInput } from '../../review/testing/builders.ts';

/** A small round for tests of prompts: one file with one new line, unless told otherwise. */
export function sampleRound(over: Partial<RoundInput> = {}): RoundInput {
  const files = over.files ?? [sampleFile('src/limit.ts', ['export const limit = Number(input);'])];
  const { pr, ...round } = roundInput([]);
  return {
    ...round,
    pr: {
      ...pr,
      title: 'Read the limit from the query',
      body: 'So that callers can choose.',
      labels: ['api'],
    },
    changedFiles: files.length,
    totalFiles: files.length,
    rules: [{ path: 'AGENTS.md', text: 'Numbers are parsed by one function.' }],
    ...over,
    files,
  };
}

/** An added file with these lines. */
export function sampleFile(
  path: string,
  lines: readonly string[],
  over: Partial<ChangedFile> = {},
): ChangedFile {
  const hunk: Hunk = {
    oldStart: 0,
    newStart: 1,
    isNew: true,
    lines: lines.map((text, index) => ({ kind: 'add', text, newLine: index + 1 })),
  };
  return { path, status: 'added', additions: lines.length, deletions: 0, hunks: [hunk], ...over };
}
