/**
 * The host: entities, their database and their passes in one process.
 *
 * @module
 */

import { BUILT_IN_TYPES, eventTypeOf, isBuiltInCollection } from './built-in-collections.ts';
import { createRuntimeServerClient, type RuntimeServerClient } from './client.ts';
import { type Clock, systemClock } from './clock.ts';
import { openDataDir } from './data-dir.ts';
import type { Core } from './engine/core.ts';
import { createDispatcher, type Dispatcher } from './engine/dispatcher.ts';
import { createPassRunner, type PassRunner } from './engine/pass.ts';
import { createRetention, type Retention } from './engine/retention.ts';
import { createSignalHandlers } from './engine/signal-handlers.ts';
import { createTimerService } from './engine/timers.ts';
import { appendDelivery, type WebhookEvent } from './engine/webhooks.ts';
import { HostNotRunningError, messageOf } from './errors.ts';
import { createRoutes } from './http/routes.ts';
import type { EntityRegistry } from './registry.ts';
import { type RuntimeLog, silentLog } from './runtime-log.ts';
import { prepareEntityTypes } from './schema/entity-type.ts';
import { createMessageSchemas } from './schema/message-schemas.ts';

/** Settings of the host. */
export interface EmbeddedHostOptions {
  readonly registry: EntityRegistry;
  /** Directory of the database, created when it is not there; `:memory:` keeps nothing. */
  readonly dataDir: string;
  /** Default: the machine's clock. */
  readonly clock?: Clock;
  /** Default: keeps nothing. */
  readonly log?: RuntimeLog;
  /** How long a handler may take, in milliseconds. Default 15 minutes. */
  readonly wakeTimeoutMs?: number;
  /** How many handlers may run at once. Default 256. */
  readonly maxConcurrentWakes?: number;
  /**
   * How long rows of webhook buckets and messages that were handled are kept, in milliseconds. Default 30 days.
   * State is kept for good.
   */
  readonly retentionMs?: number;
}

/** Entities in one process. */
export interface EmbeddedHost {
  /**
   * Checks the types, locks the data directory, and resumes wakes and timers.
   *
   * @throws DefinitionError when an agents-server would refuse a type
   * @throws DataDirInUseError when another process has the directory
   * @throws NewerDatabaseError when a newer version of this package wrote the database
   * @throws StorageError when the directory cannot be written
   */
  start(): Promise<void>;
  /** The agents-server's HTTP routes. Never rejects while the host runs; 503 when the database refuses. */
  fetch(request: Request): Promise<Response>;
  /** A client bound to {@link EmbeddedHost.fetch}. */
  readonly client: RuntimeServerClient;
  /**
   * Appends a delivery to its buckets and wakes their observers. When it resolves, the delivery survives a
   * power cut.
   *
   * @returns `appended: false` when the endpoint already has a delivery with this key: then nothing changes
   * @throws StorageError when the database refuses: then nothing was accepted
   * @throws RequestError 400 when the endpoint key or a bucket is malformed
   */
  appendWebhookEvent(event: WebhookEvent): Promise<{ readonly appended: boolean }>;
  /** Rows of a collection in stream order; none for what does not exist. */
  readRows(entityUrl: string, collection: string): readonly Readonly<Record<string, unknown>>[];
  /** Resolves when no pass runs or is due; timers that wait do not count. */
  settled(): Promise<void>;
  /** Starts no further pass, aborts those that run, waits for them briefly, and closes the database. */
  close(): Promise<void>;
}

const DEFAULT_WAKE_TIMEOUT_MS = 15 * 60_000;
const DEFAULT_CONCURRENT_WAKES = 256;
const DEFAULT_RETENTION_MS = 30 * 86_400_000;
/** How long closing waits for handlers that were aborted. */
const CLOSE_GRACE_MS = 2_000;
/** How long a pass that could not be kept waits for its next try. */
const POSTPONE_MS = 1_000;

/** A host that runs. */
interface Running {
  readonly core: Core;
  readonly dispatcher: Dispatcher;
  readonly passes: PassRunner;
  readonly timers: { arm(): void; stop(): void };
  readonly retention: Retention;
  readonly fetch: (request: Request) => Promise<Response>;
}

