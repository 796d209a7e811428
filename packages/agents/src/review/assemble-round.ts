/**
 * Puts a round's input together from comparisons and facts, whoever read them.
 *
 * @module
 */
import type { Sha } from '../ids.ts';
import type { RawFile } from './changed-file.ts';
import { indexFile } from './diff-index.ts';
import { computeRange } from './range.ts';
import type { PrFacts, RoundInput, RuleFile } from './round.ts';
import { selectForReview } from './select.ts';

const NO_LIMIT = Number.POSITIVE_INFINITY;

/** What {@link assembleRound} puts together. */
export interface RoundParts {
  readonly pr: PrFacts;
  readonly headSha: Sha;
  readonly baseSha: Sha;
  /** The PR's files at the last published review; `undefined` in a first or full round. */
  readonly before: readonly RawFile[] | undefined;
  /** The PR's files at the head. */
  readonly now: readonly RawFile[];
  /** How many files the PR changes; more than `now` has where GitHub does not list all of them. */
  readonly totalFiles: number;
  readonly listComplete: boolean;
  readonly behindBy: number;
  readonly rules: readonly RuleFile[];
  /** Whether all files are judged again, or only those that changed. */
  readonly wholePr: boolean;
}

/** Builds a round's input. */
export function assembleRound(parts: RoundParts): RoundInput {
  const { before, now, wholePr } = parts;
  const range = computeRange(before ?? [], now);
  const changed = new Set(range.files.map((file) => file.path));
  // An unchanged file is compared with itself, so that all its hunks are marked as known.
  const others = now.filter((file) => !changed.has(file.path)).map((file) => indexFile(file, file));
  return {
    pr: parts.pr,
    baseSha: parts.baseSha,
    headSha: parts.headSha,
    incremental: before !== undefined,
    // The budget is that of a prompt; analyzers read everything.
    files: wholePr ? selectForReview([...range.files, ...others], NO_LIMIT) : selectForReview(range.files),
    otherFiles: wholePr ? [] : selectForReview(others, NO_LIMIT),
    changedFiles: range.files.length + range.gonePaths.length,
    totalFiles: parts.totalFiles,
    listComplete: parts.listComplete,
    behindBy: parts.behindBy,
    gonePaths: range.gonePaths,
    carried: range.carried,
    rules: parts.rules,
  };
}
