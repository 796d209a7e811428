/**
 * The one door to SQLite. libsql accepts what it should refuse (a boolean ends the process, arrays are
 * flattened into the parameters after them, missing and surplus parameters pass, text is cut at NUL) and
 * returns rows with a field of its own; here every binding is checked and every row is a plain object.
 *
 * Write-ahead log, `synchronous = NORMAL`: a commit survives the death of the process. {@link SqliteDb.syncWal}
 * makes all earlier commits survive a power cut, too, off the main thread. One connection, exclusively: a
 * second one, of whatever process, finds the file locked, and the lock ends with its process.
 *
 * @module
 */

import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import LibsqlDatabase from 'libsql';
import { messageOf, StorageError, UnstorableTextError } from './errors.ts';

/** What a parameter may be. Booleans are stored as 0 and 1, other values as JSON text, by the caller. */
export type SqlValue = string | number | null;

/** A row: one field for each result column. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** A prepared statement. */
export interface SqlStatement<TRow extends object = SqlRow> {
  /** @returns the first row */
  get(...params: readonly SqlValue[]): TRow | undefined;
  all(...params: readonly SqlValue[]): TRow[];
  /** @returns how many rows were changed */
  run(...params: readonly SqlValue[]): number;
}

/** An open database. */
export interface SqliteDb {
  /** Prepares a statement with `?` parameters, or returns the one that was prepared for the same text. */
  prepare<TRow extends object = SqlRow>(sql: string): SqlStatement<TRow>;
  /** Runs statements without parameters. */
  exec(sql: string): void;
  /** Resolves when every commit so far survives a power cut. */
  syncWal(): Promise<void>;
  close(): Promise<void>;
}

/** Node 20 has it, its TypeScript library does not. */
type CheckableText = string & { isWellFormed(): boolean };

function isKeepable(text: string): boolean {
  return !text.includes('\0') && (text as CheckableText).isWellFormed();
}

const STORAGE_CODES = /^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN|BUSY|LOCKED|NOMEM|CORRUPT|NOTADB|PERM)/;

function translate(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return STORAGE_CODES.test(code)
    ? new StorageError(`the database refused: ${(error as Error).message} (${code})`, { cause: error })
    : error;
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translate(error);
  }
}

function checkParams(sql: string, expected: number, params: readonly SqlValue[]): void {
  if (params.length !== expected) {
    throw new TypeError(`expected ${expected} parameters, got ${params.length}: ${sql}`);
  }
  for (const [index, value] of params.entries()) {
    if (typeof value === 'string') {
      if (!isKeepable(value)) throw new UnstorableTextError();
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) throw new TypeError(`parameter ${index + 1} is ${value}: ${sql}`);
    } else if (value !== null) {
      throw new TypeError(`parameter ${index + 1} is a ${typeof value}: ${sql}`);
    }
  }
}

/** Placeholders outside of quotes. */
function countPlaceholders(sql: string): number {
  return sql.replace(/'[^']*'|"[^"]*"/g, '').split('?').length - 1;
}

/** What statements of one database share. */
interface Connection {
  readonly raw: InstanceType<typeof LibsqlDatabase>;
  isOpen: boolean;
}

function assertOpen(connection: Connection): void {
  if (!connection.isOpen) throw new StorageError('the database is closed');
}

function createStatement(connection: Connection, sql: string): SqlStatement<object> {
  const statement = guarded(() => connection.raw.prepare(sql));
  const expected = countPlaceholders(sql);
  const columns = statement.reader ? statement.columns().map((column) => String(column.name)) : [];
  if (statement.reader) statement.raw(true);

  function toRow(values: readonly SqlValue[]): object {
    const row: Record<string, SqlValue> = {};
    for (const [index, name] of columns.entries()) row[name] = values[index] ?? null;
    return row;
  }

  /** One array, never a list: a lone null or a nested array would be read as something else. */
  function bind(params: readonly SqlValue[]): SqlValue[] {
    assertOpen(connection);
    checkParams(sql, expected, params);
    return [...params];
  }

  return {
    get(...params) {
      const bound = bind(params);
      const values = guarded(() => statement.get(bound)) as readonly SqlValue[] | undefined;
      return values === undefined ? undefined : toRow(values);
    },
    all(...params) {
      const bound = bind(params);
      return guarded(() => statement.all(bound) as (readonly SqlValue[])[]).map(toRow);
    },
    run(...params) {
      const bound = bind(params);
      return guarded(() => statement.run(bound)).changes;
    },
  };
}

