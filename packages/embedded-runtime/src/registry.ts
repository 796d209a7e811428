/**
 * The registry of entity types.
 *
 * @module
 */

import type { StandardSchemaV1 } from '@standard-schema/spec';
import { isBuiltInCollection } from './built-in-collections.ts';
import { DefinitionError } from './errors.ts';
import type { EntityActionMap } from './types/collections.ts';
import type { AnyEntityDefinition, EntityDefinition } from './types/definition.ts';
import type { EntitySchema, EntityStateDefinition } from './types/schema.ts';

/** A registered type. */
export interface EntityTypeEntry {
  readonly name: string;
  readonly definition: AnyEntityDefinition;
}

/** Entity types by name. */
export interface EntityRegistry {
  /**
   * Adds a type; the types of `ctx.args` and `ctx.state` follow from the definition.
   *
   * @throws DefinitionError when the name is taken or a state collection has a built-in collection's name
   */
  define<
    TCreationSchema extends EntitySchema | undefined = undefined,
    TState extends EntityStateDefinition | undefined = undefined,
    TActions extends EntityActionMap = EntityActionMap,
  >(name: string, definition: EntityDefinition<TCreationSchema, TState, TActions>): void;
  get(name: string): EntityTypeEntry | undefined;
  list(): readonly EntityTypeEntry[];
  clear(): void;
}

/** A registry without types. */
export function createEntityRegistry(): EntityRegistry {
  const entries = new Map<string, EntityTypeEntry>();
  return {
    define(name, definition) {
      if (entries.has(name)) throw new DefinitionError(`Entity type "${name}" is already registered`);
      for (const collection of Object.keys(definition.state ?? {})) {
        if (isBuiltInCollection(collection)) {
          throw new DefinitionError(
            `Entity type "${name}": the state collection "${collection}" has the name of a built-in collection`,
          );
        }
      }
      entries.set(name, { name, definition: definition as unknown as AnyEntityDefinition });
    },
    get: (name) => entries.get(name),
    list: () => [...entries.values()],
    clear: () => entries.clear(),
  };
}

/** A schema that lets every value through under the given type. It has no JSON schema. */
export function passthrough<T>(): StandardSchemaV1<T, T> {
  return {
    '~standard': {
      version: 1,
      vendor: 'openfactory',
      validate: (value) => ({ value: value as T }),
    },
  };
}
