/**
 * A long conversation.
 *
 * @module
 */

import type { Item, ItemId, Said, Snapshot } from '../../agents/src/conversation/item.ts';
import { parseSha } from '../../agents/src/ids.ts';

/** How many items there are. */
export const ITEMS = 6_000;
/** When its snapshot was read. */
const READ_AT_MS = Date.parse('2026-06-01T12:00:00Z');
const COMMENTS_PER_THREAD = 3;
const SENTENCE = 'The retry is not bounded here, so a provider that always fails keeps the worker busy. ';

function said(name: string): Said {
  return {
    id: `PRRC_kwDOSGizTs8AAAAB${name}` as ItemId,
    author: { login: 'reader', isBot: false },
    association: 'MEMBER',
    body: `${name}\r\n${SENTENCE.repeat(4)}`,
    createdAt: '2026-06-01T10:00:00Z',
    byUs: false,
    url: `https://github.com/acme/shop/pull/7#${name}`,
  };
}

function itemAt(index: number): Item {
  const id = `kwDOSGizTs8AAAABSs${index}` as ItemId;
  if (index % 3 === 0) return { kind: 'comment', id, said: said(`${index}`) };
  if (index % 3 === 1) return { kind: 'summary', id, verdict: 'commented', said: said(`${index}`) };
  const comments = Array.from({ length: COMMENTS_PER_THREAD }, (_, comment) => said(`${index}-${comment}`));
  const place = { path: `src/file-${index}.ts`, line: 12, subject: 'line' } as const;
  return { kind: 'thread', id, ...place, isResolved: index % 2 === 0, isOutdated: false, comments };
}

/** Threads of three comments, comments and summaries, as many of each; texts of some 350 characters. */
export function longConversation(): Snapshot {
  const headSha = parseSha('a'.repeat(40));
  if (headSha === undefined) throw new TypeError('the head is no commit id');
  const items = Array.from({ length: ITEMS }, (_, index) => itemAt(index));
  // Texts that were parsed from an answer lie in memory as a whole, those that were joined here do not.
  return { headSha, readAtMs: READ_AT_MS, items: JSON.parse(JSON.stringify(items)) as readonly Item[] };
}
