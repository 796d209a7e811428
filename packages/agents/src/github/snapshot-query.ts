/**
 * What GitHub is asked for to read a conversation: of each list its next page, all of them in one request.
 *
 * @module
 */
import type { PrRef } from '../ids.ts';

/** GitHub's most. With pages of fewer threads, a request for the same threads costs nearly as much each. */
const PAGE_SIZE = 100;

/** The lists of a pull request, by their names in GitHub's schema. */
export const LISTS = ['reviewThreads', 'comments', 'reviews'] as const;
export type ListName = (typeof LISTS)[number];

/** Where the next page of a list begins: at the cursor, or with the list where that is null. */
export type Cursor = string | null;

/** Pages to ask for. */
export interface Ask {
  /** Of the pull request's lists; absent where the list was read to its end. */
  readonly lists: Readonly<Partial<Record<ListName, Cursor>>>;
  /** Of comments in threads whose first page did not hold them all. */
  readonly threads: readonly { readonly id: string; readonly after: Cursor }[];
}

/** A request, ready to be sent. Ids and cursors are data: they go in as variables only (S7). */
export interface SnapshotQuery {
  readonly text: string;
  readonly variables: Readonly<Record<string, string | number | boolean | null>>;
}

/** The name under which the answer has the comments of the thread at `index` of {@link Ask}. */
export function threadAlias(index: number): string {
  return `thread${index}`;
}

/** Builds the request for some pages. The head stands in each, so that pages of two heads are not mixed. */
export function snapshotQuery(pr: PrRef, ask: Ask): SnapshotQuery {
  const lists = LISTS.flatMap((name) => [
    [`${name}Wanted`, ask.lists[name] !== undefined] as const,
    [`${name}After`, ask.lists[name] ?? null] as const,
  ]);
  const threads = ask.threads.flatMap(({ id, after }, index) => [
    [`${threadAlias(index)}Id`, id] as const,
    [`${threadAlias(index)}After`, after] as const,
  ]);
  return {
    text: textFor(ask.threads.length),
    variables: {
      owner: pr.owner,
      name: pr.repo,
      number: pr.number,
      ...Object.fromEntries([...lists, ...threads]),
    },
  };
}

/** One text for each number of threads, whatever is asked for. */
function textFor(threads: number): string {
  const aliases = Array.from({ length: threads }, (_, index) => threadAlias(index));
  const declared = [
    '$owner: String!, $name: String!, $number: Int!',
    ...LISTS.map((name) => `$${name}Wanted: Boolean!, $${name}After: String`),
    ...aliases.map((alias) => `$${alias}Id: ID!, $${alias}After: String`),
  ];
  return `query (${declared.join(', ')}) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      headRefOid
${LISTS.map((name) => `      ${listField(name)}`).join('\n')}
    }
  }
${aliases.map((alias) => `  ${alias}: node(id: $${alias}Id) { ${threadComments(`$${alias}After`)} }`).join('\n')}
}
${FRAGMENTS}`;
}

function listField(name: ListName): string {
  const page = `first: ${PAGE_SIZE}, after: $${name}After`;
  return `${name}(${page}) @include(if: $${name}Wanted) { ${pageOf(name)} }`;
}

function threadComments(after: string): string {
  const page = `comments(first: ${PAGE_SIZE}, after: ${after}) { ${pageOf('threadComment')} }`;
  return `... on PullRequestReviewThread { ${page} }`;
}

function pageOf(fragment: string): string {
  return `totalCount pageInfo { hasNextPage endCursor } nodes { ...${fragment} }`;
}

const SAID = `id fullDatabaseId url body createdAt publishedAt lastEditedAt authorAssociation viewerDidAuthor
  author { __typename login } editor { __typename login } isMinimized minimizedReason`;

/** Named by the list whose entries they read. */
const FRAGMENTS = `fragment reviewThreads on PullRequestReviewThread {
  id path line originalLine diffSide subjectType isResolved resolvedBy { login } isOutdated
  comments(first: ${PAGE_SIZE}) { ${pageOf('threadComment')} }
}
fragment threadComment on PullRequestReviewComment { ${SAID} }
fragment comments on IssueComment { ${SAID} }
fragment reviews on PullRequestReview { ${SAID} state commit { oid } }`;
