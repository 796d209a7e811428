/**
 * What GitHub tells of a conversation, without a GitHub.
 *
 * @module
 */
import type { ReviewNode, SaidNode, ThreadNode } from '../snapshot-answer.ts';

/** A text of `ada`'s. */
export function saidNode(id: string, fields: Partial<SaidNode> = {}): SaidNode {
  return {
    id,
    fullDatabaseId: null,
    url: `https://github.com/acme/shop/pull/1#${id}`,
    body: `Text of ${id}`,
    createdAt: '2026-05-26T14:05:00Z',
    publishedAt: null,
    lastEditedAt: null,
    authorAssociation: 'MEMBER',
    viewerDidAuthor: false,
    author: { __typename: 'User', login: 'ada' },
    editor: null,
    isMinimized: false,
    minimizedReason: null,
    ...fields,
  };
}

/** A review of `ada`'s that says something. */
export function reviewNode(id: string, fields: Partial<ReviewNode> = {}): ReviewNode {
  return { ...saidNode(id), state: 'COMMENTED', commit: null, ...fields };
}

/** An open thread at line 3, whose comments stand elsewhere. */
export function threadNode(id: string, fields: Partial<ThreadNode> = {}): ThreadNode {
  return {
    id,
    path: 'a.ts',
    line: 3,
    originalLine: 3,
    diffSide: 'RIGHT',
    subjectType: 'LINE',
    isResolved: false,
    resolvedBy: null,
    isOutdated: false,
    comments: { totalCount: 0, pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] },
    ...fields,
  };
}
