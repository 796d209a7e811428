/**
 * Timers that survive the process. A timer is deleted in the transaction that does its work, so it works once.
 *
 * @module
 */

import type { SqliteDb } from '../db.ts';
import type { InboxRow } from '../types/rows.ts';
import type { WakeChange } from '../types/wake.ts';

type MessageMode = NonNullable<InboxRow['mode']>;

/** A message that waits for its time. */
export interface DelayedSend {
  readonly targetUrl: string;
  readonly payload: unknown;
  readonly type?: string;
  readonly fromAgent?: string;
  readonly mode?: MessageMode;
  readonly position?: string;
}

/** What a timer does. */
export type TimerWork =
  | { readonly kind: 'send'; readonly send: DelayedSend }
  /** An observer waited for a change in vain. */
  | { readonly kind: 'wake-timeout'; readonly subscriptionId: number }
  /** Changes are collected for an observer. */
  | { readonly kind: 'debounce'; readonly subscriptionId: number; readonly changes: readonly WakeChange[] }
  /** The next tick of a stream. */
  | { readonly kind: 'cron'; readonly path: string }
  /** A scheduled message; what it says stands in the manifest of the entity. */
  | { readonly kind: 'schedule'; readonly entityId: number; readonly scheduleId: string };

/** What a timer belongs to. Each owner has at most one timer of a kind. */
export type TimerOwner = `subscription:${number}` | `cron:${string}` | `schedule:${number}:${string}`;

/** A timer that is stored. */
export interface StoredTimer {
  readonly id: number;
  readonly fireAtMs: number;
  readonly work: TimerWork;
}

interface TimerRecord {
  readonly id: number;
  readonly fire_at: number;
  readonly data: string;
}

/** Timers by time. */
export interface TimerStore {
  add(fireAtMs: number, work: TimerWork): void;
  remove(id: number): void;
  removeOf(owner: TimerOwner, kind: TimerWork['kind']): void;
  /** The timer of this kind that belongs to an owner. */
  find(owner: TimerOwner, kind: TimerWork['kind']): StoredTimer | undefined;
  /** Gives a stored timer other work. */
  replace(id: number, work: TimerWork): void;
  /** The first timers that are due, earliest first. */
  due(nowMs: number, limit: number): StoredTimer[];
  /** When the earliest is due. */
  nextAtMs(): number | undefined;
}

function toTimer({ id, fire_at: fireAtMs, data }: TimerRecord): StoredTimer {
  return { id, fireAtMs, work: JSON.parse(data) as TimerWork };
}

function ownerOf(work: TimerWork): TimerOwner | null {
  switch (work.kind) {
    case 'send':
      return null;
    case 'cron':
      return `cron:${work.path}`;
    case 'schedule':
      return `schedule:${work.entityId}:${work.scheduleId}`;
    case 'wake-timeout':
    case 'debounce':
      return `subscription:${work.subscriptionId}`;
  }
}

/** @param db - a migrated database */
export function createTimerStore(db: SqliteDb): TimerStore {
  const insert = db.prepare('INSERT INTO timers (fire_at, kind, owner, data) VALUES (?, ?, ?, ?)');
  const deleteOne = db.prepare('DELETE FROM timers WHERE id = ?');
  const deleteOf = db.prepare('DELETE FROM timers WHERE owner = ? AND kind = ?');
  const selectOf = db.prepare<TimerRecord>(
    'SELECT id, fire_at, data FROM timers WHERE owner = ? AND kind = ?',
  );
  const updateData = db.prepare('UPDATE timers SET data = ? WHERE id = ?');
  const selectDue = db.prepare<TimerRecord>(
    'SELECT id, fire_at, data FROM timers WHERE fire_at <= ? ORDER BY fire_at, id LIMIT ?',
  );
  const selectNext = db.prepare<{ fire_at: number }>('SELECT fire_at FROM timers ORDER BY fire_at LIMIT 1');
  return {
    add(fireAtMs, work) {
      insert.run(Math.ceil(fireAtMs), work.kind, ownerOf(work), JSON.stringify(work));
    },
    remove: (id) => void deleteOne.run(id),
    removeOf: (owner, kind) => void deleteOf.run(owner, kind),
    find(owner, kind) {
      const record = selectOf.get(owner, kind);
      return record === undefined ? undefined : toTimer(record);
    },
    replace: (id, work) => void updateData.run(JSON.stringify(work), id),
    due: (nowMs, limit) => selectDue.all(nowMs, limit).map(toTimer),
    nextAtMs: () => selectNext.get()?.fire_at,
  };
}
