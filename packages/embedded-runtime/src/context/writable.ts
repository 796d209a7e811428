/**
 * Collections that a handler writes: checked on each write, and seen by the next read.
 *
 * @module
 */

import type { StandardSchemaV1 } from '@standard-schema/spec';
import { appendOwn } from '../engine/append-own.ts';
import { DuplicateKeyError, SchemaValidationError } from '../errors.ts';
import { checkRow } from '../schema/row-schema.ts';
import type { NewEvent } from '../store/streams.ts';
import type { EntityTransaction, ReadableCollection, StateCollectionProxy } from '../types/collections.ts';
import type { PassScope } from './pass-scope.ts';
import { readable, storedRows } from './readable.ts';

/** A row of whatever fields. */
export type Row = Record<string, unknown>;

/** What a collection is made of. */
export interface WritableParts {
  /** For errors. */
  readonly name: string;
  /** Path of the stream. */
  readonly path: string;
  /** Event type. */
  readonly type: string;
  readonly primaryKey: string;
  readonly schema: StandardSchemaV1 | undefined;
}

function keyOf(collection: string, primaryKey: string, row: Readonly<Row>): string {
  const key = row[primaryKey];
  if (typeof key === 'string' && key !== '') return key;
  throw new SchemaValidationError(collection, [
    { path: `/${primaryKey}`, message: 'the primary key must be a string that is not empty' },
  ]);
}

function withoutVirtualFields(row: Readonly<Row>): Row {
  const { _seq, _timeline_order, ...fields } = row;
  return fields;
}

/** A collection of a stream that this pass may write. */
export function createWritable(
  scope: PassScope,
  { name, path, type, primaryKey, schema }: WritableParts,
): ReadableCollection<Row> & StateCollectionProxy<Row, Row> {
  const { streams } = scope.core.store;
  const source = storedRows(streams, path, type);
  const reading = readable(source);

  function write(member: string, event: NewEvent): EntityTransaction {
    scope.write(`${name}.${member}`, () =>
      appendOwn(scope.core, { id: streams.ensure(path), url: path }, event),
    );
    return scope.transaction();
  }

  return {
    get: (key) => reading.get(key),
    has: (key) => reading.has(key),
    get toArray() {
      return reading.toArray;
    },
    get size() {
      return reading.size;
    },
    insert(row) {
      const value = checkRow(name, schema, row);
      const key = keyOf(name, primaryKey, value);
      if (source.has(key)) throw new DuplicateKeyError(name, key);
      return write('insert', { type, key, operation: 'insert', value });
    },
    update(key, updater) {
      const before = source.get(key);
      const draft: Row = before === undefined ? { [primaryKey]: key } : withoutVirtualFields(before);
      updater(draft);
      const value = checkRow(name, schema, draft);
      if (keyOf(name, primaryKey, value) !== key) {
        throw new SchemaValidationError(name, [{ path: `/${primaryKey}`, message: 'a key cannot change' }]);
      }
      return write('update', { type, key, operation: before === undefined ? 'insert' : 'update', value });
    },
    delete(key) {
      return source.has(key) ? write('delete', { type, key, operation: 'delete' }) : scope.transaction();
    },
  };
}
