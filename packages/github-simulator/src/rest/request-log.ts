import { randomUUID } from 'node:crypto';
import type { World } from '../world/world.ts';
import type { Caller, Middleware } from './env.ts';

export interface RequestRecord {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Undefined when the connection was closed without an answer. */
  readonly status: number | undefined;
  readonly authenticatedAs: Caller['kind'];
  /** False when the simulator has no such route; the answer was 404. */
  readonly routed: boolean;
}

/** Notes every request in the order of the answers, and sets the headers that GitHub sets on all of them. */
export function logRequests(world: World, records: RequestRecord[]): Middleware {
  return async (c, next) => {
    c.set('caller', { kind: 'anonymous' });
    c.set('routed', true);
    await next();
    c.header('Date', world.now().toUTCString());
    c.header('Server', 'github.com');
    c.header('X-GitHub-Api-Version-Selected', '2022-11-28');
    c.header('X-GitHub-Request-Id', randomUUID());
    const { pathname, search } = new URL(c.req.url);
    records.push({
      method: c.req.method,
      path: `${pathname}${search}`,
      status: c.env.incoming.socket.destroyed ? undefined : c.res.status,
      authenticatedAs: c.get('caller').kind,
      routed: c.get('routed'),
    });
  };
}
