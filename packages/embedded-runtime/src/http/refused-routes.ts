/**
 * Routes of an agents-server that this host does not have. They answer 501 with the reason.
 *
 * @module
 */

import type { Hono } from 'hono';
import { RequestError } from '../errors.ts';

const ENTITY = '/_electric/entities/:type/:id';
const TYPE = '/_electric/entity-types/:name';
const ONE_PRINCIPAL = 'this host has one principal, so there is nothing to grant';
const OWN_TYPES = 'the types of this host are those of its process';
const IN_PROCESS = 'handlers run in the process of this host, so there is nobody to notify';

/** Paths, with why they are refused. */
const REFUSED: readonly (readonly [path: string, reason: string])[] = [
  [`${ENTITY}/fork`, 'entities cannot be forked on this host'],
  [`${ENTITY}/attachments`, 'this host keeps no attachments'],
  [`${ENTITY}/attachments/:attachment`, 'this host keeps no attachments'],
  [`${ENTITY}/grants`, ONE_PRINCIPAL],
  [`${ENTITY}/grants/:grant`, ONE_PRINCIPAL],
  [`${ENTITY}/webhook-source-subscriptions/:subscription`, 'this host has no catalogue of webhook sources'],
  [`${ENTITY}/pg-sync-observations/:ref`, 'this host does not sync from Postgres'],
  [`${TYPE}/schemas`, OWN_TYPES],
  [`${TYPE}/grants`, ONE_PRINCIPAL],
  [`${TYPE}/grants/:grant`, ONE_PRINCIPAL],
  ['/_electric/pg-sync/register', 'this host does not sync from Postgres'],
  ['/_electric/observations/entities/ensure-stream', 'entities() needs the sync service of an agents-server'],
  ['/_electric/runners', IN_PROCESS],
  ['/_electric/runners/*', IN_PROCESS],
  ['/_electric/wake-callbacks/:consumer', IN_PROCESS],
  ['/_electric/subscription-webhooks/:subscription', IN_PROCESS],
];

function refuse(reason: string): never {
  throw new RequestError(501, 'NOT_SUPPORTED', reason);
}

/** Adds the refusals. */
export function addRefusedRoutes(app: Hono): void {
  for (const [path, reason] of REFUSED) app.all(path, () => refuse(reason));
  app.delete(TYPE, () => refuse(OWN_TYPES));
  app.post('/_webhooks/*', () => refuse('deliveries come in through appendWebhookEvent of the host'));
  app.get('/_electric/webhook-sources', (context) => context.json({ webhookSources: [] }));
}
