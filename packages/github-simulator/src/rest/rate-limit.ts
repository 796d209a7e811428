import type { World } from '../world/world.ts';
import type { Ctx, Middleware } from './env.ts';
import { apiError } from './responses.ts';

const WINDOW_SECONDS = 3600;

interface Usage {
  readonly used: number;
  readonly resetsAtSeconds: number;
}

/** The numbers of `GET /rate_limit` and of the `X-RateLimit-*` headers. */
export interface RateLimitStatus {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  readonly reset: number;
}

/** GraphQL has an hour of its own, in points. */
export type Resource = 'core' | 'graphql';

/**
 * GitHub's primary limit, counted per kind of caller and resource. `GET /rate_limit` and answers 304 are
 * free; an exhausted limit answers 403 until the hour is over, and 200 with an error in GraphQL.
 */
export interface RateLimit {
  /** Outermost: counts, and sets the headers unless an injected answer brought its own. */
  readonly count: Middleware;
  /** Behind authentication: refuses callers whose hour is used up. */
  readonly enforce: Middleware;
  statusOf(c: Ctx, resource: Resource): RateLimitStatus;
}

export function createRateLimit(world: World, requestsPerHour: number): RateLimit {
  const usages = new Map<string, Usage>();
  const usageOf = (key: string): Usage => {
    const nowSeconds = Math.floor(world.now().getTime() / 1000);
    const known = usages.get(key);
    return known !== undefined && known.resetsAtSeconds > nowSeconds
      ? known
      : { used: 0, resetsAtSeconds: nowSeconds + WINDOW_SECONDS };
  };
  const statusOf = (c: Ctx, resource: Resource): RateLimitStatus => {
    const { used, resetsAtSeconds } = usageOf(keyOf(c, resource));
    const remaining = Math.max(0, requestsPerHour - used);
    return { limit: requestsPerHour, used, remaining, reset: resetsAtSeconds };
  };
  return {
    statusOf,
    count: async (c, next) => {
      c.set('points', 1);
      await next();
      const resource = resourceOf(c);
      const key = keyOf(c, resource);
      const usage = usageOf(key);
      const isFree = c.req.path === FREE_PATH || c.res.status === 304;
      usages.set(key, { ...usage, used: usage.used + (isFree ? 0 : c.get('points')) });
      if (!c.res.headers.has('X-RateLimit-Remaining')) setHeaders(c, statusOf(c, resource), resource);
    },
    enforce: async (c, next) => {
      const resource = resourceOf(c);
      if (c.req.path === FREE_PATH || statusOf(c, resource).remaining > 0) return next();
      return resource === 'graphql' ? graphqlRefusal(c, world) : restRefusal(c, world);
    },
  };
}

const FREE_PATH = '/rate_limit';

function resourceOf(c: Ctx): Resource {
  return c.req.path === '/graphql' ? 'graphql' : 'core';
}

function keyOf(c: Ctx, resource: Resource): string {
  return `${c.get('caller').kind} ${resource}`;
}

function restRefusal(c: Ctx, world: World): Response {
  return apiError(c, 403, `API rate limit exceeded for installation ID ${world.app.installationId}.`);
}

/** As GitHub has been seen to answer; its documentation names the type RATE_LIMITED. */
function graphqlRefusal(c: Ctx, world: World): Response {
  c.set('points', 0);
  const message = `API rate limit already exceeded for installation ID ${world.app.installationId}.`;
  return c.json({ errors: [{ type: 'RATE_LIMIT', code: 'graphql_rate_limit', message }] });
}

function setHeaders(c: Ctx, status: RateLimitStatus, resource: Resource): void {
  c.header('X-RateLimit-Limit', String(status.limit));
  c.header('X-RateLimit-Used', String(status.used));
  c.header('X-RateLimit-Remaining', String(status.remaining));
  c.header('X-RateLimit-Reset', String(status.reset));
  c.header('X-RateLimit-Resource', resource);
}
