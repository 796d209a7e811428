/**
 * New entities.
 *
 * @module
 */

import { entityUrlOf } from '../entity-url.ts';
import { RequestError } from '../errors.ts';
import type { EntityType } from '../schema/entity-type.ts';
import type { Entity } from '../store/entities.ts';
import { type Core, isoNow } from './core.ts';
import { checkMessage, sendMessage } from './send.ts';

/** An entity to create. */
export interface SpawnRequest {
  readonly type: string;
  readonly id: string;
  /** Checked only when there are any. */
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  /** URL of the entity that spawns. */
  readonly parent?: string | undefined;
  readonly initialMessage?: unknown;
  readonly initialMessageType?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

/** What came of it. */
export type SpawnOutcome =
  | { readonly kind: 'created'; readonly entity: Entity }
  | { readonly kind: 'exists'; readonly entity: Entity };

function requireType(core: Core, name: string): EntityType {
  const type = core.types.get(name);
  if (type === undefined) {
    throw new RequestError(404, 'UNKNOWN_ENTITY_TYPE', `there is no entity type "${name}"`);
  }
  return type;
}

function checkArgs(type: EntityType, args: Readonly<Record<string, unknown>>): void {
  if (Object.keys(args).length === 0) return;
  const details = type.validateArgs?.(args) ?? [];
  if (details.length > 0) {
    throw new RequestError(422, 'SCHEMA_VALIDATION_FAILED', 'Validation failed', details);
  }
}

/**
 * Creates an entity, with its first message if there is one: both or neither. An entity that exists is left
 * as it is.
 *
 * @throws RequestError 400 (bad id), 404 (unknown type) or 422 (bad arguments or message)
 */
export function spawnEntity(core: Core, request: SpawnRequest): SpawnOutcome {
  const { type: typeName, id, args = {}, parent, initialMessage, initialMessageType, tags = {} } = request;
  const type = requireType(core, typeName);
  const url = entityUrlOf(typeName, id);
  const { streams, entities } = core.store;
  const existing = entities.find(url);
  if (existing !== undefined) return { kind: 'exists', entity: existing };
  checkArgs(type, args);
  if (initialMessage !== undefined) {
    checkMessage(core, { type: typeName, inboxSchemasId: null }, initialMessageType, initialMessage);
  }

  const streamId = streams.ensure(url);
  entities.add({
    id: streamId,
    type: typeName,
    parent: parent ?? null,
    args,
    tags,
    createdAtMs: core.clock.now(),
    inboxSchemas: type.inboxSchemas,
  });
  streams.append(streamId, {
    type: 'entity_created',
    key: 'created',
    operation: 'insert',
    value: {
      key: 'created',
      entity_type: typeName,
      timestamp: isoNow(core),
      args,
      ...(parent !== undefined && { parent_url: parent }),
    },
  });
  if (initialMessage !== undefined) {
    sendMessage(core, {
      targetUrl: url,
      payload: initialMessage,
      type: initialMessageType,
      fromAgent: parent,
    });
  }
  const entity = entities.get(streamId);
  if (entity === undefined) throw new Error(`${url} was not created`);
  return { kind: 'created', entity };
}
