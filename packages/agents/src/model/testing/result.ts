import type { Aspect } from '../../ids.ts';
import { aggregate } from '../../review/aggregate.ts';
import type { Finding } from '../../review/finding.ts';
import { updateLedger } from '../../review/ledger.ts';
import type { RoundInput, WorkerOutcome } from '../../review/round.ts';
import { allDone } from '../../review/testing/builders.ts';
import type { RoundResult } from '../plain-texts.ts';

/** What comes of workers that found this in a round, after what they found in an earlier one. */
export function resultOf(
  input: RoundInput,
  found: Partial<Record<Aspect, readonly Finding[]>>,
  options: {
    readonly before?: Partial<Record<Aspect, readonly Finding[]>>;
    readonly outcomes?: readonly WorkerOutcome[];
  } = {},
): RoundResult {
  const { before, outcomes = allDone(found) } = options;
  const earlier = { ...input, incremental: false };
  const { ledger } = updateLedger([], {
    aggregation: aggregate(allDone(before), earlier),
    input: earlier,
    iteration: 1,
  });
  const aggregation = aggregate(outcomes, input);
  return { input, aggregation, changes: updateLedger(ledger, { aggregation, input, iteration: 2 }).changes };
}
