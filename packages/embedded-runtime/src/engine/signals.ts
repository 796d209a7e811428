/**
 * Signals and the end of entities.
 *
 * @module
 */

import { randomUUID } from 'node:crypto';
import { NotSupportedError } from '../errors.ts';
import type { Entity } from '../store/entities.ts';
import { type Core, isoNow, requireEntity } from './core.ts';

/** A signal to an entity. */
export interface SignalRequest {
  readonly entityUrl: string;
  readonly signal: string;
  readonly reason?: string | undefined;
  readonly payload?: unknown;
}

function kill(core: Core, entity: Entity): void {
  const { entities, streams, subscriptions, commit } = core.store;
  entities.setStatus(entity.id, 'killed', core.clock.now());
  subscriptions.removeAllOf(entity.id);
  streams.append(entity.id, {
    type: 'entity_stopped',
    key: 'stopped',
    operation: 'insert',
    value: { key: 'stopped', timestamp: isoNow(core) },
  });
  commit.afterCommit(() => core.onAbort(entity.id, 'the entity was killed'));
}

/**
 * SIGINT aborts the pass that runs, SIGKILL ends the entity for good.
 *
 * @throws RequestError 404 when there is no such entity
 * @throws NotSupportedError for other signals
 */
export function signalEntity(core: Core, request: SignalRequest): void {
  const { signal, reason, payload } = request;
  const entity = requireEntity(core, request.entityUrl);
  if (signal !== 'SIGINT' && signal !== 'SIGKILL') {
    throw new NotSupportedError(`signal ${signal}: this host knows SIGINT and SIGKILL`);
  }
  const timestamp = isoNow(core);
  const key = `signal-${core.clock.now()}-${randomUUID().slice(-12)}`;
  core.store.streams.append(entity.id, {
    type: 'signal',
    key,
    operation: 'insert',
    value: {
      key,
      signal,
      status: 'handled',
      timestamp,
      handled_at: timestamp,
      ...(reason !== undefined && { reason }),
      ...(payload !== undefined && { payload }),
    },
  });
  if (signal === 'SIGKILL') {
    if (entity.status !== 'killed') kill(core, entity);
  } else {
    core.store.commit.afterCommit(() => core.onAbort(entity.id, reason ?? 'SIGINT'));
  }
}
