/**
 * The client for code outside of handlers. It speaks HTTP, so it talks to this host and to an agents-server.
 *
 * @module
 */

import { RequestFailedError } from './errors.ts';
import type { InboxRow } from './types/rows.ts';
import type { ChangeOperation } from './types/wake.ts';

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

/** Where an entity is. */
export interface EntityAddressInfo {
  readonly entityUrl: string;
  readonly entityType?: string;
  readonly streamPath: string;
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
  /** Who is to be woken by the entity. Not applied to one that exists. */
  readonly wake?: Omit<WakeRegistrationOptions, 'sourceUrl'>;
}

/** Who is to be woken by what. */
export interface WakeRegistrationOptions {
  readonly subscriberUrl: string;
  /** URL of an entity, or path of another stream. */
  readonly sourceUrl: string;
  readonly condition:
    | 'runFinished'
    | {
        readonly on: 'change';
        /** Event types. Default: all. */
        readonly collections?: readonly string[];
        readonly ops?: readonly ChangeOperation[];
      };
  readonly debounceMs?: number;
  readonly timeoutMs?: number;
  /** Default true. */
  readonly includeResponse?: boolean;
  /** The manifest row that it belongs to. */
  readonly manifestKey?: string;
}

/** A schedule's address. */
export interface ScheduleTarget {
  readonly entityUrl: string;
  readonly id: string;
}

/** A message to send. */
export interface SendEntityMessageOptions {
  readonly targetUrl: string;
  readonly payload: unknown;
  readonly type?: string;
  /** Deliver after this many milliseconds. */
  readonly afterMs?: number;
  /** `queued`: one for each pass, in the order of `position`. Default `immediate`. */
  readonly mode?: NonNullable<InboxRow['mode']>;
  /** Sorts among queued messages, as text. */
  readonly position?: string;
}

/** Calls to a server. Each rejects with {@link RequestFailedError} when the server refuses. */
export interface RuntimeServerClient {
  /** An entity that exists is returned as it is. */
  spawnEntity(options: SpawnEntityOptions): Promise<EntityAddressInfo>;
  sendEntityMessage(options: SendEntityMessageOptions): Promise<void>;
  /** The entity, under the names of the published client and with all that the server shows. */
  getEntity(entityUrl: string): Promise<EntityJson & EntityAddressInfo>;
  signalEntity(options: {
    readonly entityUrl: string;
    readonly signal: string;
    readonly reason?: string;
    readonly payload?: unknown;
  }): Promise<void>;
  /** Does nothing when there is no such entity. */
  deleteEntity(entityUrl: string): Promise<void>;
  setTag(entityUrl: string, key: string, value: string): Promise<void>;
  deleteTag(entityUrl: string, key: string): Promise<void>;
  registerWake(options: WakeRegistrationOptions): Promise<void>;
  /** Removes all registrations with a source, or the one with a manifest key. */
  unregisterWake(options: {
    readonly subscriberUrl: string;
    readonly sourceUrl?: string;
    readonly manifestKey?: string;
  }): Promise<void>;
  /** Creates the stream when it is not there. @returns its path */
  ensureStream(streamPath: string): Promise<string>;
  /** Creates the shared-state stream when it is not there. @returns its path */
  ensureSharedStateStream(sharedStateId: string): Promise<string>;
  /** Wakes the entity at each tick. Replaces the schedule with this id. */
  upsertCronSchedule(
    options: ScheduleTarget & {
      readonly expression: string;
      /** IANA name. Default `UTC`. */
      readonly timezone?: string;
      /** Needed by the server; handlers read it in the manifest row. */
      readonly payload?: unknown;
      readonly debounceMs?: number;
      readonly timeoutMs?: number;
    },
  ): Promise<{ readonly txid: string }>;
  /** Sends a message at a time. Replaces the schedule with this id. */
  upsertFutureSendSchedule(
    options: ScheduleTarget & {
      readonly payload: unknown;
      /** Default: the entity itself. */
      readonly targetUrl?: string;
      /** ISO 8601. */
      readonly fireAt: string;
      readonly messageType?: string;
    },
  ): Promise<{ readonly txid: string }>;
  /** Does nothing when there is no such schedule. */
  deleteSchedule(target: ScheduleTarget): Promise<{ readonly txid: string }>;
}

