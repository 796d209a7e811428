/**
 * What the engine's operations work with. Each operation is a function over this; all of them run inside
 * `store.commit.write`, which undoes them when they throw, and leave what follows to `afterCommit`.
 *
 * @module
 */

import type { Clock } from '../clock.ts';
import { RequestError } from '../errors.ts';
import type { RuntimeLog } from '../runtime-log.ts';
import type { EntityType } from '../schema/entity-type.ts';
import type { MessageSchemas } from '../schema/message-schemas.ts';
import { type Entity, isLiving } from '../store/entities.ts';
import type { Store } from '../store/store.ts';
import type { SignalHandlers } from './signal-handlers.ts';

/** Ports of the operations. */
export interface Core {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: RuntimeLog;
  readonly types: ReadonlyMap<string, EntityType>;
  /** Checks of typed messages. */
  readonly messageSchemas: MessageSchemas;
  /** An entity has something to see. Called after the commit that made it so. */
  readonly onDue: (entityId: number) => void;
  /** A timer was added. Called after its commit. */
  readonly onTimer: () => void;
  /** Handlers of signals in passes that run. */
  readonly signals: SignalHandlers;
  /** Whether a pass of this entity runs. */
  readonly isRunning: (entityId: number) => boolean;
  /** Aborts the pass of this entity, if one runs. */
  readonly onAbort: (entityId: number, reason: string) => void;
}

/** The one principal of a host that has no users. */
export const PRINCIPAL = {
  url: '/principal/system%3Adev-local',
  key: 'system:dev-local',
  kind: 'system',
  id: 'dev-local',
} as const;

/** @throws RequestError 404 when there is no such entity */
export function requireEntity(core: Core, url: string): Entity {
  const entity = core.store.entities.find(url);
  if (entity === undefined) throw new RequestError(404, 'NOT_FOUND', `there is no entity ${url}`);
  return entity;
}

/**
 * @throws RequestError 404 when there is no such entity, 409 when it has ended or is about to
 */
export function requireLiving(core: Core, url: string): Entity {
  const entity = requireEntity(core, url);
  if (isLiving(entity.status)) return entity;
  throw new RequestError(409, 'NOT_RUNNING', `${url} is ${entity.status}`);
}

/** The time as rows carry it. */
export function isoNow(core: Core): string {
  return new Date(core.clock.now()).toISOString();
}
