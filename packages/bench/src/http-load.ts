/**
 * Requests over connections that are kept.
 *
 * @module
 */

import { Pool } from 'undici';
import { monotonicMs } from './monotonic.ts';

/** A request with a body. */
export interface PostRequest {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Connections to one host. */
export interface HttpLoad {
  /**
   * Sends one request and reads the answer.
   *
   * @throws Error when the answer's status is not 2xx
   */
  send(request: PostRequest): Promise<void>;
  /** Ends the connections, whatever is under way. */
  close(): Promise<void>;
}

const JSON_HEADERS = { 'content-type': 'application/json' };

/** @param connections - how many there are, at most */
export function createHttpLoad(port: number, connections: number): HttpLoad {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections, pipelining: 1 });
  return {
    async send({ method, path, body, headers = JSON_HEADERS }) {
      const answer = await pool.request({ method, path, body, headers });
      const text = await answer.body.text();
      if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    },
    close: () => pool.destroy(),
  };
}

/** Does `work` so many times, by `clients` at once. @returns how long each took, in milliseconds */
export async function inParallel(
  count: number,
  clients: number,
  work: (index: number) => Promise<void>,
): Promise<readonly number[]> {
  const elapsedMs: number[] = [];
  let next = 0;
  async function client(): Promise<void> {
    while (next < count) {
      const index = next;
      next += 1;
      const startedAtMs = monotonicMs();
      await work(index);
      elapsedMs.push(monotonicMs() - startedAtMs);
    }
  }
  await Promise.all(Array.from({ length: clients }, client));
  return elapsedMs;
}