/** Settings of the client. */
export interface RuntimeServerClientOptions {
  /** Address of the server, without a slash at its end. */
  readonly baseUrl: string;
  /** Default: the global `fetch`, which keeps connections alive. */
  readonly fetch?: (request: Request) => Promise<Response>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends one request. Rejects with {@link RequestFailedError} unless the answer is good or a tolerated status. */
type Call = (
  action: string,
  method: string,
  path: string,
  options?: { readonly body?: unknown; readonly tolerated?: number },
) => Promise<Response>;

function createCall(options: RuntimeServerClientOptions): Call {
  const { baseUrl, fetch: doFetch = (request) => fetch(request), headers = {} } = options;
  return async (action, method, path, { body, tolerated } = {}) => {
    const response = await doFetch(
      new Request(`${baseUrl}${path}`, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    if (response.ok || response.status === tolerated) return response;
    throw new RequestFailedError(action, response.status, await response.text());
  };
}

/** For answers whose body is not needed; an unread body would hold its connection. */
async function drained(answer: Promise<Response>): Promise<void> {
  await (await answer).arrayBuffer();
}

const ENTITIES = '/_electric/entities';
const pathOf = (entityUrl: string, suffix = '') => `${ENTITIES}${entityUrl}${suffix}`;
const tagPathOf = (entityUrl: string, key: string) => pathOf(entityUrl, `/tags/${encodeURIComponent(key)}`);

type EntityCalls = Pick<
  RuntimeServerClient,
  'spawnEntity' | 'sendEntityMessage' | 'getEntity' | 'deleteEntity'
>;

function createEntityCalls(call: Call): EntityCalls {
  return {
    async spawnEntity({ type, id, args, parentUrl, tags, ...others }) {
      const body = {
        ...(args !== undefined && Object.keys(args).length > 0 && { args }),
        ...(parentUrl !== undefined && { parent: parentUrl }),
        ...(tags !== undefined && Object.keys(tags).length > 0 && { tags }),
        ...others,
      };
      const entityUrl = `/${type}/${id}`;
      await drained(call(`spawn ${type}/${id}`, 'PUT', pathOf(entityUrl), { body, tolerated: 409 }));
      return { entityUrl, entityType: type, streamPath: `${entityUrl}/main` };
    },
    sendEntityMessage: ({ targetUrl, ...body }) =>
      drained(call(`send to ${targetUrl}`, 'POST', pathOf(targetUrl, '/send'), { body })),
    async getEntity(entityUrl) {
      const response = await call(`failed to resolve entity ${entityUrl}`, 'GET', pathOf(entityUrl));
      const entity = (await response.json()) as EntityJson;
      return { ...entity, entityUrl, entityType: entity.type, streamPath: entity.streams.main };
    },
    deleteEntity: (entityUrl) =>
      drained(call(`delete ${entityUrl}`, 'DELETE', pathOf(entityUrl), { tolerated: 404 })),
  };
}

type ControlCalls = Pick<
  RuntimeServerClient,
  'signalEntity' | 'setTag' | 'deleteTag' | 'registerWake' | 'unregisterWake'
>;

function createControlCalls(call: Call): ControlCalls {
  return {
    signalEntity: ({ entityUrl, ...body }) =>
      drained(call(`signal ${entityUrl} ${body.signal}`, 'POST', pathOf(entityUrl, '/signal'), { body })),
    setTag: (entityUrl, key, value) =>
      drained(call(`tag ${entityUrl}`, 'POST', tagPathOf(entityUrl, key), { body: { value } })),
    deleteTag: (entityUrl, key) => drained(call(`untag ${entityUrl}`, 'DELETE', tagPathOf(entityUrl, key))),
    registerWake: (body) => drained(call('registerWake', 'POST', '/_electric/wake', { body })),
    unregisterWake: (body) => drained(call('unregisterWake', 'POST', '/_electric/wake/unregister', { body })),
  };
}

type StreamCalls = Pick<
  RuntimeServerClient,
  | 'ensureStream'
  | 'ensureSharedStateStream'
  | 'upsertCronSchedule'
  | 'upsertFutureSendSchedule'
  | 'deleteSchedule'
>;

function createStreamCalls(call: Call): StreamCalls {
  async function ensureStream(path: string): Promise<string> {
    await drained(call(`failed to create stream ${path}`, 'PUT', path, { tolerated: 409 }));
    return path;
  }

  async function schedule(action: string, method: string, target: ScheduleTarget, body?: unknown) {
    const path = pathOf(target.entityUrl, `/schedules/${encodeURIComponent(target.id)}`);
    const response = await call(action, method, path, body === undefined ? {} : { body });
    return (await response.json()) as { readonly txid: string };
  }

  return {
    ensureStream,
    ensureSharedStateStream: (id) => ensureStream(`/_electric/shared-state/${id}`),
    upsertCronSchedule: ({ entityUrl, id, ...others }) =>
      schedule('upsertCronSchedule', 'PUT', { entityUrl, id }, { scheduleType: 'cron', ...others }),
    upsertFutureSendSchedule: ({ entityUrl, id, ...others }) =>
      schedule(
        'upsertFutureSendSchedule',
        'PUT',
        { entityUrl, id },
        { scheduleType: 'future_send', ...others },
      ),
    deleteSchedule: (target) => schedule('deleteSchedule', 'DELETE', target),
  };
}

/** A client for the server at `baseUrl`. */
export function createRuntimeServerClient(options: RuntimeServerClientOptions): RuntimeServerClient {
  const call = createCall(options);
  return { ...createEntityCalls(call), ...createControlCalls(call), ...createStreamCalls(call) };
}
