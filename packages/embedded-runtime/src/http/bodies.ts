/**
 * Bodies of requests.
 *
 * @module
 */

import { z } from 'zod';
import { SIGNALS } from '../engine/signals.ts';

/** A schema that reads a body. */
export type BodySchema<T> = z.ZodType<T>;

const anyObject = z.record(z.string(), z.unknown());
const key = z.string().min(1);
const milliseconds = z.number().min(0).max(Number.MAX_SAFE_INTEGER);
const operation = z.enum(['insert', 'update', 'delete']);
const mode = z.enum(['immediate', 'queued', 'paused', 'steer']);

const condition = z.union([
  z.literal('runFinished'),
  z.object({
    on: z.literal('change'),
    collections: z.array(z.string()).optional(),
    ops: z.array(operation).optional(),
  }),
]);

const wakeOptions = {
  subscriberUrl: z.string(),
  condition,
  debounceMs: milliseconds.optional(),
  timeoutMs: milliseconds.optional(),
  includeResponse: z.boolean().optional(),
  manifestKey: key.optional(),
};

const sharedStateEvent = z.object({
  type: key,
  key,
  value: anyObject.optional(),
  headers: z.object({ operation: z.enum(['insert', 'update', 'upsert', 'delete']) }),
});

/** What each route takes; further fields are ignored. */
export const bodies = {
  spawn: z.object({
    args: anyObject.optional(),
    parent: z.string().optional(),
    initialMessage: z.unknown().optional(),
    initialMessageType: z.string().optional(),
    tags: z.record(z.string(), z.string()).optional(),
    wake: z.object(wakeOptions).optional(),
  }),
  send: z.object({
    payload: z.unknown(),
    type: z.string().optional(),
    key: key.optional(),
    mode: mode.optional(),
    position: z.string().optional(),
    afterMs: z.number().optional(),
    from: z.string().optional(),
    from_agent: z.string().optional(),
  }),
  inboxChange: z.object({
    payload: z.unknown().optional(),
    position: z.string().optional(),
    mode: mode.optional(),
    status: z.enum(['pending', 'processed', 'cancelled']).optional(),
  }),
  signal: z.object({
    signal: z.enum(SIGNALS),
    reason: z.string().optional(),
    payload: z.unknown().optional(),
  }),
  tag: z.object({ value: z.string() }),
  collectionWrite: z.strictObject({ operation, key: key.optional(), value: anyObject.optional() }),
  schedule: z.discriminatedUnion('scheduleType', [
    z.object({
      scheduleType: z.literal('cron'),
      expression: z.string(),
      timezone: z.string().optional(),
      payload: z.unknown(),
      debounceMs: milliseconds.optional(),
      timeoutMs: milliseconds.optional(),
    }),
    z.object({
      scheduleType: z.literal('future_send'),
      payload: z.unknown(),
      targetUrl: z.string().optional(),
      fireAt: z.string(),
      messageType: z.string().optional(),
    }),
  ]),
  wake: z.object({ ...wakeOptions, sourceUrl: z.string().min(1) }),
  wakeUnregister: z.object({
    subscriberUrl: z.string(),
    sourceUrl: z.string().optional(),
    manifestKey: z.string().optional(),
  }),
  cronStream: z.object({ expression: z.string(), timezone: z.string().optional() }),
  sharedStateEvents: z.union([sharedStateEvent, z.array(sharedStateEvent).max(1_000)]),
  entityType: z.object({
    name: z.string(),
    creation_schema: anyObject.optional(),
    inbox_schemas: z.record(z.string(), anyObject).optional(),
    state_schemas: z.record(z.string(), anyObject).optional(),
  }),
};
