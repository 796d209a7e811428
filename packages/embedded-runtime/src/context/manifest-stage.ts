/**
 * The manifest in the course of a pass: what was spawned, observed and kept as context.
 *
 * R5: manifest rows of a pass that throws are never written, and registrations that came with them are
 * removed; rows that an earlier pass wrote keep theirs.
 *
 * @module
 */

import { appendOwn } from '../engine/append-own.ts';
import type { Core } from '../engine/core.ts';
import { subscribe, unsubscribe } from '../engine/observers.ts';
import type { Entity } from '../store/entities.ts';
import type { StoredRow } from '../store/streams.ts';
import type { Wake } from '../types/wake.ts';
import { type RowSource, storedRows } from './readable.ts';

type ManifestFields = Readonly<Record<string, unknown>>;

/** Staged manifest rows, and the rows that are seen through them. */
export interface ManifestStage extends RowSource {
  put(key: string, row: ManifestFields): void;
  remove(key: string): void;
  /** Registers a wake that belongs to a manifest row, now. */
  register(key: string, source: string, condition: Wake): void;
  /** Writes what is staged. */
  commit(): void;
  /** Drops what is staged, and its registrations. */
  rollback(): void;
}

/** @param entity - whose manifest it is */
export function createManifestStage(core: Core, entity: Entity): ManifestStage {
  const stored = storedRows(core.store.streams, entity.url, 'manifest');
  const staged = new Map<string, ManifestFields | undefined>();
  const registered = new Set<string>();

  function all(): StoredRow[] {
    const unchanged = stored.all().filter((row) => !staged.has(String(row.key)));
    const added = [...staged.values()].filter((row) => row !== undefined);
    return [...unchanged, ...added];
  }

  function write(key: string, row: ManifestFields | undefined): void {
    const there = stored.has(key);
    if (row === undefined) {
      if (there) appendOwn(core, entity, { type: 'manifest', key, operation: 'delete' });
      unsubscribe(core, entity.id, key);
      return;
    }
    if (there && isSameRow(stored.get(key), row)) return;
    appendOwn(core, entity, { type: 'manifest', key, operation: there ? 'update' : 'insert', value: row });
  }

  return {
    get: (key) => (staged.has(key) ? staged.get(key) : stored.get(key)),
    has: (key) => (staged.has(key) ? staged.get(key) !== undefined : stored.has(key)),
    all,
    count: () => (staged.size === 0 ? stored.count() : all().length),
    put: (key, row) => void staged.set(key, { key, ...row }),
    remove: (key) => void staged.set(key, undefined),
    register(key, source, condition) {
      registered.add(key);
      subscribe(core, { manifestKey: key, source, subscriberId: entity.id, condition });
    },
    commit() {
      for (const [key, row] of staged) write(key, row);
      staged.clear();
      registered.clear();
    },
    rollback() {
      for (const key of registered) if (!stored.has(key)) unsubscribe(core, entity.id, key);
      staged.clear();
      registered.clear();
    },
  };
}

/** Observing the same thing on each wake writes nothing. */
function isSameRow(stored: StoredRow | undefined, row: ManifestFields): boolean {
  const { _seq, _timeline_order, ...fields } = stored ?? {};
  return JSON.stringify(fields) === JSON.stringify(row);
}
