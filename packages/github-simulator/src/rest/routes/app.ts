import { Hono } from 'hono';
import { z } from 'zod';
import { installation, installationToken, integration } from '../../shapes/app.ts';
import type { World } from '../../world/world.ts';
import { onlyApp, type Tokens } from '../authentication.ts';
import type { Env } from '../env.ts';
import { isWithin } from '../permissions.ts';
import { apiError, notFound, readBody } from '../responses.ts';

const tokenRequest = z.object({ permissions: z.record(z.string(), z.enum(['read', 'write'])).optional() });

/** The App about itself, by its JSON web token. */
export function appRoutes(world: World, tokens: Tokens): Hono<Env> {
  const routes = new Hono<Env>();
  const isOurs = (id: string) => Number(id) === world.app.installationId;

  routes.get('/app', onlyApp, (c) => c.json(integration(world)));
  routes.get('/app/installations/:id', onlyApp, (c) =>
    isOurs(c.req.param('id')) ? c.json(installation(world)) : notFound(c),
  );
  routes.get('/repos/:owner/:repo/installation', onlyApp, (c) => {
    const ours = [world.owner, world.repo].join('/').toLowerCase();
    const asked = [c.req.param('owner'), c.req.param('repo')].join('/').toLowerCase();
    return asked === ours ? c.json(installation(world)) : notFound(c);
  });
  routes.post('/app/installations/:id/access_tokens', onlyApp, async (c) => {
    if (!isOurs(c.req.param('id'))) return notFound(c);
    const body = await readBody(c, tokenRequest);
    if (!body.ok) return body.response;
    const permissions = body.value.permissions ?? world.app.permissions;
    if (!isWithin(permissions, world.app.permissions)) {
      return apiError(c, 422, 'The permissions requested are not granted to this installation.');
    }
    const { token, expiresAt } = tokens.mint(permissions);
    return c.json(installationToken(token, expiresAt, permissions), 201);
  });
  return routes;
}
