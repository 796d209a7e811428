import { describe, expect, it } from 'vitest';
import { TransientError } from '../errors.ts';
import type { Page } from './snapshot-answer.ts';
import { addPage, type Pages, UNREAD } from './snapshot-pages.ts';

const nodesOf = (ids: string) => [...ids].map((id) => ({ id }));

function page(ids: string, totalCount: number, next?: string | null): Page<{ readonly id: string }> {
  const pageInfo = { hasNextPage: next !== undefined, endCursor: next ?? null };
  return { nodes: nodesOf(ids), totalCount, pageInfo };
}

const ONE_PAGE: Pages<{ readonly id: string }> = { nodes: nodesOf('ab'), totalCount: 4, next: 'b' };

describe('a page', () => {
  it('goes on with the list or ends it', () => {
    expect(addPage('x', UNREAD, page('ab', 4, 'b'))).toEqual(ONE_PAGE);
    expect(addPage('x', ONE_PAGE, page('c', 4, 'c'))).toEqual({
      ...ONE_PAGE,
      nodes: nodesOf('abc'),
      next: 'c',
    });
    expect(addPage('x', ONE_PAGE, page('cd', 4))).toEqual({ nodes: nodesOf('abcd'), totalCount: 4 });
    expect(addPage('x', ONE_PAGE, undefined)).toBe(ONE_PAGE);
    expect(addPage('x', UNREAD, page('', 0))).toEqual({ nodes: [], totalCount: 0 });
  });

  it('may tell that entries were added behind it meanwhile', () => {
    expect(addPage('x', ONE_PAGE, page('cde', 5)).nodes).toHaveLength(5);
  });

  it.each([
    ['ends too early', page('c', 4)],
    ['brings more than there are', page('cde', 4)],
    ['brings one again instead of another', page('ca', 4)],
    ['goes on from where it began', page('c', 4, 'b')],
    ['goes on from nowhere', page('c', 4, null)],
    ['is empty and goes on', page('', 4, 'c')],
    ['goes on behind the last', page('cd', 4, 'd')],
  ])('fault 34: that %s fails the read', (_what, next) => {
    expect(() => addPage('things', ONE_PAGE, next)).toThrow(TransientError);
    expect(() => addPage('things', ONE_PAGE, next)).toThrow(/do not add up \(things\)/);
  });
});
