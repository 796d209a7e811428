/**
 * Puts the handler context together.
 *
 * @module
 */

import { PRINCIPAL } from '../engine/core.ts';
import { handlerWakeOf } from '../engine/wake-event.ts';
import type { EntityStreamDBWithActions } from '../types/collections.ts';
import type { HandlerContext } from '../types/context.ts';
import { createAgentMembers } from './agent-members.ts';
import { createContextEntries } from './context-entries.ts';
import { createObserve, createUnobserve } from './handles.ts';
import { createMessaging } from './messaging.ts';
import type { PassScope } from './pass-scope.ts';
import { quiet } from './quiet.ts';
import { readable, readableCollections } from './readable.ts';
import { REFUSED_MEMBERS } from './refused.ts';
import { createRuns } from './runs.ts';
import { createMkdb } from './shared-state.ts';
import { createActions, createStateCollections } from './state-collections.ts';

function createDb(
  scope: PassScope,
  state: Readonly<Record<string, object>>,
  actions: object,
): EntityStreamDBWithActions {
  const collections = {
    ...readableCollections(scope.core.store.streams, scope.entity.url, {}),
    manifests: readable(scope.manifest),
    ...state,
  };
  return { collections, actions } as unknown as EntityStreamDBWithActions;
}

/** The context of one pass. */
export function createHandlerContext(scope: PassScope): HandlerContext {
  const { entity, type } = scope;
  let db: EntityStreamDBWithActions | undefined; // made when it is asked for: it has two dozen collections
  const state = createStateCollections(scope);
  const actions = createActions(scope, state);
  const messaging = quiet(createMessaging(scope));
  return {
    ...REFUSED_MEMBERS,
    ...messaging,
    ...createContextEntries(scope),
    ...createAgentMembers(scope),
    ...createRuns(scope),
    ...quiet({
      observe: createObserve(scope, (url, message) => messaging.send(url, message)),
      unobserve: createUnobserve(scope),
    }),
    mkdb: createMkdb(scope),
    firstWake: scope.firstWake,
    args: Object.freeze(entity.args),
    entityUrl: entity.url,
    entityType: type.name,
    tags: Object.freeze(entity.tags),
    principal: PRINCIPAL,
    wake: handlerWakeOf(scope.wake),
    events: scope.events,
    get db() {
      db ??= createDb(scope, state, actions.all);
      return db;
    },
    state,
    actions: actions.own as HandlerContext['actions'],
    signal: scope.signal,
    electricTools: [],
    onSignal: (handler) => void scope.signalHandlers.push(handler),
    sleep: () => {},
  };
}
