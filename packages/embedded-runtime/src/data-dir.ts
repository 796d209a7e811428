/**
 * The data directory: one database file, and who has it.
 *
 * @module
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from './clock.ts';
import { DataDirInUseError, StorageError } from './errors.ts';
import { openStore, type Store } from './store/store.ts';

function readPid(path: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return Number.isSafeInteger(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof StorageError && /SQLITE_(?:BUSY|LOCKED)/.test(error.message);
}

/**
 * Opens the database of a directory and locks it. The lock is the operating system's and ends with the
 * process; the file `host.pid` only names its holder.
 *
 * @param dataDir - created when it is not there; `:memory:` keeps nothing
 * @throws DataDirInUseError when somebody else has it
 * @throws NewerDatabaseError when a newer version of this package wrote it
 * @throws StorageError when it cannot be written
 */
export function openDataDir(dataDir: string, clock: Clock): Store {
  if (dataDir === ':memory:') return openStore(dataDir, clock);
  const pidFile = join(dataDir, 'host.pid');
  try {
    mkdirSync(dataDir, { recursive: true });
    const store = openStore(join(dataDir, 'entities.sqlite'), clock);
    writeFileSync(pidFile, `${process.pid}\n`);
    return store;
  } catch (error) {
    if (isLocked(error)) throw new DataDirInUseError(dataDir, readPid(pidFile));
    if (error instanceof Error && 'syscall' in error) {
      throw new StorageError(`${dataDir} cannot be used: ${error.message}`, { cause: error });
    }
    throw error;
  }
}
