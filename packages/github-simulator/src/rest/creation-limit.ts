import type { World } from '../world/world.ts';
import type { Middleware } from './env.ts';
import { apiError } from './responses.ts';

const WINDOW_MS = 60_000;

/** Requests that create what people are notified of. Edits and reactions are not among them. */
const CREATING_PATH =
  /\/issues\/\d+\/comments$|\/pulls\/\d+\/(?:comments|reviews)$|\/comments\/\d+\/replies$/;

const REFUSAL =
  'You have exceeded a secondary rate limit and have been temporarily blocked from content creation. Please retry your request again later.';

/**
 * GitHub's secondary limit on creating content, some 80 in a minute for the whole App. Beyond it requests
 * get 403 with `retry-after`, however much of the hour's limit is left; they do not prolong the wait.
 */
export function limitCreations(world: World, maxPerMinute: number): Middleware {
  let recentMs: readonly number[] = [];
  return async (c, next) => {
    if (c.req.method !== 'POST' || !CREATING_PATH.test(c.req.path)) return next();
    const nowMs = world.now().getTime();
    recentMs = recentMs.filter((atMs) => atMs > nowMs - WINDOW_MS);
    const [oldestMs = nowMs] = recentMs;
    if (recentMs.length >= maxPerMinute) {
      c.header('Retry-After', String(Math.max(1, Math.ceil((oldestMs + WINDOW_MS - nowMs) / 1000))));
      return apiError(c, 403, REFUSAL);
    }
    recentMs = [...recentMs, nowMs];
    return next();
  };
}
