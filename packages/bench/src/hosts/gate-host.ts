/**
 * The gate and its markers in a process of their own.
 *
 * @module
 */

import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type JudgedItem, judge, type Mark } from '../../../agents/src/conversation/gate.ts';
import { createMarkerStore, type MarkerStore } from '../../../agents/src/conversation/marker-store.ts';
import { silentLog } from '../../../agents/src/log.ts';
import { longConversation } from '../gate-items.ts';
import { inParallel } from '../http-load.ts';
import { monotonicMs } from '../monotonic.ts';
import { listen, serveCommands } from './serve-commands.ts';

const PR = { owner: 'acme', repo: 'shop', number: 7 };
/** Files that the bare loop has open at once: as many as the store. */
const WRITES_AT_ONCE = 64;

const snapshot = longConversation();
const ids = snapshot.items.map(({ id }) => id);
const { readAtMs } = snapshot;

function storeIn(stateDir: string): MarkerStore {
  return createMarkerStore({ stateDir, now: () => readAtMs, log: silentLog });
}

/** Made when they are needed: a process that judges has not judged before. */
function marksOfAll(): readonly Mark[] {
  return judge(snapshot, new Map(), new Set()).map(({ mark }) => mark);
}

async function loadAndJudge(stateDir: string): Promise<readonly JudgedItem[]> {
  const { markers } = await storeIn(stateDir).load(PR, ids);
  return judge(snapshot, markers, new Set());
}

async function writeBare(folder: string, name: string, text: string): Promise<void> {
  const temporary = join(folder, `${name}.tmp`);
  const file = await open(temporary, 'wx');
  await file.writeFile(text);
  await file.sync();
  await file.close();
  await rename(temporary, join(folder, `${name}.json`));
}

const commands = {
  /** Time of load and decision, in milliseconds. @throws Error where an item does not count as delivered */
  async judgeMs(stateDir: string): Promise<number> {
    const startedAtMs = monotonicMs();
    const judged = await loadAndJudge(stateDir);
    const elapsedMs = monotonicMs() - startedAtMs;
    const unchanged = judged.filter(({ outcome }) => outcome === 'unchanged').length;
    if (unchanged !== ids.length) throw new Error(`${unchanged} of ${ids.length} items are unchanged`);
    return elapsedMs;
  },

  /** Time in which all items are marked, in milliseconds. @throws Error where one was not */
  async markMs(stateDir: string): Promise<number> {
    const marks = marksOfAll();
    const startedAtMs = monotonicMs();
    const { written, trouble } = await storeIn(stateDir).mark(PR, marks);
    const elapsedMs = monotonicMs() - startedAtMs;
    if (written !== marks.length)
      throw new Error(`${written} of ${marks.length} marks were written: ${trouble}`);
    return elapsedMs;
  },

  /** Time in which the same texts are written, flushed and renamed, and nothing else, in milliseconds. */
  async bareMs(dir: string): Promise<number> {
    const folder = join(dir, 'bare');
    const texts = marksOfAll().map((mark) => `${JSON.stringify({ ...mark, seenAt: readAtMs / 1_000 })}\n`);
    await mkdir(folder);
    const startedAtMs = monotonicMs();
    await inParallel(texts.length, WRITES_AT_ONCE, (index) =>
      writeBare(folder, `${index}`.padStart(64, '0'), texts[index] ?? ''),
    );
    return monotonicMs() - startedAtMs;
  },
};

/** What this process serves. */
export type GateHostCommands = typeof commands;

const port = await listen(() => new Response());
serveCommands({ port, commands, close: async () => {} });
