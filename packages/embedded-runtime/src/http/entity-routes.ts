/**
 * Entities: spawn, list, show, end.
 *
 * @module
 */

import type { Hono } from 'hono';
import { type Core, PRINCIPAL, requireEntity } from '../engine/core.ts';
import { signalEntity } from '../engine/signals.ts';
import { spawnEntity } from '../engine/spawn.ts';
import { registerWake } from '../engine/wake-registration.ts';
import { RequestError } from '../errors.ts';
import { bodies } from './bodies.ts';
import { durably, entityUrlIn, readBody, toJson } from './respond.ts';

type SpawnBody = ReturnType<typeof bodies.spawn.parse>;

function spawn(core: Core, type: string, id: string, body: SpawnBody) {
  const { wake, ...request } = body;
  const outcome = spawnEntity(core, { type, id, ...request });
  if (wake !== undefined && outcome.kind === 'created') {
    const manifestKey = wake.manifestKey ?? `child:${type}:${id}`;
    registerWake(core, { ...wake, sourceUrl: outcome.entity.url, manifestKey });
  }
  return outcome;
}

/** Adds the routes under `/_electric/entities`, without those for input. */
export function addEntityRoutes(app: Hono, core: Core): void {
  const path = '/_electric/entities/:type/:id';
  app.get('/_electric/entities', (context) => {
    const { type, parent, status, created_by: createdBy } = context.req.query();
    if (createdBy !== undefined && createdBy !== PRINCIPAL.url) return context.json([]);
    const entities = core.store.entities
      .list({ ...(type !== undefined && { type }), ...(parent !== undefined && { parent }) })
      .map((entity) => toJson(core, entity));
    return context.json(
      status === undefined ? entities : entities.filter((entity) => entity.status === status),
    );
  });
  app.put(path, async (context) => {
    const [type = '', id = ''] = entityUrlIn(context).split('/').slice(1);
    const body = await readBody(context, bodies.spawn);
    const { kind, entity } = await durably(core, () => spawn(core, type, id, body));
    const json = toJson(core, entity);
    if (kind === 'created') return context.json(json, 201);
    throw new RequestError(409, 'DUPLICATE_URL', `${entity.url} exists`, { entity: json });
  });
  // Hono answers HEAD by this route, too.
  app.get(path, (context) => context.json(toJson(core, requireEntity(core, entityUrlIn(context)))));
  app.delete(path, async (context) => {
    const entityUrl = entityUrlIn(context);
    const { txid } = await durably(core, () =>
      signalEntity(core, { entityUrl, signal: 'SIGKILL', reason: 'deleted' }),
    );
    return context.json({ txid });
  });
}
