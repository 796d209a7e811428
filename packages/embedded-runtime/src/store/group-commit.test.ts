import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase, type SqliteDb } from '../db.ts';
import { StorageError } from '../errors.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';

function setUp(): {
  db: SqliteDb;
  commit: GroupCommit;
  rollbacks: () => number;
  insert(value: string): number;
} {
  const db = openDatabase(':memory:');
  onTestFinished(() => db.close());
  db.exec('CREATE TABLE t (a)');
  let rollbacks = 0;
  const commit = createGroupCommit(db, () => {
    rollbacks += 1;
  });
  const statement = db.prepare('INSERT INTO t VALUES (?)');
  return { db, commit, rollbacks: () => rollbacks, insert: (value) => statement.run(value) };
}

const rowsOf = (db: SqliteDb) =>
  db
    .prepare('SELECT a FROM t ORDER BY rowid')
    .all()
    .map((row) => row.a);

describe('group commit', () => {
  it('makes one commit of everything that a turn writes', async () => {
    const { commit, insert } = setUp();
    commit.write(() => insert('one'));
    const first = commit.committed();
    await Promise.resolve();
    commit.write(() => insert('two'));
    expect(commit.committed()).toBe(first);
    await first;
    expect(commit.isOpen()).toBe(false);
  });

  it('shows a write to the next read, before its commit', () => {
    const { db, commit, insert } = setUp();
    commit.write(() => insert('one'));
    expect(commit.isOpen()).toBe(true);
    expect(rowsOf(db)).toEqual(['one']);
    commit.flush();
  });

  it('calls back after the commit only', async () => {
    const { commit, insert } = setUp();
    const calls: string[] = [];
    commit.write(() => {
      insert('one');
      commit.afterCommit(() => calls.push(commit.isOpen() ? 'open' : 'committed'));
    });
    expect(calls).toEqual([]);
    await commit.committed();
    expect(calls).toEqual(['committed']);
  });

  it('R2: undoes work that throws, and nothing else of its turn', async () => {
    const { db, commit, insert, rollbacks } = setUp();
    const calls: string[] = [];
    commit.write(() => {
      insert('one');
      commit.afterCommit(() => calls.push('one'));
    });
    expect(() =>
      commit.write(() => {
        insert('two');
        commit.afterCommit(() => calls.push('two'));
        throw new RangeError('refused');
      }),
    ).toThrow(RangeError);
    commit.write(() => insert('three'));
    await commit.committed();
    expect(rowsOf(db)).toEqual(['one', 'three']);
    expect(calls).toEqual(['one']);
    expect(rollbacks()).toBe(1);
  });

  it('R2: accepts nothing of a turn that the disk refused, and goes on when there is room again', async () => {
    const { db, commit, insert } = setUp();
    commit.write(() => insert('kept'));
    await commit.committed();
    db.exec('PRAGMA max_page_count = 4');
    commit.write(() => insert('small'));
    const small = commit.synced();
    expect(() => commit.write(() => insert('x'.repeat(100_000)))).toThrow(StorageError);
    await expect(small).rejects.toThrow(StorageError);
    expect(rowsOf(db)).toEqual(['kept']);
    db.exec('PRAGMA max_page_count = 4000');
    commit.write(() => insert('x'));
    await commit.synced();
    expect(rowsOf(db)).toEqual(['kept', 'x']);
  });

  it('has nothing to wait for when nothing is open', async () => {
    const { commit } = setUp();
    await commit.committed();
    await commit.synced();
    commit.flush();
  });
});
