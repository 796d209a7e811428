/**
 * What a round shows of the code that an entry is about: whether it was mended, left the PR, or is as it was.
 *
 * @module
 */
import type { ItemId } from '../conversation/item.ts';
import type { Aspect } from '../ids.ts';
import type { Aggregation, PlacedFinding } from './aggregate.ts';
import { withoutBlanks } from './anchor.ts';
import type { Decision } from './answer.ts';
import type { ChangedFile } from './changed-file.ts';
import { commentableLines } from './diff-index.ts';
import { SEVERITIES } from './finding.ts';
import { type FixedBecause, isDecided, type LedgerEntry } from './ledger-entry.ts';
import { isLost, isReadFor } from './ledger-follow.ts';
import type { RoundInput } from './round.ts';
import { SAME_LINE_SIMILARITY, similarity } from './wording.ts';

/** A round that is to be entered. */
export interface LedgerRound {
  readonly aggregation: Aggregation;
  readonly input: RoundInput;
  /** Counts the published reviews of the PR, from 1. */
  readonly iteration: number;
  /** When the conversation was read, in milliseconds since the epoch: nobody spoke of what the round found before. */
  readonly readAtMs?: number;
  /** What follows from people's answers; of several about one finding, the first that counts. Default: none. */
  readonly decisions?: readonly Decision[];
  /** Threads that are not resolved now, so that what their resolving decided is undone. Default: none. */
  readonly reopenedItems?: ReadonlySet<ItemId>;
}

/** Why an entry that was not said again is no longer open; `undefined` where it still is. */
export function whyFixed(entry: LedgerEntry, { aggregation, input }: LedgerRound): FixedBecause | undefined {
  const path = entry.finding.file;
  // A list that GitHub cut does not tell which files are gone.
  if (input.listComplete && (input.gonePaths.includes(path) || isGone(entry, input))) return 'gone';
  const file = fileOf(entry, input);
  if (file?.status === 'removed' && entry.place.kind !== 'removed') return 'gone';
  if (!entry.aspects.every((aspect) => isDone(aggregation, aspect))) return undefined;
  if (file !== undefined) {
    if (!isReadFor(entry, file)) return undefined;
    return isUntouched(entry, file, input) ? 'not-repeated' : 'changed';
  }
  // It never stood in a file of the PR, so that no push brings its file into the range.
  return entry.place.kind === 'outside' && aggregation.files.read > 0 ? 'not-repeated' : undefined;
}

/** The file of an entry, where the round reviews it. */
export function fileOf(entry: LedgerEntry, input: RoundInput): ChangedFile | undefined {
  return input.files.find((candidate) => candidate.path === entry.finding.file);
}

/** Its file is in no list, although both lists together are the whole PR. */
function isGone(entry: LedgerEntry, { files, otherFiles, totalFiles }: RoundInput): boolean {
  if (entry.place.kind === 'outside' || files.length + otherFiles.length !== totalFiles) return false;
  return ![...files, ...otherFiles].some((file) => file.path === entry.finding.file);
}

function isDone(aggregation: Aggregation, aspect: Aspect): boolean {
  return aggregation.coverage.some((covered) => covered.aspect === aspect && covered.status === 'done');
}

/** Whether the line that an entry points to is what it was. A full round does not know what is new. */
function isUntouched(entry: LedgerEntry, file: ChangedFile, input: RoundInput): boolean {
  if (entry.place.kind !== 'line' || isLost(entry, file)) return false;
  return !input.incremental || !isNewLine(file, entry.finding.line);
}

function isNewLine(file: ChangedFile, line: number | undefined): boolean {
  return commentableLines(file).find((candidate) => candidate.line === line)?.isNew !== false;
}

/**
 * Whether an entry that was found again is about the code that it was about: the same text in its line; for one
 * about a whole file, no change in that file since the last review.
 */
export function isSameCode(entry: LedgerEntry, found: PlacedFinding, input: RoundInput): boolean {
  const file = fileOf(entry, input);
  if (entry.place.kind !== 'line') {
    // A full round does not know what is new.
    return !input.incremental || !(file?.hunks.some((hunk) => hunk.isNew) ?? false);
  }
  if (isOnText(entry, found)) return true;
  return file === undefined || !isLost(entry, file);
}

/**
 * Whether a finding that resembles a decided entry is another one all the same, since what was decided must not
 * hide what nobody has seen: it is graver and says something else, or the entry's line stands and this one is new.
 */
export function isAnother(found: PlacedFinding, entry: LedgerEntry, input: RoundInput): boolean {
  if (!isDecided(entry)) return false;
  const rank = (finding: PlacedFinding['finding']) => SEVERITIES.indexOf(finding.severity);
  const isGraver = rank(found.finding) < rank(entry.finding);
  if (isGraver && similarity(found.finding.message, entry.finding.message) < SAME_LINE_SIMILARITY)
    return true;
  if (entry.place.kind !== 'line' || found.place.kind !== 'line' || isOnText(entry, found)) return false;
  const file = fileOf(entry, input);
  return file !== undefined && !isLost(entry, file) && isNewLine(file, found.finding.line);
}

function isOnText({ place }: LedgerEntry, found: PlacedFinding): boolean {
  return (
    place.kind === 'line' &&
    found.place.kind === 'line' &&
    withoutBlanks(place.text) === withoutBlanks(found.place.text)
  );
}
