/**
 * The agents-server's HTTP routes, as far as this host has them.
 *
 * @module
 */

import { type Context, Hono } from 'hono';
import { type Core, PRINCIPAL, requireEntity } from '../engine/core.ts';
import { sendMessage } from '../engine/send.ts';
import { signalEntity } from '../engine/signals.ts';
import { spawnEntity } from '../engine/spawn.ts';
import { setTag } from '../engine/tags.ts';
import {
  HostNotRunningError,
  messageOf,
  NotSupportedError,
  RequestError,
  StorageError,
  UnstorableTextError,
} from '../errors.ts';
import type { Entity } from '../store/entities.ts';
import { type BodySchema, bodies } from './bodies.ts';

function toJson(core: Core, entity: Entity, isRunning: (id: number) => boolean) {
  const { url, type, parent, tags, args } = entity;
  return {
    url,
    type,
    status: entity.status === 'idle' && isRunning(entity.id) ? 'running' : entity.status,
    streams: { main: `${url}/main` },
    tags,
    spawn_args: args,
    parent,
    created_by: PRINCIPAL.url,
    created_at: entity.createdAtMs,
    updated_at: entity.updatedAtMs,
    type_revision: core.types.has(type) ? 1 : 0,
  };
}

async function readBody<T>(context: Context, schema: BodySchema<T>): Promise<T> {
  let body: unknown;
  try {
    const text = await context.req.text();
    body = text === '' ? {} : JSON.parse(text);
  } catch {
    throw new RequestError(400, 'INVALID_REQUEST', 'the body is not JSON');
  }
  const parsed = schema.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new RequestError(400, 'INVALID_REQUEST', `${issue?.path.join('.') || 'body'}: ${issue?.message}`);
  }
  return parsed.data;
}

/** The URL of the entity that a route is about, exactly as it stands in the address. */
function entityUrlIn(context: Context): string {
  return new URL(context.req.url).pathname
    .split('/')
    .slice(3, 5)
    .map((part) => `/${part}`)
    .join('');
}

/** The answer to an error. */
function toResponse(error: unknown, core: Core): Response {
  if (error instanceof RequestError) return Response.json(error.toBody(), { status: error.status });
  if (error instanceof NotSupportedError || error instanceof UnstorableTextError) {
    return Response.json(new RequestError(400, 'INVALID_REQUEST', error.message).toBody(), { status: 400 });
  }
  if (error instanceof StorageError || error instanceof HostNotRunningError) {
    core.log.error('a request could not be accepted', { reason: error.message });
    return Response.json(new RequestError(503, 'STORAGE_UNAVAILABLE', error.message).toBody(), {
      status: 503,
    });
  }
  core.log.error('a request failed', { reason: messageOf(error) });
  return Response.json({ error: { code: 'INTERNAL', message: 'internal error' } }, { status: 500 });
}

/** Runs work that writes, and waits until it survives a power cut. */
async function durably<T>(core: Core, work: () => T): Promise<T> {
  const result = core.store.commit.write(work);
  await core.store.commit.synced();
  return result;
}

function addEntityRoutes(app: Hono, core: Core, isRunning: (id: number) => boolean): void {
  const path = '/_electric/entities/:type/:id';
  app.get('/_electric/entities', (context) => {
    const { type, parent, status } = context.req.query();
    const entities = core.store.entities
      .list({ ...(type !== undefined && { type }), ...(parent !== undefined && { parent }) })
      .map((entity) => toJson(core, entity, isRunning));
    return context.json(
      status === undefined ? entities : entities.filter((entity) => entity.status === status),
    );
  });
  app.put(path, async (context) => {
    const [type = '', id = ''] = entityUrlIn(context).split('/').slice(1);
    const body = await readBody(context, bodies.spawn);
    const { kind, entity } = await durably(core, () => spawnEntity(core, { type, id, ...body }));
    const json = toJson(core, entity, isRunning);
    if (kind === 'created') return context.json(json, 201);
    throw new RequestError(409, 'DUPLICATE_URL', `${entity.url} exists`, { entity: json });
  });
  // Hono answers HEAD by this route, too.
  app.get(path, (context) =>
    context.json(toJson(core, requireEntity(core, entityUrlIn(context)), isRunning)),
  );
  app.delete(path, async (context) => {
    const entityUrl = entityUrlIn(context);
    await durably(core, () => signalEntity(core, { entityUrl, signal: 'SIGKILL', reason: 'deleted' }));
    return context.json({ txid: entityUrl });
  });
}

function addInputRoutes(app: Hono, core: Core): void {
  const path = '/_electric/entities/:type/:id';
  app.post(`${path}/send`, async (context) => {
    const targetUrl = entityUrlIn(context);
    const { from_agent: fromAgent, ...body } = await readBody(context, bodies.send);
    const payload = body.payload;
    const outcome = await durably(core, () => sendMessage(core, { ...body, payload, fromAgent, targetUrl }));
    return outcome === 'delayed' ? context.body(null, 204) : context.json({ txid: String(core.clock.now()) });
  });
  app.post(`${path}/signal`, async (context) => {
    const entityUrl = entityUrlIn(context);
    const body = await readBody(context, bodies.signal);
    await durably(core, () => signalEntity(core, { entityUrl, ...body }));
    return context.json({ txid: String(core.clock.now()) });
  });
  app.post(`${path}/tags/:key`, async (context) => {
    const { value } = await readBody(context, bodies.tag);
    await durably(core, () => setTag(core, entityUrlIn(context), context.req.param('key'), value));
    return context.json({ txid: String(core.clock.now()) });
  });
  app.delete(`${path}/tags/:key`, async (context) => {
    await durably(core, () => setTag(core, entityUrlIn(context), context.req.param('key'), undefined));
    return context.json({ txid: String(core.clock.now()) });
  });
}

/**
 * @param core - the engine
 * @param isRunning - whether a pass of the entity runs now
 * @returns answers requests; what it does not know is a 404
 */
export function createRoutes(
  core: Core,
  isRunning: (entityId: number) => boolean,
): (request: Request) => Promise<Response> {
  const app = new Hono();
  app.get('/_electric/health', (context) => context.json({ status: 'ok' }));
  app.get('/_electric/entity-types', (context) =>
    context.json([...core.types.values()].map((type) => type.json)),
  );
  app.get('/_electric/entity-types/:name', (context) => {
    const type = core.types.get(context.req.param('name'));
    if (type === undefined)
      throw new RequestError(404, 'UNKNOWN_ENTITY_TYPE', 'there is no such entity type');
    return context.json(type.json);
  });
  addEntityRoutes(app, core, isRunning);
  addInputRoutes(app, core);
  app.get('/:type/:id/main', (context) => {
    const url = new URL(context.req.url).pathname.replace(/\/main$/, '');
    return context.json(core.store.streams.events(requireEntity(core, url).id, 0));
  });
  app.notFound(() => toResponse(new RequestError(404, 'NOT_FOUND', 'there is no such route'), core));
  app.onError((error) => toResponse(error, core));
  return async (request) => app.fetch(request);
}
