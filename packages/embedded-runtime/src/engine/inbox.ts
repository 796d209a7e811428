/**
 * Messages that wait in the inbox: which is next, and changes to them.
 *
 * A message arrives with an `insert`. One that is `queued` is inserted as `pending` and wakes nobody; when its
 * turn comes it is inserted again as `processed`, which is its arrival.
 *
 * @module
 */

import { RequestError } from '../errors.ts';
import type { Entity } from '../store/entities.ts';
import type { InboxRow } from '../types/rows.ts';
import type { ChangeEvent } from '../types/wake.ts';
import { appendInput } from './append.ts';
import { type Core, isoNow, requireLiving } from './core.ts';

/** How a message is to be taken. `paused` waits until its mode is changed; `steer` is taken like `immediate`. */
export type MessageMode = NonNullable<InboxRow['mode']>;

/** What can be changed of a message. */
export interface MessageChange {
  readonly payload?: unknown;
  /** Sorts among queued messages, as text. */
  readonly position?: string | undefined;
  readonly mode?: MessageMode | undefined;
  readonly status?: 'pending' | 'processed' | 'cancelled' | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function storedMessage(core: Core, entityId: number, key: string): Fields | undefined {
  const row = core.store.streams.row(entityId, 'inbox', key);
  if (row === undefined) return undefined;
  const { _seq, _timeline_order, ...fields } = row;
  return fields;
}

function arrive(core: Core, entityId: number, key: string, message: Fields): void {
  const value = { ...message, status: 'processed', processed_at: isoNow(core) };
  appendInput(core, entityId, { type: 'inbox', key, operation: 'insert', value });
}

/**
 * Lets the first queued message arrive, if the entity has nothing else to see. Each pass sees one of them: what a
 * pass sees is acknowledged in the transaction that ends it (R7), so the next one waits until then.
 */
export function promoteNext(core: Core, entity: Entity): void {
  if (entity.pendingSeq > entity.ackedSeq) return;
  const { id: entityId } = entity;
  const key = core.store.queue.first(entityId);
  const message = key === undefined ? undefined : storedMessage(core, entityId, key);
  if (key === undefined || message === undefined) return;
  core.store.queue.remove(entityId, key);
  arrive(core, entityId, key, message);
}

/** Puts a message that is stored as `pending` in line. */
export function enqueue(core: Core, entityId: number, key: string, position: string | undefined): void {
  core.store.queue.remove(entityId, key);
  core.store.queue.add(entityId, key, position);
  const entity = core.store.entities.get(entityId);
  if (entity !== undefined) promoteNext(core, entity);
}

function changed(core: Core, message: Fields, change: MessageChange): Fields {
  const { payload, position, mode, status } = change;
  return {
    ...message,
    ...(payload !== undefined && { payload }),
    ...(position !== undefined && { position }),
    ...(mode !== undefined && { mode }),
    ...(status !== undefined && { status }),
    ...(status === 'processed' && { processed_at: isoNow(core) }),
    ...(status === 'cancelled' && { cancelled_at: isoNow(core) }),
  };
}

/**
 * Changes a message. What a pass has not seen yet it will see as changed, or not at all when it is cancelled.
 *
 * @throws RequestError 404 (no such entity or message), 409 (the entity has ended) or 400 (nothing to change)
 */
export function changeMessage(core: Core, entityUrl: string, key: string, change: MessageChange): void {
  const { id } = requireLiving(core, entityUrl);
  if (Object.values(change).every((value) => value === undefined)) {
    throw new RequestError(400, 'INVALID_REQUEST', 'No inbox fields to update');
  }
  const before = storedMessage(core, id, key);
  if (before === undefined) throw new RequestError(404, 'NOT_FOUND', `there is no message ${key}`);
  const after = changed(core, before, change);
  core.store.queue.remove(id, key);
  const waits = after.status === 'pending';
  if (waits && after.mode !== 'queued' && after.mode !== 'paused') {
    arrive(core, id, key, after);
    return;
  }
  core.store.streams.append(id, { type: 'inbox', key, operation: 'update', value: after });
  if (waits && after.mode === 'queued') enqueue(core, id, key, after.position as string | undefined);
}

/**
 * Removes a message; nothing when it is not there.
 *
 * @throws RequestError 404 when there is no such entity, 409 when it has ended
 */
export function removeMessage(core: Core, entityUrl: string, key: string): void {
  const { id } = requireLiving(core, entityUrl);
  core.store.queue.remove(id, key);
  if (core.store.streams.has(id, 'inbox', key)) {
    core.store.streams.append(id, { type: 'inbox', key, operation: 'delete' });
  }
}

function isArrival({ type, value, headers }: ChangeEvent): boolean {
  return type === 'wake' || (headers.operation === 'insert' && (value as Fields).status !== 'pending');
}

/** The messages and wake rows that have arrived since the last pass, in stream order and as they are now. */
export function arrivals(core: Core, entity: Entity): ChangeEvent[] {
  const events = core.store.streams.events(entity.id, entity.ackedSeq, ['inbox', 'wake']);
  const arrived = events.filter(isArrival);
  if (arrived.length === events.length) return events;
  const edited = new Set(
    events
      .filter(({ type, headers }) => type === 'inbox' && headers.operation !== 'insert')
      .map(({ key }) => key),
  );
  return arrived.flatMap((event) => {
    if (event.type !== 'inbox' || !edited.has(event.key)) return [event];
    const value = storedMessage(core, entity.id, event.key);
    return value === undefined || value.status === 'cancelled' ? [] : [{ ...event, value }];
  });
}
