/**
 * What every rule of the built-in analyzers works with: the range as a rule sees it, and the form of a rule.
 *
 * @module
 */
import { parse, type SgNode } from '@ast-grep/napi';
import pLimit from 'p-limit';
import type { Aspect } from '../../ids.ts';
import { addedLines, type ChangedFile } from '../../review/changed-file.ts';
import type { Finding } from '../../review/finding.ts';
import { isDigested } from '../../review/lock-digest.ts';
import { languageOf } from './paths.ts';

/**
 * What {@link analyze} judges. A hunk that is not new is context, not a subject: to learn which earlier hits
 * still stand, pass the whole range with every hunk marked as new.
 */
export interface AnalysisInput {
  /** All files of the range, also those that nobody reads: a rule about what is missing must know them. */
  readonly files: readonly ChangedFile[];
  /** Content at the head sha; `undefined` where the file is absent or not text. */
  readonly readFile: (path: string) => Promise<string | undefined>;
}

/** The range as rules see it. Reads and parses are shared between the rules of one call. */
export interface RangeView {
  /** The files about which a rule may say something. */
  readonly files: readonly ChangedFile[];
  /** Lock files, which are told by their digest and read by nobody. */
  readonly lockFiles: readonly ChangedFile[];
  /** Every changed path, unread ones included. */
  readonly paths: ReadonlySet<string>;
  /** {@link newLines} of a file of the range. */
  readonly newLines: (file: ChangedFile) => readonly AddedLine[];
  readonly read: (path: string) => Promise<string | undefined>;
  /** The syntax tree at head; `undefined` for other languages, generated, oversized and absent files. */
  readonly parse: (path: string) => Promise<SgNode | undefined>;
}

/** One thing that the analyzers know how to see, on new added lines. */
export interface Rule {
  /** Unique within its aspect, kebab-case. */
  readonly id: string;
  readonly aspect: Aspect;
  readonly run: (range: RangeView) => Promise<readonly Finding[]>;
  /** Whether it will open a file with these new lines; a rule that opens other files only leaves it out. */
  readonly opens?: (path: string, added: readonly AddedLine[]) => boolean;
}

/** An added line with its number on the new side. */
export interface AddedLine {
  readonly line: number;
  readonly text: string;
}

/** Parsing costs about 12 ms for 300 dense lines; beyond this many characters a file is hardly hand-written. */
const MAX_PARSED_CHARS = 200_000;
const MAX_PARALLEL_READS = 8;
const GENERATED_MARK = /@generated\b|\bDO NOT EDIT\b/;
const GENERATED_MARK_WITHIN_CHARS = 1_000;

/** Opens a view on a range; nothing is read before a rule asks. */
export function viewRange(input: AnalysisInput): RangeView {
  const limit = pLimit(MAX_PARALLEL_READS);
  const read = memoized((path: string) => limit(() => input.readFile(path)));
  return {
    files: input.files.filter((file) => file.unread === undefined),
    lockFiles: input.files.filter(isDigested),
    paths: new Set(input.files.map((file) => file.path)),
    newLines: memoized(newLines),
    read,
    parse: memoized(async (path: string) => parseSource(path, await read(path))),
  };
}

/** The added lines of the hunks that changed since the last published review. */
export function newLines(file: ChangedFile): readonly AddedLine[] {
  return addedLines({ ...file, hunks: file.hunks.filter((hunk) => hunk.isNew) });
}

function parseSource(path: string, content: string | undefined): SgNode | undefined {
  const language = languageOf(path);
  if (language === undefined || content === undefined || content.length > MAX_PARSED_CHARS) return undefined;
  if (GENERATED_MARK.test(content.slice(0, GENERATED_MARK_WITHIN_CHARS))) return undefined;
  return parse(language, content).root();
}

function memoized<K, T>(load: (key: K) => T): (key: K) => T {
  const known = new Map<K, T>();
  return (key) => {
    const earlier = known.get(key);
    if (earlier !== undefined) return earlier;
    const value = load(key);
    known.set(key, value);
    return value;
  };
}
