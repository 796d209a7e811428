/**
 * An entity type as the host uses it: checked once, with its validators ready.
 *
 * @module
 */

import { eventTypeOf, isBuiltInCollection } from '../built-in-collections.ts';
import { isTypeName } from '../entity-url.ts';
import { DefinitionError } from '../errors.ts';
import type { EntityRegistry, EntityTypeEntry } from '../registry.ts';
import type { AnyEntityDefinition } from '../types/definition.ts';
import type { JsonSchema } from '../types/schema.ts';
import { toCheckedJsonSchema } from './json-schema.ts';
import { compileAll, createCompiler, type Validator } from './validator.ts';

/** A registered type, ready for use. */
export interface EntityType {
  readonly name: string;
  readonly definition: AnyEntityDefinition;
  /** Checks spawn arguments; absent: anything passes. */
  readonly validateArgs?: Validator;
  /** Checks of typed messages; absent: the type takes any message. */
  readonly validateMessage?: ReadonlyMap<string, Validator>;
  /** The inbox schemas as JSON; absent: the type has none. */
  readonly inboxSchemas?: string;
  /** What the HTTP route for entity types shows. */
  readonly json: JsonSchema;
}

function convertAll(where: string, schemas: Readonly<Record<string, object>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, toCheckedJsonSchema(`${where}.${name}`, schema)]),
  );
}

function stateSchemasOf(name: string, definition: AnyEntityDefinition): Record<string, JsonSchema> {
  const state = definition.state ?? {};
  const own = Object.entries(state).map(([collection, { schema }]): [string, JsonSchema] => {
    if (isBuiltInCollection(collection)) {
      throw new DefinitionError(
        `${name}: the state collection "${collection}" has a built-in collection's name`,
      );
    }
    const where = `${name}: state.${collection}`;
    return [eventTypeOf(collection, state), schema === undefined ? {} : toCheckedJsonSchema(where, schema)];
  });
  return {
    ...Object.fromEntries(own),
    ...convertAll(`${name}: stateSchemas`, definition.stateSchemas ?? {}),
  };
}

function externallyWritable({ state = {} }: AnyEntityDefinition): JsonSchema {
  const open = Object.entries(state).filter(([, collection]) => collection.externallyWritable === true);
  return Object.fromEntries(
    open.map(([name, { contract, operations = ['insert'] }]) => [
      name,
      { type: eventTypeOf(name, state), ...(contract !== undefined && { contract }), operations },
    ]),
  );
}

function prepare({ name, definition }: EntityTypeEntry): EntityType {
  if (!isTypeName(name)) throw new DefinitionError(`"${name}" cannot be the name of an entity type`);
  const compile = createCompiler();
  const { creationSchema, inboxSchemas, description = `${name} entity` } = definition;
  const creation =
    creationSchema === undefined ? undefined : toCheckedJsonSchema(`${name}: creationSchema`, creationSchema);
  const inbox = inboxSchemas === undefined ? undefined : convertAll(`${name}: inboxSchemas`, inboxSchemas);
  return {
    name,
    definition,
    ...(creation && { validateArgs: compile(`${name}: creationSchema`, creation) }),
    ...(inbox && {
      validateMessage: compileAll(`${name}: inboxSchemas`, compile, inbox),
      inboxSchemas: JSON.stringify(inbox),
    }),
    json: {
      name,
      description,
      ...(creation && { creation_schema: creation }),
      ...(inbox && { inbox_schemas: inbox }),
      state_schemas: stateSchemasOf(name, definition),
      externally_writable_collections: externallyWritable(definition),
    },
  };
}

/**
 * Checks every type of a registry as a real agents-server would when they are registered.
 *
 * @throws DefinitionError naming the type, the field and what is wrong with it
 */
export function prepareEntityTypes(registry: EntityRegistry): ReadonlyMap<string, EntityType> {
  return new Map(registry.list().map((entry) => [entry.name, prepare(entry)]));
}
