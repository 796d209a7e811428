/**
 * Who is woken by which stream.
 *
 * @module
 */

import type { SqliteDb } from '../db.ts';
import type { Wake } from '../types/wake.ts';

/** One registration: a stream, its observer and the condition. */
export interface Subscription {
  readonly id: number;
  readonly source: string;
  readonly subscriberId: number;
  readonly condition: Wake;
}

/** A registration to make. An observer has one for each row of its manifest. */
export interface NewSubscription extends Omit<Subscription, 'id'> {
  readonly manifestKey: string;
}

interface SubscriptionRecord {
  readonly id: number;
  readonly source: string;
  readonly subscriber_id: number;
  readonly condition: string;
}

/** Registrations by source. */
export interface SubscriptionStore {
  /** Makes or replaces the registration. @returns its id */
  put(subscription: NewSubscription): number;
  /** @returns the id of the registration that was removed, if there was one */
  remove(subscriberId: number, manifestKey: string): number | undefined;
  removeAllOf(subscriberId: number): void;
  get(id: number): Subscription | undefined;
  find(subscriberId: number, manifestKey: string): Subscription | undefined;
  of(source: string): readonly Subscription[];
  /** Manifest keys of an observer's registrations with a source. */
  keysOf(subscriberId: number, source: string): string[];
  /** Forgets what a rollback may have undone. */
  forget(): void;
}

const MOST_REMEMBERED = 20_000;

function toSubscription(record: SubscriptionRecord): Subscription {
  return {
    id: record.id,
    source: record.source,
    subscriberId: record.subscriber_id,
    condition: JSON.parse(record.condition),
  };
}

/** @param db - a migrated database */
export function createSubscriptionStore(db: SqliteDb): SubscriptionStore {
  const columns = 'id, source, subscriber_id, condition';
  const upsert = db.prepare(
    `INSERT INTO subscriptions (source, subscriber_id, manifest_key, condition) VALUES (?, ?, ?, ?)
     ON CONFLICT (subscriber_id, manifest_key)
     DO UPDATE SET source = excluded.source, condition = excluded.condition`,
  );
  const byManifestKey = db.prepare<SubscriptionRecord>(
    `SELECT ${columns} FROM subscriptions WHERE subscriber_id = ? AND manifest_key = ?`,
  );
  const deleteOne = db.prepare('DELETE FROM subscriptions WHERE id = ?');
  const deleteAll = db.prepare('DELETE FROM subscriptions WHERE subscriber_id = ?');
  const byId = db.prepare<SubscriptionRecord>(`SELECT ${columns} FROM subscriptions WHERE id = ?`);
  const bySource = db.prepare<SubscriptionRecord>(
    `SELECT ${columns} FROM subscriptions WHERE source = ? ORDER BY id`,
  );
  const selectKeys = db.prepare<{ manifest_key: string }>(
    'SELECT manifest_key FROM subscriptions WHERE subscriber_id = ? AND source = ?',
  );
  /** By source: each append asks who is woken by it, and the answer seldom changes. */
  const remembered = new Map<string, readonly Subscription[]>();

  function readAll(source: string): readonly Subscription[] {
    const found = bySource.all(source).map(toSubscription);
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(source, found);
    return found;
  }

  return {
    put({ source, subscriberId, manifestKey, condition }) {
      remembered.clear();
      upsert.run(source, subscriberId, manifestKey, JSON.stringify(condition));
      const id = byManifestKey.get(subscriberId, manifestKey)?.id;
      if (id === undefined) throw new Error(`subscription ${manifestKey} was not stored`);
      return id;
    },
    remove(subscriberId, manifestKey) {
      const id = byManifestKey.get(subscriberId, manifestKey)?.id;
      if (id === undefined) return undefined;
      remembered.clear();
      deleteOne.run(id);
      return id;
    },
    removeAllOf(subscriberId) {
      remembered.clear();
      deleteAll.run(subscriberId);
    },
    get(id) {
      const record = byId.get(id);
      return record === undefined ? undefined : toSubscription(record);
    },
    find(subscriberId, manifestKey) {
      const record = byManifestKey.get(subscriberId, manifestKey);
      return record === undefined ? undefined : toSubscription(record);
    },
    of: (source) => remembered.get(source) ?? readAll(source),
    keysOf: (subscriberId, source) => selectKeys.all(subscriberId, source).map((row) => row.manifest_key),
    forget: () => remembered.clear(),
  };
}
