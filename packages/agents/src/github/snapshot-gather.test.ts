import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sha } from '../ids.ts';
import type { Page, SnapshotAnswer, ThreadCommentNode } from './snapshot-answer.ts';
import {
  addPages,
  FIRST_ASK,
  firstPages,
  type Gathered,
  isEnvelope,
  nextAsk,
  reviewsOf,
} from './snapshot-gather.ts';
import type { Ask, Cursor } from './snapshot-query.ts';
import { reviewNode, saidNode, threadNode } from './testing/snapshot-nodes.ts';

/** A conversation as GitHub keeps it. Threads are lists of the places of the reviews that carry their comments. */
interface Talk {
  readonly threads: readonly (readonly number[])[];
  readonly comments: number;
  readonly reviews: readonly { readonly state: string; readonly body: string }[];
  readonly pageSize: number;
}

const talks: fc.Arbitrary<Talk> = fc.record({
  threads: fc.array(fc.array(fc.nat(40), { minLength: 1, maxLength: 8 }), { maxLength: 30 }),
  comments: fc.nat(12),
  reviews: fc.array(
    fc.record({
      state: fc.constantFrom('COMMENTED', 'COMMENTED', 'COMMENTED', 'APPROVED', 'DISMISSED'),
      body: fc.constantFrom('', '', 'Says something'),
    }),
    { maxLength: 30 },
  ),
  pageSize: fc.integer({ min: 1, max: 4 }),
});

const HEAD = 'a'.repeat(40) as Sha;
const numbered = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));

/** Answers as GitHub does. */
function createGitHub({ threads, comments, reviews, pageSize }: Talk) {
  const allReviews = reviews.map((fields, index) => reviewNode(`R${index}`, fields));
  const opinions = allReviews.filter(({ state }) => state !== 'COMMENTED');
  const allComments = numbered(comments, (index) => saidNode(`C${index}`));
  const inThreads = threads.map((carriers, thread) =>
    carriers.map((carrier, index): ThreadCommentNode => {
      const review = allReviews.length === 0 ? undefined : allReviews[carrier % allReviews.length];
      return { ...saidNode(`T${thread}.${index}`), pullRequestReview: review ?? null };
    }),
  );
  const page = <T>(all: readonly T[], after: Cursor) => {
    const [from, to] = [Number(after ?? 0), Number(after ?? 0) + pageSize];
    const pageInfo = { hasNextPage: to < all.length, endCursor: String(Math.min(to, all.length)) };
    return { totalCount: all.length, pageInfo, nodes: all.slice(from, to) };
  };
  const allThreads = inThreads.map((said, index) => threadNode(`T${index}`, { comments: page(said, null) }));
  const pageIf = <T>(all: readonly T[], after: Cursor | undefined) =>
    after === undefined ? undefined : page(all, after);
  const answer = ({ lists, threads: asked, reviewIds }: Ask): SnapshotAnswer => ({
    headSha: HEAD,
    lists: {
      threads: pageIf(allThreads, lists.threads),
      comments: pageIf(allComments, lists.comments),
      reviews: pageIf(allReviews, lists.reviews),
      opinions: pageIf(opinions, lists.opinions),
    },
    threads: asked.map(({ id, after }) => page(inThreads[Number(id.slice(1))] ?? [], after)),
    reviews: allReviews.filter(({ id }) => reviewIds.includes(id)),
  });
  return { answer, inThreads, said: allReviews.filter((review) => !isEnvelope(review)) };
}

function gather(answer: (ask: Ask) => SnapshotAnswer) {
  let gathered = firstPages(answer(FIRST_ASK));
  let requests = 1;
  for (let ask = nextAsk(gathered); ask !== undefined; ask = nextAsk(gathered)) {
    gathered = addPages(gathered, ask, answer(ask));
    requests += 1;
  }
  return { gathered, requests };
}

const idsOf = (nodes: readonly { readonly id: string }[]) => nodes.map(({ id }) => id);

/** All that somebody said, in an order that does not depend on how it was read. */
function saidIn(gathered: Gathered) {
  return {
    threads: gathered.threads.nodes.map(({ id }) => idsOf(gathered.threadComments.get(id)?.nodes ?? [])),
    comments: idsOf(gathered.comments.nodes),
    reviews: idsOf(reviewsOf(gathered).filter((review) => !isEnvelope(review))).toSorted(),
  };
}

describe('what is gathered', () => {
  it('is all of any conversation, whatever the pages, and no request asks for nothing', () => {
    fc.assert(
      fc.property(talks, (talk) => {
        const { answer, inThreads, said } = createGitHub(talk);
        const { gathered, requests } = gather(answer);
        expect(saidIn(gathered)).toEqual({
          threads: inThreads.map(idsOf),
          comments: numbered(talk.comments, (index) => `C${index}`),
          reviews: idsOf(said).toSorted(),
        });
        const pages = (count: number) => Math.ceil(count / talk.pageSize);
        const longest = Math.max(...talk.threads.map(({ length }) => length), 1);
        // The pages of the lists, and those of up to 30 threads, 20 at a time.
        const lists = Math.max(
          pages(talk.threads.length),
          pages(talk.comments),
          pages(talk.reviews.length),
          1,
        );
        expect(requests).toBeLessThanOrEqual(lists + 2 * pages(longest));
      }),
    );
  });

  it('fails, or lacks nothing, when one entry of one page is lost', () => {
    fc.assert(
      fc.property(talks, fc.nat(), fc.nat(), (talk, request, place) => {
        const { answer } = createGitHub(talk);
        const whole = gather(answer);
        let count = -1;
        const lossy = (ask: Ask) => {
          count += 1;
          return count === request % whole.requests ? loseOne(answer(ask), place) : answer(ask);
        };
        try {
          expect(saidIn(gather(lossy).gathered)).toEqual(saidIn(whole.gathered));
        } catch (error) {
          expect(error).toMatchObject({ retryable: true });
        }
      }),
    );
  });

  it('of many answers needs no more requests than their threads do', () => {
    // A hundred answers, each an empty review of its own, then a summary without comments and an approval.
    const reviews = [
      { state: 'COMMENTED', body: 'Says something' },
      ...Array(100).fill({ state: 'COMMENTED', body: '' }),
      { state: 'COMMENTED', body: 'With comments' },
      { state: 'APPROVED', body: '' },
    ];
    const threads = [numbered(100, (index) => index + 1), [101]];
    const { answer } = createGitHub({ threads, comments: 0, reviews, pageSize: 25 });
    const { gathered, requests } = gather(answer);
    expect(saidIn(gathered).reviews).toEqual(['R0', 'R101', 'R102']);
    expect(requests).toBe(4);
    expect(gathered.reviews.next).toBeDefined();
  });
});

function loseOne(answer: SnapshotAnswer, place: number): SnapshotAnswer {
  const { lists, threads } = answer;
  const lost = <T>(page: Page<T>): Page<T> => ({
    ...page,
    nodes: page.nodes.filter((_, index) => index !== place % page.nodes.length),
  });
  const names = (['threads', 'comments', 'reviews', 'opinions'] as const).filter(
    (name) => (lists[name]?.nodes.length ?? 0) > 0,
  );
  const victim = place % (names.length + threads.length || 1);
  const name = names[victim];
  const page = name === undefined ? undefined : lists[name];
  if (name !== undefined && page !== undefined) {
    return { ...answer, lists: { ...lists, [name]: lost<unknown>(page) } };
  }
  return {
    ...answer,
    threads: threads.map((found, index) => (index === victim - names.length ? lost(found) : found)),
  };
}
