import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase, type SqliteDb, type SqlValue } from './db.ts';
import { StorageError, UnstorableTextError } from './errors.ts';
import { createTempDir } from './testing/test-host.ts';

function open(path = ':memory:'): SqliteDb {
  const db = openDatabase(path);
  onTestFinished(() => db.close());
  return db;
}

function openWithTable(): SqliteDb {
  const db = open();
  db.exec('CREATE TABLE t (a, b)');
  return db;
}

describe('bindings', () => {
  it.each([
    ['true', true],
    ['false', false],
    ['undefined', undefined],
    ['an object', { a: 1 }],
    ['an array', [1, 2]],
    ['a bigint', 1n],
    ['a date', new Date(0)],
    ['NaN', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
  ])('refuses %s', (_name, value) => {
    const insert = openWithTable().prepare('INSERT INTO t VALUES (?, ?)');
    expect(() => insert.run(1, value as SqlValue)).toThrow(TypeError);
  });

  it.each([
    ['a NUL', 'a\0b'],
    ['half of a surrogate pair', 'a\ud800b'],
  ])('refuses text with %s', (_name, text) => {
    const insert = openWithTable().prepare('INSERT INTO t VALUES (?, ?)');
    expect(() => insert.run(text, null)).toThrow(UnstorableTextError);
  });

  it('refuses too few and too many parameters', () => {
    const insert = openWithTable().prepare('INSERT INTO t VALUES (?, ?)');
    expect(() => insert.run(1)).toThrow('expected 2 parameters, got 1');
    expect(() => insert.run(1, 2, 3)).toThrow('expected 2 parameters, got 3');
  });

  it('does not count question marks in quotes', () => {
    const select = open().prepare(`SELECT '?' AS "what?", ? AS given`);
    expect(select.get(1)).toEqual({ 'what?': '?', given: 1 });
  });

  it('takes null alone', () => {
    const db = openWithTable();
    db.prepare('INSERT INTO t (a) VALUES (?)').run(null);
    expect(db.prepare('SELECT a FROM t').get()).toEqual({ a: null });
  });

  it('gives back every value that it takes', () => {
    const db = openWithTable();
    const insert = db.prepare('INSERT INTO t VALUES (?, ?)');
    const select = db.prepare('SELECT a, b FROM t ORDER BY rowid DESC LIMIT 1');
    const text = fc.string({ unit: 'grapheme' }).filter((s) => !s.includes('\0'));
    const value = fc.oneof(
      text,
      fc.constant(null),
      fc.maxSafeInteger(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    fc.assert(
      fc.property(value, value, (a, b) => {
        insert.run(a, b);
        expect(select.get()).toEqual({ a, b });
      }),
    );
  });
});

describe('rows', () => {
  it('have the columns of the statement and nothing else', () => {
    const db = openWithTable();
    db.prepare('INSERT INTO t VALUES (?, ?)').run(1, 'x');
    const select = db.prepare('SELECT a, b AS c FROM t');
    expect(Object.keys(select.get() ?? {})).toEqual(['a', 'c']);
    expect(select.all()).toEqual([{ a: 1, c: 'x' }]);
  });

  it('are undefined or none when there are none', () => {
    const select = openWithTable().prepare('SELECT a FROM t');
    expect(select.get()).toBeUndefined();
    expect(select.all()).toEqual([]);
  });

  it('says how many rows a statement changed', () => {
    const db = openWithTable();
    const insert = db.prepare('INSERT INTO t VALUES (?, ?)');
    expect([insert.run(1, 1), insert.run(2, 1)]).toEqual([1, 1]);
    expect(db.prepare('DELETE FROM t WHERE b = ?').run(1)).toBe(2);
  });
});

describe('the file', () => {
  it('is locked while it is open, and free afterwards', async () => {
    const path = join(createTempDir(), 'x.sqlite');
    const first = open(path);
    first.exec('CREATE TABLE t (a)');
    expect(() => openDatabase(path)).toThrow(StorageError);
    await first.close();
    expect(open(path).prepare('SELECT count(*) AS n FROM t').get()).toEqual({ n: 0 });
  });

  it('can be synced, before and after the first write', async () => {
    const db = open(join(createTempDir(), 'x.sqlite'));
    await db.syncWal();
    db.exec('CREATE TABLE t (a)');
    await db.syncWal();
  });

  it('runs nothing after close, and closes twice', async () => {
    const db = openDatabase(':memory:');
    const select = db.prepare('SELECT 1 AS one');
    await db.close();
    await db.close();
    expect(() => select.get()).toThrow(StorageError);
    expect(() => db.exec('SELECT 1')).toThrow(StorageError);
    await expect(db.syncWal()).rejects.toThrow(StorageError);
  });

  it('reports a full disk as a storage error and a broken rule as what it is', () => {
    const db = open();
    db.exec('CREATE TABLE t (a UNIQUE); PRAGMA max_page_count = 4');
    const insert = db.prepare('INSERT INTO t VALUES (?)');
    expect(() => insert.run('x'.repeat(100_000))).toThrow(StorageError);
    insert.run('y');
    expect(() => insert.run('y')).not.toThrow(StorageError);
    expect(() => insert.run('y')).toThrow(/UNIQUE/);
  });

  it('refuses a path that cannot be opened', () => {
    expect(() => openDatabase(join(createTempDir(), 'none', 'x.sqlite'))).toThrow(StorageError);
  });
});
