import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from './clock.ts';
import { openDataDir } from './data-dir.ts';
import { openDatabase } from './db.ts';
import { DataDirInUseError, NewerDatabaseError, StorageError } from './errors.ts';
import type { Store } from './store/store.ts';
import { createTempDir } from './testing/test-host.ts';

function open(dir: string): Store {
  const store = openDataDir(dir, systemClock);
  onTestFinished(() => store.close());
  return store;
}

describe('the data directory', () => {
  it('is created', () => {
    const dir = join(createTempDir(), 'a', 'b');
    expect(open(dir).entities.due()).toEqual([]);
  });

  it('has one owner, who is named', async () => {
    const dir = createTempDir();
    const first = open(dir);
    const refused = (() => {
      try {
        openDataDir(dir, systemClock);
      } catch (error) {
        return error;
      }
      return undefined;
    })();
    expect(refused).toBeInstanceOf(DataDirInUseError);
    expect((refused as DataDirInUseError).pid).toBe(process.pid);
    expect((refused as DataDirInUseError).message).toContain(`process ${process.pid}`);
    await first.close();
    open(dir);
  });

  it('refuses a database of a newer version and leaves it as it is', async () => {
    const dir = createTempDir();
    const path = join(dir, 'entities.sqlite');
    const db = openDatabase(path);
    db.exec('PRAGMA user_version = 999');
    await db.close();
    expect(() => openDataDir(dir, systemClock)).toThrow(NewerDatabaseError);
    const again = openDatabase(path);
    onTestFinished(() => again.close());
    expect(again.prepare('SELECT count(*) AS n FROM sqlite_master').get()).toEqual({ n: 0 });
  });

  it('refuses what is no database', () => {
    const dir = createTempDir();
    writeFileSync(
      join(dir, 'entities.sqlite'),
      'not a database, but long enough to be read as one. '.repeat(50),
    );
    expect(() => openDataDir(dir, systemClock)).toThrow(StorageError);
  });

  it('refuses a place that cannot be a directory', () => {
    const file = join(createTempDir(), 'file');
    writeFileSync(file, '');
    chmodSync(file, 0o600);
    expect(() => openDataDir(join(file, 'sub'), systemClock)).toThrow(StorageError);
  });
});
