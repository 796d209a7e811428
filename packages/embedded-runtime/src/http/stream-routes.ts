/**
 * Streams and who is woken by them.
 *
 * @module
 */

import type { Hono } from 'hono';
import { checkCronSpec, cronStreamPathOf } from '../cron-spec.ts';
import { type Core, requireEntity } from '../engine/core.ts';
import { appendSharedState, ensureSharedState } from '../engine/shared-state.ts';
import { registerWake, unregisterWake } from '../engine/wake-registration.ts';
import { RequestError } from '../errors.ts';
import { getWebhookStreamPath } from '../sources.ts';
import { bodies } from './bodies.ts';
import { durably, pathOf, readBody } from './respond.ts';

const SHARED_STATE = '/_electric/shared-state/:id';

function eventsOf(core: Core, path: string) {
  const id = core.store.streams.find(path);
  if (id === undefined) throw new RequestError(404, 'NOT_FOUND', `there is no stream ${path}`);
  return core.store.streams.events(id, 0);
}

/** @throws RequestError 400 when the path is not that of a bucket */
function checkBucketPath(path: string): string {
  const [endpointKey = '', ...bucket] = path.split('/').slice(2);
  return getWebhookStreamPath(endpointKey, bucket.join('/'));
}

function addWakeRoutes(app: Hono, core: Core): void {
  app.post('/_electric/wake', async (context) => {
    const registration = await readBody(context, bodies.wake);
    await durably(core, () => registerWake(core, registration));
    return context.body(null, 204);
  });
  app.post('/_electric/wake/unregister', async (context) => {
    const registration = await readBody(context, bodies.wakeUnregister);
    await durably(core, () => unregisterWake(core, registration));
    return context.body(null, 204);
  });
}

/** Adds the routes of streams that belong to no entity, and of registrations. */
export function addStreamRoutes(app: Hono, core: Core): void {
  addWakeRoutes(app, core);
  app.put(SHARED_STATE, async (context) => {
    const isNew = await durably(core, () => ensureSharedState(core, pathOf(context)));
    return context.body(null, isNew ? 201 : 200);
  });
  app.post(SHARED_STATE, async (context) => {
    const events = await readBody(context, bodies.sharedStateEvents);
    const all = Array.isArray(events) ? events : [events];
    await durably(core, () => appendSharedState(core, pathOf(context), all));
    return context.body(null, 204);
  });
  app.get(SHARED_STATE, (context) => context.json(eventsOf(core, pathOf(context))));
  app.put('/_webhooks/*', async (context) => {
    const path = checkBucketPath(pathOf(context));
    await durably(core, () => core.store.streams.ensure(path));
    return context.body(null, 201);
  });
  app.get('/_webhooks/*', (context) => context.json(eventsOf(core, pathOf(context))));
  app.post('/_electric/observations/cron/ensure-stream', async (context) => {
    const { expression, timezone } = await readBody(context, bodies.cronStream);
    const streamUrl = cronStreamPathOf(checkCronSpec(expression, timezone));
    await durably(core, () => core.store.streams.ensure(streamUrl));
    return context.json({ streamUrl });
  });
  app.get('/_cron/:ref', (context) => context.json(eventsOf(core, pathOf(context))));
  app.get('/:type/:id/main', (context) => {
    const url = pathOf(context).replace(/\/main$/, '');
    return context.json(core.store.streams.events(requireEntity(core, url).id, 0));
  });
}
