/**
 * The tables, and how a file gets them. Each migration brings the schema from its index to the next version.
 *
 * @module
 */

import type { SqliteDb } from './db.ts';
import { NewerDatabaseError } from './errors.ts';

/** The statements of each step. */
export const MIGRATIONS: readonly string[] = [
  `
  -- Sequence numbers are taken in blocks; this is the first that no block holds.
  CREATE TABLE sequence (next_seq INTEGER NOT NULL);
  INSERT INTO sequence VALUES (1);

  -- Every append-only stream. An entity's stream has the entity's URL as its path.
  CREATE TABLE streams (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);

  CREATE TABLE entities (
    id INTEGER PRIMARY KEY REFERENCES streams (id),
    type TEXT NOT NULL,
    status TEXT NOT NULL,
    parent TEXT,
    args TEXT NOT NULL,
    tags TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    pending_seq INTEGER NOT NULL DEFAULT 0,
    acked_seq INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX entities_due ON entities (pending_seq) WHERE pending_seq > acked_seq;
  CREATE INDEX entities_by_parent ON entities (parent) WHERE parent IS NOT NULL;

  -- A delivery's body, once; the buckets' events point to it.
  CREATE TABLE deliveries (
    id INTEGER PRIMARY KEY,
    endpoint_key TEXT NOT NULL,
    key TEXT NOT NULL,
    event_type TEXT,
    headers TEXT NOT NULL,
    body TEXT NOT NULL,
    request TEXT NOT NULL,
    received_at TEXT NOT NULL,
    UNIQUE (endpoint_key, key)
  );

  CREATE TABLE events (
    stream_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    key TEXT NOT NULL,
    operation TEXT NOT NULL,
    value TEXT,
    delivery_id INTEGER,
    at INTEGER NOT NULL,
    PRIMARY KEY (stream_id, seq)
  ) WITHOUT ROWID;

  -- The state of each stream: which event holds the present value of a row.
  CREATE TABLE rows (
    stream_id INTEGER NOT NULL,
    type TEXT NOT NULL,
    key TEXT NOT NULL,
    first_seq INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    PRIMARY KEY (stream_id, type, key)
  ) WITHOUT ROWID;

  CREATE TABLE counters (
    stream_id INTEGER NOT NULL,
    prefix TEXT NOT NULL,
    next INTEGER NOT NULL,
    PRIMARY KEY (stream_id, prefix)
  ) WITHOUT ROWID;

  CREATE TABLE timers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    fire_at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    subscription_id INTEGER,
    data TEXT NOT NULL
  );
  CREATE INDEX timers_by_time ON timers (fire_at);
  CREATE INDEX timers_by_subscription ON timers (subscription_id) WHERE subscription_id IS NOT NULL;

  CREATE TABLE subscriptions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source TEXT NOT NULL,
    subscriber_id INTEGER NOT NULL,
    manifest_key TEXT NOT NULL,
    condition TEXT NOT NULL,
    UNIQUE (subscriber_id, manifest_key)
  );
  CREATE INDEX subscriptions_by_source ON subscriptions (source);
  `,
  `
  -- What a timer belongs to, so that it can be found and removed: a registration, a stream, a schedule.
  ALTER TABLE timers ADD COLUMN owner TEXT;
  UPDATE timers SET owner = 'subscription:' || subscription_id WHERE subscription_id IS NOT NULL;
  DROP INDEX timers_by_subscription;
  ALTER TABLE timers DROP COLUMN subscription_id;
  CREATE INDEX timers_by_owner ON timers (owner, kind) WHERE owner IS NOT NULL;

  -- The inbox schemas that a type had when an entity was spawned; each distinct text once.
  CREATE TABLE inbox_schemas (id INTEGER PRIMARY KEY, json TEXT NOT NULL UNIQUE);
  ALTER TABLE entities ADD COLUMN inbox_schemas_id INTEGER;

  -- Messages that wait for their turn.
  CREATE TABLE queued (
    entity_id INTEGER NOT NULL,
    position TEXT NOT NULL,
    seq INTEGER NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY (entity_id, position, seq)
  ) WITHOUT ROWID;

  -- Where the positions and the deliveries stood at a time, so that retention need not look at events for their age.
  CREATE TABLE marks (at INTEGER PRIMARY KEY, next_seq INTEGER NOT NULL, last_delivery INTEGER NOT NULL);
  `,
  `
  CREATE INDEX entities_stopping ON entities (id) WHERE status = 'stopping';
  `,
];

/**
 * Brings a database to the present schema in one transaction.
 *
 * @throws NewerDatabaseError when a newer version of this package wrote it
 */
export function migrate(db: SqliteDb, path: string): void {
  const found = db.prepare<{ user_version: number }>('PRAGMA user_version').get()?.user_version ?? 0;
  if (found > MIGRATIONS.length) throw new NewerDatabaseError(path, found, MIGRATIONS.length);
  if (found === MIGRATIONS.length) return;
  const steps = MIGRATIONS.slice(found).join('\n');
  try {
    db.exec(`BEGIN IMMEDIATE; ${steps} PRAGMA user_version = ${MIGRATIONS.length}; COMMIT`);
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}
