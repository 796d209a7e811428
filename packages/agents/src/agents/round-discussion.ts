/**
 * What the reviewers of a round are shown of the conversation: chosen once, when the round is prepared, and kept
 * in the row `discussion`, so that all who are asked are shown the same, also after a crash, and exactly that is
 * marked in the end (S6).
 *
 * @module
 */
import type { Mark } from '../conversation/gate.ts';
import type { Association, Item, ItemId } from '../conversation/item.ts';
import { type PackedItem, packItems } from '../conversation/pack.ts';
import { messageOf } from '../errors.ts';
import type { Aspect, PrRef, WakeId } from '../ids.ts';
import { reviewBudget } from '../model/ask-review.ts';
import { conversationChars } from '../model/conversation-part.ts';
import type { Answer } from '../review/answer.ts';
import type { Unsurfaced } from '../review/conversation-state.ts';
import { isDecided, type Ledger } from '../review/ledger-entry.ts';
import { linkAnswers } from '../review/link-answers.ts';
import { countDiscussion, type DiscussionCounts, type Receipt } from '../review/receipt.ts';
import { GHOST, isSame } from '../review/speakers.ts';
import type { ShepherdState } from '../review/state.ts';
import { countUnsurfaced, type Discussion, isUnshown, readDiscussion } from './discussion.ts';
import type { KeptTexts, Memory } from './memory.ts';
import type { ReviewMessage } from './messages.ts';
import type { ShepherdDeps } from './orders.ts';
import type { FactoryServices } from './services.ts';
import { readOwn, type ShepherdRows, writeOwn } from './shepherd-state.ts';

/** Of whom GitHub need not be asked. A collaborator may be an outsider who is let read. */
const TEAM: ReadonlySet<Association> = new Set<Association>(['OWNER', 'MEMBER']);
/** People whom GitHub is asked about in one round (S9). */
const MAX_ASKED = 5;
/** Answers to one finding that are told, and how much of each. */
const MAX_ANSWERS = 20;
const MAX_ANSWER_CHARS = 1_500;
/** Of all findings together. */
const MAX_ANSWERS_IN_ALL = 200;

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
    answers: boundedAnswers(await answersTo(ledger, discussion, deps, { pr, prAuthor, isAuthorTeam })),
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

/** The newest of each finding: who said something twenty times has said it (S9). */
function boundedAnswers(answers: readonly Answer[]): readonly Answer[] {
  const left = new Map<string, number>();
  return answers
    .toReversed()
    .filter(({ findingId }) => {
      const count = left.get(findingId) ?? MAX_ANSWERS;
      left.set(findingId, count - 1);
      return count > 0;
    })
    .slice(0, MAX_ANSWERS_IN_ALL)
    .toReversed()
    .map((answer) => ({ ...answer, text: answer.text.slice(0, MAX_ANSWER_CHARS) }));
}

interface Asked {
  readonly pr: PrRef;
  readonly prAuthor: string;
  readonly isAuthorTeam: boolean;
}

/**
 * The answers to findings, by whom. GitHub shows a private member like anybody, so it is asked about those whose word
 * would count for more; where it does not say, their word goes less far, which is the safe side. What the author is
 * was asked before, and nothing else says it.
 */
async function answersTo(
  ledger: Ledger,
  { snapshot, isOurs }: Discussion,
  deps: ShepherdDeps,
  { pr, prAuthor, isAuthorTeam }: Asked,
): Promise<readonly Answer[]> {
  const asked = new Map<string, boolean>();
  const isTeam = (login: string, association: Association = 'NONE'): boolean =>
    isSame(login, prAuthor) ? isAuthorTeam : asked.get(login.toLowerCase()) === true || TEAM.has(association);
  const linked = () => linkAnswers(ledger, snapshot.items, { prAuthor, isOurs, isTeam });
  let answers = linked();
  for (let left = MAX_ASKED; left > 0; ) {
    const people = unknownIn(answers).filter((login) => !asked.has(login.toLowerCase()));
    if (people.length === 0) break;
    const next = people.slice(0, left);
    left -= next.length;
    for (const login of next) asked.set(login.toLowerCase(), await isMember(login, deps, pr));
    // With whom it may be seen what others speak of.
    if (next.some((login) => isTeam(login))) answers = linked();
  }
  return answers;
}

/** Whose word would count for more if they were of the team: first who resolved threads, which few can, then the newest. */
function unknownIn(answers: readonly Answer[]): readonly string[] {
  const resolvers = answers.flatMap(({ resolvedBy }) =>
    resolvedBy?.named !== undefined && resolvedBy.standing === 'other' ? [resolvedBy.login] : [],
  );
  const speakers = answers.flatMap(({ by, standing, isDirect }) =>
    isDirect && standing === 'other' ? [by] : [],
  );
  const logins = [...resolvers, ...speakers.toReversed()].filter((login) => login !== GHOST);
  return [...new Map(logins.map((login) => [login.toLowerCase(), login])).values()];
}

async function isMember(login: string, { services, octokit }: ShepherdDeps, pr: PrRef): Promise<boolean> {
  try {
    return (await services.memberships.classify(octokit, pr, { login, isBot: false })) === 'team';
  } catch (error) {
    services.log.warn('GitHub did not say who answered', { error: messageOf(error) });
    return false;
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

/**
 * What rounds showed and could not mark, in the row `in-vain`: without it the same would be shown again and again
 * before all others. Once all of it was shown, it begins anew.
 */
function shownInVain(own: Pick<ShepherdRows['own'], 'get'>, { judged }: Discussion): ReadonlySet<string> {
  const shown = new Set(readOwn<readonly string[]>(own, 'in-vain'));
  return judged.every((candidate) => !isUnshown(candidate) || shown.has(candidate.item.id))
    ? new Set()
    : shown;
}

/** Remembers what was shown and could not be marked; forgets it where marks are kept again. */
export function keepInVain(
  own: ShepherdRows['own'],
  { marks, versions, startsAnew }: KeptDiscussion,
  isMarked: boolean,
): void {
  const before = readOwn<readonly string[]>(own, 'in-vain');
  if (isMarked) {
    if (before !== undefined) own.delete('in-vain');
    return;
  }
  const there = new Set<string>(versions.map(([id]) => id));
  const shown = [...(startsAnew ? [] : (before ?? [])), ...marks.map(({ id }) => id)];
  writeOwn(
    own,
    'in-vain',
    [...new Set(shown)].filter((id) => there.has(id)),
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
