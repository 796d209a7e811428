/**
 * What the reviewers of a round are shown of the conversation: chosen once, when the round is prepared, and kept
 * in the row `discussion`, so that all who are asked are shown the same, also after a crash, and exactly that is
 * marked in the end (S6).
 *
 * @module
 */
import type { Mark } from '../conversation/gate.ts';
import type { Item, ItemId } from '../conversation/item.ts';
import { type PackedItem, packItems } from '../conversation/pack.ts';
import { messageOf } from '../errors.ts';
import type { Aspect, PrRef, WakeId } from '../ids.ts';
import { reviewBudget } from '../model/ask-review.ts';
import { conversationChars } from '../model/conversation-part.ts';
import type { Answer } from '../review/answer.ts';
import type { Unsurfaced } from '../review/conversation-state.ts';
import { isDecided, type Ledger } from '../review/ledger-entry.ts';
import { countDiscussion, type DiscussionCounts, type Receipt } from '../review/receipt.ts';
import type { ShepherdState } from '../review/state.ts';
import { answersTo } from './answers.ts';
import { countUnsurfaced, type Discussion, readDiscussion } from './discussion.ts';
import { shownInVain } from './in-vain.ts';
import type { KeptTexts, Memory } from './memory.ts';
import type { ReviewMessage } from './messages.ts';
import type { ShepherdDeps } from './orders.ts';
import type { FactoryServices } from './services.ts';
import { readOwn, type ShepherdRows } from './shepherd-state.ts';

/** The row `discussion`: that of the newest round. */
export interface KeptDiscussion {
  readonly wakeId: WakeId;
  /** When the conversation was read, in milliseconds since the epoch. */
  readonly readAtMs: number;
  /** What the reviewers are shown. */
  readonly items: readonly PackedItem[];
  /** What is written once they have been, for exactly these items. */
  readonly marks: readonly Mark[];
  /** What would have been shown, and found no room. */
  readonly deferred: readonly ItemId[];
  /** What no reviewer had been shown when it was prepared, and how much of that found no room. */
  readonly unsurfaced: { readonly before: Unsurfaced; readonly after: Unsurfaced };
  /** Every item of the snapshot, with the hash of its text: for the check at the end of the round. */
  readonly versions: readonly (readonly [ItemId, string])[];
  readonly counts: DiscussionCounts;
  /** What people said about findings, whether it is new or not. */
  readonly answers: readonly Answer[];
  /** Threads that decided about a finding once and are not resolved now. */
  readonly reopened: readonly ItemId[];
  /** Why it was not sure what was delivered before. */
  readonly memoryTrouble?: string;
  /** True where nothing is left that was not shown in vain before. */
  readonly startsAnew: boolean;
}

/**
 * Reads and judges it for a round; whoever asks for it keeps it in the row.
 * @throws TransientError or PermanentError where GitHub does not tell all of it
 */
export async function prepareDiscussion(
  own: ShepherdRows['own'],
  deps: ShepherdDeps,
  pr: PrRef,
  wakeId: WakeId,
  state: ShepherdState,
): Promise<{ readonly discussion: Discussion; readonly kept: KeptDiscussion }> {
  const { services } = deps;
  const discussion = await readDiscussion(deps, pr, state);
  const { judged, snapshot, isOurs, memoryTrouble } = discussion;
  const prAuthor = state.seen?.author ?? '';
  const isAuthorTeam = state.authorClass === 'team';
  const maxChars = await roomFor(services);
  const shownBefore = shownInVain(own, discussion);
  const pack = packItems(judged, { prAuthor, isAuthorTeam, isOurs, maxChars, shownBefore });
  const ledger = readOwn<Memory>(own, 'memory')?.ledger ?? [];
  const kept: KeptDiscussion = {
    wakeId,
    readAtMs: snapshot.readAtMs,
    items: pack.items,
    marks: pack.marks,
    deferred: pack.deferred.map(({ item }) => item.id),
    unsurfaced: {
      before: countUnsurfaced(deps, discussion),
      after: countUnsurfaced(deps, { ...discussion, judged: pack.deferred }),
    },
    versions: judged.map(({ item, mark }) => [item.id, mark.bodyHash]),
    counts: countDiscussion(judged),
    answers: await answersTo(ledger, discussion, deps, { pr, prAuthor, isAuthorTeam }),
    reopened: reopenedThreads(ledger, snapshot.items),
    startsAnew: shownBefore.size === 0,
    ...(memoryTrouble === undefined ? {} : { memoryTrouble }),
  };
  return { discussion, kept };
}

