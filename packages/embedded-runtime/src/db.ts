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

import { close, fdatasync, open } from 'node:fs';
import { promisify } from 'node:util';
import LibsqlDatabase from 'libsql';
import { StorageError } from './errors.ts';

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
  /** How many statements ran through `run` so far: tells whether a piece of work has written anything. */
  readonly writeCount: number;
  /** Resolves when every commit so far survives a power cut. */
  syncWal(): Promise<void>;
  close(): Promise<void>;
}

/** NUL, or half of a surrogate pair. */
const UNKEEPABLE = /\0|\p{Surrogate}/u;

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
      if (UNKEEPABLE.test(value)) {
        throw new TypeError(
          `parameter ${index + 1} is text that SQLite cannot keep (NUL or half a surrogate): ${sql}`,
        );
      }
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

const fdatasyncAsync = promisify(fdatasync);
const openAsync = promisify(open);
const closeAsync = promisify(close);

/**
 * Opens or creates a database.
 *
 * @param path - a file, or `:memory:`
 * @throws StorageError when the file cannot be opened, is no database, or is locked by somebody else
 */
export function openDatabase(path: string): SqliteDb {
  const raw = guarded(() => new LibsqlDatabase(path, { timeout: 250 }));
  const inMemory = path === ':memory:';
  const statements = new Map<string, SqlStatement<object>>();
  let isOpen = true;
  let writeCount = 0;
  let walFd: Promise<number> | undefined;

  const assertOpen = () => {
    if (!isOpen) throw new StorageError('the database is closed');
  };

  function prepareNew(sql: string): SqlStatement<object> {
    const statement = guarded(() => raw.prepare(sql));
    const expected = countPlaceholders(sql);
    const columns = statement.reader ? statement.columns().map((column) => String(column.name)) : [];
    if (statement.reader) statement.raw(true);
    const toRow = (values: readonly SqlValue[]) => {
      const row: Record<string, SqlValue> = {};
      for (const [index, name] of columns.entries()) row[name] = values[index] ?? null;
      return row;
    };
    const bind = (params: readonly SqlValue[]) => {
      assertOpen();
      checkParams(sql, expected, params);
      // One array, never a list: a lone null or a nested array would be read as something else.
      return [...params];
    };
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
        writeCount += 1;
        return guarded(() => statement.run(bound)).changes;
      },
    };
  }

  function exec(sql: string): void {
    assertOpen();
    guarded(() => raw.exec(sql));
  }

  const db: SqliteDb = {
    prepare<TRow extends object>(sql: string) {
      assertOpen();
      const known = statements.get(sql) ?? prepareNew(sql);
      statements.set(sql, known);
      return known as SqlStatement<TRow>;
    },
    exec,
    get writeCount() {
      return writeCount;
    },
    async syncWal() {
      assertOpen();
      if (inMemory) return;
      // SQLite keeps one WAL file for the life of the connection, and its checkpoints sync what they move,
      // so syncing that file is what `synchronous = FULL` would do at each commit.
      walFd ??= openAsync(`${path}-wal`, 'r+');
      try {
        await fdatasyncAsync(await walFd);
      } catch (error) {
        throw new StorageError('the write-ahead log could not be synced', { cause: error });
      }
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      if (walFd !== undefined) await walFd.then(closeAsync, () => {});
      raw.close();
    },
  };
  try {
    // Exclusive before the first read of the log: SQLite then keeps its index in memory and the lock for good.
    guarded(() =>
      raw.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL'),
    );
    exec('BEGIN IMMEDIATE; COMMIT');
  } catch (error) {
    isOpen = false;
    raw.close();
    throw error;
  }
  return db;
}
