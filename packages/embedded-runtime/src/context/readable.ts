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
class StoredRows implements RowSource {
  readonly #streams: StreamStore;
  readonly #path: string;
  readonly #type: string;

  constructor(streams: StreamStore, path: string, type: string) {
    this.#streams = streams;
    this.#path = path;
    this.#type = type;
  }

  get(key: string): StoredRow | undefined {
    const id = this.#streams.find(this.#path);
    return id === undefined ? undefined : this.#streams.row(id, this.#type, key);
  }

  has(key: string): boolean {
    const id = this.#streams.find(this.#path);
    return id !== undefined && this.#streams.has(id, this.#type, key);
  }

  all(): StoredRow[] {
    const id = this.#streams.find(this.#path);
    return id === undefined ? [] : this.#streams.rows(id, this.#type);
  }

  count(): number {
    const id = this.#streams.find(this.#path);
    return id === undefined ? 0 : this.#streams.count(id, this.#type);
  }
}

/** A collection that only reads. A class, since each pass makes two dozen of them. */
class Readable implements ReadableCollection<Record<string, unknown>> {
  readonly #source: RowSource;

  constructor(source: RowSource) {
    this.#source = source;
  }

  get(key: string): Record<string, unknown> | undefined {
    return this.#source.get(key);
  }

  has(key: string): boolean {
    return this.#source.has(key);
  }

  get toArray(): Record<string, unknown>[] {
    return this.#source.all();
  }

  get size(): number {
    return this.#source.count();
  }
}

/** Rows of one event type of one stream; the stream need not exist yet. */
export function storedRows(streams: StreamStore, path: string, type: string): RowSource {
  return new StoredRows(streams, path, type);
}

/** A collection that only reads. */
export function readable(source: RowSource): ReadableCollection<Record<string, unknown>> {
  return new Readable(source);
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
