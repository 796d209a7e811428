/**
 * Entity types.
 *
 * @module
 */

import type { Hono } from 'hono';
import type { Core } from '../engine/core.ts';
import { isTypeName } from '../entity-url.ts';
import { DefinitionError, RequestError } from '../errors.ts';
import { toCheckedJsonSchema } from '../schema/json-schema.ts';
import { bodies } from './bodies.ts';
import { readBody } from './respond.ts';

type TypeBody = ReturnType<typeof bodies.entityType.parse>;

/** @throws RequestError 400 naming the field and the keyword that are not accepted */
function checkSchemas({
  creation_schema: creation,
  inbox_schemas: inbox,
  state_schemas: state,
}: TypeBody): void {
  const schemas = [
    ...(creation === undefined ? [] : [['creation_schema', creation] as const]),
    ...Object.entries(inbox ?? {}).map(([name, schema]) => [`inbox_schemas.${name}`, schema] as const),
    ...Object.entries(state ?? {}).map(([name, schema]) => [`state_schemas.${name}`, schema] as const),
  ];
  try {
    for (const [where, schema] of schemas) toCheckedJsonSchema(where, schema);
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    throw new RequestError(400, 'INVALID_REQUEST', error.message);
  }
}

/**
 * A type can be announced again, but its definition is the one that the process brings along: there is nobody
 * else to run its handler.
 *
 * @throws RequestError 400 when the name or a schema is not accepted, 501 when the process has no such type
 */
function announce(core: Core, body: TypeBody) {
  if (!isTypeName(body.name)) {
    throw new RequestError(400, 'INVALID_REQUEST', `"${body.name}" cannot be the name of an entity type`);
  }
  checkSchemas(body);
  const type = core.types.get(body.name);
  if (type === undefined) {
    throw new RequestError(
      501,
      'NOT_SUPPORTED',
      `this host runs the types of its own process: define "${body.name}" in its registry`,
    );
  }
  return type.json;
}

/** Adds the routes under `/_electric/entity-types`. */
export function addTypeRoutes(app: Hono, core: Core): void {
  app.get('/_electric/entity-types', (context) =>
    context.json([...core.types.values()].map((type) => type.json)),
  );
  app.post('/_electric/entity-types', async (context) =>
    context.json(announce(core, await readBody(context, bodies.entityType)), 201),
  );
  app.get('/_electric/entity-types/:name', (context) => {
    const type = core.types.get(context.req.param('name'));
    if (type !== undefined) return context.json(type.json);
    throw new RequestError(404, 'NOT_FOUND', 'Entity type not found');
  });
}
