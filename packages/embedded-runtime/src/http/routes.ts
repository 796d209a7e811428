/**
 * The agents-server's HTTP routes, as far as this host has them.
 *
 * @module
 */

import { Hono } from 'hono';
import type { Core } from '../engine/core.ts';
import { RequestError } from '../errors.ts';
import { addEntityRoutes } from './entity-routes.ts';
import { addInputRoutes } from './input-routes.ts';
import { addRefusedRoutes } from './refused-routes.ts';
import { toResponse } from './respond.ts';
import { addStreamRoutes } from './stream-routes.ts';
import { addTypeRoutes } from './type-routes.ts';

/**
 * @param core - the engine
 * @returns answers requests; what it does not know is a 404
 */
export function createRoutes(core: Core): (request: Request) => Promise<Response> {
  const app = new Hono();
  app.get('/_electric/health', (context) => context.json({ status: 'ok' }));
  addTypeRoutes(app, core);
  addEntityRoutes(app, core);
  addInputRoutes(app, core);
  addStreamRoutes(app, core);
  addRefusedRoutes(app);
  app.notFound(() => toResponse(new RequestError(404, 'NOT_FOUND', 'there is no such route'), core));
  app.onError((error) => toResponse(error, core));
  return async (request) => app.fetch(request);
}
