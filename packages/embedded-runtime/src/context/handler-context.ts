/**
 * Puts the handler context together.
 *
 * @module
 */

import { PRINCIPAL } from '../engine/core.ts';
import { handlerWakeOf } from '../engine/wake-event.ts';
import type { EntityStreamDBWithActions } from '../types/collections.ts';
import type { HandlerContext } from '../types/context.ts';
import { createContextEntries } from './context-entries.ts';
import { createObserve } from './handles.ts';
import { createMessaging } from './messaging.ts';
import type { PassScope } from './pass-scope.ts';
import { quiet } from './quiet.ts';
import { readable, readableCollections } from './readable.ts';
import { createRuns } from './runs.ts';
import { createMkdb } from './shared-state.ts';
import { createActions, createStateCollections } from './state-collections.ts';

/** The context of one pass. */
export function createHandlerContext(scope: PassScope): HandlerContext {
  const { core, entity, type } = scope;
  const state = createStateCollections(scope);
  const actions = createActions(scope, state);
  const messaging = quiet(createMessaging(scope));
  const collections = {
    ...readableCollections(core.store.streams, entity.url, {}),
    manifests: readable(scope.manifest),
    ...state,
  };
  return {
    ...messaging,
    ...createContextEntries(scope),
    ...createRuns(scope),
    ...quiet({ observe: createObserve(scope, (url, message) => messaging.send(url, message)) }),
    mkdb: createMkdb(scope),
    firstWake: scope.firstWake,
    args: Object.freeze(entity.args),
    entityUrl: entity.url,
    entityType: type.name,
    tags: Object.freeze(entity.tags),
    principal: PRINCIPAL,
    wake: handlerWakeOf(scope.wake),
    events: scope.events,
    db: { collections, actions: actions.all } as unknown as EntityStreamDBWithActions,
    state,
    actions: actions.own as HandlerContext['actions'],
    signal: scope.signal,
    electricTools: [],
    sleep: () => {},
  };
}
