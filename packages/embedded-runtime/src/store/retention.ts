/**
 * Removing what is old. Age is told by marks: each says where the positions and the deliveries stood at a time,
 * so no event is looked at for its age.
 *
 * @module
 */

import type { SqliteDb } from '../db.ts';

/** Where things stood at a time. */
export interface Mark {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  /** Events before this position are older. */
  readonly nextSeq: number;
  /** Deliveries up to this one are older. */
  readonly lastDelivery: number;
}

/** What one batch came to. */
export interface SweptBatch {
  /** How many events were looked at. */
  readonly seen: number;
  /** How many of them were removed. */
  readonly removed: number;
  /** The last position that was looked at. */
  readonly lastSeq: number;
}

/** Marks, and removal in batches. */
export interface RetentionStore {
  mark(mark: Omit<Mark, 'lastDelivery'>): void;
  lastMarkMs(): number | undefined;
  /** The newest mark that is not younger than a time. */
  markAt(atMs: number): Mark | undefined;
  forgetMarksBefore(atMs: number): void;
  /** Ids of streams after one, in order. */
  streamsAfter(streamId: number, limit: number): number[];
  /**
   * Removes old rows of buckets, ticks, messages and wakes between two positions of a stream, and the events
   * that no row needs. Messages and wake rows that no pass has seen stay, as do messages that wait.
   */
  sweepStream(streamId: number, afterSeq: number, beforeSeq: number, limit: number): SweptBatch;
  /** Removes deliveries. @returns how many */
  removeDeliveries(upTo: number, limit: number): number;
  /** Removes all but the keys of deliveries. @returns how many */
  emptyDeliveries(upTo: number, limit: number): number;
}

interface MarkRecord {
  readonly at: number;
  readonly next_seq: number;
  readonly last_delivery: number;
}

function prepareSweep(db: SqliteDb) {
  const isCurrent = 'r.stream_id = e.stream_id AND r.type = e.type AND r.key = e.key AND r.last_seq = e.seq';
  const inRange = 'e.stream_id = ? AND e.seq > ? AND e.seq <= ?';
  return {
    range: db.prepare<{ seen: number; last: number | null }>(
      `SELECT count(*) AS seen, max(seq) AS last FROM
       (SELECT seq FROM events WHERE stream_id = ? AND seq > ? AND seq < ? ORDER BY seq LIMIT ?)`,
    ),
    // Who has ended sees nothing any more.
    seenUpTo: db.prepare<{ acked_seq: number; status: string }>(
      'SELECT acked_seq, status FROM entities WHERE id = ?',
    ),
    oldRows: db.prepare<{ type: string; key: string }>(
      `SELECT e.type, e.key FROM events e JOIN rows r ON ${isCurrent} WHERE ${inRange} AND (
         e.type IN ('webhook_event', 'cron_tick') OR (e.type = 'wake' AND e.seq <= ?)
         OR (e.type = 'inbox' AND e.seq <= ? AND json_extract(e.value, '$.status') <> 'pending'))`,
    ),
    deleteRow: db.prepare('DELETE FROM rows WHERE stream_id = ? AND type = ? AND key = ?'),
    events: db.prepare(
      `DELETE FROM events AS e WHERE ${inRange} AND (e.type NOT IN ('inbox', 'wake') OR e.seq <= ?)
       AND NOT EXISTS (SELECT 1 FROM rows r WHERE ${isCurrent})`,
    ),
  };
}

function createMarks(db: SqliteDb) {
  const insert = db.prepare(
    `INSERT OR REPLACE INTO marks (at, next_seq, last_delivery)
     VALUES (?, ?, (SELECT coalesce(max(id), 0) FROM deliveries))`,
  );
  const selectLast = db.prepare<{ at: number | null }>('SELECT max(at) AS at FROM marks');
  const selectAt = db.prepare<MarkRecord>(
    'SELECT at, next_seq, last_delivery FROM marks WHERE at <= ? ORDER BY at DESC LIMIT 1',
  );
  const deleteBefore = db.prepare('DELETE FROM marks WHERE at < ?');
  return {
    mark: ({ atMs, nextSeq }: Omit<Mark, 'lastDelivery'>) => void insert.run(atMs, nextSeq),
    lastMarkMs: () => selectLast.get()?.at ?? undefined,
    markAt(atMs: number): Mark | undefined {
      const record = selectAt.get(atMs);
      if (record === undefined) return undefined;
      return { atMs: record.at, nextSeq: record.next_seq, lastDelivery: record.last_delivery };
    },
    forgetMarksBefore: (atMs: number) => void deleteBefore.run(atMs),
  };
}

/** @param db - a migrated database */
export function createRetentionStore(db: SqliteDb): RetentionStore {
  const sql = prepareSweep(db);
  const streams = db.prepare<{ id: number }>('SELECT id FROM streams WHERE id > ? ORDER BY id LIMIT ?');
  // The last delivery stays, so that ids only grow and marks go on being true.
  const removeDeliveries = db.prepare(
    `DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries
     WHERE id <= ? AND id < (SELECT max(id) FROM deliveries) ORDER BY id LIMIT ?)`,
  );
  const emptyDeliveries = db.prepare(
    `UPDATE deliveries SET headers = '{}', body = 'null', request = '{}' WHERE id IN (
     SELECT id FROM deliveries WHERE id <= ? AND request <> '{}' ORDER BY id LIMIT ?)`,
  );
  return {
    ...createMarks(db),
    streamsAfter: (streamId, limit) => streams.all(streamId, limit).map(({ id }) => id),
    sweepStream(streamId, afterSeq, beforeSeq, limit) {
      const { seen = 0, last = null } = sql.range.get(streamId, afterSeq, beforeSeq, limit) ?? {};
      if (last === null) return { seen, removed: 0, lastSeq: afterSeq };
      const entity = sql.seenUpTo.get(streamId);
      const hasEnded = entity?.status === 'stopped' || entity?.status === 'killed';
      const seenUpTo = hasEnded ? last : (entity?.acked_seq ?? last);
      for (const { type, key } of sql.oldRows.all(streamId, afterSeq, last, seenUpTo, seenUpTo)) {
        sql.deleteRow.run(streamId, type, key);
      }
      return { seen, removed: sql.events.run(streamId, afterSeq, last, seenUpTo), lastSeq: last };
    },
    removeDeliveries: (upTo, limit) => removeDeliveries.run(upTo, limit),
    emptyDeliveries: (upTo, limit) => emptyDeliveries.run(upTo, limit),
  };
}
