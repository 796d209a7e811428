/**
 * The client for code outside of handlers. It speaks HTTP, so it talks to this host and to an agents-server.
 *
 * @module
 */

import { RequestFailedError } from './errors.ts';

/** An entity as the server shows it. */
export interface EntityJson {
  readonly url: string;
  readonly type: string;
  readonly status: 'spawning' | 'running' | 'idle' | 'paused' | 'stopping' | 'stopped' | 'killed';
  readonly streams: { readonly main: string };
  readonly tags: Readonly<Record<string, string>>;
  readonly spawn_args: Readonly<Record<string, unknown>>;
  readonly parent?: string | null;
  readonly created_by?: string;
  readonly created_at: number | string;
  readonly updated_at: number | string;
}

/** An entity to create. */
export interface SpawnEntityOptions {
  readonly type: string;
  readonly id: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly parentUrl?: string;
  readonly initialMessage?: unknown;
  readonly initialMessageType?: string;
  readonly tags?: Readonly<Record<string, string>>;
}

/** A message to send. */
export interface SendEntityMessageOptions {
  readonly targetUrl: string;
  readonly payload: unknown;
  readonly type?: string;
  /** Deliver after this many milliseconds. */
  readonly afterMs?: number;
}

/** Calls to a server. Each rejects with {@link RequestFailedError} when the server refuses. */
export interface RuntimeServerClient {
  /** An entity that exists is returned as it is. */
  spawnEntity(options: SpawnEntityOptions): Promise<{
    readonly entityUrl: string;
    readonly entityType?: string;
    readonly streamPath: string;
  }>;
  sendEntityMessage(options: SendEntityMessageOptions): Promise<void>;
  /** Rejects with status 404 when there is no such entity. */
  getEntity(entityUrl: string): Promise<EntityJson>;
  signalEntity(options: {
    readonly entityUrl: string;
    readonly signal: string;
    readonly reason?: string;
    readonly payload?: unknown;
  }): Promise<void>;
  deleteEntity(entityUrl: string): Promise<void>;
  setTag(entityUrl: string, key: string, value: string): Promise<void>;
  deleteTag(entityUrl: string, key: string): Promise<void>;
}

/** Settings of the client. */
export interface RuntimeServerClientOptions {
  /** Address of the server, without a slash at its end. */
  readonly baseUrl: string;
  /** Default: the global `fetch`, which keeps connections alive. */
  readonly fetch?: (request: Request) => Promise<Response>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client for the server at `baseUrl`. */
export function createRuntimeServerClient(options: RuntimeServerClientOptions): RuntimeServerClient {
  const { baseUrl, fetch: doFetch = (request) => fetch(request), headers = {} } = options;

  async function call(action: string, method: string, path: string, body?: unknown): Promise<Response> {
    const response = await doFetch(
      new Request(`${baseUrl}/_electric/entities${path}`, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    if (response.ok || (method === 'PUT' && response.status === 409)) return response;
    throw new RequestFailedError(action, response.status, await response.text());
  }

  /** For answers whose body is not needed; an unread body would hold its connection. */
  async function run(action: string, method: string, path: string, body?: unknown): Promise<void> {
    const response = await call(action, method, path, body);
    await response.arrayBuffer();
  }

  return {
    async spawnEntity({ type, id, args, parentUrl, initialMessage, initialMessageType, tags }) {
      const body = {
        ...(args !== undefined && Object.keys(args).length > 0 && { args }),
        ...(parentUrl !== undefined && { parent: parentUrl }),
        ...(initialMessage !== undefined && { initialMessage }),
        ...(initialMessageType !== undefined && { initialMessageType }),
        ...(tags !== undefined && { tags }),
      };
      await run(`spawn ${type}/${id}`, 'PUT', `/${type}/${id}`, body);
      const entityUrl = `/${type}/${id}`;
      return { entityUrl, entityType: type, streamPath: `${entityUrl}/main` };
    },
    sendEntityMessage: ({ targetUrl, payload, type, afterMs }) =>
      run(`send to ${targetUrl}`, 'POST', `${targetUrl}/send`, { payload, type, afterMs }),
    async getEntity(entityUrl) {
      const response = await call(`get ${entityUrl}`, 'GET', entityUrl);
      return (await response.json()) as EntityJson;
    },
    signalEntity: ({ entityUrl, ...signal }) =>
      run(`signal to ${entityUrl}`, 'POST', `${entityUrl}/signal`, signal),
    deleteEntity: (entityUrl) => run(`delete ${entityUrl}`, 'DELETE', entityUrl),
    setTag: (entityUrl, key, value) =>
      run(`tag ${entityUrl}`, 'POST', `${entityUrl}/tags/${encodeURIComponent(key)}`, { value }),
    deleteTag: (entityUrl, key) =>
      run(`untag ${entityUrl}`, 'DELETE', `${entityUrl}/tags/${encodeURIComponent(key)}`),
  };
}
