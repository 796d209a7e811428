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

/**
 * GitHub's primary limit, counted per kind of caller. `GET /rate_limit` and answers 304 are free; an
 * exhausted limit answers 403 until the hour is over.
 */
export interface RateLimit {
  /** Outermost: counts, and sets the headers unless an injected answer brought its own. */
  readonly count: Middleware;
  /** Behind authentication: refuses callers whose hour is used up. */
  readonly enforce: Middleware;
  statusOf(c: Ctx): RateLimitStatus;
}

export function createRateLimit(world: World, requestsPerHour: number): RateLimit {
  const usages = new Map<string, Usage>();
  const usageOf = (kind: string): Usage => {
    const nowSeconds = Math.floor(world.now().getTime() / 1000);
    const known = usages.get(kind);
    return known !== undefined && known.resetsAtSeconds > nowSeconds
      ? known
      : { used: 0, resetsAtSeconds: nowSeconds + WINDOW_SECONDS };
  };
  const statusOf = (c: Ctx): RateLimitStatus => {
    const { used, resetsAtSeconds } = usageOf(c.get('caller').kind);
    const remaining = Math.max(0, requestsPerHour - used);
    return { limit: requestsPerHour, used, remaining, reset: resetsAtSeconds };
  };
  return {
    statusOf,
    count: async (c, next) => {
      await next();
      const { kind } = c.get('caller');
      const usage = usageOf(kind);
      const isFree = c.req.path === FREE_PATH || c.res.status === 304;
      usages.set(kind, { ...usage, used: usage.used + (isFree ? 0 : 1) });
      if (!c.res.headers.has('X-RateLimit-Remaining')) setHeaders(c, statusOf(c));
    },
    enforce: async (c, next) => {
      if (c.req.path === FREE_PATH || statusOf(c).remaining > 0) return next();
      return apiError(c, 403, `API rate limit exceeded for installation ID ${world.app.installationId}.`);
    },
  };
}

const FREE_PATH = '/rate_limit';

function setHeaders(c: Ctx, status: RateLimitStatus): void {
  c.header('X-RateLimit-Limit', String(status.limit));
  c.header('X-RateLimit-Used', String(status.used));
  c.header('X-RateLimit-Remaining', String(status.remaining));
  c.header('X-RateLimit-Reset', String(status.reset));
  c.header('X-RateLimit-Resource', 'core');
}
