/**
 * One flight for equal reads. Six workers of a round ask for the same things at the same moment; each thing
 * is named by commit ids, so what was read once stays true.
 *
 * @module
 */
import { LRUCache } from 'lru-cache';

/** Contract: a read that failed is not kept; the next caller tries again. */
export interface ReadCache {
  get<T>(key: string, read: () => Promise<T>): Promise<T>;
  /** Whether it was asked for, and did not fail. */
  has(key: string): boolean;
}

/** Enough for the rounds under way; a round keeps some ten things and the files that analyzers open (S9). */
const MAX_ENTRIES = 4_000;

/** Builds an empty cache. */
export function createReadCache(maxEntries: number = MAX_ENTRIES): ReadCache {
  const entries = new LRUCache<string, Promise<unknown>>({ max: maxEntries });
  return {
    has: (key) => entries.has(key),
    get<T>(key: string, read: () => Promise<T>): Promise<T> {
      const known = entries.get(key);
      // The key names its kind, and one kind is read by one function: the type is that function's.
      if (known !== undefined) return known as Promise<T>;
      const flight = read();
      entries.set(key, flight);
      flight.catch(() => {
        if (entries.peek(key) === flight) entries.delete(key);
      });
      return flight;
    },
  };
}
