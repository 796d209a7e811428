/**
 * The HTTP traffic of this process: what its servers are asked, and when it began to send. Node and undici
 * publish both, so neither servers nor clients need to know.
 *
 * @module
 */

import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from './monotonic.ts';
import type { TimedRequest } from './review/round-record.ts';

/** Requests that came in since the last {@link HttpRecorder.rewind}. */
export interface HttpRecorder {
  /** Forgets what was. */
  rewind(): void;
  /** In the order of their beginning, without those that have not ended. */
  requests(): readonly TimedRequest[];
  /** When the first request of our own was sent since then; undefined when there was none. */
  firstSentAtMs(): number | undefined;
  /**
   * Resolves when so many requests have begun that `isWanted` takes.
   *
   * @throws Error when they are not there in time
   */
  began(count: number, isWanted: (request: Line) => boolean, timeoutMs: number): Promise<void>;
  /** Resolves when no request is open and none has come for `quietMs`. */
  quiet(quietMs: number): Promise<void>;
}

type Line = Pick<TimedRequest, 'method' | 'path'>;
type OpenRequest = Line & { readonly beganAtMs: number; endedAtMs: number | undefined };

/** Records from now on, until the process ends. */
export function recordHttp(): HttpRecorder {
  let taped: OpenRequest[] = [];
  let sentAtMs: number | undefined;
  let onBegin = (): void => {};

  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const { method = '', url: path = '' } = request;
    const entry: OpenRequest = { method, path, beganAtMs: monotonicMs(), endedAtMs: undefined };
    taped.push(entry);
    response.once('close', () => {
      entry.endedAtMs = monotonicMs();
    });
    onBegin();
  });
  subscribe('undici:client:sendHeaders', () => {
    sentAtMs ??= monotonicMs();
  });

  return {
    rewind() {
      taped = [];
      sentAtMs = undefined;
    },
    requests: () =>
      taped.flatMap(({ endedAtMs, ...begun }) => (endedAtMs === undefined ? [] : [{ ...begun, endedAtMs }])),
    firstSentAtMs: () => sentAtMs,
    began(count, isWanted, timeoutMs) {
      return new Promise((resolve, reject) => {
        const tooLate = () =>
          reject(
            new Error(`after ${timeoutMs} ms there are only ${taped.filter(isWanted).length} of ${count}`),
          );
        const timer = setTimeout(tooLate, timeoutMs);
        onBegin = () => {
          if (taped.filter(isWanted).length < count) return;
          clearTimeout(timer);
          onBegin = () => {};
          resolve();
        };
        onBegin();
      });
    },
    async quiet(quietMs) {
      let seen = -1;
      while (seen !== taped.length || taped.some((entry) => entry.endedAtMs === undefined)) {
        seen = taped.length;
        await pause(quietMs);
      }
    },
  };
}
