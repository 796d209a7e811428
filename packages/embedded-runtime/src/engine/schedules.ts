/**
 * Schedules of entities: ticks and future messages with an id, so that they can be replaced and cancelled. What
 * a schedule says stands in the entity's manifest, under `schedule:<id>`.
 *
 * @module
 */

import { randomUUID } from 'node:crypto';
import { checkCronSpec, cronStreamPathOf } from '../cron-spec.ts';
import { messageOf, RequestError } from '../errors.ts';
import type { Entity } from '../store/entities.ts';
import type { ManifestRow } from '../types/rows.ts';
import type { Wake } from '../types/wake.ts';
import { appendOwn } from './append-own.ts';
import { type Core, isoNow, requireLiving } from './core.ts';
import { subscribe, unsubscribe } from './observers.ts';
import { checkSend, sendMessage } from './send.ts';

/** Wakes the entity at each tick. */
export interface CronSchedule {
  readonly scheduleType: 'cron';
  readonly expression: string;
  /** Default `UTC`. */
  readonly timezone?: string | undefined;
  /** Kept in the manifest row for the handler to read. */
  readonly payload?: unknown;
  readonly debounceMs?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Sends a message at a time. */
export interface FutureSendSchedule {
  readonly scheduleType: 'future_send';
  readonly payload?: unknown;
  /** Default: the entity itself. */
  readonly targetUrl?: string | undefined;
  /** ISO 8601; a time that has passed sends at once. */
  readonly fireAt: string;
  readonly messageType?: string | undefined;
}

/** Any schedule. */
export type Schedule = CronSchedule | FutureSendSchedule;

type FutureSendRow = Extract<ManifestRow, { readonly scheduleType: 'future_send' }>;

const manifestKeyOf = (id: string) => `schedule:${id}`;

function writeManifest(
  core: Core,
  entity: Entity,
  key: string,
  row: Readonly<Record<string, unknown>>,
): void {
  const operation = core.store.streams.has(entity.id, 'manifest', key) ? 'update' : 'insert';
  appendOwn(core, entity, { type: 'manifest', key, operation, value: { key, ...row } });
}

function removeWork(core: Core, entity: Entity, id: string): void {
  unsubscribe(core, entity.id, manifestKeyOf(id));
  core.store.timers.removeOf(`schedule:${entity.id}:${id}`, 'schedule');
}

function putCron(core: Core, entity: Entity, id: string, schedule: CronSchedule): void {
  const spec = checkCronSpec(schedule.expression, schedule.timezone);
  const { payload, debounceMs, timeoutMs } = schedule;
  const wake: Wake = {
    on: 'change',
    ...(debounceMs !== undefined && { debounceMs }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
  const manifestKey = manifestKeyOf(id);
  removeWork(core, entity, id);
  subscribe(core, { subscriberId: entity.id, manifestKey, source: cronStreamPathOf(spec), condition: wake });
  writeManifest(core, entity, manifestKey, {
    kind: 'schedule',
    id,
    scheduleType: 'cron',
    ...spec,
    payload,
    wake,
  });
}

function putFutureSend(core: Core, entity: Entity, id: string, schedule: FutureSendSchedule): void {
  const { payload, targetUrl = entity.url, messageType } = schedule;
  const fireAtMs = Date.parse(schedule.fireAt);
  if (Number.isNaN(fireAtMs)) {
    throw new RequestError(400, 'INVALID_REQUEST', `Invalid fireAt timestamp: ${schedule.fireAt}`);
  }
  checkSend(core, { targetUrl, payload, type: messageType });
  removeWork(core, entity, id);
  core.store.timers.add(fireAtMs, { kind: 'schedule', entityId: entity.id, scheduleId: id });
  core.store.commit.afterCommit(core.onTimer);
  writeManifest(core, entity, manifestKeyOf(id), {
    kind: 'schedule',
    id,
    scheduleType: 'future_send',
    fireAt: new Date(fireAtMs).toISOString(),
    targetUrl,
    senderUrl: entity.url,
    payload,
    producerId: `future-send-${randomUUID()}`,
    ...(messageType !== undefined && { messageType }),
    status: 'pending',
  });
}

/**
 * Makes or replaces a schedule.
 *
 * @throws RequestError 400 (payload, expression or time malformed), 404 (no such entity or target), 409 (one of
 *   them has ended) or 422 (the target takes no such message)
 */
export function putSchedule(core: Core, entityUrl: string, id: string, schedule: Schedule): void {
  const entity = requireLiving(core, entityUrl);
  if (schedule.payload === undefined) {
    throw new RequestError(400, 'INVALID_REQUEST', 'Missing required field: payload');
  }
  if (schedule.scheduleType === 'cron') putCron(core, entity, id, schedule);
  else putFutureSend(core, entity, id, schedule);
}

/**
 * Cancels a schedule; nothing when there is none.
 *
 * @throws RequestError 404 when there is no such entity
 */
export function deleteSchedule(core: Core, entityUrl: string, id: string): void {
  const entity = requireLiving(core, entityUrl);
  const key = manifestKeyOf(id);
  removeWork(core, entity, id);
  if (core.store.streams.has(entity.id, 'manifest', key)) {
    appendOwn(core, entity, { type: 'manifest', key, operation: 'delete' });
  }
}

/** Sends a scheduled message and notes in the manifest what came of it. */
export function fireSchedule(core: Core, entityId: number, scheduleId: string): void {
  const entity = core.store.entities.get(entityId);
  const row = core.store.streams.row(entityId, 'manifest', manifestKeyOf(scheduleId));
  if (entity === undefined || row === undefined) return;
  const { key, _seq, _timeline_order, ...fields } = row as unknown as FutureSendRow;
  const { targetUrl, payload, messageType, producerId } = fields;
  const timestamp = isoNow(core);
  try {
    const request = { targetUrl, payload, type: messageType, fromAgent: entity.url };
    sendMessage(core, { ...request, key: `scheduled-${producerId}` });
    writeManifest(core, entity, key, { ...fields, status: 'sent', sentAt: timestamp });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const lastError = messageOf(error);
    core.log.warn('a scheduled message could not be sent', { targetUrl, reason: lastError });
    writeManifest(core, entity, key, { ...fields, status: 'failed', failedAt: timestamp, lastError });
  }
}
