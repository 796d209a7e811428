/**
 * Messages.
 *
 * @module
 */

import { randomUUID } from 'node:crypto';
import { RequestError } from '../errors.ts';
import type { Entity } from '../store/entities.ts';
import type { NewEvent } from '../store/streams.ts';
import { appendInput } from './append.ts';
import { type Core, isoNow, PRINCIPAL, requireLiving } from './core.ts';
import { enqueue, type MessageMode } from './inbox.ts';

/** A message to send. */
export interface SendRequest {
  readonly targetUrl: string;
  readonly payload: unknown;
  readonly type?: string | undefined;
  /** Deliver after this many milliseconds. */
  readonly afterMs?: number | undefined;
  /** Key of the inbox row. A key that is there is merged over and wakes again: it is no protection against repeats. */
  readonly key?: string | undefined;
  /** Default `immediate`. */
  readonly mode?: MessageMode | undefined;
  /** Sorts among queued messages, as text. */
  readonly position?: string | undefined;
  /** Principal of the sender. */
  readonly from?: string | undefined;
  /** Entity URL of the sender. */
  readonly fromAgent?: string | undefined;
}

/**
 * @param target - the entity, or what is known of it before it is created
 * @throws RequestError 400 when there is no payload, 422 when the target takes no such message
 */
export function checkMessage(
  core: Core,
  target: Pick<Entity, 'type' | 'inboxSchemasId'>,
  messageType: string | undefined,
  payload: unknown,
): void {
  if (payload === undefined) throw new RequestError(400, 'INVALID_REQUEST', 'payload is missing');
  if (messageType === undefined) return;
  const check = core.messageSchemas.find(core.types.get(target.type), target, messageType);
  if (check === 'anything') return;
  if (check === 'unknown') {
    const reason = `${target.type} takes no message of type "${messageType}"`;
    throw new RequestError(422, 'UNKNOWN_MESSAGE_TYPE', reason);
  }
  const details = check(payload);
  if (details.length > 0) {
    throw new RequestError(422, 'SCHEMA_VALIDATION_FAILED', 'Validation failed', details);
  }
}

function deliver(core: Core, target: Entity, request: SendRequest): void {
  const { payload, type, from = PRINCIPAL.url, fromAgent, mode = 'immediate', position } = request;
  const waits = mode === 'queued' || mode === 'paused';
  const timestamp = isoNow(core);
  const key = request.key ?? `msg-in-${core.clock.now()}-${randomUUID().slice(-12)}`;
  const value = {
    key,
    from,
    from_principal: from,
    ...(fromAgent !== undefined && { from_agent: fromAgent }),
    payload,
    timestamp,
    ...(type !== undefined && { message_type: type }),
    mode,
    ...(position !== undefined && { position }),
    ...(waits ? { status: 'pending' } : { status: 'processed', processed_at: timestamp }),
  };
  const event: NewEvent = { type: 'inbox', key, operation: 'insert', value };
  if (!waits) {
    appendInput(core, target.id, event);
    return;
  }
  core.store.streams.append(target.id, event);
  if (mode === 'queued') enqueue(core, target.id, key, position);
}

/**
 * Whether a message would be taken now.
 *
 * @returns its target
 * @throws RequestError 400 (no payload), 404 (no such entity), 409 (it has ended) or 422 (bad payload)
 */
export function checkSend(
  core: Core,
  { targetUrl, type, payload }: Pick<SendRequest, 'targetUrl' | 'type' | 'payload'>,
): Entity {
  const target = requireLiving(core, targetUrl);
  checkMessage(core, target, type, payload);
  return target;
}

/**
 * Delivers a message, or stores it until its time.
 *
 * @returns the delivered message's target, or that it was put off
 * @throws RequestError 400 (bad request), 404 (no such entity), 409 (it has ended) or 422 (bad payload)
 */
export function sendMessage(core: Core, request: SendRequest): 'delivered' | 'delayed' {
  const { targetUrl, payload, type, afterMs = 0, fromAgent } = request;
  if (!Number.isFinite(afterMs) || afterMs < 0) {
    throw new RequestError(400, 'INVALID_REQUEST', 'afterMs must be a non-negative finite number');
  }
  const target = checkSend(core, request);
  if (afterMs === 0) {
    deliver(core, target, request);
    return 'delivered';
  }
  const send = {
    targetUrl,
    payload,
    ...(type !== undefined && { type }),
    ...(fromAgent !== undefined && { fromAgent }),
    ...(request.mode !== undefined && { mode: request.mode }),
    ...(request.position !== undefined && { position: request.position }),
  };
  core.store.timers.add(core.clock.now() + afterMs, { kind: 'send', send });
  core.store.commit.afterCommit(core.onTimer);
  return 'delayed';
}
