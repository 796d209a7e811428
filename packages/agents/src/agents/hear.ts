/**
 * Listens between rounds: how much was said that no reviewer has been shown. Nothing is marked by that. Of a PR
 * that is closed it keeps what came too late for a review.
 *
 * @module
 */
import type { JudgedItem } from '../conversation/gate.ts';
import { type Said, textsOf } from '../conversation/item.ts';
import type { PrRef } from '../ids.ts';
import type { ShepherdEvent } from '../review/decide.ts';
import { GHOST } from '../review/speakers.ts';
import type { ShepherdState } from '../review/state.ts';
import { keepFinal, type LateItem } from './conclude.ts';
import type { Ctx } from './context.ts';
import { countUnsurfaced, isUnshown, readDiscussion } from './discussion.ts';
import type { ShepherdDeps } from './orders.ts';
import { overheard } from './overheard.ts';
import type { ShepherdRows } from './shepherd-state.ts';

/** Late items that are kept; all of them are counted (S9). */
const MAX_LATE_ITEMS = 200;
const MAX_LATE_CHARS = 2_000;

/** Reads and counts. @throws TransientError or PermanentError where GitHub does not tell all of it */
export async function hear(
  ctx: Ctx<ShepherdRows>,
  deps: ShepherdDeps,
  pr: PrRef,
  state: ShepherdState,
): Promise<ShepherdEvent> {
  const discussion = await readDiscussion(deps, pr, state);
  if (state.seen?.open === false) {
    const late = discussion.judged.filter(isUnshown);
    keepFinal(ctx.state.own, {
      unsurfaced: late.length,
      lateItems: late.slice(-MAX_LATE_ITEMS).map((item) => lateItem(item, discussion.isOurs)),
    });
  }
  const { snapshot } = discussion;
  const memoryTrouble = discussion.memoryTrouble ?? (await standingTrouble(deps, pr, state));
  return {
    type: 'heard',
    unsurfaced: countUnsurfaced(deps, discussion),
    heardAtMs: snapshot.readAtMs,
    asked: overheard(discussion, state.heardAtMs),
    ...(memoryTrouble === undefined ? {} : { memoryTrouble }),
  };
}

/** Trouble with writing is over when something can be written. */
async function standingTrouble(
  { services }: ShepherdDeps,
  pr: PrRef,
  state: ShepherdState,
): Promise<string | undefined> {
  return state.memoryTrouble === undefined ? undefined : services.markers.probe(pr);
}

/** The newest text of an item. */
function lateItem({ item, outcome }: JudgedItem, isOurs: (said: Said) => boolean): LateItem {
  const last = textsOf(item).findLast((said) => !isOurs(said));
  return {
    id: item.id,
    kind: item.kind,
    outcome,
    by: last?.author?.login ?? GHOST,
    url: last?.url ?? '',
    text: (last?.body ?? '').slice(0, MAX_LATE_CHARS),
  };
}
