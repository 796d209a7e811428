/**
 * Rounds for tests of the ledger.
 *
 * @module
 */
import { aggregate } from '../aggregate.ts';
import type { RawFile } from '../changed-file.ts';
import type { LedgerRound } from '../ledger.ts';
import { computeRange } from '../range.ts';
import type { RoundInput, WorkerOutcome } from '../round.ts';
import { roundInput, sha } from './builders.ts';

/** A round over the PR's files, those at the round before it being known. Its head is named by its iteration. */
export function ledgerRound(
  files: { readonly before: readonly RawFile[]; readonly now: readonly RawFile[] },
  iteration: number,
  outcomes: readonly WorkerOutcome[],
  extra: Partial<RoundInput> = {},
): LedgerRound {
  const { before, now } = files;
  const input = roundInput(now, {
    headSha: sha((iteration % 10).toString()),
    incremental: before.length > 0,
    totalFiles: now.length,
    ...computeRange(before, now),
    ...extra,
  });
  return { aggregation: aggregate(outcomes, input), input, iteration };
}
