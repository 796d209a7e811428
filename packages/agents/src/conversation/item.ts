/**
 * What people and other bots said on a pull request: review threads, comments under it, and review summaries.
 * Plain data, as GitHub tells it; nothing is left out here (S6).
 *
 * @module
 */
import type { Sha } from '../ids.ts';

declare const brand: unique symbol;
/** GitHub's node id of a thread, comment or review: any text, unique in all of GitHub. */
export type ItemId = string & { readonly [brand]: 'ItemId' };

/** What GitHub says of an author and the repository. A private member shows as less than `MEMBER`. */
export const ASSOCIATIONS = [
  'OWNER',
  'MEMBER',
  'COLLABORATOR',
  'CONTRIBUTOR',
  'FIRST_TIME_CONTRIBUTOR',
  'FIRST_TIMER',
  'MANNEQUIN',
  'NONE',
] as const;
export type Association = (typeof ASSOCIATIONS)[number];

/** Whether it alone says that somebody is of the team. A collaborator may be an outsider who is let read. */
export function isTeamAssociation(association: Association): boolean {
  return association === 'OWNER' || association === 'MEMBER';
}

/** Who said something. Only what GitHub calls a bot is one: everybody else may be a person. */
export interface Speaker {
  readonly login: string;
  readonly isBot: boolean;
}

/** One text by one author. Untrusted (S7). */
export interface Said {
  readonly id: ItemId;
  /** Absent where the account was deleted; that was a person. */
  readonly author?: Speaker;
  readonly association: Association;
  readonly body: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601; absent where it was never edited. */
  readonly editedAt?: string;
  /** Present where it was hidden: GitHub's reason, empty where it names none. */
  readonly hidden?: string;
  /** Whether the App wrote it, by GitHub's word, and nobody else edited it since. */
  readonly byUs: boolean;
  /** Its number in GitHub's REST API. */
  readonly restId?: number;
  /** Where a person reads it. */
  readonly url: string;
}

/** A review thread, with all of its comments in order. */
export interface ThreadItem {
  readonly kind: 'thread';
  readonly id: ItemId;
  readonly path: string;
  /** Line of the new side at the present head; absent where it is outdated, or about the whole file. */
  readonly line?: number;
  /** Line where it was begun: of the new side, unless `isOnOldSide`. */
  readonly originalLine?: number;
  /** Present where it is about a line that the pull request removes. */
  readonly isOnOldSide?: true;
  readonly subject: 'line' | 'file';
  readonly isResolved: boolean;
  /** Login of who resolved it. */
  readonly resolvedBy?: string;
  readonly isOutdated: boolean;
  readonly comments: readonly Said[];
}

/** A comment under the pull request. */
export interface CommentItem {
  readonly kind: 'comment';
  readonly id: ItemId;
  readonly said: Said;
}

/** What a review came to, and the text that its author put over it. */
export interface SummaryItem {
  readonly kind: 'summary';
  readonly id: ItemId;
  readonly verdict: 'commented' | 'approved' | 'changes-requested' | 'dismissed';
  /** Commit that was reviewed, where GitHub still tells. */
  readonly sha?: Sha;
  readonly said: Said;
}

export type Item = ThreadItem | CommentItem | SummaryItem;

/** The whole conversation of a PR at one moment: all of it, or there is no snapshot. */
export interface Snapshot {
  readonly headSha: Sha;
  /** Milliseconds since the epoch, when the read began. */
  readonly readAtMs: number;
  readonly items: readonly Item[];
}

/** What may be said of an item besides its text. */
export type ItemStatus = 'active' | 'outdated' | 'resolved' | 'hidden' | 'dismissed';

/** Texts of an item, in order. */
export function textsOf(item: Item): readonly Said[] {
  return item.kind === 'thread' ? item.comments : [item.said];
}

/** All that applies to an item, or only `active`. A thread is hidden where all of its texts are. */
export function statusesOf(item: Item): readonly ItemStatus[] {
  const statuses: ItemStatus[] = [];
  const texts = textsOf(item);
  if (item.kind === 'thread' && item.isResolved) statuses.push('resolved');
  if (item.kind === 'thread' && item.isOutdated) statuses.push('outdated');
  if (item.kind === 'summary' && item.verdict === 'dismissed') statuses.push('dismissed');
  if (texts.length > 0 && texts.every((said) => said.hidden !== undefined)) statuses.push('hidden');
  return statuses.length === 0 ? ['active'] : statuses;
}
