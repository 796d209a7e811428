import { Hono } from 'hono';
import { z } from 'zod';
import { once } from '../once.ts';
import { type Env, seesMembers } from '../rest/env.ts';
import type { RateLimit } from '../rest/rate-limit.ts';
import { apiError, readBody } from '../rest/responses.ts';
import type { World } from '../world/world.ts';
import { createObjectReader } from './git-objects.ts';

const graphqlRequest = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});

/** `POST /graphql`, for installation tokens. */
export function graphqlRoute(world: World, rateLimit: RateLimit): Hono<Env> {
  const routes = new Hono<Env>();
  // Loading graphql takes longer than most of what the simulator is used for, which asks no query.
  const runner = once(async () => (await import('./run-query.ts')).createQueryRunner());
  routes.post('/graphql', async (c) => {
    const caller = c.get('caller');
    if (caller.kind !== 'installation') return apiError(c, 401, 'Bad credentials');
    const body = await readBody(c, graphqlRequest);
    if (!body.ok) return body.response;
    const runQuery = await runner();
    const { answer, points } = await runQuery(body.value, (cost) => ({
      world,
      caller,
      seesMembers: seesMembers(c),
      cost,
      readObject: createObjectReader(world.git),
      rateLimit: rateLimit.statusOf(c, 'graphql'),
    }));
    c.set('points', points);
    c.set('routed', !answer.errors?.some(({ type }) => type === 'SIMULATOR_LACKS'));
    return c.json(answer);
  });
  return routes;
}
