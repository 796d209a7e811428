/**
 * Rows that are written from outside into collections that allow it.
 *
 * @module
 */

import { randomUUID } from 'node:crypto';
import { eventTypeOf } from '../built-in-collections.ts';
import { RequestError, SchemaValidationError } from '../errors.ts';
import { checkRow } from '../schema/row-schema.ts';
import type { CollectionDefinition } from '../types/schema.ts';
import type { ChangeOperation } from '../types/wake.ts';
import { type Core, requireEntity, requireLiving } from './core.ts';

/** A change of one row. */
export interface CollectionWrite {
  readonly operation: ChangeOperation;
  /** Default for an insert: a new one. */
  readonly key?: string | undefined;
  /** The whole row after the change. */
  readonly value?: Readonly<Record<string, unknown>> | undefined;
}

function requireWritable(
  definition: CollectionDefinition | undefined,
  collection: string,
  operation: ChangeOperation,
): CollectionDefinition {
  if (definition?.externallyWritable !== true) {
    throw new RequestError(403, 'UNAUTHORIZED', `Collection "${collection}" is not writable`);
  }
  if (!(definition.operations ?? ['insert']).includes(operation)) {
    throw new RequestError(
      403,
      'UNAUTHORIZED',
      `Operation "${operation}" is not allowed on collection "${collection}"`,
    );
  }
  return definition;
}

function rowOf(
  collection: string,
  { schema, primaryKey = 'key' }: CollectionDefinition,
  key: string,
  { operation, value }: CollectionWrite,
): Readonly<Record<string, unknown>> {
  if (value === undefined) {
    throw new RequestError(400, 'INVALID_REQUEST', `value is required for ${operation}`);
  }
  try {
    return checkRow(collection, schema, { ...value, [primaryKey]: key });
  } catch (error) {
    if (!(error instanceof SchemaValidationError)) throw error;
    throw new RequestError(422, 'SCHEMA_VALIDATION_FAILED', 'Validation failed', error.issues);
  }
}

/**
 * Writes one row of a collection that is marked `externallyWritable`. Wakes nobody.
 *
 * @returns the row's key
 * @throws RequestError 404 (no such entity), 403 (not writable, or not in this way), 409 (it has ended), 400 (key
 *   or row missing) or 422 (the row breaks its schema)
 */
export function writeCollection(
  core: Core,
  entityUrl: string,
  collection: string,
  write: CollectionWrite,
): string {
  const { operation } = write;
  const { type } = requireEntity(core, entityUrl);
  const state = core.types.get(type)?.definition.state ?? {};
  const definition = Object.hasOwn(state, collection) ? state[collection] : undefined;
  const writable = requireWritable(definition, collection, operation);
  const { id } = requireLiving(core, entityUrl);
  if (operation !== 'insert' && write.key === undefined) {
    throw new RequestError(400, 'INVALID_REQUEST', `key is required for ${operation}`);
  }
  const key = write.key ?? `${collection}-${randomUUID()}`;
  const event = { type: eventTypeOf(collection, state), key, operation };
  if (operation === 'delete') {
    core.store.streams.append(id, event);
  } else {
    core.store.streams.append(id, { ...event, value: rowOf(collection, writable, key, write) });
  }
  return key;
}
