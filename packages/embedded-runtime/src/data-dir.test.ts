import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from './clock.ts';
import { openDataDir } from './data-dir.ts';
import { openDatabase } from './db.ts';
import { DataDirInUseError, NewerDatabaseError, StorageError } from './errors.ts';
import { MIGRATIONS } from './migrations.ts';
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

  it('brings a database of an older version to the present one', async () => {
    const dir = createTempDir();
    const db = openDatabase(join(dir, 'entities.sqlite'));
    db.exec(`${MIGRATIONS[0]} PRAGMA user_version = 1;
      INSERT INTO streams (id, path) VALUES (1, '/e/a');
      INSERT INTO entities (id, type, status, parent, args, tags, created_at, updated_at)
        VALUES (1, 'e', 'idle', NULL, '{}', '{}', 0, 0);
      INSERT INTO timers (fire_at, kind, subscription_id, data)
        VALUES (5, 'wake-timeout', 7, '{"kind":"wake-timeout","subscriptionId":7}');`);
    await db.close();
    const { entities, timers } = open(dir);
    expect(entities.find('/e/a')).toMatchObject({ status: 'idle', inboxSchemasId: null });
    expect(timers.find('subscription:7', 'wake-timeout')).toMatchObject({ fireAtMs: 5 });
    expect(timers.due(5, 10)).toHaveLength(1);
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
