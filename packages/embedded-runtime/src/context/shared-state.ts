/**
 * Streams that several entities write: `ctx.mkdb` and `ctx.observe(db())`.
 *
 * @module
 */

import { entityUrlOf } from '../entity-url.ts';
import { SharedDbExistsError } from '../errors.ts';
import { db } from '../sources.ts';
import type { HandlerContext } from '../types/context.ts';
import type { DbSource, SharedStateHandle, SharedStateSchemaMap } from '../types/sources.ts';
import type { Wake } from '../types/wake.ts';
import type { PassScope } from './pass-scope.ts';
import { createWritable } from './writable.ts';

function createHandle<TSchema extends SharedStateSchemaMap>(
  scope: PassScope,
  { sourceRef, streamUrl, schema: collections }: DbSource<TSchema>,
): SharedStateHandle<TSchema> {
  const proxies = Object.entries(collections).map(([name, { type, primaryKey, schema }]) => [
    name,
    createWritable(scope, { name: `${sourceRef}.${name}`, path: streamUrl, type, primaryKey, schema }),
  ]);
  return { id: sourceRef, ...Object.fromEntries(proxies) };
}

const manifestKeyOf = (id: string) => `shared-state:${id}`;

function stage(scope: PassScope, source: DbSource, mode: 'create' | 'connect', wake?: Wake): void {
  const { sourceRef: id, streamUrl, config } = source;
  const { core, manifest } = scope;
  entityUrlOf('db', id); // the same characters as in an entity's id, or it throws
  scope.write(mode === 'create' ? 'mkdb' : 'observe', () => {
    core.store.streams.ensure(streamUrl);
    if (wake !== undefined) manifest.register(manifestKeyOf(id), streamUrl, wake);
    manifest.put(manifestKeyOf(id), {
      kind: 'shared-state',
      id,
      mode,
      collections: config.collections,
      ...(wake !== undefined && { wake }),
    });
  });
}

/** Connects to a shared stream; the observer's own writes wake it, too. */
export function observeSharedState(
  scope: PassScope,
  source: DbSource,
  wake: Wake | undefined,
): SharedStateHandle {
  const known = scope.manifest.get(manifestKeyOf(source.sourceRef));
  stage(scope, source, known?.mode === 'create' ? 'create' : 'connect', wake);
  return createHandle(scope, source);
}

/** `ctx.mkdb`. */
export function createMkdb(scope: PassScope): HandlerContext['mkdb'] {
  return (id, schema) => {
    if (scope.manifest.has(manifestKeyOf(id))) throw new SharedDbExistsError(id);
    const source = db(id, schema);
    stage(scope, source, 'create');
    return createHandle(scope, source);
  };
}
