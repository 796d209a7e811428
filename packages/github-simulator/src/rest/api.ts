import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { graphqlRoute } from '../graphql/route.ts';
import type { Hook } from '../webhooks/hook.ts';
import type { World } from '../world/world.ts';
import type { AppKeys } from './app-token.ts';
import { authenticate, createTokens } from './authentication.ts';
import { limitCreations } from './creation-limit.ts';
import type { Env } from './env.ts';
import { createFaults, type Faults } from './faults.ts';
import { createRateLimit } from './rate-limit.ts';
import { logRequests, type RequestRecord } from './request-log.ts';
import { apiError, notFound } from './responses.ts';
import { appRoutes } from './routes/app.ts';
import { commentRoutes } from './routes/comments.ts';
import { contentRoutes } from './routes/contents.ts';
import { issueRoutes } from './routes/issues.ts';
import { peopleRoutes } from './routes/people.ts';
import { pullRoutes } from './routes/pulls.ts';
import { repositoryRoutes } from './routes/repository.ts';
import { reviewRoutes } from './routes/reviews.ts';

export interface Api {
  readonly app: Hono<Env>;
  readonly faults: Faults;
  readonly requests: readonly RequestRecord[];
}

export interface ApiSetup {
  readonly world: World;
  readonly hook: Hook;
  readonly keys: AppKeys;
  readonly requestsPerHour: number;
  readonly creationsPerMinute: number;
}

/** The HTTP side. What all answers share happens around the routes, in this order. */
export function createApi(setup: ApiSetup): Api {
  const { world, hook, keys, requestsPerHour, creationsPerMinute } = setup;
  const requests: RequestRecord[] = [];
  const faults = createFaults();
  const tokens = createTokens(world);
  const rateLimit = createRateLimit(world, requestsPerHour);
  const app = new Hono<Env>();

  app.use(logRequests(world, requests));
  app.use(rateLimit.count);
  app.use(faults.middleware);
  app.use(authenticate(world, keys, tokens));
  app.use(rateLimit.enforce);
  app.use(limitCreations(world, creationsPerMinute));
  app.use(etag({ weak: true }));

  app.get('/rate_limit', (c) => {
    const core = rateLimit.statusOf(c, 'core');
    const graphql = rateLimit.statusOf(c, 'graphql');
    return c.json({ resources: { core, search: core, graphql }, rate: core });
  });
  app.route('/', appRoutes(world, tokens));
  app.route('/', peopleRoutes(world));
  app.route('/', graphqlRoute(world, rateLimit));
  app.use('/repos/:owner/:repo/*', async (c, next) => (isOurs(world, c.req.param()) ? next() : notFound(c)));
  for (const routes of REPOSITORY_ROUTES) app.route('/repos/:owner/:repo', routes(world, hook));
  app.notFound((c) => {
    c.set('routed', false);
    return notFound(c);
  });
  app.onError((error, c) => apiError(c, 500, `Server Error: ${error.message}`));
  return { app, faults, requests };
}

const REPOSITORY_ROUTES = [
  repositoryRoutes,
  contentRoutes,
  pullRoutes,
  issueRoutes,
  commentRoutes,
  reviewRoutes,
] as const;

function isOurs(world: World, names: { readonly owner: string; readonly repo: string }): boolean {
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
  return same(names.owner, world.owner) && same(names.repo, world.repo);
}
