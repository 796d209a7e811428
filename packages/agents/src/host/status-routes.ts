/**
 * What the service says of itself to those who may ask: `GET /status` and `GET /status/{owner}/{repo}/{number}`.
 * Whoever asks shows the token that the service wrote into its data directory, so that a service which listens
 * on more than this machine does not tell strangers about a private repository.
 *
 * @module
 */
import { timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { type PrRef, parsePrKey, prKey } from '../ids.ts';
import type { ShepherdStatus } from '../review/shepherd-status.ts';

/** What is answered for the whole repository. */
export interface ServiceStatus {
  readonly repository: string;
  readonly pullRequests: readonly ShepherdStatus[];
}

/** What the routes need. */
export interface StatusSources {
  readonly token: string;
  readonly repository: () => Promise<ServiceStatus>;
  /** `undefined` where no Shepherd looks after it. */
  readonly pullRequest: (pr: PrRef) => Promise<ShepherdStatus | undefined>;
}

/** The routes, to be mounted beside the ingress. */
export function createStatusRoutes(sources: StatusSources): Hono {
  const app = new Hono();
  app.use('/status/*', async (c, next) => {
    if (!isToken(c.req.header('authorization'), sources.token)) {
      return c.json(
        { error: 'the header Authorization with the token of this service is missing or wrong' },
        401,
      );
    }
    return next();
  });
  app.get('/status', async (c) => c.json(await sources.repository()));
  app.get('/status/:owner/:repo/:number', async (c) => {
    const { owner, repo, number } = c.req.param();
    const pr = parsePrKey(`${owner}~${repo}~${number}`);
    if (pr === undefined) return c.json({ error: 'this is no pull request' }, 400);
    const status = await sources.pullRequest(pr);
    return status === undefined ? c.json({ error: `nothing is known of ${prKey(pr)}` }, 404) : c.json(status);
  });
  return app;
}

function isToken(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