/** Makes the names of a directory's files survive a power cut. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Syncs the write-ahead log of a database file. */
function createWalSync(path: string): { sync(): Promise<void>; close(): Promise<void> } {
  let log: Promise<FileHandle> | undefined;
  let broken: StorageError | undefined;

  async function openLog(): Promise<FileHandle> {
    const opened = await open(`${path}-wal`, 'r+');
    await syncDirectory(dirname(path));
    return opened;
  }

  return {
    async sync() {
      // SQLite keeps one log file for the life of the connection, and its checkpoints sync what they move,
      // so syncing that file is what `synchronous = FULL` would do at each commit.
      if (broken !== undefined) throw broken;
      log ??= openLog();
      const opened = await log.catch((error: unknown) => {
        log = undefined;
        throw new StorageError('the write-ahead log could not be opened', { cause: error });
      });
      try {
        await opened.datasync();
      } catch (error) {
        // The system may have dropped what it could not write: a later success would prove nothing.
        broken = new StorageError('the write-ahead log could not be synced', { cause: error });
        throw broken;
      }
    },
    async close() {
      await log?.then(
        (opened) => opened.close(),
        () => {},
      );
    },
  };
}

/**
 * How long the log grows before a commit moves its pages into the file. Twice SQLite's default: half as many waits
 * for the disk on the main thread; with more, each of them is felt.
 */
const CHECKPOINT_PAGES = 2_000;
/** Memory for pages. With many entities each wake touches pages of its own. */
const CACHE_KIB = 16 * 1024;

/** Exclusive before the first read of the log: SQLite then keeps its index in memory, and the lock for good. */
function lockAndConfigure(raw: Connection['raw']): void {
  guarded(() => {
    raw.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    raw.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; PRAGMA cache_size = -${CACHE_KIB}`);
    raw.exec('BEGIN IMMEDIATE; COMMIT');
  });
}

/**
 * libsql's `close` leaves the lock to the garbage collector while statements live. Leaving the write-ahead log
 * and taking a shared lock once gives it up now.
 */
function unlock(raw: Connection['raw']): void {
  try {
    raw.exec(
      'PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL; SELECT count(*) FROM sqlite_master',
    );
  } catch {
    // A full disk, for example: the lock then ends with the process.
  }
}

function connect(path: string): Connection['raw'] {
  try {
    return new LibsqlDatabase(path, { timeout: 250 });
  } catch (error) {
    throw new StorageError(`${path} cannot be opened: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Opens or creates a database.
 *
 * @param path - a file, or `:memory:`
 * @throws StorageError when the file cannot be opened, is no database, or is locked by somebody else
 */
export function openDatabase(path: string): SqliteDb {
  const raw = connect(path);
  try {
    lockAndConfigure(raw);
  } catch (error) {
    raw.close();
    throw error;
  }
  const connection: Connection = { raw, isOpen: true };
  const statements = new Map<string, SqlStatement<object>>();
  const wal = createWalSync(path);
  return {
    prepare<TRow extends object>(sql: string) {
      assertOpen(connection);
      const statement = statements.get(sql) ?? createStatement(connection, sql);
      statements.set(sql, statement);
      return statement as SqlStatement<TRow>;
    },
    exec(sql) {
      assertOpen(connection);
      guarded(() => raw.exec(sql));
    },
    async syncWal() {
      assertOpen(connection);
      if (path !== ':memory:') await wal.sync();
    },
    async close() {
      if (!connection.isOpen) return;
      connection.isOpen = false;
      unlock(raw);
      raw.close();
      await wal.close();
    },
  };
}
