/**
 * Entities, and which of them are due.
 *
 * R3: an entity is due exactly while `pending_seq > acked_seq`, unless it is paused or has ended, and while it
 * is `stopping`, which ends with its next pass. `pending_seq` is the position of the newest
 * message or wake row on its stream and moves in the transaction that appends it; `acked_seq` moves when a
 * pass that saw everything up to there has ended. So a wake that was running when the process died is due
 * again, and one that ended is not.
 *
 * @module
 */

import type { SqliteDb } from '../db.ts';
import type { JsonSchema } from '../types/schema.ts';

/**
 * Life of an entity. `running` is never stored: it is what the dispatcher says. `stopping` ends with the pass
 * that runs; `stopped` and `killed` are for good.
 */
export type EntityStatus = 'idle' | 'paused' | 'stopping' | 'stopped' | 'killed';

/** Whether an entity takes messages and wakes. */
export function isLiving(status: EntityStatus | undefined): boolean {
  return status === 'idle' || status === 'paused';
}

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
  /** The inbox schemas that its type had when it was spawned; `null` when it had none. */
  readonly inboxSchemasId: number | null;
}

/** An entity to add. */
export interface NewEntity extends Pick<Entity, 'id' | 'type' | 'parent' | 'args' | 'tags' | 'createdAtMs'> {
  /** As JSON. */
  readonly inboxSchemas: string | undefined;
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
  readonly inbox_schemas_id: number | null;
}

/** Entities by URL and by the id of their stream. */
export interface EntityStore {
  find(url: string): Entity | undefined;
  get(id: number): Entity | undefined;
  status(id: number): EntityStatus | undefined;
  add(entity: NewEntity): void;
  /** Inbox schemas by their id. */
  inboxSchemas(id: number): Readonly<Record<string, JsonSchema>>;
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
    inboxSchemasId: record.inbox_schemas_id,
  };
}

/** The inbox schemas of all definitions that entities were spawned with. */
function createSchemaTexts(db: SqliteDb) {
  const insert = db.prepare('INSERT INTO inbox_schemas (json) VALUES (?) ON CONFLICT (json) DO NOTHING');
  const selectId = db.prepare<{ id: number }>('SELECT id FROM inbox_schemas WHERE json = ?');
  const selectText = db.prepare<{ json: string }>('SELECT json FROM inbox_schemas WHERE id = ?');
  return {
    idOf(text: string): number {
      const known = selectId.get(text)?.id;
      if (known !== undefined) return known;
      insert.run(text);
      const added = selectId.get(text)?.id;
      if (added === undefined) throw new Error('inbox schemas were not stored');
      return added;
    },
    textOf(id: number): string {
      const text = selectText.get(id)?.json;
      if (text === undefined) throw new Error(`there are no inbox schemas ${id}`);
      return text;
    },
  };
}

/** @param db - a migrated database */
export function createEntityStore(db: SqliteDb): EntityStore {
  const schemas = createSchemaTexts(db);
  const select = 'SELECT s.path AS url, e.* FROM entities e JOIN streams s ON s.id = e.id';
  const byUrl = db.prepare<EntityRecord>(`${select} WHERE s.path = ?`);
  const byId = db.prepare<EntityRecord>(`${select} WHERE e.id = ?`);
  const statusById = db.prepare<{ status: EntityStatus }>('SELECT status FROM entities WHERE id = ?');
  const byFilter = db.prepare<EntityRecord>(
    `${select} WHERE (? IS NULL OR e.type = ?) AND (? IS NULL OR e.parent = ?) ORDER BY e.id`,
  );
  const insert = db.prepare(
    `INSERT INTO entities (id, type, status, parent, args, tags, created_at, updated_at, inbox_schemas_id)
     VALUES (?, ?, 'idle', ?, ?, ?, ?, ?, ?)`,
  );
  const updateStatus = db.prepare('UPDATE entities SET status = ?, updated_at = ? WHERE id = ?');
  const updateTags = db.prepare('UPDATE entities SET tags = ?, updated_at = ? WHERE id = ?');
  const updatePending = db.prepare('UPDATE entities SET pending_seq = ? WHERE id = ?');
  const updateAcked = db.prepare(
    'UPDATE entities SET acked_seq = max(acked_seq, ?), updated_at = ? WHERE id = ?',
  );
  const whetherDue = db.prepare(
    `SELECT 1 AS due FROM entities
     WHERE id = ? AND (status = 'stopping' OR (status = 'idle' AND pending_seq > acked_seq))`,
  );
  const allDue = db.prepare<{ id: number }>(
    `SELECT id, pending_seq FROM entities WHERE pending_seq > acked_seq AND status = 'idle'
     UNION ALL SELECT id, pending_seq FROM entities WHERE status = 'stopping' ORDER BY pending_seq`,
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
    status: (id) => statusById.get(id)?.status,
    add({ id, type, parent, args, tags, createdAtMs: at, inboxSchemas }) {
      const schemasId = inboxSchemas === undefined ? null : schemas.idOf(inboxSchemas);
      insert.run(id, type, parent, JSON.stringify(args), JSON.stringify(tags), at, at, schemasId);
    },
    inboxSchemas: (id) => JSON.parse(schemas.textOf(id)),
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
