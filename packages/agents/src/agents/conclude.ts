/**
 * What a round found that ended because its PR was closed: aggregated and kept, and posted nowhere.
 *
 * @module
 */
import type { Outcome } from '../conversation/gate.ts';
import type { Item, ItemId } from '../conversation/item.ts';
import { FactoryError } from '../errors.ts';
import { loadRound } from '../github/round-input.ts';
import type { PrRef } from '../ids.ts';
import { type Aggregation, aggregate } from '../review/aggregate.ts';
import type { Round } from '../review/state.ts';
import type { Ctx } from './context.ts';
import { outcomesOf } from './draft.ts';
import type { ShepherdDeps } from './orders.ts';
import { roundOptions } from './services.ts';
import { readOwn, type ShepherdRows, writeOwn } from './shepherd-state.ts';

/** Something that was said too late for any review, or that no reviewer was shown before the end. */
export interface LateItem {
  readonly id: ItemId;
  readonly kind: Item['kind'];
  readonly outcome: Outcome;
  /** Login of who said the newest text of it. */
  readonly by: string;
  readonly url: string;
  /** That text, or the beginning of it. Untrusted (S7). */
  readonly text: string;
}

/** The row `final` of a closed PR's Shepherd: what came to its end without being published. */
export interface FinalState {
  /** The round that was under way, and what it had found. */
  readonly round?: Round;
  readonly closedAtMs?: number;
  readonly aggregation?: Aggregation;
  /** How many items of the conversation no reviewer was shown. */
  readonly unsurfaced?: number;
  readonly lateItems?: readonly LateItem[];
}

/** Adds to the row `final`. */
export function keepFinal(own: ShepherdRows['own'], part: FinalState): void {
  writeOwn(own, 'final', { ...readOwn<FinalState>(own, 'final'), ...part } satisfies FinalState);
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
    keepFinal(ctx.state.own, { round, closedAtMs: services.now(), aggregation });
  } catch (error) {
    if (!(error instanceof FactoryError)) throw error;
    services.log.warn('a round of a closed pull request was not aggregated', { error: error.message });
  }
}
