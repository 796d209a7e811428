/**
 * Entities, and which of them are due.
 *
 * R3: an entity is due exactly while `pending_seq > acked_seq`. `pending_seq` is the position of the newest
 * message or wake row on its stream and moves in the transaction that appends it; `acked_seq` moves when a
 * pass that saw everything up to there has ended. So a wake that was running when the process died is due
 * again, and one that ended is not.
 *
 * @module
 */

import type { SqliteDb } from '../db.ts';

/** Life of an entity. `running` is never stored: it is what the dispatcher says. */
export type EntityStatus = 'idle' | 'stopped' | 'killed';

/** A stored entity. */
export interface Entity {
  readonly id: number;
  readonly url: string;
  readonly type: string;
  readonly status: EntityStatus;
  readonly parent: string | null;
  readonly args: Readonly<Record<string, unknown>>;
  readonly tags: Readonly<Record<string, string>>;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly pendingSeq: number;
  readonly ackedSeq: number;
}

/** Which entities to list. */
export interface EntityFilter {
  readonly type?: string;
  readonly parent?: string;
}

interface EntityRecord {
  readonly id: number;
  readonly url: string;
  readonly type: string;
  readonly status: EntityStatus;
  readonly parent: string | null;
  readonly args: string;
  readonly tags: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly pending_seq: number;
  readonly acked_seq: number;
}

/** Entities by URL and by the id of their stream. */
export interface EntityStore {
  find(url: string): Entity | undefined;
  get(id: number): Entity | undefined;
  add(entity: Omit<Entity, 'url' | 'status' | 'updatedAtMs' | 'pendingSeq' | 'ackedSeq'>): void;
  setStatus(id: number, status: EntityStatus, nowMs: number): void;
  setTags(id: number, tags: Readonly<Record<string, string>>, nowMs: number): void;
  /** A message or wake row stands at this position. */
  markPending(id: number, seq: number): void;
  /** A pass that saw everything up to this position has ended. */
  ack(id: number, seq: number, nowMs: number): void;
  isDue(id: number): boolean;
  /** Ids of all that are due, longest waiting first. */
  due(): number[];
  list(filter: EntityFilter): Entity[];
}

function toEntity(record: EntityRecord): Entity {
  return {
    id: record.id,
    url: record.url,
    type: record.type,
    status: record.status,
    parent: record.parent,
    args: JSON.parse(record.args),
    tags: JSON.parse(record.tags),
    createdAtMs: record.created_at,
    updatedAtMs: record.updated_at,
    pendingSeq: record.pending_seq,
    ackedSeq: record.acked_seq,
  };
}

/** @param db - a migrated database */
export function createEntityStore(db: SqliteDb): EntityStore {
  const select = 'SELECT s.path AS url, e.* FROM entities e JOIN streams s ON s.id = e.id';
  const byUrl = db.prepare<EntityRecord>(`${select} WHERE s.path = ?`);
  const byId = db.prepare<EntityRecord>(`${select} WHERE e.id = ?`);
  const byFilter = db.prepare<EntityRecord>(
    `${select} WHERE (? IS NULL OR e.type = ?) AND (? IS NULL OR e.parent = ?) ORDER BY e.id`,
  );
  const insert = db.prepare(
    `INSERT INTO entities (id, type, status, parent, args, tags, created_at, updated_at)
     VALUES (?, ?, 'idle', ?, ?, ?, ?, ?)`,
  );
  const updateStatus = db.prepare('UPDATE entities SET status = ?, updated_at = ? WHERE id = ?');
  const updateTags = db.prepare('UPDATE entities SET tags = ?, updated_at = ? WHERE id = ?');
  const updatePending = db.prepare('UPDATE entities SET pending_seq = ? WHERE id = ?');
  const updateAcked = db.prepare(
    'UPDATE entities SET acked_seq = max(acked_seq, ?), updated_at = ? WHERE id = ?',
  );
  const whetherDue = db.prepare(
    "SELECT 1 AS due FROM entities WHERE id = ? AND pending_seq > acked_seq AND status = 'idle'",
  );
  const allDue = db.prepare<{ id: number }>(
    `SELECT id FROM entities WHERE pending_seq > acked_seq AND status = 'idle' ORDER BY pending_seq`,
  );
  return {
    find(url) {
      const record = byUrl.get(url);
      return record === undefined ? undefined : toEntity(record);
    },
    get(id) {
      const record = byId.get(id);
      return record === undefined ? undefined : toEntity(record);
    },
    add({ id, type, parent, args, tags, createdAtMs }) {
      insert.run(id, type, parent, JSON.stringify(args), JSON.stringify(tags), createdAtMs, createdAtMs);
    },
    setStatus: (id, status, nowMs) => void updateStatus.run(status, nowMs, id),
    setTags: (id, tags, nowMs) => void updateTags.run(JSON.stringify(tags), nowMs, id),
    markPending: (id, seq) => void updatePending.run(seq, id),
    ack: (id, seq, nowMs) => void updateAcked.run(seq, nowMs, id),
    isDue: (id) => whetherDue.get(id) !== undefined,
    due: () => allDue.all().map((record) => record.id),
    list({ type = null, parent = null }: { type?: string | null; parent?: string | null }) {
      return byFilter.all(type, type, parent, parent).map(toEntity);
    },
  };
}
