/**
 * The order of messages that wait for their turn.
 *
 * @module
 */

import type { SqliteDb } from '../db.ts';

/** Keys of queued messages by entity. */
export interface QueueStore {
  /** @param position - sorts as text; messages without one come last, first come first served */
  add(entityId: number, key: string, position: string | undefined): void;
  remove(entityId: number, key: string): void;
  /** The key of the message whose turn is next. */
  first(entityId: number): string | undefined;
}

/** Sorts behind what people use as positions. */
const LAST = '~~~~';

/** @param db - a migrated database */
export function createQueueStore(db: SqliteDb): QueueStore {
  const insert = db.prepare(
    `INSERT INTO queued (entity_id, position, seq, key)
     SELECT ?, ?, coalesce(max(seq), 0) + 1, ? FROM queued WHERE entity_id = ?`,
  );
  const deleteOne = db.prepare('DELETE FROM queued WHERE entity_id = ? AND key = ?');
  const selectFirst = db.prepare<{ key: string }>(
    'SELECT key FROM queued WHERE entity_id = ? ORDER BY position, seq LIMIT 1',
  );
  return {
    add: (entityId, key, position = LAST) => void insert.run(entityId, position, key, entityId),
    remove: (entityId, key) => void deleteOne.run(entityId, key),
    first: (entityId) => selectFirst.get(entityId)?.key,
  };
}
