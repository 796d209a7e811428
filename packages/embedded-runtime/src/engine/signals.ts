/**
 * Signals and the end of entities.
 *
 * @module
 */

import { randomUUID } from 'node:crypto';
import { messageOf, RequestError } from '../errors.ts';
import { type Entity, type EntityStatus, isLiving } from '../store/entities.ts';
import type { NewEvent } from '../store/streams.ts';
import { appendOwn } from './append-own.ts';
import { type Core, isoNow, requireEntity } from './core.ts';

/** The signals of the contract. */
export const SIGNALS = ['SIGINT', 'SIGHUP', 'SIGTERM', 'SIGKILL', 'SIGSTOP', 'SIGCONT', 'SIGUSR'] as const;

/** One of {@link SIGNALS}. */
export type EntitySignal = (typeof SIGNALS)[number];

/** A signal to an entity. */
export interface SignalRequest {
  readonly entityUrl: string;
  readonly signal: EntitySignal;
  readonly reason?: string | undefined;
  readonly payload?: unknown;
}

/** What an entity is seen to be: `running` while a pass of a living one runs. */
export type VisibleStatus = EntityStatus | 'running';

/** The status that others see. */
export function visibleStatus(core: Core, { id, status }: Pick<Entity, 'id' | 'status'>): VisibleStatus {
  return status === 'idle' && core.isRunning(id) ? 'running' : status;
}

/** What a signal makes of an entity. */
interface Reaction {
  readonly status: VisibleStatus;
  /** Absent: the pass that runs handles it. */
  readonly outcome?: 'transitioned' | 'ignored' | 'aborted';
}

/** Pure: what a signal does in a state. A signal for `onSignal` stays unhandled when no pass runs. */
function react(before: VisibleStatus, signal: EntitySignal): Reaction {
  const ignored: Reaction = { status: before, outcome: 'ignored' };
  if (signal === 'SIGKILL') return { status: 'killed', outcome: 'transitioned' };
  if (signal === 'SIGTERM') {
    if (before === 'running') return { status: 'stopping' };
    return before === 'stopping' ? ignored : { status: 'stopped', outcome: 'transitioned' };
  }
  if (signal === 'SIGCONT')
    return before === 'paused' ? { status: 'idle', outcome: 'transitioned' } : ignored;
  if (before === 'paused') return ignored;
  if (signal === 'SIGSTOP')
    return before === 'stopping' ? ignored : { status: 'paused', outcome: 'transitioned' };
  if (signal !== 'SIGINT') return { status: before };
  return before === 'idle' ? ignored : { status: before, outcome: 'aborted' };
}

function isTerminal(status: VisibleStatus): status is 'stopped' | 'killed' {
  return status === 'stopped' || status === 'killed';
}

/** The entity takes nothing any more. Who waits for it with a time-out still learns that nothing came. */
export function endEntity(core: Core, entity: Entity, status: 'stopped' | 'killed'): void {
  const { entities, streams, subscriptions } = core.store;
  entities.setStatus(entity.id, status, core.clock.now());
  subscriptions.removeAllOf(entity.id);
  streams.append(entity.id, {
    type: 'entity_stopped',
    key: 'stopped',
    operation: 'insert',
    value: { key: 'stopped', timestamp: isoNow(core) },
  });
}

function apply(core: Core, entity: Entity, status: VisibleStatus): void {
  const { entities, commit } = core.store;
  if (isTerminal(status)) {
    endEntity(core, entity, status);
  } else if (status !== 'running' && status !== entity.status) {
    entities.setStatus(entity.id, status, core.clock.now());
  }
  if (status === 'killed') commit.afterCommit(() => core.onAbort(entity.id, 'the entity was killed'));
  if (entity.status === 'paused' && entities.isDue(entity.id))
    commit.afterCommit(() => core.onDue(entity.id));
}

/** Hands the signal to the pass that runs, and notes what came of it. */
async function deliver(core: Core, entity: Entity, key: string, request: SignalRequest): Promise<void> {
  const { signal, reason, payload } = request;
  const outcome = await core.signals.deliver(entity.id, {
    signal,
    ...(reason !== undefined && { reason }),
    ...(payload !== undefined && { payload }),
  });
  const asked = signal === 'SIGUSR' || outcome === 'failed' ? outcome : 'shutdown_requested';
  try {
    core.store.commit.write(() => {
      const row = core.store.streams.row(entity.id, 'signal', key);
      if (row === undefined) return;
      const { _seq, _timeline_order, ...value } = row;
      const handled = {
        status: 'handled',
        handled_at: isoNow(core),
        handled_by: entity.url,
        outcome: asked,
        ...(signal === 'SIGTERM' && { new_state: 'stopped' }),
      };
      appendOwn(core, entity, { type: 'signal', key, operation: 'update', value: { ...value, ...handled } });
    });
  } catch (error) {
    core.log.error('the outcome of a signal could not be kept', { key, reason: messageOf(error) });
  }
}

/** What was done, as the route answers. */
export interface SignalResult {
  readonly url: string;
  readonly signal: EntitySignal;
  readonly previous_state: VisibleStatus;
  readonly new_state: VisibleStatus;
  readonly created_at: number;
  readonly txid: number;
}

/**
 * SIGINT aborts the pass that runs. SIGTERM lets it end and stops the entity, SIGKILL ends it at once; both for
 * good. SIGSTOP holds further passes back until SIGCONT. SIGHUP, SIGTERM and SIGUSR reach `ctx.onSignal` of a
 * pass that runs. Each signal leaves a row in `signals`.
 *
 * @throws RequestError 404 when there is no such entity, 409 when it has ended
 */
export function signalEntity(core: Core, request: SignalRequest): SignalResult {
  const { signal, reason, payload } = request;
  const entity = requireEntity(core, request.entityUrl);
  if (!isLiving(entity.status) && entity.status !== 'stopping') {
    throw new RequestError(409, 'INVALID_SIGNAL', `Cannot signal a ${entity.status} entity`);
  }
  const before = visibleStatus(core, entity);
  const { status, outcome } = react(before, signal);
  const nowMs = core.clock.now();
  const timestamp = isoNow(core);
  const key = `sig-${nowMs}-${randomUUID().slice(0, 8)}`;
  const handled = {
    status: 'handled',
    handled_at: timestamp,
    handled_by: '/_electric/server',
    outcome,
    previous_state: before,
    new_state: status,
  };
  const value = {
    key,
    signal,
    sender: '/_electric/server',
    timestamp,
    ...(reason !== undefined && { reason }),
    ...(payload !== undefined && { payload }),
    ...(outcome === undefined ? { status: 'unhandled' } : handled),
  };
  const event: NewEvent = { type: 'signal', key, operation: 'insert', value };
  if (isTerminal(status)) core.store.streams.append(entity.id, event);
  else appendOwn(core, entity, event);
  apply(core, entity, status);
  if (outcome === 'aborted') core.store.commit.afterCommit(() => core.onAbort(entity.id, reason ?? 'SIGINT'));
  if (outcome === undefined) {
    core.store.commit.afterCommit(() => {
      if (core.isRunning(entity.id)) void deliver(core, entity, key, request);
    });
  }
  return {
    url: entity.url,
    signal,
    previous_state: before,
    new_state: status,
    created_at: nowMs,
    txid: nowMs,
  };
}
