/**
 * Puts the answers about a conversation together, and knows what is still to be asked for. Pure.
 *
 * @module
 */
import { TransientError } from '../errors.ts';
import type { Sha } from '../ids.ts';
import type {
  ReviewNode,
  SaidNode,
  SnapshotAnswer,
  ThreadCommentNode,
  ThreadNode,
} from './snapshot-answer.ts';
import { addPage, type Pages, UNREAD } from './snapshot-pages.ts';
import type { Ask, ListName } from './snapshot-query.ts';

/** With the other lists, this stays about one point and far below GitHub's limit of 500,000 nodes. */
const MAX_THREADS_PER_REQUEST = 20;
const MAX_REVIEW_IDS_PER_REQUEST = 100;

/** What was read of a conversation. */
export interface Gathered {
  readonly headSha: Sha;
  readonly threads: Pages<ThreadNode>;
  readonly comments: Pages<SaidNode>;
  readonly reviews: Pages<ReviewNode>;
  readonly opinions: Pages<ReviewNode>;
  /** By id of the thread. */
  readonly threadComments: ReadonlyMap<string, Pages<ThreadCommentNode>>;
  /** Those that were asked for by id. */
  readonly singleReviews: readonly ReviewNode[];
}

/** The first pages, which are all of an ordinary conversation. */
export const FIRST_ASK: Ask = {
  lists: { threads: null, comments: null, reviews: null },
  threads: [],
  reviewIds: [],
};

/**
 * Begins with the answer to {@link FIRST_ASK}.
 * @throws TransientError where a page does not fit itself
 */
export function firstPages(answer: SnapshotAnswer): Gathered {
  const lists = { threads: UNREAD, comments: UNREAD, reviews: UNREAD, opinions: UNREAD };
  const nothing = { headSha: answer.headSha, ...lists, threadComments: new Map(), singleReviews: [] };
  return addPages(nothing, FIRST_ASK, answer);
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
  for (const { id, comments } of lists.threads?.nodes ?? []) {
    threadComments.set(id, addPage('a thread', UNREAD, comments));
  }
  for (const [index, { id }] of ask.threads.entries()) {
    const before = threadComments.get(id) ?? UNREAD;
    threadComments.set(id, addPage('a thread', before, threads[index]));
  }
  return {
    headSha,
    threads: addPage('threads', gathered.threads, lists.threads),
    comments: addPage('comments', gathered.comments, lists.comments),
    reviews: addPage('reviews', gathered.reviews, lists.reviews),
    opinions: addPage('opinions', gathered.opinions, lists.opinions),
    threadComments,
    singleReviews: [...gathered.singleReviews, ...answer.reviews],
  };
}

/** What to ask for next; `undefined` where all is there. */
export function nextAsk(gathered: Gathered): Ask | undefined {
  const threads = [...gathered.threadComments].flatMap(([id, { next }]) =>
    next === undefined ? [] : [{ id, after: next }],
  );
  const reviews = reviewsLeft(gathered);
  const names: readonly ListName[] = ['threads', 'comments', ...reviews.lists];
  const lists = names.flatMap((name) => {
    const { next } = gathered[name];
    return next === undefined ? [] : [[name, next] as const];
  });
  if (lists.length === 0 && threads.length === 0 && reviews.ids.length === 0) return undefined;
  return {
    lists: Object.fromEntries(lists),
    threads: threads.slice(0, MAX_THREADS_PER_REQUEST),
    reviewIds: reviews.ids.slice(0, MAX_REVIEW_IDS_PER_REQUEST),
  };
}

/** Each once, and none of the empty ones that the threads have already shown. */
export function reviewsOf(gathered: Gathered): readonly ReviewNode[] {
  return [...new Map(readReviews(gathered).map((review) => [review.id, review])).values()];
}

function readReviews({ reviews, opinions, singleReviews }: Gathered): readonly ReviewNode[] {
  return [...reviews.nodes, ...opinions.nodes, ...singleReviews];
}

/**
 * What is missing of the reviews. A conversation of many answers has as many of them that are empty, and their
 * list would take far more requests than the threads do: what the comments tell of the reviews that carry them
 * may show before its end that the rest holds nothing.
 */
function reviewsLeft(gathered: Gathered): { lists: readonly ListName[]; ids: readonly string[] } {
  if (gathered.reviews.next === undefined) return { lists: [], ids: [] };
  const read = new Set(readReviews(gathered).map(({ id }) => id));
  const known = new Set(read);
  const unread = new Set<string>();
  for (const { nodes } of gathered.threadComments.values()) {
    for (const { pullRequestReview: review } of nodes) {
      if (review === null) continue;
      known.add(review.id);
      if (!isEnvelope(review) && !read.has(review.id)) unread.add(review.id);
    }
  }
  const isAllKnown = known.size === gathered.reviews.totalCount;
  return { lists: isAllKnown ? ['opinions'] : ['opinions', 'reviews'], ids: [...unread] };
}

/**
 * Whether a review is but the envelope in which GitHub puts comments at lines: whoever comments or answers there
 * makes one, also without saying or deciding anything else.
 */
export function isEnvelope({ state, body }: { readonly state: string; readonly body: string }): boolean {
  return (state === 'COMMENTED' || state === 'PENDING') && body.trim() === '';
}
