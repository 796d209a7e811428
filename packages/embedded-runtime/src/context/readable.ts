/**
 * Collections over stored rows. Nothing is loaded before it is read.
 *
 * @module
 */

import { BUILT_IN_TYPES, eventTypeOf } from '../built-in-collections.ts';
import type { StoredRow, StreamStore } from '../store/streams.ts';
import type { ReadableCollection } from '../types/collections.ts';
import type { EntityStateDefinition } from '../types/schema.ts';

/** Where a collection's rows come from. */
export interface RowSource {
  get(key: string): StoredRow | undefined;
  has(key: string): boolean;
  /** In stream order. */
  all(): StoredRow[];
  count(): number;
}

/** Rows of one event type of one stream; the stream need not exist yet. */
export function storedRows(streams: StreamStore, path: string, type: string): RowSource {
  return {
    get(key) {
      const id = streams.find(path);
      return id === undefined ? undefined : streams.row(id, type, key);
    },
    has(key) {
      const id = streams.find(path);
      return id !== undefined && streams.has(id, type, key);
    },
    all() {
      const id = streams.find(path);
      return id === undefined ? [] : streams.rows(id, type);
    },
    count() {
      const id = streams.find(path);
      return id === undefined ? 0 : streams.count(id, type);
    },
  };
}

/** A collection that only reads. */
export function readable(source: RowSource): ReadableCollection<Record<string, unknown>> {
  return {
    get: (key) => source.get(key),
    has: (key) => source.has(key),
    get toArray() {
      return source.all();
    },
    get size() {
      return source.count();
    },
  };
}

/** All collections of an entity's stream: the built-in ones and those of its type. */
export function readableCollections(
  streams: StreamStore,
  path: string,
  state: EntityStateDefinition,
): Record<string, ReadableCollection<Record<string, unknown>>> {
  const builtIn = Object.entries(BUILT_IN_TYPES);
  const own = Object.keys(state).map((name) => [name, eventTypeOf(name, state)] as const);
  return Object.fromEntries(
    [...builtIn, ...own].map(([name, type]) => [name, readable(storedRows(streams, path, type))]),
  );
}
