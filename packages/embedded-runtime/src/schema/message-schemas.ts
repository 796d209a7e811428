/**
 * Which schema a message has to keep: that of its target's type as it is now, else the one that the type had
 * when the target was spawned.
 *
 * @module
 */

import type { Entity, EntityStore } from '../store/entities.ts';
import type { EntityType } from './entity-type.ts';
import { compileAll, createCompiler, type Validator } from './validator.ts';

/** The type of message that every entity takes. */
const COMPOSER_INPUT = 'composer_input';

const COMPOSER_SCHEMA = {
  type: 'object',
  properties: {
    source: { type: 'string' },
    nodes: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          kind: { type: 'string' },
          start: { type: 'integer', minimum: 0 },
          end: { type: 'integer', minimum: 0 },
          raw: { type: 'string' },
        },
        required: ['kind', 'start', 'end', 'raw'],
      },
    },
  },
  required: ['source'],
};

/** How a message is to be checked: `anything` when its target has no schemas, `unknown` when none is for its type. */
export type MessageCheck = Validator | 'anything' | 'unknown';

/** Finds the check for a typed message. */
export interface MessageSchemas {
  find(
    type: EntityType | undefined,
    target: Pick<Entity, 'inboxSchemasId'>,
    messageType: string,
  ): MessageCheck;
}

/** @param entities - keeps the schemas of earlier definitions */
export function createMessageSchemas(entities: EntityStore): MessageSchemas {
  const composer = createCompiler()(COMPOSER_INPUT, COMPOSER_SCHEMA);
  const stored = new Map<number, ReadonlyMap<string, Validator>>();

  function validatorsOf(id: number | null): ReadonlyMap<string, Validator> | undefined {
    if (id === null) return undefined;
    const known = stored.get(id);
    if (known !== undefined) return known;
    const compiled = compileAll('stored inbox schemas', createCompiler(), entities.inboxSchemas(id));
    stored.set(id, compiled);
    return compiled;
  }

  return {
    find(type, { inboxSchemasId }, messageType) {
      if (messageType === COMPOSER_INPUT) return composer;
      const latest = type?.validateMessage?.get(messageType);
      if (latest !== undefined) return latest;
      const earlier = validatorsOf(inboxSchemasId);
      if (type?.validateMessage === undefined && earlier === undefined) return 'anything';
      return earlier?.get(messageType) ?? 'unknown';
    },
  };
}
