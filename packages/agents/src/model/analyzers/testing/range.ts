/**
 * Ranges for the tests of the analyzers: contents before and after become changed files.
 *
 * @module
 */
import { structuredPatch } from 'diff';
import { type Aspect, isAspect } from '../../../ids.ts';
import type { ChangedFile, Hunk, HunkLine } from '../../../review/changed-file.ts';
import type { Finding } from '../../../review/finding.ts';
import { lockReader } from '../../../review/lock-formats.ts';
import { type AnalysisInput, analyze } from '../index.ts';
import { checkWording } from './check-wording.ts';

/** A file before and after; `null`: it does not exist. A string alone is a new file. */
export type Change = string | { readonly before: string | null; readonly after: string | null };

/** A range, with the changed files and others that exist at head. */
export function rangeOf(
  changes: Readonly<Record<string, Change>>,
  others: Readonly<Record<string, string>> = {},
): AnalysisInput {
  const entries = Object.entries(changes).map(([path, change]) => {
    const { before, after } = typeof change === 'string' ? { before: null, after: change } : change;
    return { path, before, after };
  });
  const head = new Map<string, string | null>(Object.entries(others));
  for (const { path, after } of entries) head.set(path, after);
  return {
    files: entries.map(({ path, before, after }) => changedFile(path, before, after)),
    readFile: async (path) => head.get(path) ?? undefined,
  };
}

/** A changed file with hunks as git would show them, three lines of context around. Lock files are not read. */
export function changedFile(path: string, before: string | null, after: string | null): ChangedFile {
  const patch = structuredPatch(path, path, before ?? '', after ?? '', '', '', { context: 3 });
  const hunks = patch.hunks.map(({ oldStart, newStart, lines }): Hunk => {
    return { oldStart, newStart, isNew: true, lines: numbered(lines, oldStart, newStart) };
  });
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return {
    path,
    status: before === null ? 'added' : after === null ? 'removed' : 'modified',
    additions: lines.filter((line) => line.kind === 'add').length,
    deletions: lines.filter((line) => line.kind === 'del').length,
    hunks,
    ...(lockReader(path) === undefined ? {} : { unread: 'generated' }),
  };
}

/**
 * What one rule (`aspect/rule-id`) finds.
 * @throws Error where a message is not made as the comment needs it, so that each fixture of a rule checks it
 */
export async function findingsOf(rule: string, input: AnalysisInput): Promise<readonly Finding[]> {
  const findings = (await analyze(aspectOf(rule), input)).filter((finding) =>
    finding.evidence?.includes(` ${rule}.`),
  );
  for (const { message } of findings) checkWording(message);
  return findings;
}

/** Lines on which one rule finds something in a file of this content, all of it added; folded ones as well. */
export async function linesFound(
  rule: string,
  code: string,
  path = 'src/code.ts',
): Promise<readonly number[]> {
  const findings = await findingsOf(rule, rangeOf({ [path]: code }));
  return findings.flatMap(({ line, message }) => [line ?? 0, ...foldedLines(message)]);
}

function foldedLines(message: string): readonly number[] {
  const [, lines = ''] = / of this file: lines? (.*)\.$/.exec(message) ?? [];
  return (lines.match(/\d+/g) ?? []).map(Number);
}

function aspectOf(rule: string): Aspect {
  const [aspect = ''] = rule.split('/');
  if (!isAspect(aspect)) throw new Error(`No aspect in ${rule}`);
  return aspect;
}

function numbered(lines: readonly string[], oldStart: number, newStart: number): readonly HunkLine[] {
  let oldLine = oldStart;
  let newLine = newStart;
  return lines.flatMap((line): readonly HunkLine[] => {
    const text = line.slice(1);
    if (line.startsWith('+')) return [{ kind: 'add', text, newLine: newLine++ }];
    if (line.startsWith('-')) return [{ kind: 'del', text, oldLine: oldLine++ }];
    if (line.startsWith(' ')) return [{ kind: 'context', text, oldLine: oldLine++, newLine: newLine++ }];
    return [];
  });
}
