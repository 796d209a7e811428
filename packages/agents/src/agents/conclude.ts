/**
 * What a round found that ended because its PR was closed: aggregated and kept, and posted nowhere.
 *
 * @module
 */
import { FactoryError } from '../errors.ts';
import { loadRound } from '../github/round-input.ts';
import type { PrRef } from '../ids.ts';
import { type Aggregation, aggregate } from '../review/aggregate.ts';
import type { Round } from '../review/state.ts';
import type { Ctx } from './context.ts';
import { outcomesOf } from './draft.ts';
import type { ShepherdDeps } from './orders.ts';
import { roundOptions } from './services.ts';
import { type ShepherdRows, writeOwn } from './shepherd-state.ts';

/** The last row that a closed PR's Shepherd writes. */
export interface FinalState {
  readonly round: Round;
  readonly closedAtMs: number;
  readonly aggregation: Aggregation;
}

/** Keeps what had arrived. Where GitHub no longer tells what the round was about, the workers' own rows stay as they are. */
export async function conclude(
  ctx: Ctx<ShepherdRows>,
  { services, octokit }: ShepherdDeps,
  pr: PrRef,
  round: Round,
): Promise<void> {
  const { wakeId, baseSha, headSha } = round;
  try {
    const spec = { pr, wakeId, baseSha, headSha };
    const { input } = await loadRound(services.github, octokit, spec, roundOptions(services));
    const aggregation = aggregate(outcomesOf(ctx.state.findings.toArray, input, wakeId), input);
    writeOwn(ctx.state.own, 'final', { round, closedAtMs: services.now(), aggregation } satisfies FinalState);
  } catch (error) {
    if (!(error instanceof FactoryError)) throw error;
    services.log.warn('a round of a closed pull request was not aggregated', { error: error.message });
  }
}
