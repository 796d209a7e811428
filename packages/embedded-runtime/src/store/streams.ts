/**
 * Append-only streams of change events, and the rows that follow from them. A row is the index of the event
 * that holds its present value, so no value is stored twice and nothing is replayed.
 *
 * @module
 */

import type { Clock } from '../clock.ts';
import type { SqliteDb } from '../db.ts';
import type { ChangeEvent, ChangeOperation } from '../types/wake.ts';
import { createSequence, offsetOf } from './sequence.ts';
import { createStreamIds } from './stream-ids.ts';

/** An event to append. `value` is the whole row after the change; a delivery's row is made when it is read. */
export interface NewEvent {
  readonly type: string;
  readonly key: string;
  readonly operation: ChangeOperation;
  readonly value?: Readonly<Record<string, unknown>>;
  readonly deliveryId?: number;
}

/** A row as it is read back, with `_seq` and `_timeline_order`. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** The row of a bucket's event, from the delivery that it points to. */
export type DeliveryReader = (deliveryId: number, streamId: number) => StoredRow;

interface ValueRecord {
  readonly value: string | null;
  readonly delivery_id: number | null;
}

interface EventRecord extends ValueRecord {
  readonly seq: number;
  readonly type: string;
  readonly key: string;
  readonly operation: string;
  readonly at: number;
}

interface RowRecord extends ValueRecord {
  readonly first_seq: number;
}

/** Streams by id; ids come from {@link StreamStore.ensure}. */
export interface StreamStore {
  find(path: string): number | undefined;
  /** Creates the stream when it is not there. */
  ensure(path: string): number;
  /** @returns the event's position, which grows over all streams of the host */
  append(streamId: number, event: NewEvent): number;
  row(streamId: number, type: string, key: string): StoredRow | undefined;
  has(streamId: number, type: string, key: string): boolean;
  /** In stream order. */
  rows(streamId: number, type: string): StoredRow[];
  /** How many rows there are. */
  count(streamId: number, type: string): number;
  /** Events after a position, in order; of all types, or of two. */
  events(streamId: number, afterSeq: number, types?: readonly [string, string]): ChangeEvent[];
  /** The next number of a counter of this stream, never given twice. */
  nextIndex(streamId: number, prefix: string): number;
  /** The position that the next event gets, or a later one. */
  nextSeq(): number;
  /** Forgets what a rollback may have undone. */
  forget(): void;
}

function prepareStatements(db: SqliteDb) {
  const eventColumns = 'seq, type, key, operation, value, delivery_id, at';
  const selectRow = `SELECT r.first_seq AS first_seq, e.value AS value, e.delivery_id AS delivery_id
    FROM rows r JOIN events e ON e.stream_id = r.stream_id AND e.seq = r.last_seq`;
  const ofRow = 'WHERE stream_id = ? AND type = ? AND key = ?';
  return {
    addEvent: db.prepare(`INSERT INTO events (stream_id, ${eventColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
    setRow: db.prepare(
      `INSERT INTO rows (stream_id, type, key, first_seq, last_seq) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (stream_id, type, key) DO UPDATE SET last_seq = excluded.last_seq`,
    ),
    deleteRow: db.prepare(`DELETE FROM rows ${ofRow}`),
    hasRow: db.prepare(`SELECT 1 AS there FROM rows ${ofRow}`),
    readRow: db.prepare<RowRecord>(`${selectRow} WHERE r.stream_id = ? AND r.type = ? AND r.key = ?`),
    readRows: db.prepare<RowRecord>(`${selectRow} WHERE r.stream_id = ? AND r.type = ? ORDER BY r.first_seq`),
    countRows: db.prepare<{ count: number }>(
      'SELECT count(*) AS count FROM rows WHERE stream_id = ? AND type = ?',
    ),
    readEvents: db.prepare<EventRecord>(
      `SELECT ${eventColumns} FROM events WHERE stream_id = ? AND seq > ? ORDER BY seq`,
    ),
    readEventsOf: db.prepare<EventRecord>(
      `SELECT ${eventColumns} FROM events WHERE stream_id = ? AND seq > ? AND type IN (?, ?) ORDER BY seq`,
    ),
    readCounter: db.prepare<{ next: number }>('SELECT next FROM counters WHERE stream_id = ? AND prefix = ?'),
    writeCounter: db.prepare(
      `INSERT INTO counters (stream_id, prefix, next) VALUES (?, ?, ?)
       ON CONFLICT (stream_id, prefix) DO UPDATE SET next = excluded.next`,
    ),
  };
}

/** How records become rows and events. */
function createMapping(readDelivery: DeliveryReader) {
  function readValue(streamId: number, { value, delivery_id: deliveryId }: ValueRecord) {
    if (deliveryId !== null) return readDelivery(deliveryId, streamId);
    return value === null ? undefined : (JSON.parse(value) as StoredRow);
  }
  return {
    toRow: (streamId: number, record: RowRecord): StoredRow => ({
      ...readValue(streamId, record),
      _seq: record.first_seq,
      _timeline_order: `stream:${offsetOf(record.first_seq)}`,
    }),
    toEvent(streamId: number, record: EventRecord): ChangeEvent {
      const value = readValue(streamId, record);
      return {
        type: record.type,
        key: record.key,
        ...(value !== undefined && { value }),
        headers: {
          operation: record.operation as ChangeOperation,
          offset: offsetOf(record.seq),
          txid: String(record.seq),
          timestamp: new Date(record.at).toISOString(),
        },
      };
    },
  };
}

/** @param db - a migrated database */
export function createStreamStore(db: SqliteDb, clock: Clock, readDelivery: DeliveryReader): StreamStore {
  const sql = prepareStatements(db);
  const ids = createStreamIds(db);
  const sequence = createSequence(db);
  const { toRow, toEvent } = createMapping(readDelivery);
  return {
    find: ids.find,
    ensure: ids.ensure,
    append(streamId, event) {
      const value = event.value === undefined ? null : JSON.stringify(event.value);
      const seq = sequence.take();
      const { type, key, operation, deliveryId = null } = event;
      sql.addEvent.run(streamId, seq, type, key, operation, value, deliveryId, clock.now());
      if (operation === 'delete') sql.deleteRow.run(streamId, type, key);
      else sql.setRow.run(streamId, type, key, seq, seq);
      return seq;
    },
    row(streamId, type, key) {
      const record = sql.readRow.get(streamId, type, key);
      return record === undefined ? undefined : toRow(streamId, record);
    },
    has: (streamId, type, key) => sql.hasRow.get(streamId, type, key) !== undefined,
    rows: (streamId, type) => sql.readRows.all(streamId, type).map((record) => toRow(streamId, record)),
    count: (streamId, type) => sql.countRows.get(streamId, type)?.count ?? 0,
    events(streamId, afterSeq, types) {
      const records =
        types === undefined
          ? sql.readEvents.all(streamId, afterSeq)
          : sql.readEventsOf.all(streamId, afterSeq, types[0], types[1]);
      return records.map((record) => toEvent(streamId, record));
    },
    nextIndex(streamId, prefix) {
      const index = sql.readCounter.get(streamId, prefix)?.next ?? 0;
      sql.writeCounter.run(streamId, prefix, index + 1);
      return index;
    },
    nextSeq: sequence.peek,
    forget() {
      ids.forget();
      sequence.forget();
    },
  };
}
