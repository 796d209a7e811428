/**
 * Files, rounds and outcomes for tests, with only what a test is about.
 *
 * @module
 */
import { structuredPatch } from 'diff';
import { ASPECTS, type Aspect, type Sha } from '../../ids.ts';
import type { RawFile } from '../changed-file.ts';
import { indexFile } from '../diff-index.ts';
import type { Finding } from '../finding.ts';
import type { RoundInput, WorkerOutcome } from '../round.ts';

/** A commit id of one repeated digit. */
export function sha(digit: string): Sha {
  return digit.repeat(40) as Sha;
}

/** GitHub's `patch` for two texts; `undefined` where no line differs. */
export function patchOf(before: string, after: string): string | undefined {
  const { hunks } = structuredPatch('a', 'b', before, after, undefined, undefined, { context: 3 });
  if (hunks.length === 0) return undefined;
  return hunks
    .map((hunk) => {
      const header = `@@ -${start(hunk.oldStart, hunk.oldLines)},${hunk.oldLines} +${start(hunk.newStart, hunk.newLines)},${hunk.newLines} @@`;
      return [header, ...hunk.lines].join('\n');
    })
    .join('\n');
}

/** An empty side is numbered from the line before it. */
function start(line: number, count: number): number {
  return count === 0 ? line - 1 : line;
}

/** An entry of GitHub's `files` for two texts of one file. */
export function rawFile(path: string, before: string, after: string, extra: Partial<RawFile> = {}): RawFile {
  const patch = patchOf(before, after);
  const lines = patch?.split('\n') ?? [];
  return {
    path,
    status: before === '' ? 'added' : after === '' ? 'removed' : 'modified',
    additions: lines.filter((line) => line.startsWith('+')).length,
    deletions: lines.filter((line) => line.startsWith('-')).length,
    ...(patch === undefined ? {} : { patch }),
    ...extra,
  };
}

/** `count` different lines, each with its line end. */
export function numbered(count: number, label = 'line'): string {
  return Array.from({ length: count }, (_, index) => `${label} ${index + 1}\n`).join('');
}

export function finding(file: string, message: string, extra: Partial<Finding> = {}): Finding {
  return { severity: 'important', file, message, ...extra };
}

/** A first round over `files`, unless `extra` says otherwise. */
export function roundInput(files: readonly RawFile[], extra: Partial<RoundInput> = {}): RoundInput {
  const headSha = extra.headSha ?? sha('b');
  return {
    pr: {
      owner: 'acme',
      repo: 'shop',
      number: 7,
      title: 'Add a basket',
      body: '',
      author: 'ada',
      authorIsBot: false,
      headSha,
      baseRef: 'main',
      baseSha: sha('a'),
      draft: false,
      open: true,
      locked: false,
      labels: [],
    },
    baseSha: sha('a'),
    headSha,
    incremental: false,
    files: files.map((file) => indexFile(file)),
    totalFiles: files.length,
    listComplete: true,
    behindBy: 0,
    gonePaths: [],
    carried: [],
    otherFiles: [],
    changedFiles: files.length,
    rules: [],
    ...extra,
  };
}

/** Six workers that are done, with what some of them found. */
export function allDone(found: Partial<Record<Aspect, readonly Finding[]>> = {}): readonly WorkerOutcome[] {
  return ASPECTS.map((aspect) => ({ aspect, status: 'done', findings: found[aspect] ?? [] }));
}
