/**
 * Outcomes of the six workers → one list of checked findings, and what was looked at.
 *
 * @module
 */
import { ASPECTS, type Aspect } from '../ids.ts';
import { findLine } from './anchor.ts';
import type { ChangedFile, Unread } from './changed-file.ts';
import { commentableLines } from './diff-index.ts';
import { type Finding, SEVERITIES } from './finding.ts';
import { isReadBy } from './lock-digest.ts';
import type { RoundInput, WorkerOutcome } from './round.ts';
import { SAME_FILE_SIMILARITY, SAME_LINE_SIMILARITY, similarity } from './wording.ts';

/** What became of one aspect. `why` is the worker's sentence, written for people. */
export type AspectCoverage =
  | { readonly aspect: Aspect; readonly status: 'done' }
  | { readonly aspect: Aspect; readonly status: 'partial' | 'failed'; readonly why: string };

/**
 * Where a finding points: a line that the diff shows, a file as a whole (its line was not given, or could not
 * be found), a file that this PR removes, or a file that was not in the range.
 */
export type Place =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'file' | 'removed' | 'outside' };

/** A finding that was checked against the range; `finding.line` is there exactly when `place` is a line. */
export interface PlacedFinding {
  /** Who found it, first the one whose words these are; never empty. */
  readonly aspects: readonly Aspect[];
  readonly finding: Finding;
  readonly place: Place;
}

/** Which files were read (S5). `unread` names those of the whole PR. */
export interface FilesRead {
  readonly read: number;
  /** How many files the range has. */
  readonly inRange: number;
  /** How many the whole PR changes. */
  readonly inPr: number;
  /** False where GitHub cut the list of files. */
  readonly listComplete: boolean;
  readonly unread: readonly { readonly path: string; readonly why: Unread }[];
}

/** What a round came to. */
export interface Aggregation {
  /** All six, in their order. */
  readonly coverage: readonly AspectCoverage[];
  /** Worst first. */
  readonly findings: readonly PlacedFinding[];
  readonly files: FilesRead;
  /** Findings about files that nobody read: they are claims without a ground, and left out. */
  readonly droppedUnread: number;
}

/** Checks, merges and ranks what the workers said. An aspect without an outcome has failed. */
export function aggregate(outcomes: readonly WorkerOutcome[], input: RoundInput): Aggregation {
  const resolve = fileResolver(input.files);
  const placed: PlacedFinding[] = [];
  let droppedUnread = 0;
  for (const aspect of ASPECTS) {
    const outcome = outcomes.find((candidate) => candidate.aspect === aspect);
    if (outcome === undefined || outcome.status === 'failed') continue;
    for (const finding of outcome.findings) {
      const file = resolve(finding.file);
      if (file === undefined || isReadBy(file, aspect))
        placed.push({ aspects: [aspect], ...place(finding, file) });
      else droppedUnread += 1;
    }
  }
  return {
    coverage: ASPECTS.map((aspect) => coverageOf(aspect, outcomes)),
    findings: merge(placed.toSorted(bySeverity)),
    files: filesRead(input),
    droppedUnread,
  };
}

function coverageOf(aspect: Aspect, outcomes: readonly WorkerOutcome[]): AspectCoverage {
  const outcome = outcomes.find((candidate) => candidate.aspect === aspect);
  if (outcome === undefined) return { aspect, status: 'failed', why: 'it gave no answer in time' };
  return outcome.status === 'done'
    ? { aspect, status: 'done' }
    : { aspect, status: outcome.status, why: outcome.why };
}

function filesRead(input: RoundInput): FilesRead {
  const unread = unreadOf(input.files);
  return {
    read: input.files.length - unread.length,
    inRange: input.files.length,
    inPr: input.totalFiles,
    listComplete: input.listComplete,
    // Those outside the range were not read in earlier rounds either.
    unread: [...unread, ...unreadOf(input.otherFiles)],
  };
}

function unreadOf(files: readonly ChangedFile[]): FilesRead['unread'] {
  return files.flatMap(({ path, unread: why }) => (why === undefined ? [] : [{ path, why }]));
}

/** Finds the file that a reviewer means, who may write it with a prefix of the diff or under its old name. */
function fileResolver(files: readonly ChangedFile[]): (path: string) => ChangedFile | undefined {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const byOldPath = new Map(files.flatMap((file) => (file.previousPath ? [[file.previousPath, file]] : [])));
  return (path) => {
    const bare = path.trim().replace(/^(?:\.?\/)+/, '');
    return (
      byPath.get(path) ?? byPath.get(bare) ?? byPath.get(bare.replace(/^[ab]\//, '')) ?? byOldPath.get(bare)
    );
  };
}

/** Points a finding to what the diff shows. A bad anchor costs the anchor, never the finding (T-090). */
function place(finding: Finding, file: ChangedFile | undefined): Pick<PlacedFinding, 'finding' | 'place'> {
  const { line: _claimed, ...rest } = finding;
  if (file === undefined) return { finding: rest, place: { kind: 'outside' } };
  const inFile = { ...rest, file: file.path };
  if (file.status === 'removed') return { finding: inFile, place: { kind: 'removed' } };
  const found = findLine(commentableLines(file), finding);
  if (found === undefined) return { finding: inFile, place: { kind: 'file' } };
  return { finding: { ...inFile, line: found.line }, place: { kind: 'line', text: found.text } };
}

function bySeverity(a: PlacedFinding, b: PlacedFinding): number {
  return SEVERITIES.indexOf(a.finding.severity) - SEVERITIES.indexOf(b.finding.severity);
}

/**
 * Folds what several workers say about one line into one finding that names them all (T-002). The findings
 * come worst first, so the gravest wording and severity stay.
 */
function merge(findings: readonly PlacedFinding[]): readonly PlacedFinding[] {
  const merged: PlacedFinding[] = [];
  for (const next of findings) {
    const index = merged.findIndex((kept) => isSameRemark(kept, next));
    const kept = merged[index];
    if (kept === undefined) merged.push(next);
    else merged[index] = fold(kept, next);
  }
  return merged;
}

function isSameRemark(a: PlacedFinding, b: PlacedFinding): boolean {
  if (a.finding.file !== b.finding.file || a.finding.line !== b.finding.line) return false;
  const needed = a.finding.line === undefined ? SAME_FILE_SIMILARITY : SAME_LINE_SIMILARITY;
  return similarity(a.finding.message, b.finding.message) >= needed;
}

function fold(kept: PlacedFinding, other: PlacedFinding): PlacedFinding {
  return {
    ...kept,
    // What the first left out (a fix, an impact) the other may have.
    finding: { ...other.finding, ...kept.finding },
    aspects: [...new Set([...kept.aspects, ...other.aspects])],
  };
}
