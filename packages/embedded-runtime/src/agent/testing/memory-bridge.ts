/**
 * An {@link AgentBridge} in memory: a stream that a test can read, and wait on.
 *
 * @module
 */
import type { AgentBridge, KeyPrefix, TimelineRow } from '../port.ts';

/** A bridge with what a test wants to see of it. */
export interface MemoryBridge extends AgentBridge {
  /** Rows as they now stand, in order of first appearance. */
  readonly rows: readonly TimelineRow[];
  /** `type operation` of each event and `flush` for each flush, in order. */
  readonly log: readonly string[];
  rowsOf(type: string): readonly TimelineRow['value'][];
  /** Resolves with the first row of this type, once there is one. */
  firstRow(type: string): Promise<TimelineRow>;
  /** Adds a row as if something else had written it. */
  seed(type: string, key: string, value: TimelineRow['value']): void;
}

export interface MemoryBridgeOptions {
  readonly triggerText?: string;
  readonly signal?: AbortSignal;
}

/** An empty entity, woken by `triggerText` (default `wake up`). */
export function createMemoryBridge(options: MemoryBridgeOptions = {}): MemoryBridge {
  const rows = new Map<string, TimelineRow>();
  const counters = new Map<KeyPrefix, number>();
  const log: string[] = [];
  const waiting: { readonly type: string; readonly resolve: (row: TimelineRow) => void }[] = [];
  const put = (given: Omit<TimelineRow, 'at'>): void => {
    const id = `${given.type} ${given.key}`;
    const row = { ...given, at: rows.get(id)?.at ?? rows.size };
    rows.set(id, row);
    for (const waiter of waiting) if (waiter.type === row.type) waiter.resolve(row);
  };
  const all = (): readonly TimelineRow[] => [...rows.values()];
  return {
    signal: options.signal ?? new AbortController().signal,
    triggerText: options.triggerText ?? 'wake up',
    get rows() {
      return all();
    },
    log,
    rowsOf: (type) =>
      all()
        .filter((row) => row.type === type)
        .map((row) => row.value),
    firstRow: (type) =>
      new Promise((resolve) => {
        const row = all().find((candidate) => candidate.type === type);
        if (row === undefined) waiting.push({ type, resolve });
        else resolve(row);
      }),
    seed: (type, key, value) => put({ type, key, value }),
    nextIndex(prefix) {
      const index = counters.get(prefix) ?? 0;
      counters.set(prefix, index + 1);
      return index;
    },
    emit(type, key, operation, value) {
      const exists = rows.has(`${type} ${key}`);
      if (exists !== (operation === 'update'))
        throw new Error(`${operation} of ${type} ${key} at the wrong time`);
      log.push(`${type} ${operation}`);
      put({ type, key, value });
    },
    async flush() {
      log.push('flush');
    },
    timeline: async () => all(),
  };
}
