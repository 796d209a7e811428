/**
 * `ctx.state`: the entity's own collections, checked on each write and seen by the next read.
 *
 * @module
 */

import { eventTypeOf } from '../built-in-collections.ts';
import { appendOwn } from '../engine/append-own.ts';
import { DuplicateKeyError, SchemaValidationError } from '../errors.ts';
import { checkRow } from '../schema/row-schema.ts';
import type { NewEvent } from '../store/streams.ts';
import type { EntityActionMap, EntityTransaction, StateCollectionProxy } from '../types/collections.ts';
import type { EntityStateDefinition } from '../types/schema.ts';
import type { PassScope } from './pass-scope.ts';
import { type RowSource, readable, storedRows } from './readable.ts';

type Row = Record<string, unknown>;

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

function createStateCollection(scope: PassScope, name: string, state: EntityStateDefinition) {
  const { schema, primaryKey = 'key' } = state[name] ?? {};
  const type = eventTypeOf(name, state);
  const source: RowSource = storedRows(scope.core.store.streams, scope.entity.url, type);

  function write(member: string, event: NewEvent): EntityTransaction {
    scope.write(`state.${name}.${member}`, () => appendOwn(scope.core, scope.entity, event));
    return scope.transaction();
  }

  const reading = readable(source);
  return {
    get: reading.get,
    has: reading.has,
    get toArray() {
      return reading.toArray;
    },
    get size() {
      return reading.size;
    },
    insert(row: Row) {
      const value = checkRow(name, schema, row);
      const key = keyOf(name, primaryKey, value);
      if (source.has(key)) throw new DuplicateKeyError(name, key);
      return write('insert', { type, key, operation: 'insert', value });
    },
    update(key: string, updater: (draft: Row) => void) {
      const before = source.get(key);
      const draft: Row = before === undefined ? { [primaryKey]: key } : withoutVirtualFields(before);
      updater(draft);
      const value = checkRow(name, schema, draft);
      if (keyOf(name, primaryKey, value) !== key) {
        throw new SchemaValidationError(name, [{ path: `/${primaryKey}`, message: 'a key cannot change' }]);
      }
      return write('update', { type, key, operation: before === undefined ? 'insert' : 'update', value });
    },
    delete(key: string) {
      return source.has(key) ? write('delete', { type, key, operation: 'delete' }) : scope.transaction();
    },
  };
}

type StateCollections = Readonly<Record<string, StateCollectionProxy<Row, Row>>>;

/** The state collections of the pass's entity by name. */
export function createStateCollections(scope: PassScope): StateCollections {
  const state = scope.type.definition.state ?? {};
  return Object.fromEntries(
    Object.keys(state).map((name) => [name, createStateCollection(scope, name, state)]),
  );
}

/** Own actions, and one insert, update and delete for each collection. */
export function createActions(
  scope: PassScope,
  state: StateCollections,
): { readonly own: EntityActionMap; readonly all: EntityActionMap } {
  const generated = Object.entries(state).flatMap(([name, collection]) => [
    [`${name}_insert`, (args: { row: Row }) => collection.insert(args.row)] as const,
    [
      `${name}_update`,
      (args: { key: string; updater: (draft: Row) => void }) => collection.update(args.key, args.updater),
    ] as const,
    [`${name}_delete`, (args: { key: string }) => collection.delete(args.key)] as const,
  ]);
  const defined = Object.entries(scope.type.definition.actions?.(state) ?? {}).map(
    ([name, action]) =>
      [
        name,
        (...args: readonly unknown[]) => {
          action(...args);
          return scope.transaction();
        },
      ] as const,
  );
  const own = Object.fromEntries(defined);
  return { own, all: { ...Object.fromEntries(generated), ...own } };
}
