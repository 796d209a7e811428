/**
 * Messages.
 *
 * @module
 */

import { randomUUID } from 'node:crypto';
import { RequestError } from '../errors.ts';
import type { Entity } from '../store/entities.ts';
import { appendInput } from './append.ts';
import { type Core, isoNow, PRINCIPAL, requireEntity } from './core.ts';

/** A message to send. */
export interface SendRequest {
  readonly targetUrl: string;
  readonly payload: unknown;
  readonly type?: string | undefined;
  /** Deliver after this many milliseconds. */
  readonly afterMs?: number | undefined;
  /** Key of the inbox row. A key that is there is merged over and wakes again: it is no protection against repeats. */
  readonly key?: string | undefined;
  /** Principal of the sender. */
  readonly from?: string | undefined;
  /** Entity URL of the sender. */
  readonly fromAgent?: string | undefined;
}

/** @throws RequestError 422 when the type takes no such message */
export function checkMessage(core: Core, typeName: string, type: string | undefined, payload: unknown): void {
  if (payload === undefined) throw new RequestError(400, 'INVALID_REQUEST', 'payload is missing');
  const validators = core.types.get(typeName)?.validateMessage;
  if (type === undefined || validators === undefined) return;
  const validate = validators.get(type);
  if (validate === undefined) {
    throw new RequestError(422, 'UNKNOWN_MESSAGE_TYPE', `${typeName} takes no message of type "${type}"`);
  }
  const details = validate(payload);
  if (details.length > 0) {
    throw new RequestError(422, 'SCHEMA_VALIDATION_FAILED', 'Validation failed', details);
  }
}

function deliver(core: Core, target: Entity, request: SendRequest): void {
  const { payload, type, from = PRINCIPAL.url, fromAgent } = request;
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
    mode: 'immediate',
    status: 'processed',
    processed_at: timestamp,
  };
  appendInput(core, target.id, { type: 'inbox', key, operation: 'insert', value });
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
  const target = requireEntity(core, targetUrl);
  if (target.status !== 'idle') {
    throw new RequestError(409, 'NOT_RUNNING', `${targetUrl} is ${target.status}`);
  }
  checkMessage(core, target.type, type, payload);
  if (afterMs === 0) {
    deliver(core, target, request);
    return 'delivered';
  }
  const send = {
    targetUrl,
    payload,
    ...(type !== undefined && { type }),
    ...(fromAgent !== undefined && { fromAgent }),
  };
  core.store.timers.add(core.clock.now() + afterMs, { kind: 'send', send });
  core.store.commit.afterCommit(core.onTimer);
  return 'delayed';
}
