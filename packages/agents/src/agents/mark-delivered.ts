/**
 * The end of a published round: what its reviewers were shown is marked, and it is checked that nothing was
 * missed (S6). The review stands whatever comes of it: an item that could not be marked is shown again.
 *
 * @module
 */
import type { Mark } from '../conversation/gate.ts';
import type { ItemId } from '../conversation/item.ts';
import type { PrRef, WakeId } from '../ids.ts';
import type { ShepherdEvent } from '../review/decide.ts';
import type { Ctx } from './context.ts';
import { keepInVain } from './in-vain.ts';
import type { ShepherdDeps } from './orders.ts';
import { type KeptDiscussion, keptDiscussion, readerOf } from './round-discussion.ts';
import type { ShepherdRows } from './shepherd-state.ts';

/** Ids that a log line names; the number tells of the others. */
const MAX_NAMED = 5;

/** Marks what a round delivered. Contract: does not fail; what goes wrong is in the answer. */
export async function markDelivered(
  ctx: Pick<Ctx<Pick<ShepherdRows, 'own' | 'findings'>>, 'state' | 'entityUrl'>,
  { services }: Pick<ShepherdDeps, 'services'>,
  pr: PrRef,
  wakeId: WakeId,
): Promise<ShepherdEvent> {
  const kept = keptDiscussion(ctx.state.own, wakeId);
  if (kept === undefined) return { type: 'marked', wakeId };
  const delivered = readerOf(ctx.state, wakeId) === 'nobody' ? [] : kept.marks;
  const trouble = await write(services, pr, delivered, kept);
  if (delivered.length > 0) keepInVain(ctx.state.own, kept, trouble === undefined);
  const checked = await check(services, pr, kept);
  const what = trouble ?? checked.trouble;
  if (what !== undefined) services.log.error('what was shown of a conversation could not be kept', { what });
  const violation = checked.missing.length === 0 ? undefined : violationText(checked.missing);
  if (violation !== undefined) {
    services.log.error(violation, {
      entity: ctx.entityUrl,
      wakeId,
      ids: checked.missing.slice(0, MAX_NAMED),
    });
  }
  const { before, after } = kept.unsurfaced;
  return {
    type: 'marked',
    wakeId,
    readAtMs: kept.readAtMs,
    // What could not be marked is shown again, so that it counts as it did.
    unsurfaced: delivered.length > 0 && trouble === undefined ? after : before,
    ...(what === undefined ? {} : { memoryTrouble: what }),
    ...(violation === undefined ? {} : { violation }),
  };
}

/** Writes them. Where there are none, trouble that the comment tells of is not over by not being met. */
async function write(
  { markers }: ShepherdDeps['services'],
  pr: PrRef,
  delivered: readonly Mark[],
  { marks, memoryTrouble }: KeptDiscussion,
): Promise<string | undefined> {
  if (delivered.length > 0) return (await markers.mark(pr, delivered)).trouble;
  return marks.length > 0 || memoryTrouble !== undefined ? markers.probe(pr) : undefined;
}

/** Every item was shown in this round, or is deferred and counted, or was delivered before in this version. */
async function check(
  { markers }: ShepherdDeps['services'],
  pr: PrRef,
  kept: KeptDiscussion,
): Promise<{ readonly missing: readonly string[]; readonly trouble?: string }> {
  const due = new Set<string>([...kept.marks.map(({ id }) => id), ...kept.deferred]);
  const others = kept.versions.filter(([id]) => !due.has(id));
  if (others.length === 0) return { missing: [] };
  const read = await markers.load(
    pr,
    others.map(([id]) => id),
  );
  // What cannot be read may be there: that is trouble, which is told, and nobody's bug.
  if (read.trouble !== undefined) return { missing: [], trouble: read.trouble };
  const isKnown = (id: ItemId, hash: string): boolean => {
    const marker = read.markers.get(id);
    // A second process may have delivered meanwhile what was said since this round's reading.
    return marker?.bodyHash === hash || (marker?.readAtMs ?? 0) > kept.readAtMs;
  };
  return { missing: others.flatMap(([id, hash]) => (isKnown(id, hash) ? [] : [id])) };
}

function violationText({ length }: readonly string[]): string {
  const items = length === 1 ? '1 item of the discussion was' : `${length} items of the discussion were`;
  return `${items} neither shown in this round nor before`;
}