function isDue({ store, types, log }: Core, entityId: number): boolean {
  try {
    const entity = store.entities.isDue(entityId) ? store.entities.get(entityId) : undefined;
    return entity !== undefined && types.has(entity.type);
  } catch (error) {
    log.error('an entity could not be looked at', { entityId, reason: messageOf(error) });
    return true; // its pass finds out, and is postponed
  }
}

function startRunning(options: EmbeddedHostOptions): Running {
  const { clock = systemClock, log = silentLog } = options;
  const types = prepareEntityTypes(options.registry);
  const store = openDataDir(options.dataDir, clock);
  const core: Core = {
    store,
    clock,
    log,
    types,
    messageSchemas: createMessageSchemas(store.entities),
    onDue: (entityId) => dispatcher.due(entityId),
    onTimer: () => timers.arm(),
    signals: createSignalHandlers(),
    isRunning: (entityId) => passes.isRunning(entityId),
    onAbort: (entityId, reason) => passes.abort(entityId, reason),
  };
  const passes = createPassRunner(core, options.wakeTimeoutMs ?? DEFAULT_WAKE_TIMEOUT_MS);
  const dispatcher = createDispatcher({
    limit: options.maxConcurrentWakes ?? DEFAULT_CONCURRENT_WAKES,
    isDue: (entityId) => isDue(core, entityId),
    runPass: (entityId) => passes.run(entityId),
    afterPause: (callback) => void clock.setTimer(clock.now() + POSTPONE_MS, callback),
  });
  const timers = createTimerService(core);
  for (const entityId of store.entities.due()) dispatcher.due(entityId);
  timers.arm();
  const retention = createRetention(core, options.retentionMs ?? DEFAULT_RETENTION_MS);
  retention.start();
  return { core, dispatcher, passes, timers, retention, fetch: createRoutes(core) };
}

async function settle({ core, dispatcher }: Running): Promise<void> {
  const { commit } = core.store;
  do {
    await commit.committed().catch(() => {});
    await dispatcher.idle();
  } while (commit.isOpen() || !dispatcher.isIdle());
}

async function stopRunning({ core, dispatcher, passes, timers, retention }: Running): Promise<void> {
  retention.stop();
  timers.stop();
  dispatcher.stop();
  passes.close();
  let grace: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    grace = setTimeout(resolve, CLOSE_GRACE_MS);
  });
  await Promise.race([dispatcher.idle(), patience]);
  clearTimeout(grace);
  await core.store.close();
}

/** A host that waits for its `start()`. */
export function createEmbeddedHost(options: EmbeddedHostOptions): EmbeddedHost {
  let running: Running | undefined;
  let closing: Promise<void> | undefined;

  function required(): Running {
    if (running === undefined || closing !== undefined) {
      throw new HostNotRunningError(`the host is ${closing === undefined ? 'not started' : 'closed'}`);
    }
    return running;
  }

  const doFetch = async (request: Request) => required().fetch(request);
  return {
    async start() {
      if (running !== undefined || closing !== undefined) {
        throw new HostNotRunningError('a host starts once');
      }
      running = startRunning(options);
    },
    fetch: doFetch,
    client: createRuntimeServerClient({ baseUrl: 'http://embedded.invalid', fetch: doFetch }),
    async appendWebhookEvent(event) {
      const { core } = required();
      const appended = core.store.commit.write(() => appendDelivery(core, event));
      await core.store.commit.synced();
      return { appended };
    },
    readRows(entityUrl, collection) {
      const { core } = required();
      const entity = core.store.entities.find(entityUrl);
      if (entity === undefined) return [];
      const state = core.types.get(entity.type)?.definition.state ?? {};
      const type = isBuiltInCollection(collection)
        ? BUILT_IN_TYPES[collection]
        : eventTypeOf(collection, state);
      return core.store.streams.rows(entity.id, type);
    },
    async settled() {
      await settle(required());
    },
    close() {
      closing ??= running === undefined ? Promise.resolve() : stopRunning(running);
      return closing;
    },
  };
}
