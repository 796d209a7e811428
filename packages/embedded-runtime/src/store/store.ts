/**
 * Everything that is kept, over one database file.
 *
 * @module
 */

import type { Clock } from '../clock.ts';
import { openDatabase, type SqliteDb } from '../db.ts';
import { migrate } from '../migrations.ts';
import { createDeliveryStore, type DeliveryStore } from './deliveries.ts';
import { createEntityStore, type EntityStore } from './entities.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import { createQueueStore, type QueueStore } from './queue.ts';
import { createRetentionStore, type RetentionStore } from './retention.ts';
import { createStreamStore, type StreamStore } from './streams.ts';
import { createSubscriptionStore, type SubscriptionStore } from './subscriptions.ts';
import { createTimerStore, type TimerStore } from './timers.ts';

/** The stores. Reads may happen at any time, writes only inside of `commit.write`. */
export interface Store {
  readonly commit: GroupCommit;
  readonly streams: StreamStore;
  readonly entities: EntityStore;
  readonly deliveries: DeliveryStore;
  readonly timers: TimerStore;
  readonly queue: QueueStore;
  readonly retention: RetentionStore;
  readonly subscriptions: SubscriptionStore;
  /** Commits what is open and closes the file. */
  close(): Promise<void>;
}

function openMigrated(path: string): SqliteDb {
  const db = openDatabase(path);
  try {
    migrate(db, path);
  } catch (error) {
    void db.close();
    throw error;
  }
  return db;
}

/**
 * @param path - a file, or `:memory:`
 * @throws StorageError when the file cannot be opened or is locked
 * @throws NewerDatabaseError when a newer version of this package wrote it
 */
export function openStore(path: string, clock: Clock): Store {
  const db = openMigrated(path);
  const deliveries = createDeliveryStore(db);
  const streams = createStreamStore(db, clock, (deliveryId, streamId) => ({
    ...deliveries.read(deliveryId, streamId),
  }));
  const subscriptions = createSubscriptionStore(db);
  const commit = createGroupCommit(db, () => {
    streams.forget();
    subscriptions.forget();
  });
  return {
    commit,
    streams,
    entities: createEntityStore(db),
    deliveries,
    timers: createTimerStore(db),
    queue: createQueueStore(db),
    retention: createRetentionStore(db),
    subscriptions,
    close() {
      commit.flush();
      return db.close();
    },
  };
}
