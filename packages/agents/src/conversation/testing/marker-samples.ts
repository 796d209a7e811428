/**
 * Marks and their items.
 *
 * @module
 */
import type { Mark } from '../gate.ts';
import type { ItemId } from '../item.ts';

/** The pull request of most tests. */
export const PR = { owner: 'acme', repo: 'shop', number: 7 } as const;
/** A moment, in milliseconds since the epoch and in unix seconds. */
export const NOW_MS = 1_732_000_000_900;
export const NOW_S = 1_732_000_000;

/** An id of an item, which may be any text. */
export function itemId(text: string): ItemId {
  return text as ItemId;
}

/** So many ids. */
export function itemIds(count: number): readonly ItemId[] {
  return Array.from({ length: count }, (_, index) => itemId(`IC_kwDOSGizTs8AAAAB${index}`));
}

/** A mark of an item that is open, from a snapshot that was just read. */
export function markOf(id: ItemId, changes: Partial<Omit<Mark, 'id'>> = {}): Mark {
  return { id, bodyHash: '3f9a1c2b7e4d5a6f', closed: [], readAtMs: NOW_MS - 100, ...changes };
}
