/**
 * Puts the pages of a conversation together, and knows what is still to be asked for. Pure. A list that does not
 * add up fails the read: what it lacks would never be told (S6).
 *
 * @module
 */
import { TransientError } from '../errors.ts';
import type { Sha } from '../ids.ts';
import type { Page, ReviewNode, SaidNode, SnapshotAnswer, ThreadNode } from './snapshot-answer.ts';
import { type Ask, type Cursor, LISTS } from './snapshot-query.ts';

/** With the other lists, this stays about one point and far below GitHub's limit of 500,000 nodes. */
const MAX_THREADS_PER_REQUEST = 20;

/** A list as far as it was read. */
export interface Pages<Node> {
  readonly nodes: readonly Node[];
  /** Absent at the end of the list. */
  readonly next?: Cursor;
}

/** What was read of a conversation. */
export interface Gathered {
  readonly headSha: Sha;
  readonly reviewThreads: Pages<ThreadNode>;
  readonly comments: Pages<SaidNode>;
  readonly reviews: Pages<ReviewNode>;
  /** By id of the thread. */
  readonly threadComments: ReadonlyMap<string, Pages<SaidNode>>;
}

const UNREAD = { nodes: [], next: null } as const;

/** The first pages of all lists. */
export const FIRST_ASK: Ask = { lists: { reviewThreads: null, comments: null, reviews: null }, threads: [] };

/**
 * Begins with the answer to {@link FIRST_ASK}.
 * @throws TransientError where a page does not fit itself
 */
export function firstPages(answer: SnapshotAnswer): Gathered {
  const { headSha } = answer;
  const lists = { reviewThreads: UNREAD, comments: UNREAD, reviews: UNREAD };
  return addPages({ headSha, ...lists, threadComments: new Map() }, FIRST_ASK, answer);
}

/** What to ask for next; `undefined` where all is there. */
export function nextAsk(gathered: Gathered): Ask | undefined {
  const lists = LISTS.flatMap((name) => {
    const { next } = gathered[name];
    return next === undefined ? [] : [[name, next] as const];
  });
  const threads = [...gathered.threadComments].flatMap(([id, { next }]) =>
    next === undefined ? [] : [{ id, after: next }],
  );
  if (lists.length === 0 && threads.length === 0) return undefined;
  return { lists: Object.fromEntries(lists), threads: threads.slice(0, MAX_THREADS_PER_REQUEST) };
}

/**
 * Adds the pages of an answer.
 * @throws TransientError where they do not fit what was read before
 */
export function addPages(gathered: Gathered, ask: Ask, answer: SnapshotAnswer): Gathered {
  const { headSha, lists, threads } = answer;
  if (gathered.headSha !== headSha) {
    throw new TransientError('The pull request got another head while its conversation was read.');
  }
  const threadComments = new Map(gathered.threadComments);
  for (const { id, comments } of lists.reviewThreads?.nodes ?? []) {
    threadComments.set(id, extend('a thread', UNREAD, comments));
  }
  for (const [index, { id }] of ask.threads.entries()) {
    const page = threads[index];
    if (page !== undefined)
      threadComments.set(id, extend('a thread', threadComments.get(id) ?? UNREAD, page));
  }
  return {
    headSha,
    reviewThreads: extend('threads', gathered.reviewThreads, lists.reviewThreads),
    comments: extend('comments', gathered.comments, lists.comments),
    reviews: extend('reviews', gathered.reviews, lists.reviews),
    threadComments,
  };
}

function extend<Node extends { readonly id: string }>(
  what: string,
  before: Pages<Node>,
  page: Page<Node> | undefined,
): Pages<Node> {
  if (page === undefined) return before;
  const { totalCount, pageInfo } = page;
  const nodes = [...before.nodes, ...page.nodes];
  if (pageInfo.hasNextPage) {
    const { endCursor } = pageInfo;
    // Otherwise the same page would be asked for without an end.
    const isStuck = page.nodes.length === 0 || endCursor === null || endCursor === before.next;
    if (isStuck || nodes.length >= totalCount) throw new MismatchError(what);
    return { nodes, next: endCursor };
  }
  // What came or went meanwhile can move entries from one page to another: then one may be missing.
  const distinct = new Set(nodes.map(({ id }) => id)).size;
  if (nodes.length !== totalCount || distinct !== totalCount) throw new MismatchError(what);
  return { nodes };
}

class MismatchError extends TransientError {
  constructor(what: string) {
    super(`The pages of the conversation do not add up (${what}): it may have changed while it was read.`);
  }
}
