/**
 * Shared streams, as they are written from outside.
 *
 * @module
 */

import { entityUrlOf } from '../entity-url.ts';
import { RequestError } from '../errors.ts';
import { appendOwn } from './append-own.ts';
import type { Core } from './core.ts';

/** A change of a row. */
export interface SharedStateEvent {
  readonly type: string;
  readonly key: string;
  /** The whole row after the change. */
  readonly value?: Readonly<Record<string, unknown>> | undefined;
  readonly headers: { readonly operation: 'insert' | 'update' | 'upsert' | 'delete' };
}

/**
 * Creates the stream when it is not there.
 *
 * @returns whether it was created
 * @throws RequestError 400 when the id has a character that URLs do not carry as it is
 */
export function ensureSharedState(core: Core, path: string): boolean {
  const { streams } = core.store;
  entityUrlOf('db', path.split('/').at(-1) ?? '');
  if (streams.find(path) !== undefined) return false;
  streams.ensure(path);
  return true;
}

/**
 * Appends to a shared stream and wakes who observes it.
 *
 * @throws RequestError 404 when there is no such stream, 400 when a row is missing
 */
export function appendSharedState(core: Core, path: string, events: readonly SharedStateEvent[]): void {
  const { streams } = core.store;
  const id = streams.find(path);
  if (id === undefined) throw new RequestError(404, 'NOT_FOUND', `there is no stream ${path}`);
  for (const { type, key, value, headers } of events) {
    const known = streams.has(id, type, key);
    const operation = headers.operation === 'upsert' ? (known ? 'update' : 'insert') : headers.operation;
    if (operation === 'delete') {
      appendOwn(core, { id, url: path }, { type, key, operation });
    } else if (value === undefined) {
      throw new RequestError(400, 'INVALID_REQUEST', `value is required for ${operation}`);
    } else {
      appendOwn(core, { id, url: path }, { type, key, operation, value });
    }
  }
}