/** Characters that may be shown. Without a model nobody reads anything. */
async function roomFor({ model, log }: FactoryServices): Promise<number> {
  if (model.kind === 'analyzers') return 0;
  try {
    return conversationChars((await reviewBudget(model)).sharedChars);
  } catch (error) {
    // A model that cannot even be described fails where it is asked, and that is where it is told.
    log.error('nothing of the discussion is shown', { error: messageOf(error) });
    return 0;
  }
}

/** Threads by which a finding was settled, and that are open again. */
function reopenedThreads(ledger: Ledger, items: readonly Item[]): readonly ItemId[] {
  const settled = new Set(
    ledger.flatMap((entry) => [
      ...(isDecided(entry) ? [entry.decision.itemId] : []),
      ...(entry.spentItems ?? []),
    ]),
  );
  return items.flatMap((item) =>
    item.kind === 'thread' && !item.isResolved && settled.has(item.id) ? [item.id] : [],
  );
}

/** That of a round; `undefined` where there is none, or it is another round's. */
export function keptDiscussion(
  own: Pick<ShepherdRows['own'], 'get'>,
  wakeId: WakeId,
): KeptDiscussion | undefined {
  const kept = readOwn<KeptDiscussion>(own, 'discussion');
  return kept?.wakeId === wakeId ? kept : undefined;
}

/** What a worker is told of it besides the range. Before the first review it has nothing to go by but its own passes. */
export function discussionFor(
  aspect: Aspect,
  kept: KeptDiscussion | undefined,
  ledger: Ledger,
): Pick<ReviewMessage, 'discussion' | 'earlier'> {
  const { items = [], answers = [] } = kept ?? {};
  const earlier = ledger
    .filter((entry) => entry.state !== 'fixed' && entry.aspects.includes(aspect))
    .map(({ id, finding, state, firstSha: sha }) => ({
      id,
      finding,
      state,
      sha,
      answers: answers.filter(({ findingId }) => findingId === id),
    }));
  return {
    ...(items.length === 0 ? {} : { discussion: items.map((item) => ({ ...item, texts: [...item.texts] })) }),
    ...(ledger.length === 0 ? {} : { earlier }),
  };
}

/**
 * Which model calls of the round completed that had the items in their input: all had the same. One that only wrote
 * the comment's texts counts for the markers, too, but can make nothing of what it read.
 */
export function readerOf(rows: Pick<ShepherdRows, 'findings' | 'own'>, wakeId: WakeId): Receipt['readBy'] {
  if (rows.findings.toArray.some((row) => row.wakeId === wakeId && row.heard === true)) return 'reviewers';
  return readOwn<KeptTexts>(rows.own, 'texts')?.wakeId === wakeId ? 'summary' : 'nobody';
}

/** What the comment says about it. */
export function receiptOf(
  rows: Pick<ShepherdRows, 'findings' | 'own'>,
  wakeId: WakeId,
  hasModel: boolean,
): Receipt | undefined {
  const kept = keptDiscussion(rows.own, wakeId);
  if (kept === undefined || kept.versions.length === 0) return undefined;
  const readBy = hasModel ? readerOf(rows, wakeId) : 'no-model';
  const isRead = readBy === 'reviewers' || readBy === 'summary';
  const deferred = kept.deferred.length + (isRead ? 0 : kept.marks.length);
  return { ...kept.counts, readBy, deferred, trouble: [] };
}
