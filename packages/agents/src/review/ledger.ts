/**
 * The findings of a PR over all its rounds: each with an identity that survives pushes, and a state. Nothing
 * is ever taken out (S2); what the comment says about earlier findings is read from here and is therefore
 * true.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import type { Aspect } from '../ids.ts';
import type { Aggregation, PlacedFinding } from './aggregate.ts';
import { withoutBlanks } from './anchor.ts';
import type { ChangedFile } from './changed-file.ts';
import { commentableLines } from './diff-index.ts';
import type { FindingId, FixedBecause, Ledger, LedgerEntry } from './ledger-entry.ts';
import { followCode, isLost, isReadFor, withoutLine } from './ledger-follow.ts';
import { matchFindings } from './ledger-match.ts';
import type { RoundInput } from './round.ts';
import { normalised } from './wording.ts';

/** A round that is to be entered. */
export interface LedgerRound {
  readonly aggregation: Aggregation;
  readonly input: RoundInput;
  /** Counts the published reviews of the PR, from 1. */
  readonly iteration: number;
}

/** What a round did to the ledger. Every open entry is in one of the first three lists. */
export interface LedgerChanges {
  readonly added: readonly LedgerEntry[];
  /** Fixed before, and found again. */
  readonly reopened: readonly LedgerEntry[];
  readonly still: readonly LedgerEntry[];
  readonly fixed: readonly LedgerEntry[];
}

/**
 * Enters a round. An entry closes only when its file was read and every aspect that had said it was done and
 * did not say it again, or when its code left the PR. Entering the same round again changes nothing.
 */
export function updateLedger(
  ledger: Ledger,
  round: LedgerRound,
): { readonly ledger: Ledger; readonly changes: LedgerChanges } {
  const followed = followCode(ledger, round.input);
  const matches = matchFindings(round.aggregation.findings, followed);
  const findingOf = new Map([...matches].map(([finding, entry]) => [entry, finding]));
  const known = followed.map((entry) => {
    const finding = findingOf.get(entry);
    return finding === undefined ? settle(entry, round) : renew(entry, finding, round);
  });
  const next = [...known];
  const ids = new Set<string>(ledger.map(({ id }) => id));
  for (const finding of round.aggregation.findings) {
    if (matches.has(finding)) continue;
    const entry = open(finding, round, ids);
    ids.add(entry.id);
    next.push(entry);
  }
  return { ledger: next, changes: changesOf(next, round.iteration) };
}

function changesOf(ledger: Ledger, iteration: number): LedgerChanges {
  const open = ledger.filter((entry) => entry.state === 'open');
  const fresh = open.filter((entry) => entry.openedIteration === iteration);
  return {
    added: fresh.filter((entry) => entry.firstIteration === iteration),
    reopened: fresh.filter((entry) => entry.firstIteration !== iteration),
    still: open.filter((entry) => entry.openedIteration !== iteration),
    fixed: ledger.filter((entry) => entry.state === 'fixed' && entry.fixedIteration === iteration),
  };
}

function renew(entry: LedgerEntry, found: PlacedFinding, { input, iteration }: LedgerRound): LedgerEntry {
  const { id, firstSha, firstIteration } = entry;
  return {
    ...atKnownPlace(entry, found, input),
    id,
    firstSha,
    firstIteration,
    lastSha: input.headSha,
    openedIteration: entry.state === 'open' ? entry.openedIteration : iteration,
    state: 'open',
  };
}

/** Said again of a file of the PR that is not in this range: its place is where it was. */
function atKnownPlace(entry: LedgerEntry, found: PlacedFinding, input: RoundInput): PlacedFinding {
  const isUnchanged = input.otherFiles.some((candidate) => candidate.path === entry.finding.file);
  if (found.place.kind !== 'outside' || !isUnchanged) return found;
  const { line: _guessed, ...said } = found.finding;
  const { file, line } = entry.finding;
  const finding = { ...said, file, ...(line === undefined ? {} : { line }) };
  return { aspects: found.aspects, place: entry.place, finding };
}

/** What becomes of an entry that was not said again. */
function settle(entry: LedgerEntry, round: LedgerRound): LedgerEntry {
  if (entry.state === 'fixed') return entry;
  const because = whyFixed(entry, round);
  if (because !== undefined) {
    return { ...entry, state: 'fixed', fixedIteration: round.iteration, fixedBecause: because };
  }
  const file = round.input.files.find((candidate) => candidate.path === entry.finding.file);
  const wasRead = file !== undefined && isReadFor(entry, file);
  return wasRead && isLost(entry, file) ? withoutLine(entry) : entry;
}

function whyFixed(entry: LedgerEntry, { aggregation, input }: LedgerRound): FixedBecause | undefined {
  const path = entry.finding.file;
  // A list that GitHub cut does not tell which files are gone.
  if (input.listComplete && (input.gonePaths.includes(path) || isGone(entry, input))) return 'gone';
  const file = input.files.find((candidate) => candidate.path === path);
  if (file?.status === 'removed' && entry.place.kind !== 'removed') return 'gone';
  if (!entry.aspects.every((aspect) => isDone(aggregation, aspect))) return undefined;
  if (file !== undefined) {
    if (!isReadFor(entry, file)) return undefined;
    return isUntouched(entry, file, input) ? 'not-repeated' : 'changed';
  }
  // It never stood in a file of the PR, so that no push brings its file into the range.
  return entry.place.kind === 'outside' && aggregation.files.read > 0 ? 'not-repeated' : undefined;
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
  const line = commentableLines(file).find((candidate) => candidate.line === entry.finding.line);
  return !input.incremental || line?.isNew === false;
}

function open(
  found: PlacedFinding,
  { input, iteration }: LedgerRound,
  taken: ReadonlySet<string>,
): LedgerEntry {
  return {
    ...found,
    id: newId(found, taken),
    firstSha: input.headSha,
    lastSha: input.headSha,
    firstIteration: iteration,
    openedIteration: iteration,
    state: 'open',
  };
}

/** A hash of what the finding points to, and of how many entries point to the same. */
function newId({ finding, place }: PlacedFinding, taken: ReadonlySet<string>): FindingId {
  const anchor =
    place.kind === 'line' ? ['line', withoutBlanks(place.text)] : ['file', normalised(finding.message)];
  for (let occurrence = 0; ; occurrence += 1) {
    const key = JSON.stringify([finding.file, ...anchor, occurrence]);
    const id = createHash('sha256').update(key).digest('hex').slice(0, 16);
    if (!taken.has(id)) return id as FindingId;
  }
}
