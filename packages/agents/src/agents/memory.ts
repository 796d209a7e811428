/**
 * Rows in which a Shepherd remembers what it said, and what it is about to say.
 *
 * @module
 */
import type { WakeId } from '../ids.ts';
import type { ReviewComment, ReviewTexts } from '../review/compose.ts';
import type { Ledger } from '../review/ledger-entry.ts';

/** What a Shepherd remembers of all its rounds, in one row, so that it changes as a whole. */
export interface Memory {
  readonly ledger: Ledger;
  /** What the comment says: a round without changes says it again, for another commit. */
  readonly comment?: ReviewComment;
}

/** The row `texts`: what the model wrote for the comment of a round, before anybody knew of findings. */
export interface KeptTexts {
  readonly wakeId: WakeId;
  readonly texts: ReviewTexts;
}
