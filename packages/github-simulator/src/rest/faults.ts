import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Ctx, Middleware } from './env.ts';

/** Something that goes wrong with requests that match. What is not set stays as it is. */
export interface Fault {
  /** Upper case. Default: any. */
  readonly method?: string;
  /** Tested against the path with its query. */
  readonly path: RegExp;
  /** How many requests are hit. Default: all, until the fault is taken back. */
  readonly times?: number;
  /** Called when a request is hit, before anything else happens to it. */
  readonly onRequest?: () => void;
  readonly delayMs?: number;
  /** The request is held until this resolves. */
  readonly gate?: Promise<void>;
  /** Answered instead of the truth. */
  readonly respond?: FaultResponse;
  /** The connection is closed without an answer. */
  readonly destroySocket?: boolean;
  /** The request takes effect, then its answer is lost: `respond`, the closed socket, or a 502. */
  readonly afterEffect?: boolean;
}

export interface FaultResponse {
  readonly status: number;
  /** Text as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Faults {
  /** Returns how to take the fault back. Older faults go first. */
  inject(fault: Fault): () => void;
  readonly middleware: Middleware;
}

export function createFaults(): Faults {
  const active = new Set<{ readonly fault: Fault; left: number }>();
  const hit = (c: Ctx): Fault | undefined => {
    for (const entry of active) {
      if (!matches(entry.fault, c)) continue;
      entry.left -= 1;
      if (entry.left <= 0) active.delete(entry);
      return entry.fault;
    }
    return undefined;
  };
  return {
    inject: (fault) => {
      const entry = { fault, left: fault.times ?? Number.POSITIVE_INFINITY };
      active.add(entry);
      return () => void active.delete(entry);
    },
    middleware: async (c, next) => {
      const fault = hit(c);
      if (fault === undefined) return next();
      fault.onRequest?.();
      await fault.gate;
      if (fault.delayMs !== undefined) await delay(fault.delayMs);
      const replaced = fault.respond !== undefined || fault.destroySocket === true;
      if (fault.afterEffect === true || !replaced) await next();
      if (fault.afterEffect === true || replaced) replaceAnswer(c, fault);
      return undefined;
    },
  };
}

function matches(fault: Fault, c: Ctx): boolean {
  const url = new URL(c.req.url);
  // A sticky or global expression would remember where it stopped.
  fault.path.lastIndex = 0;
  return (
    (fault.method === undefined || fault.method === c.req.method) &&
    fault.path.test(`${url.pathname}${url.search}`)
  );
}

function replaceAnswer(c: Ctx, fault: Fault): void {
  // Otherwise hono would merge the headers of the true answer into the false one.
  c.res = undefined;
  c.res = fault.destroySocket === true ? closeConnection(c) : falseAnswer(fault.respond);
}

function closeConnection(c: Ctx): Response {
  c.env.incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

function falseAnswer(respond: FaultResponse = { status: 502, body: { message: 'Server Error' } }): Response {
  const { status, body = {}, headers } = respond;
  const isText = typeof body === 'string';
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
  const isEmpty = status === 204 || status === 304;
  const text = isText ? body : JSON.stringify(body);
  return new Response(isEmpty ? null : text, { status, headers: { 'Content-Type': type, ...headers } });
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
