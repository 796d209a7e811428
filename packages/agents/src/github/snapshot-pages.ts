/**
 * Lists that come in pages. Pure. One that does not add up fails the read: what it lacks would never be told (S6).
 *
 * @module
 */
import { TransientError } from '../errors.ts';
import type { Page } from './snapshot-answer.ts';
import type { Cursor } from './snapshot-query.ts';

/** A list as far as it was read. */
export interface Pages<Node> {
  readonly nodes: readonly Node[];
  /** Entries of the whole list, as the newest page said. */
  readonly totalCount: number;
  /** Where it goes on; absent at its end. */
  readonly next?: Cursor;
}

/** Of which nothing was read yet. */
export const UNREAD: Pages<never> = { nodes: [], totalCount: 0, next: null };

/**
 * Adds the next page; without one the list stays as it is.
 *
 * @param what - for people who read the error
 * @throws TransientError
 */
export function addPage<Node extends { readonly id: string }>(
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
    return { nodes, totalCount, next: endCursor };
  }
  // What comes or goes meanwhile can move entries from one page to another: then one may be missing.
  const distinct = new Set(nodes.map(({ id }) => id)).size;
  if (nodes.length !== totalCount || distinct !== totalCount) throw new MismatchError(what);
  return { nodes, totalCount };
}

class MismatchError extends TransientError {
  constructor(what: string) {
    super(`The pages of the conversation do not add up (${what}): it may have changed while it was read.`);
  }
}
