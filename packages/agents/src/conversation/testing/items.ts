/**
 * Items for tests, as GitHub would tell them.
 *
 * @module
 */
import type { Sha } from '../../ids.ts';
import type { CommentItem, Item, ItemId, Said, Snapshot, SummaryItem, ThreadItem } from '../item.ts';

/** When the snapshots of tests are read. */
export const READ_AT_MS = Date.parse('2026-05-26T12:00:00Z');

export function said(id: string, body: string, over: Partial<Said> = {}): Said {
  return {
    id: id as ItemId,
    author: { login: 'mia', isBot: false },
    association: 'MEMBER',
    body,
    createdAt: '2026-05-26T10:00:00Z',
    byUs: false,
    url: `https://github.example/acme/shop/pull/12#${id}`,
    ...over,
  };
}

/** The account was deleted. */
export function byGhost({ author: _gone, ...text }: Said): Said {
  return { ...text, association: 'NONE' };
}

export function comment(id: string, body: string, over: Partial<Said> = {}): CommentItem {
  return { kind: 'comment', id: id as ItemId, said: said(id, body, over) };
}

export function summary(
  id: string,
  verdict: SummaryItem['verdict'],
  body: string,
  over: Partial<Said> = {},
): SummaryItem {
  return { kind: 'summary', id: id as ItemId, verdict, said: said(id, body, over) };
}

export function thread(
  id: string,
  comments: readonly Said[],
  over: Partial<Omit<ThreadItem, 'kind' | 'id' | 'comments'>> = {},
): ThreadItem {
  const place = { path: 'src/limit.ts', line: 4, originalLine: 4, subject: 'line' } as const;
  const state = { isResolved: false, isOutdated: false } as const;
  return { kind: 'thread', id: id as ItemId, ...place, ...state, comments, ...over };
}

export function snapshotOf(items: readonly Item[], readAtMs: number = READ_AT_MS): Snapshot {
  return { headSha: 'a'.repeat(40) as Sha, readAtMs, items };
}
