/**
 * `ctx.state`: the entity's own collections, and the actions over them.
 *
 * @module
 */

import { eventTypeOf } from '../built-in-collections.ts';
import type { EntityActionMap, StateCollectionProxy } from '../types/collections.ts';
import type { PassScope } from './pass-scope.ts';
import { createWritable, type Row } from './writable.ts';

type StateCollections = Readonly<Record<string, StateCollectionProxy<Row, Row>>>;

/** The state collections of the pass's entity by name. */
export function createStateCollections(scope: PassScope): StateCollections {
  const state = scope.type.definition.state ?? {};
  return Object.fromEntries(
    Object.entries(state).map(([name, { schema, primaryKey = 'key' }]) => [
      name,
      createWritable(scope, {
        name: `state.${name}`,
        path: scope.entity.url,
        type: eventTypeOf(name, state),
        primaryKey,
        schema,
      }),
    ]),
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
