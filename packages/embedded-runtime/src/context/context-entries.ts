/**
 * Texts that stay in the entity's timeline until they are removed.
 *
 * @module
 */

import { appendOwn } from '../engine/append-own.ts';
import { isoNow } from '../engine/core.ts';
import type { ContextEntry, HandlerContext } from '../types/context.ts';
import type { PassScope } from './pass-scope.ts';

type Members = Pick<HandlerContext, 'insertContext' | 'removeContext' | 'getContext' | 'listContext'>;

function toEntry(row: Readonly<Record<string, unknown>>): ContextEntry {
  const { id, name, attrs, content, insertedAt } = row as unknown as ContextEntry;
  return { id, name, attrs, content, insertedAt };
}

/** The members that keep context. */
export function createContextEntries(scope: PassScope): Members {
  const { core, entity, manifest } = scope;

  function append(member: string, type: string, fields: Readonly<Record<string, unknown>>): void {
    scope.write(member, () => {
      const key = `ctx-${core.store.streams.nextIndex(entity.id, 'ctx')}`;
      appendOwn(core, entity, { type, key, operation: 'insert', value: { key, ...fields } });
    });
  }

  return {
    insertContext(id, { name, attrs = {}, content }) {
      append('insertContext', 'context_inserted', { id, name, attrs, content, timestamp: isoNow(core) });
      manifest.put(`context:${id}`, {
        kind: 'context',
        id,
        name,
        attrs,
        content,
        insertedAt: core.clock.now(),
      });
    },
    removeContext(id) {
      const row = manifest.get(`context:${id}`);
      if (row === undefined) return;
      append('removeContext', 'context_removed', { id, name: row.name, timestamp: isoNow(core) });
      manifest.remove(`context:${id}`);
    },
    getContext(id) {
      const row = manifest.get(`context:${id}`);
      return row === undefined ? undefined : toEntry(row);
    },
    listContext: () =>
      manifest
        .all()
        .filter((row) => row.kind === 'context')
        .map(toEntry),
  };
}
