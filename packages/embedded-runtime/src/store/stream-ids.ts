/**
 * Ids of streams by path.
 *
 * @module
 */

import type { SqliteDb } from '../db.ts';

/** Streams by path. */
export interface StreamIds {
  find(path: string): number | undefined;
  /** Creates the stream when it is not there. */
  ensure(path: string): number;
  /** Forgets what a rollback may have undone. */
  forget(): void;
}

const MOST_REMEMBERED = 20_000;

/** @param db - a migrated database */
export function createStreamIds(db: SqliteDb): StreamIds {
  const select = db.prepare<{ id: number }>('SELECT id FROM streams WHERE path = ?');
  const insert = db.prepare('INSERT INTO streams (path) VALUES (?)');
  const remembered = new Map<string, number>();

  function find(path: string): number | undefined {
    const known = remembered.get(path);
    if (known !== undefined) return known;
    const id = select.get(path)?.id;
    if (id === undefined) return undefined;
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(path, id);
    return id;
  }

  return {
    find,
    ensure(path) {
      const known = find(path);
      if (known !== undefined) return known;
      insert.run(path);
      const added = find(path);
      if (added === undefined) throw new Error(`stream ${path} was not created`);
      return added;
    },
    forget: () => remembered.clear(),
  };
}
