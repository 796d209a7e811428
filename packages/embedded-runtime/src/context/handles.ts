/**
 * What observing and spawning hand back.
 *
 * @module
 */

import { parseEntityUrl } from '../entity-url.ts';
import { NotSupportedError } from '../errors.ts';
import type { EntityStreamDB, ReadableCollection } from '../types/collections.ts';
import type { HandlerContext, Observe } from '../types/context.ts';
import type {
  DbSource,
  EntityHandle,
  ObservationHandle,
  ObservationSource,
  SendResult,
  WebhookEventRow,
  WebhookHandle,
} from '../types/sources.ts';
import type { Wake } from '../types/wake.ts';
import type { PassScope } from './pass-scope.ts';
import { readable, readableCollections, storedRows } from './readable.ts';
import { observeSharedState } from './shared-state.ts';

function eventsOf(scope: PassScope, path: string): ObservationHandle['events'] {
  const { streams } = scope.core.store;
  const id = streams.find(path);
  return id === undefined ? [] : streams.events(id, 0);
}

/** A handle to an entity, which need not exist. */
export function createEntityHandle(
  scope: PassScope,
  url: string,
  send: (message: unknown) => Promise<SendResult>,
): EntityHandle {
  const type = parseEntityUrl(url)?.type;
  const state = (type !== undefined && scope.core.types.get(type)?.definition.state) || {};
  const collections = readableCollections(scope.core.store.streams, url, state);
  return {
    sourceType: 'entity',
    sourceRef: url,
    entityUrl: url,
    ...(type !== undefined && { type }),
    db: { collections: collections as unknown as EntityStreamDB['collections'] },
    get events() {
      return eventsOf(scope, url);
    },
    send,
    status: () => undefined,
  };
}

function createWebhookHandle(scope: PassScope, source: ObservationSource): WebhookHandle {
  const events = readable(storedRows(scope.core.store.streams, source.streamUrl, 'webhook_event'));
  return {
    sourceType: 'webhook',
    sourceRef: source.sourceRef,
    db: { collections: { events: events as unknown as ReadableCollection<WebhookEventRow> } },
    get events() {
      return eventsOf(scope, source.streamUrl);
    },
  };
}

function createTickHandle(scope: PassScope, { sourceType, sourceRef, streamUrl }: ObservationSource) {
  return {
    sourceType,
    sourceRef,
    get events() {
      return eventsOf(scope, streamUrl);
    },
  };
}

function isDbSource(source: ObservationSource): source is DbSource {
  return source.sourceType === 'db' && 'schema' in source;
}

/** `ctx.observe`. Registers the source's wake, or the one that is given, and notes the source in the manifest. */
export function createObserve(
  scope: PassScope,
  send: (url: string, message: unknown) => Promise<SendResult>,
): Observe {
  async function observe(source: ObservationSource, options: { readonly wake?: Wake } = {}) {
    const { sourceType, sourceRef, streamUrl, config } = source;
    const wake = options.wake ?? source.wake;
    if (isDbSource(source)) {
      const handle = observeSharedState(scope, source, wake);
      await scope.persisted();
      return {
        ...handle,
        sourceType,
        sourceRef,
        get events() {
          return eventsOf(scope, streamUrl);
        },
      };
    }
    if (sourceType !== 'entity' && sourceType !== 'webhook' && sourceType !== 'cron') {
      throw new NotSupportedError(
        `observe(${sourceType}()): this host observes entity(), webhook(), db() and cron()`,
      );
    }
    const key = `source:${sourceType}:${sourceRef}`;
    // An entity's stream has the entity's URL as its path.
    const path = sourceType === 'entity' ? sourceRef : streamUrl;
    scope.write('observe', () => {
      if (wake !== undefined) scope.manifest.register(key, path, wake);
      scope.manifest.put(key, {
        kind: 'source',
        sourceType,
        sourceRef,
        ...(wake !== undefined && { wake }),
        config,
      });
    });
    await scope.persisted();
    if (sourceType === 'cron') return createTickHandle(scope, source);
    return sourceType === 'webhook'
      ? createWebhookHandle(scope, source)
      : createEntityHandle(scope, sourceRef, (message) => send(sourceRef, message));
  }
  return observe as Observe;
}

/** `ctx.unobserve`. */
export function createUnobserve(scope: PassScope): HandlerContext['unobserve'] {
  return async (sourceRef) => {
    const observed = scope.manifest
      .all()
      .filter((row) => row.sourceRef === sourceRef || (row.kind === 'shared-state' && row.id === sourceRef));
    scope.write('unobserve', () => {
      for (const { key } of observed) scope.manifest.remove(String(key));
    });
    await scope.persisted();
  };
}
