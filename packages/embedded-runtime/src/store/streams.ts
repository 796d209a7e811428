/**
 * Append-only streams of change events, and the rows that follow from them. A row is the index of the event
 * that holds its present value, so no value is stored twice and nothing is replayed.
 *
 * @module
 */

import type { Clock } from '../clock.ts';
import type { SqliteDb } from '../db.ts';
import type { ChangeEvent, ChangeOperation } from '../types/wake.ts';

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

interface EventRecord {
  readonly seq: number;
  readonly type: string;
  readonly key: string;
  readonly operation: string;
  readonly value: string | null;
  readonly delivery_id: number | null;
  readonly at: number;
}

interface RowRecord {
  readonly first_seq: number;
  readonly value: string | null;
  readonly delivery_id: number | null;
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
  /** Forgets what a rollback may have undone. */
  forget(): void;
}

/** Sequence numbers are taken from the database this many at a time. */
const SEQUENCE_BLOCK = 1024;

/** A position as text that sorts like the number. */
export function offsetOf(seq: number): string {
  return String(seq).padStart(16, '0');
}

/** @param readDelivery - the row of a bucket's event, from the delivery that it points to */
export function createStreamStore(
  db: SqliteDb,
  clock: Clock,
  readDelivery: (deliveryId: number, streamId: number) => Readonly<Record<string, unknown>>,
): StreamStore {
  const ids = new Map<string, number>();
  let nextSeq = 0;
  let endOfBlock = 0;
  const sql = statements(db);

  function takeSeq(): number {
    if (nextSeq >= endOfBlock) {
      nextSeq = Math.max(nextSeq, sql.readSequence.get()?.next_seq ?? 1);
      endOfBlock = nextSeq + SEQUENCE_BLOCK;
      sql.writeSequence.run(endOfBlock);
    }
    nextSeq += 1;
    return nextSeq - 1;
  }

  function valueOf(streamId: number, value: string | null, deliveryId: number | null) {
    if (deliveryId !== null) return readDelivery(deliveryId, streamId);
    return value === null ? undefined : (JSON.parse(value) as Readonly<Record<string, unknown>>);
  }

  function toRow(streamId: number, record: RowRecord): StoredRow {
    return {
      ...valueOf(streamId, record.value, record.delivery_id),
      _seq: record.first_seq,
      _timeline_order: `stream:${offsetOf(record.first_seq)}`,
    };
  }

  function toEvent(streamId: number, record: EventRecord): ChangeEvent {
    const value = valueOf(streamId, record.value, record.delivery_id);
    return {
      type: record.type,
      key: record.key,
      ...(value === undefined ? {} : { value }),
      headers: {
        operation: record.operation as ChangeOperation,
        offset: offsetOf(record.seq),
        txid: String(record.seq),
        timestamp: new Date(record.at).toISOString(),
      },
    };
  }

  function find(path: string): number | undefined {
    const known = ids.get(path) ?? sql.findStream.get(path)?.id;
    if (known !== undefined) remember(ids, path, known);
    return known;
  }

  return {
    find,
    ensure(path) {
      const known = find(path);
      if (known !== undefined) return known;
      sql.addStream.run(path);
      const added = sql.findStream.get(path)?.id;
      if (added === undefined) throw new Error(`stream ${path} was not created`);
      remember(ids, path, added);
      return added;
    },
    append(streamId, event) {
      const value = event.value === undefined ? null : JSON.stringify(event.value);
      const seq = takeSeq();
      const { type, key, operation } = event;
      sql.addEvent.run(streamId, seq, type, key, operation, value, event.deliveryId ?? null, clock.now());
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
    forget() {
      ids.clear();
      endOfBlock = 0; // the block's reservation may be gone
    },
  };
}

const MOST_REMEMBERED_STREAMS = 20_000;

function remember(ids: Map<string, number>, path: string, id: number): void {
  if (ids.size >= MOST_REMEMBERED_STREAMS) ids.clear();
  ids.set(path, id);
}

function statements(db: SqliteDb) {
  const eventColumns = 'seq, type, key, operation, value, delivery_id, at';
  const rowSelect = `SELECT r.first_seq AS first_seq, e.value AS value, e.delivery_id AS delivery_id
    FROM rows r JOIN events e ON e.stream_id = r.stream_id AND e.seq = r.last_seq`;
  return {
    readSequence: db.prepare<{ next_seq: number }>('SELECT next_seq FROM sequence'),
    writeSequence: db.prepare('UPDATE sequence SET next_seq = ?'),
    findStream: db.prepare<{ id: number }>('SELECT id FROM streams WHERE path = ?'),
    addStream: db.prepare('INSERT INTO streams (path) VALUES (?)'),
    addEvent: db.prepare(`INSERT INTO events (stream_id, ${eventColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
    setRow: db.prepare(
      `INSERT INTO rows (stream_id, type, key, first_seq, last_seq) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (stream_id, type, key) DO UPDATE SET last_seq = excluded.last_seq`,
    ),
    deleteRow: db.prepare('DELETE FROM rows WHERE stream_id = ? AND type = ? AND key = ?'),
    hasRow: db.prepare('SELECT 1 AS there FROM rows WHERE stream_id = ? AND type = ? AND key = ?'),
    readRow: db.prepare<RowRecord>(`${rowSelect} WHERE r.stream_id = ? AND r.type = ? AND r.key = ?`),
    readRows: db.prepare<RowRecord>(`${rowSelect} WHERE r.stream_id = ? AND r.type = ? ORDER BY r.first_seq`),
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
