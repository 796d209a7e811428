/**
 * What a test of the contract may do to a host, whichever it is.
 *
 * @module
 */

import type { RuntimeServerClient, WebhookEvent } from '../../index.ts';

/** A row of a stream, as its events have made it. */
export type StreamRow = Readonly<Record<string, unknown>>;

/** An answer of an HTTP route. */
export interface HttpAnswer {
  readonly status: number;
  /** `undefined` without a body, the text when it is no JSON. */
  readonly json: unknown;
}

/** A host with the types of one test. */
export interface ConformanceHost {
  readonly client: RuntimeServerClient;
  /** Calls an HTTP route; `body` is sent as JSON, a text as it is. */
  call(method: string, path: string, body?: unknown): Promise<HttpAnswer>;
  /** Puts a delivery into its webhook buckets. */
  deliver(event: WebhookEvent): Promise<void>;
  /** Resolves when everything that was asked of the host has been handled. Timers that wait do not count. */
  settled(): Promise<void>;
  /** Lets time pass, and what comes of it be handled. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** One event of `GET /{type}/{id}/main`. */
interface StreamEvent {
  readonly type: string;
  readonly key: string;
  readonly value?: StreamRow;
  readonly headers: { readonly operation: string };
}

/** The rows of one event type on an entity's stream, read over HTTP, in the order of their inserts. */
export async function rowsOf(
  host: ConformanceHost,
  entityUrl: string,
  eventType: string,
): Promise<StreamRow[]> {
  const { json } = await host.call('GET', `${entityUrl}/main?offset=-1`);
  const rows = new Map<string, StreamRow>();
  for (const { type, key, value, headers } of json as readonly StreamEvent[]) {
    if (type !== eventType) continue;
    if (headers.operation === 'delete') rows.delete(key);
    else rows.set(key, { key, ...rows.get(key), ...value });
  }
  return [...rows.values()];
}

/** An entity as `GET /_electric/entities/{type}/{id}` shows it. */
export async function entityOf(host: ConformanceHost, entityUrl: string): Promise<StreamRow> {
  const { json } = await host.call('GET', `/_electric/entities${entityUrl}`);
  return json as StreamRow;
}

/** Reads an answer. */
export async function answerOf(response: Response): Promise<HttpAnswer> {
  const text = await response.text();
  return { status: response.status, json: text === '' ? undefined : parsed(text) };
}

/** Some answers of a server are plain text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A request with a body as {@link ConformanceHost.call} takes it. */
export function requestOf(method: string, url: string, body: unknown): Request {
  return new Request(url, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  });
}
