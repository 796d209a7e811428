/**
 * What the comment says of the discussion that a round was shown: how much of it there is, and what is new. Counts
 * and times only, and never more than is true: what nobody read is not said to be taken into account (S6).
 *
 * @module
 */
import type { JudgedItem } from '../conversation/gate.ts';
import { statusesOf, textsOf } from '../conversation/item.ts';
import { count } from './compose-findings.ts';
import { literalLine } from './neutralise.ts';

/** How many items of others a pull request has, and of which kinds and states. */
export interface DiscussionCounts {
  readonly threads: number;
  readonly comments: number;
  /** What is written over a review; reviews with nothing written over them, too. */
  readonly summaries: number;
  /** Never shown before. */
  readonly fresh: number;
  readonly edited: number;
  readonly reopened: number;
  readonly resolved: number;
  readonly outdated: number;
  readonly hidden: number;
  /** When the newest text was written or edited, ISO 8601. */
  readonly newestAt?: string;
}

/** What became of it in a round. */
export interface Receipt extends DiscussionCounts {
  /** Items that are left for the next round. */
  readonly deferred: number;
  /**
   * `summary`: only the call that writes the comment's texts had them in its input. `nobody`: no such call completed, or
   * there was none. `no-model`: there never is one.
   */
  readonly readBy: 'reviewers' | 'summary' | 'nobody' | 'no-model';
  /** What went wrong, a sentence each. */
  readonly trouble: readonly string[];
}

const MAX_TROUBLES = 5;
const TROUBLE_MAX_CHARS = 300;

/** Counts the items of others. */
export function countDiscussion(judged: readonly JudgedItem[]): DiscussionCounts {
  const amount = (is: (candidate: JudgedItem) => boolean) => judged.filter(is).length;
  const times = judged
    .flatMap(({ item }) => textsOf(item))
    .filter((said) => !said.byUs)
    .map(({ createdAt, editedAt }) => editedAt ?? createdAt);
  const newestAt = times.toSorted((a, b) => Date.parse(b) - Date.parse(a))[0];
  return {
    threads: amount(({ item }) => item.kind === 'thread'),
    comments: amount(({ item }) => item.kind === 'comment'),
    summaries: amount(({ item }) => item.kind === 'summary'),
    fresh: amount(({ outcome }) => outcome === 'new'),
    edited: amount(({ outcome }) => outcome === 'edited'),
    reopened: amount(({ outcome }) => outcome === 'reopened'),
    resolved: amount(({ item }) => statusesOf(item).includes('resolved')),
    outdated: amount(({ item }) => statusesOf(item).includes('outdated')),
    hidden: amount(({ item }) => statusesOf(item).includes('hidden')),
    ...(newestAt === undefined ? {} : { newestAt }),
  };
}

/** A folded paragraph; nothing where there is nothing to tell. */
export function receiptBlocks(receipt: Receipt): readonly string[] {
  const { threads, comments, summaries, trouble } = receipt;
  const items = threads + comments + summaries;
  if (items + trouble.length === 0) return [];
  const troubles = trouble.slice(0, MAX_TROUBLES).map((text) => literalLine(text, TROUBLE_MAX_CHARS));
  return [
    `<details>\n<summary>${titleOf(receipt)}</summary>`,
    ...(items === 0 ? [] : [detailsOf(receipt)]),
    ...troubles,
    '</details>',
  ];
}

function titleOf({ threads, comments, summaries, fresh, deferred, readBy, trouble }: Receipt): string {
  const problems = counted([trouble.length, count(trouble.length, 'problem')]);
  const items = counted(
    [threads, count(threads, 'thread')],
    [comments, count(comments, 'comment')],
    [summaries, count(summaries, 'review')],
  );
  if (items === '') return `Discussion: ${problems}`;
  const left = readBy === 'reviewers' || readBy === 'summary' ? deferred : 0;
  const news = counted([fresh, `${fresh} new`], [left, `${left} deferred`]);
  const words = isKnown({ readBy, deferred }) ? 'Discussion taken into account before' : WORDS[readBy];
  return [`${words}: ${items}`, news, problems].filter((part) => part !== '').join('; ');
}

/** Whether all of it was shown before, so that nobody was to read it. */
function isKnown({ readBy, deferred }: Pick<Receipt, 'readBy' | 'deferred'>): boolean {
  return readBy === 'nobody' && deferred === 0;
}

const WORDS: Readonly<Record<Receipt['readBy'], string>> = {
  reviewers: 'Discussion taken into account',
  summary: 'Discussion read for the summary only',
  nobody: 'Discussion not read',
  'no-model': 'Discussion not read',
};

const REMARKS: Readonly<Record<Receipt['readBy'], readonly string[]>> = {
  reviewers: [],
  summary: ['No reviewer read it in this round.'],
  nobody: ['No model read it in this round.'],
  'no-model': ['No model is configured, so nobody reads it.'],
};

function detailsOf(receipt: Receipt): string {
  const { fresh, edited, reopened, resolved, outdated, hidden, deferred, readBy, newestAt } = receipt;
  const news = counted(
    [fresh, `${fresh} new`],
    [edited, `${edited} edited`],
    [reopened, `${reopened} reopened`],
  );
  const states = counted(
    [resolved, `${resolved} resolved`],
    [outdated, `${outdated} outdated`],
    [hidden, `${hidden} hidden`],
  );
  const amounts = [news === '' ? 'Nothing new' : news, states].filter((part) => part !== '').join(' · ');
  const newest = minuteOf(newestAt);
  return [
    ...(isKnown(receipt) ? [] : REMARKS[readBy]),
    `${amounts}.`,
    ...(deferred === 0 || readBy === 'no-model' ? [] : [`${deferred} deferred to the next round.`]),
    ...(newest === undefined ? [] : [`Newest: ${newest}.`]),
  ].join(' ');
}

/** What there is, named with a comma between. */
function counted(...parts: readonly (readonly [amount: number, words: string])[]): string {
  return parts.flatMap(([amount, words]) => (amount === 0 ? [] : [words])).join(', ');
}

/** `2026-05-26 14:05 UTC`; `undefined` where it is no time. */
function minuteOf(time: string | undefined): string | undefined {
  const timeMs = Date.parse(time ?? '');
  if (Number.isNaN(timeMs)) return undefined;
  return `${new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
