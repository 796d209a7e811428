/**
 * What all routes share: reading bodies, waiting for the disk, and the shapes of answers.
 *
 * @module
 */

import type { Context } from 'hono';
import { type Core, PRINCIPAL } from '../engine/core.ts';
import { visibleStatus } from '../engine/signals.ts';
import {
  HostNotRunningError,
  messageOf,
  NotSupportedError,
  RequestError,
  StorageError,
  UnstorableTextError,
} from '../errors.ts';
import type { Entity } from '../store/entities.ts';
import type { BodySchema } from './bodies.ts';

/** An entity as the routes show it. */
export function toJson(core: Core, entity: Entity) {
  const { url, type, parent, tags, args } = entity;
  return {
    url,
    type,
    status: visibleStatus(core, entity),
    streams: { main: `${url}/main` },
    tags,
    spawn_args: args,
    parent,
    created_by: PRINCIPAL.url,
    created_at: entity.createdAtMs,
    updated_at: entity.updatedAtMs,
    type_revision: core.types.has(type) ? 1 : 0,
  };
}

/** @throws RequestError 400 when the body is no JSON or has another shape */
export async function readBody<T>(context: Context, schema: BodySchema<T>): Promise<T> {
  let body: unknown;
  try {
    const text = await context.req.text();
    body = text === '' ? {} : JSON.parse(text);
  } catch {
    throw new RequestError(400, 'INVALID_REQUEST', 'the body is not JSON');
  }
  const parsed = schema.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new RequestError(400, 'INVALID_REQUEST', `${issue?.path.join('.') || 'body'}: ${issue?.message}`);
  }
  return parsed.data;
}

/** The path of a request exactly as it stands in the address. */
export function pathOf(context: Context): string {
  return new URL(context.req.url).pathname;
}

/** The URL of the entity that a route under `/_electric/entities` is about, not decoded. */
export function entityUrlIn(context: Context): string {
  const [type = '', id = ''] = pathOf(context).split('/').slice(3, 5);
  return `/${type}/${id}`;
}

/** A parameter at the end of a path, decoded; as it stands when it cannot be decoded. */
export function lastSegmentIn(context: Context): string {
  const raw = pathOf(context).split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

/** Identifies a write in answers. */
export function txidOf(core: Core): { readonly txid: string } {
  return { txid: String(core.clock.now()) };
}

/** Runs work that writes, and waits until it survives a power cut. */
export async function durably<T>(core: Core, work: () => T): Promise<T> {
  const result = core.store.commit.write(work);
  await core.store.commit.synced();
  return result;
}

/** The answer to an error. */
export function toResponse(error: unknown, core: Core): Response {
  if (error instanceof RequestError) return Response.json(error.toBody(), { status: error.status });
  if (error instanceof NotSupportedError || error instanceof UnstorableTextError) {
    return Response.json(new RequestError(400, 'INVALID_REQUEST', error.message).toBody(), { status: 400 });
  }
  if (error instanceof StorageError || error instanceof HostNotRunningError) {
    core.log.error('a request could not be accepted', { reason: error.message });
    return Response.json(new RequestError(503, 'STORAGE_UNAVAILABLE', error.message).toBody(), {
      status: 503,
    });
  }
  core.log.error('a request failed', { reason: messageOf(error) });
  return Response.json({ error: { code: 'INTERNAL', message: 'internal error' } }, { status: 500 });
}
