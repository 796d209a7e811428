/**
 * Group commit. Work runs at once, inside a transaction that stays open until the event loop's next turn, so
 * that everything that happens in one turn is one commit and every read sees every write.
 *
 * R1: whoever was told that a write is durable is told after its commit.
 * R2: work is done whole or not at all. If the disk refuses, all work of the turn is undone, and everybody who
 * waits for it learns so.
 *
 * @module
 */

import type { SqliteDb } from '../db.ts';
import { messageOf, StorageError } from '../errors.ts';

/** The transaction of this turn. */
interface OpenBatch {
  readonly committed: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: StorageError) => void;
  readonly afterCommit: (() => void)[];
  /** The sync that follows this commit, once somebody has asked for it. */
  synced?: Promise<void>;
}

/** Writes to the database. */
export interface GroupCommit {
  /**
   * Runs `work` now. What it wrote is undone when it throws; a {@link StorageError} undoes the whole turn (R2).
   */
  write<T>(work: () => T): T;
  /** Calls back after the commit of the work that is running now; not at all if the commit fails. */
  afterCommit(callback: () => void): void;
  /**
   * Resolves when everything that was written so far is committed: it then survives the death of the process.
   *
   * @throws StorageError when the commit failed
   */
  committed(): Promise<void>;
  /**
   * Resolves when everything that was written so far survives a power cut. Callers of one turn share the sync.
   *
   * @throws StorageError when the commit or the sync failed
   */
  synced(): Promise<void>;
  /** Commits now. */
  flush(): void;
  /** Whether something waits for its commit. */
  isOpen(): boolean;
}

function createBatch(): OpenBatch {
  let resolve = () => {};
  let reject: OpenBatch['reject'] = () => {};
  const committed = new Promise<void>((onCommit, onFailure) => {
    resolve = onCommit;
    reject = onFailure;
  });
  committed.catch(() => {}); // who does not wait must not end the process
  return { committed, resolve, reject, afterCommit: [] };
}

/** The statements around writes; prepared, because libsql's `exec` takes several times as long. */
function createTransaction(db: SqliteDb) {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const beginWork = db.prepare('SAVEPOINT work');
  const endWork = db.prepare('RELEASE work');
  const undoWork = db.prepare('ROLLBACK TO work');
  return {
    begin: () => void begin.run(),
    commit: () => void commit.run(),
    rollback() {
      try {
        rollback.run();
      } catch {
        // SQLite has already rolled back on some I/O errors.
      }
    },
    beginWork: () => void beginWork.run(),
    endWork: () => void endWork.run(),
    undoWork() {
      undoWork.run();
      endWork.run();
    },
  };
}

function asStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  return new StorageError(`the turn was undone: ${messageOf(error)}`, { cause: error });
}

/**
 * @param db - the database; nobody else opens transactions on it
 * @param onRollback - forgets what was read or written in an undone turn
 */
export function createGroupCommit(db: SqliteDb, onRollback: () => void): GroupCommit {
  const transaction = createTransaction(db);
  let batch: OpenBatch | undefined;

  function begin(): OpenBatch {
    transaction.begin();
    const opened = createBatch();
    batch = opened;
    setImmediate(() => {
      if (batch === opened) flush();
    });
    return opened;
  }

  function undo(failed: OpenBatch, error: unknown): void {
    batch = undefined;
    transaction.rollback();
    onRollback();
    failed.reject(asStorageError(error));
  }

  function undoWork(current: OpenBatch, error: unknown): void {
    if (error instanceof StorageError) {
      undo(current, error);
      return;
    }
    try {
      transaction.undoWork();
      onRollback();
    } catch (failure) {
      undo(current, failure);
    }
  }

  function flush(): void {
    const ending = batch;
    if (ending === undefined) return;
    try {
      transaction.commit();
    } catch (error) {
      undo(ending, error);
      return;
    }
    batch = undefined;
    ending.resolve();
    for (const callback of ending.afterCommit) callback();
  }

  return {
    write(work) {
      const current = batch ?? begin();
      const callbacksBefore = current.afterCommit.length;
      transaction.beginWork();
      try {
        const result = work();
        transaction.endWork();
        return result;
      } catch (error) {
        current.afterCommit.length = callbacksBefore;
        undoWork(current, error);
        throw error;
      }
    },
    afterCommit(callback) {
      if (batch === undefined) throw new Error('afterCommit outside of a write');
      batch.afterCommit.push(callback);
    },
    committed: () => batch?.committed ?? Promise.resolve(),
    synced() {
      if (batch === undefined) return db.syncWal();
      batch.synced ??= batch.committed.then(() => db.syncWal());
      return batch.synced;
    },
    flush,
    isOpen: () => batch !== undefined,
  };
}
