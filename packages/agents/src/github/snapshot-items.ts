/**
 * From what GitHub tells of a conversation to its items. Pure. Nothing is left out that somebody said (S6).
 *
 * @module
 */
import type { Item, ItemId, Said, Speaker, SummaryItem, ThreadItem } from '../conversation/item.ts';
import { textsOf } from '../conversation/item.ts';
import { parseSha } from '../ids.ts';
import type { ReviewNode, SaidNode, ThreadNode } from './snapshot-answer.ts';
import { isEnvelope } from './snapshot-gather.ts';

/** All of a conversation, in the lists in which GitHub keeps it. */
export interface ConversationNodes {
  readonly threads: readonly { readonly thread: ThreadNode; readonly comments: readonly SaidNode[] }[];
  readonly comments: readonly SaidNode[];
  readonly reviews: readonly ReviewNode[];
}

/** All items, in the order in which they began. */
export function toItems({ threads, comments, reviews }: ConversationNodes): readonly Item[] {
  const said = [...threads.flatMap(({ comments: inThread }) => inThread), ...comments, ...reviews];
  const bots = new Set(said.flatMap(({ author }) => (author?.__typename === 'Bot' ? [author.login] : [])));
  const items: readonly Item[] = [
    ...threads.flatMap(({ thread, comments: inThread }) => toThread(thread, inThread, bots)),
    ...comments.map((node): Item => ({ kind: 'comment', id: idOf(node), said: toSaid(node) })),
    ...reviews.flatMap(toSummary),
  ];
  const keyed = items.map((item) => ({ item, at: textsOf(item)[0]?.createdAt ?? '' }));
  return keyed
    .toSorted((a, b) => compare(a.at, b.at) || compare(a.item.id, b.item.id))
    .map(({ item }) => item);
}

/** By code units, on every machine the same. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** None where all of its comments were deleted: nobody says anything in it. */
function toThread(
  node: ThreadNode,
  comments: readonly SaidNode[],
  bots: ReadonlySet<string>,
): readonly ThreadItem[] {
  if (comments.length === 0) return [];
  const { line, originalLine, resolvedBy } = node;
  // On the left side lines are counted in the old file.
  const isNewSide = node.diffSide !== 'LEFT';
  return [
    {
      kind: 'thread',
      id: idOf(node),
      path: node.path,
      ...(line === null || !isNewSide ? {} : { line }),
      ...(originalLine === null ? {} : { originalLine }),
      ...(isNewSide ? {} : { isOnOldSide: true }),
      subject: node.subjectType === 'FILE' ? 'file' : 'line',
      isResolved: node.isResolved,
      ...(resolvedBy === null ? {} : { resolvedBy: resolverLogin(resolvedBy.login, bots) }),
      isOutdated: node.isOutdated,
      comments: comments.map(toSaid),
    },
  ];
}

/**
 * The schema calls everybody a user who resolves; which login a bot has there is not documented. So it may be any bot
 * that speaks on the pull request.
 */
function resolverLogin(login: string, bots: ReadonlySet<string>): string {
  return bots.has(login) ? botLogin(login) : login;
}

const VERDICTS: ReadonlyMap<string, SummaryItem['verdict']> = new Map([
  ['APPROVED', 'approved'],
  ['CHANGES_REQUESTED', 'changes-requested'],
  ['DISMISSED', 'dismissed'],
]);

/** None where it was not submitted yet, which only its author can see, or where all of it stands in threads. */
function toSummary(node: ReviewNode): readonly SummaryItem[] {
  if (node.state === 'PENDING') return [];
  if (isEnvelope(node)) return [];
  const verdict = VERDICTS.get(node.state) ?? 'commented';
  const sha = parseSha(node.commit?.oid ?? '');
  return [
    { kind: 'summary', id: idOf(node), verdict, ...(sha === undefined ? {} : { sha }), said: toSaid(node) },
  ];
}

function toSaid(node: SaidNode): Said {
  const { author, lastEditedAt, isMinimized, minimizedReason } = node;
  const restId = restIdOf(node);
  return {
    id: idOf(node),
    ...(author === null ? {} : { author: toSpeaker(author) }),
    association: node.authorAssociation,
    body: node.body,
    // A comment of a review is written some time before others can read it.
    createdAt: node.publishedAt ?? node.createdAt,
    ...(lastEditedAt === null ? {} : { editedAt: lastEditedAt }),
    ...(isMinimized ? { hidden: minimizedReason ?? '' } : {}),
    byUs: node.viewerDidAuthor && !wasEditedByAnother(node),
    ...(restId === undefined ? {} : { restId }),
    url: node.url,
  };
}

/** Only a bot is a bot: organisations and imported authors stand for people. */
function toSpeaker({ __typename, login }: NonNullable<SaidNode['author']>): Speaker {
  const isBot = __typename === 'Bot';
  return { login: isBot ? botLogin(login) : login, isBot };
}

/** As REST and webhooks spell it: GraphQL leaves the suffix away, and a person may have the rest as a name. */
function botLogin(login: string): string {
  return login.endsWith('[bot]') ? login : `${login}[bot]`;
}

/** A person may be called as a bot is, so the type counts too. */
function wasEditedByAnother({ author, editor }: SaidNode): boolean {
  return editor !== null && (editor.login !== author?.login || editor.__typename !== author.__typename);
}

function restIdOf({ fullDatabaseId }: SaidNode): number | undefined {
  const id = /^\d+$/.test(fullDatabaseId ?? '') ? Number(fullDatabaseId) : Number.NaN;
  return Number.isSafeInteger(id) ? id : undefined;
}

function idOf({ id }: { readonly id: string }): ItemId {
  return id as ItemId;
}
