/**
 * What the ledger keeps of a finding. Plain data: it is stored as it is.
 *
 * @module
 */
import type { Aspect, Sha } from '../ids.ts';
import type { Place } from './aggregate.ts';
import type { Finding } from './finding.ts';

declare const brand: unique symbol;
/** Names a finding over all rounds of its PR: 16 hex digits. */
export type FindingId = string & { readonly [brand]: 'FindingId' };

/**
 * Why a finding is no longer open: its code changed and the finding did not come again; its code is gone from
 * the PR; or it did not come again although its code is the same.
 */
export type FixedBecause = 'changed' | 'gone' | 'not-repeated';

interface EntryBase {
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
  /** The first iteration, or the one in which it came again after it was fixed. */
  readonly openedIteration: number;
}

/** A finding and its life so far. */
export type LedgerEntry =
  | (EntryBase & { readonly state: 'open' })
  | (EntryBase & {
      readonly state: 'fixed';
      readonly fixedIteration: number;
      readonly fixedBecause: FixedBecause;
    });

/** Every finding that was ever published on a PR, oldest first. */
export type Ledger = readonly LedgerEntry[];
