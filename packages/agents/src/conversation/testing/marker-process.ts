/**
 * A process that marks. Argument: a {@link MarkerTask} as JSON; it prints a {@link MarkerReport} as one line of JSON.
 *
 * @module
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { silentLog } from '../../log.ts';
import { createMarkerStore } from '../marker-store.ts';
import { itemIds, markOf, PR } from './marker-samples.ts';

/** What it is to do, besides marking. */
export interface MarkerTask {
  readonly stateDir: string;
  readonly items: number;
  readonly nowMs: number;
  readonly bodyHash: string;
  readonly closed?: readonly string[];
  readonly readAtMs: number;
  /** Prints a line when it knows what is there and begins to write, and waits for a byte of input. */
  readonly waits?: true;
  /** User that it becomes, when all of its code is loaded. Default: that of the test. */
  readonly uid?: number;
  /** Has all of its file descriptors open meanwhile, or only when it first reads what is there. */
  readonly isExhausted?: 'always' | 'at-first';
}

/** What came of it. */
export interface MarkerReport {
  readonly written: number;
  readonly markTrouble?: string;
  readonly loaded: number;
  readonly loadTrouble?: string;
  readonly probeTrouble?: string;
}

function openAll(): readonly number[] {
  const files: number[] = [];
  try {
    for (;;) files.push(openSync('/dev/null', 'r'));
  } catch {
    return files;
  }
}

function closeAll(files: readonly number[]): void {
  for (const file of files) closeSync(file);
}

async function work(task: MarkerTask): Promise<MarkerReport> {
  const now = () => {
    if (task.waits) {
      writeSync(1, 'ready\n');
      readSync(0, Buffer.alloc(1));
    }
    if (task.isExhausted === 'at-first') void setImmediate(openAll()).then(closeAll);
    return task.nowMs;
  };
  const store = createMarkerStore({ stateDir: task.stateDir, now, log: silentLog });
  const ids = itemIds(task.items);
  const { bodyHash, readAtMs, closed = [] } = task;
  const marks = ids.map((id) => markOf(id, { bodyHash, readAtMs, closed }));
  if (task.uid !== undefined) process.setuid?.(task.uid);
  const files = task.isExhausted === 'always' ? openAll() : [];
  const probeTrouble = await store.probe(PR);
  const marked = await store.mark(PR, marks);
  await setImmediate(); // descriptors that were taken at first are free by then
  const loaded = await store.load(PR, ids);
  closeAll(files);
  return {
    written: marked.written,
    loaded: loaded.markers.size,
    ...(marked.trouble === undefined ? {} : { markTrouble: marked.trouble }),
    ...(loaded.trouble === undefined ? {} : { loadTrouble: loaded.trouble }),
    ...(probeTrouble === undefined ? {} : { probeTrouble }),
  };
}

writeSync(1, `${JSON.stringify(await work(JSON.parse(process.argv[2] ?? '{}') as MarkerTask))}\n`);
