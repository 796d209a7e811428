/**
 * What GitHub is asked for to read a conversation: of each list its next page, all of them in one request.
 *
 * @module
 */
import type { PrRef } from '../ids.ts';

/** Where the next page of a list begins: at the cursor, or with the list where that is null. */
export type Cursor = string | null;

/**
 * Lists of a pull request. `opinions` are the reviews that are more than a comment. They are also among `reviews`,
 * where they may be far apart: whatever is answered in a thread makes a review of its own.
 */
export const LISTS = ['threads', 'comments', 'reviews', 'opinions'] as const;
export type ListName = (typeof LISTS)[number];

/** Pages to ask for. */
export interface Ask {
  /** Absent where a list is not asked for. */
  readonly lists: Readonly<Partial<Record<ListName, Cursor>>>;
  /** Of comments in threads whose first page did not hold them all. */
  readonly threads: readonly { readonly id: string; readonly after: Cursor }[];
  /** Ids of single reviews; GitHub takes 100. */
  readonly reviewIds: readonly string[];
}

/** A request, ready to be sent. Ids and cursors are data: they go in as variables only (S7). */
export interface SnapshotQuery {
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The name under which the answer has the comments of the thread at `index` of {@link Ask}. */
export function threadAlias(index: number): string {
  return `thread${index}`;
}

/**
 * Builds the request for some pages. The head stands in each, so that pages of two heads are not mixed.
 *
 * @param pageSize - entries of a page, 100 at most
 */
export function snapshotQuery(
  pr: PrRef,
  { lists, threads, reviewIds }: Ask,
  pageSize: number,
): SnapshotQuery {
  const ofLists = LISTS.flatMap((name) => [
    [`${name}Wanted`, lists[name] !== undefined] as const,
    [`${name}After`, lists[name] ?? null] as const,
  ]);
  const ofThreads = threads.flatMap(({ id, after }, index) => [
    [`${threadAlias(index)}Id`, id] as const,
    [`${threadAlias(index)}After`, after] as const,
  ]);
  const variables = { owner: pr.owner, name: pr.repo, number: pr.number, pageSize, reviewIds };
  return {
    text: textFor(threads.length),
    variables: { ...variables, ...Object.fromEntries([...ofLists, ...ofThreads]) },
  };
}

/** One text for each number of threads, whatever is asked for. */
function textFor(threads: number): string {
  const aliases = Array.from({ length: threads }, (_, index) => threadAlias(index));
  const declared = [
    '$owner: String!, $name: String!, $number: Int!, $pageSize: Int!, $reviewIds: [ID!]!',
    ...LISTS.map((name) => `$${name}Wanted: Boolean!, $${name}After: String`),
    ...aliases.map((alias) => `$${alias}Id: ID!, $${alias}After: String`),
  ];
  const nodes = aliases.map(
    (alias) => `  ${alias}: node(id: $${alias}Id) { ... on PullRequestReviewThread {
    comments(first: $pageSize, after: $${alias}After) { ${pageOf('threadComment')} }
  } }`,
  );
  return `query (${declared.join(', ')}) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      headRefOid
      threads: reviewThreads(${pageAt('threads')} { ${pageOf('thread')} }
      comments(${pageAt('comments')} { ${pageOf('comment')} }
      reviews(${pageAt('reviews')} { ${pageOf('review')} }
      opinions: reviews(states: [APPROVED, CHANGES_REQUESTED, DISMISSED], ${pageAt('opinions')} { ${pageOf('review')} }
    }
  }
  reviewNodes: nodes(ids: $reviewIds) { ...review }
${nodes.join('\n')}
}
${FRAGMENTS}`;
}

function pageAt(name: ListName): string {
  return `first: $pageSize, after: $${name}After) @include(if: $${name}Wanted)`;
}

function pageOf(fragment: string): string {
  return `totalCount pageInfo { hasNextPage endCursor } nodes { ...${fragment} }`;
}

const SAID = `id fullDatabaseId url body createdAt publishedAt lastEditedAt authorAssociation viewerDidAuthor
  author { __typename login } editor { __typename login } isMinimized minimizedReason`;

const FRAGMENTS = `fragment thread on PullRequestReviewThread {
  id path line originalLine diffSide subjectType isResolved resolvedBy { login } isOutdated
  comments(first: $pageSize) { ${pageOf('threadComment')} }
}
fragment threadComment on PullRequestReviewComment { ${SAID} pullRequestReview { id state body } }
fragment comment on IssueComment { ${SAID} }
fragment review on PullRequestReview { ${SAID} state commit { oid } }`;
