/**
 * The findings of a PR over all its rounds: each with an identity that survives pushes, and a state. Nothing
 * is ever taken out (S2); what the comment says about earlier findings is read from here and is therefore
 * true.
 *
 * @module
 */

import { createHash } from 'node:crypto';
import type { FindingId } from '../ids.ts';
import type { PlacedFinding } from './aggregate.ts';
import { withoutBlanks } from './anchor.ts';
import { isAnother, type LedgerRound } from './ledger-code.ts';
import { type DecidedEntry, isDecided, type Ledger, type LedgerEntry } from './ledger-entry.ts';
import { followCode } from './ledger-follow.ts';
import { afterRound, heardAgain } from './ledger-life.ts';
import { matchFindings } from './ledger-match.ts';
import { normalised } from './wording.ts';

export type { LedgerRound };

/** What a round did to the ledger. Every open entry is in one of the first three lists. */
export interface LedgerChanges {
  readonly added: readonly LedgerEntry[];
  /** Closed before, and found again, or a thread about it was opened again. */
  readonly reopened: readonly LedgerEntry[];
  readonly still: readonly LedgerEntry[];
  readonly fixed: readonly LedgerEntry[];
  /** In this round; those of earlier rounds stand in the ledger. */
  readonly disputed: readonly DecidedEntry[];
  /** In this round. */
  readonly withdrawn: readonly DecidedEntry[];
}

/**
 * Enters a round. An entry is fixed only when its file was read and every aspect that had said it was done and
 * did not say it again, or when its code left the PR. What people decided against an entry stands until its code
 * is another one or their thread is open again; meanwhile it is not raised. Entering the same round again changes
 * nothing.
 */
export function updateLedger(
  ledger: Ledger,
  round: LedgerRound,
): { readonly ledger: Ledger; readonly changes: LedgerChanges } {
  const followed = followCode(ledger, round.input).map((entry) => heardAgain(entry, round));
  const matches = matchFindings(
    round.aggregation.findings,
    followed,
    (finding, entry) => !isAnother(finding, entry, round.input),
  );
  const findingOf = new Map([...matches].map(([finding, entry]) => [entry, finding]));
  const next = ledger.flatMap((before, index): readonly LedgerEntry[] => {
    const entry = followed[index];
    if (entry === undefined) return [];
    const after = afterRound(before, entry, findingOf.get(entry), round);
    return [isWhereItWas(before, after) ? after : { ...after, ...placedBy(round) }];
  });
  const ids = new Set<string>(ledger.map(({ id }) => id));
  for (const finding of round.aggregation.findings) {
    if (matches.has(finding)) continue;
    const entry = open(finding, round, ids);
    ids.add(entry.id);
    next.push(entry);
  }
  return { ledger: next, changes: changesOf(next, round.iteration) };
}

/** A finding that is open again is a new one to whoever names its line. */
function isWhereItWas(before: LedgerEntry, after: LedgerEntry): boolean {
  const isBack = before.state !== 'open' && after.state === 'open';
  return !isBack && before.finding.file === after.finding.file && before.finding.line === after.finding.line;
}

function placedBy({ readAtMs }: LedgerRound): Pick<LedgerEntry, 'placedAtMs'> {
  return readAtMs === undefined ? {} : { placedAtMs: readAtMs };
}

function changesOf(ledger: Ledger, iteration: number): LedgerChanges {
  const decided = ledger.filter(isDecided).filter((entry) => entry.decidedIteration === iteration);
  const open = ledger.filter((entry) => entry.state === 'open');
  const fresh = open.filter((entry) => entry.openedIteration === iteration);
  return {
    added: fresh.filter((entry) => entry.firstIteration === iteration),
    reopened: fresh.filter((entry) => entry.firstIteration !== iteration),
    still: open.filter((entry) => entry.openedIteration !== iteration),
    fixed: ledger.filter((entry) => entry.state === 'fixed' && entry.fixedIteration === iteration),
    disputed: decided.filter((entry) => entry.state === 'disputed'),
    withdrawn: decided.filter((entry) => entry.state === 'withdrawn'),
  };
}

function open(found: PlacedFinding, round: LedgerRound, taken: ReadonlySet<string>): LedgerEntry {
  const { input, iteration } = round;
  return {
    ...found,
    ...placedBy(round),
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
