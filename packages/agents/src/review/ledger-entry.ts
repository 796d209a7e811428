/**
 * What the ledger keeps of a finding. Plain data: it is stored as it is.
 *
 * @module
 */
import type { ItemId } from '../conversation/item.ts';
import type { Aspect, FindingId, Sha } from '../ids.ts';
import type { Place } from './aggregate.ts';
import type { Decision } from './answer.ts';
import type { Finding } from './finding.ts';

/**
 * Why a finding is no longer open: its code changed and the finding did not come again; its code is gone from
 * the PR; or it did not come again although its code is the same.
 */
export type FixedBecause = 'changed' | 'gone' | 'not-repeated';

/** What is kept of a finding in whatever state. */
export interface EntryBase {
  readonly id: FindingId;
  /** Who said it last, first the one whose words these are. */
  readonly aspects: readonly Aspect[];
  /** In its last wording; file and line as at `lastSha`. */
  readonly finding: Finding;
  readonly place: Place;
  /** Head at which it was said first. */
  readonly firstSha: Sha;
  /** Last head for which file and line were checked. */
  readonly lastSha: Sha;
  readonly firstIteration: number;
  /** The first iteration, or the one in which it became open again. */
  readonly openedIteration: number;
  /**
   * Since when it is known to be open at its file and line, in milliseconds since the epoch: whoever named these
   * before spoke of something else. Absent where that is not known.
   */
  readonly placedAtMs?: number;
  /** Threads that somebody resolved over code that is no more: they decide nothing, until they are open again. */
  readonly spentItems?: readonly ItemId[];
}

/** A finding that is to be answered by a change. */
export type OpenEntry = EntryBase & { readonly state: 'open' };

/** A finding that somebody contradicted, and one that is taken back. The place is that of the decision. */
export type DecidedEntry = EntryBase & {
  readonly state: 'disputed' | 'withdrawn';
  readonly decision: Omit<Decision, 'findingId'>;
  readonly decidedIteration: number;
};

/** A finding and its life so far. */
export type LedgerEntry =
  | OpenEntry
  | (EntryBase & {
      readonly state: 'fixed';
      readonly fixedIteration: number;
      readonly fixedBecause: FixedBecause;
    })
  | DecidedEntry;

/** Every finding that was ever published on a PR, oldest first. */
export type Ledger = readonly LedgerEntry[];

/** Whether people's words stand against a finding. */
export function isDecided(entry: LedgerEntry): entry is DecidedEntry {
  return entry.state === 'disputed' || entry.state === 'withdrawn';
}
