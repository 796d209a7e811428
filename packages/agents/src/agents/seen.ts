/**
 * What a Shepherd remembers of a PR that it read.
 *
 * @module
 */
import type { PrFacts } from '../review/round.ts';
import type { Seen } from '../review/state.ts';

/** The part of a PR that the state machine decides by. */
export function seenOf(pr: PrFacts): Seen {
  const { open, draft, labels, headSha, baseRef, baseSha, author, authorIsBot, updatedAt } = pr;
  const seen = { open, draft, labels, headSha, baseRef, baseSha, author, authorIsBot };
  return updatedAt === undefined ? seen : { ...seen, updatedAt };
}
