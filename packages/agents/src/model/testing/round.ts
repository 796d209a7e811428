import type { Sha } from '../../ids.ts';
import type { ChangedFile, Hunk } from '../../review/changed-file.ts';
import type { RoundInput } from '../../review/round.ts';

/** A small round for tests: one file with one new line, unless told otherwise. */
export function sampleRound(over: Partial<RoundInput> = {}): RoundInput {
  const files = over.files ?? [sampleFile('src/limit.ts', ['export const limit = Number(input);'])];
  return {
    pr: {
      owner: 'octo',
      repo: 'demo',
      number: 7,
      title: 'Read the limit from the query',
      body: 'So that callers can choose.',
      author: 'mona',
      authorIsBot: false,
      headSha: 'b'.repeat(40) as Sha,
      baseRef: 'main',
      baseSha: 'a'.repeat(40) as Sha,
      draft: false,
      open: true,
      locked: false,
      labels: ['api'],
    },
    baseSha: 'a'.repeat(40) as Sha,
    headSha: 'b'.repeat(40) as Sha,
    incremental: false,
    otherFiles: [],
    changedFiles: files.length,
    totalFiles: files.length,
    listComplete: true,
    gonePaths: [],
    carried: [],
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
