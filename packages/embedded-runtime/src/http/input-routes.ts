/**
 * What reaches an entity from outside: messages, signals, tags, schedules, rows of collections.
 *
 * @module
 */

import type { Hono } from 'hono';
import { writeCollection } from '../engine/collections.ts';
import { type Core, PRINCIPAL } from '../engine/core.ts';
import { changeMessage, removeMessage } from '../engine/inbox.ts';
import { deleteSchedule, putSchedule } from '../engine/schedules.ts';
import { sendMessage } from '../engine/send.ts';
import { signalEntity } from '../engine/signals.ts';
import { setTag } from '../engine/tags.ts';
import { RequestError } from '../errors.ts';
import { bodies } from './bodies.ts';
import { durably, entityUrlIn, lastSegmentIn, readBody, txidOf } from './respond.ts';

const PATH = '/_electric/entities/:type/:id';

function addMessageRoutes(app: Hono, core: Core): void {
  app.post(`${PATH}/send`, async (context) => {
    const targetUrl = entityUrlIn(context);
    const { from_agent: fromAgent, ...body } = await readBody(context, bodies.send);
    if (body.from !== undefined && body.from !== PRINCIPAL.url) {
      throw new RequestError(400, 'INVALID_REQUEST', 'Request from must match Electric-Principal');
    }
    const payload = body.payload;
    const outcome = await durably(core, () => sendMessage(core, { ...body, payload, fromAgent, targetUrl }));
    return outcome === 'delayed' ? context.body(null, 204) : context.json(txidOf(core));
  });
  app.patch(`${PATH}/inbox/:key`, async (context) => {
    const entityUrl = entityUrlIn(context);
    const change = await readBody(context, bodies.inboxChange);
    await durably(core, () => changeMessage(core, entityUrl, lastSegmentIn(context), change));
    return context.json(txidOf(core));
  });
  app.delete(`${PATH}/inbox/:key`, async (context) => {
    await durably(core, () => removeMessage(core, entityUrlIn(context), lastSegmentIn(context)));
    return context.json(txidOf(core));
  });
}

function addScheduleRoutes(app: Hono, core: Core): void {
  app.put(`${PATH}/schedules/:schedule`, async (context) => {
    const schedule = await readBody(context, bodies.schedule);
    await durably(core, () => putSchedule(core, entityUrlIn(context), lastSegmentIn(context), schedule));
    return context.json(txidOf(core));
  });
  app.delete(`${PATH}/schedules/:schedule`, async (context) => {
    await durably(core, () => deleteSchedule(core, entityUrlIn(context), lastSegmentIn(context)));
    return context.json(txidOf(core));
  });
}

/** Adds the routes under an entity's address. */
export function addInputRoutes(app: Hono, core: Core): void {
  addMessageRoutes(app, core);
  addScheduleRoutes(app, core);
  app.post(`${PATH}/signal`, async (context) => {
    const entityUrl = entityUrlIn(context);
    const body = await readBody(context, bodies.signal);
    return context.json(await durably(core, () => signalEntity(core, { entityUrl, ...body })));
  });
  app.post(`${PATH}/tags/:key`, async (context) => {
    const { value } = await readBody(context, bodies.tag);
    await durably(core, () => setTag(core, entityUrlIn(context), lastSegmentIn(context), value));
    return context.json(txidOf(core));
  });
  app.delete(`${PATH}/tags/:key`, async (context) => {
    await durably(core, () => setTag(core, entityUrlIn(context), lastSegmentIn(context), undefined));
    return context.json(txidOf(core));
  });
  app.post(`${PATH}/collections/:collection`, async (context) => {
    const entityUrl = entityUrlIn(context);
    const write = await readBody(context, bodies.collectionWrite);
    const key = await durably(core, () => writeCollection(core, entityUrl, lastSegmentIn(context), write));
    return context.json({ key }, write.operation === 'insert' ? 201 : 200);
  });
}
