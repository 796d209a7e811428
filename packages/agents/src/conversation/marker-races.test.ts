import { readdirSync, readFileSync, utimesSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../log.ts';
import { createMarkerStore, type MarkerStore } from './marker-store.ts';
import { startMarking } from './testing/marker-child.ts';
import { itemId, itemIds, markOf, NOW_MS, NOW_S, PR } from './testing/marker-samples.ts';
import { markerPath, newFolder, otherFiles, seenFolderIn } from './testing/state-dir.ts';

const HASHES = { one: '00000000000000aa', other: '00000000000000bb' } as const;

function storeIn(stateDir: string, nowMs = NOW_MS): MarkerStore {
  return createMarkerStore({ stateDir, now: () => nowMs, log: silentLog });
}

/** Resolves when so many files came into a folder. */
function filesArrived(folder: string, count: number): Promise<void> {
  const arrived = new Set<string>();
  return new Promise((resolve) => {
    const watcher = watch(folder, (_, name) => {
      if (name?.endsWith('.json')) arrived.add(name);
      if (arrived.size >= count) resolve();
    });
    onTestFinished(() => watcher.close());
  });
}

describe('two who mark at once', () => {
  it('within one process: the later reading stays', async () => {
    const stateDir = newFolder();
    const ids = itemIds(40);
    const later = storeIn(stateDir, NOW_MS);
    const earlier = storeIn(stateDir, NOW_MS);
    const results = await Promise.all([
      later.mark(
        PR,
        ids.map((id) => markOf(id, { bodyHash: HASHES.one, readAtMs: NOW_MS + 1 })),
      ),
      earlier.mark(
        PR,
        ids.map((id) => markOf(id, { bodyHash: HASHES.other, readAtMs: NOW_MS })),
      ),
    ]);
    expect(results).toEqual([{ written: 40 }, { written: 40 }]);
    const { markers } = await earlier.load(PR, ids);
    const expected = { bodyHash: HASHES.one, readAtMs: NOW_MS + 1, seenAt: NOW_S };
    expect([...markers.values()]).toEqual(ids.map((id) => ({ id, closed: [], ...expected })));
  });

  it('in two processes: nothing is lost, the later reading stays, with the earlier time', async () => {
    const stateDir = newFolder();
    const items = 500;
    const common = { stateDir, items, waits: true } as const;
    const processes = [
      startMarking({ ...common, nowMs: NOW_MS, bodyHash: HASHES.one, closed: ['whole'], readAtMs: NOW_MS }),
      startMarking({ ...common, nowMs: NOW_MS + 60_000, bodyHash: HASHES.other, readAtMs: NOW_MS + 5_000 }),
    ];
    // Both know by then that nothing is there.
    await Promise.all(processes.map(({ isReady }) => isReady));
    for (const { go } of processes) go();
    const reports = await Promise.all(processes.map(({ report }) => report));
    expect(reports).toEqual([
      { written: items, loaded: items },
      { written: items, loaded: items },
    ]);
    const ids = itemIds(items);
    const { markers } = await storeIn(stateDir).load(PR, ids);
    const expected = { bodyHash: HASHES.other, closed: [], readAtMs: NOW_MS + 5_000, seenAt: NOW_S };
    expect([...markers.values()]).toEqual(ids.map((id) => ({ id, ...expected })));
    expect(otherFiles(stateDir)).toEqual([]);
  });

  it('and one who overwrites with an older state: the batch sees it in the end, and writes again', async () => {
    const stateDir = newFolder();
    const store = storeIn(stateDir);
    const ids = itemIds(200);
    const marks = ids.map((id) => markOf(id, { closed: ['whole'] }));
    const [mark = markOf(itemId(''))] = marks;
    await storeIn(stateDir, NOW_MS - 60_000).mark(PR, [{ ...mark, readAtMs: 1 }]);
    const path = markerPath(stateDir, mark.id);
    const older = { ...mark, closed: [], readAtMs: mark.readAtMs - 1, seenAt: NOW_S + 60, extra: 'stays' };
    const isOverwritten = new Promise<void>((resolve) => {
      const watcher = watch(seenFolderIn(stateDir), (_, name) => {
        if (!path.endsWith(String(name))) return;
        watcher.close();
        writeFileSync(path, JSON.stringify(older));
        resolve();
      });
    });
    expect(await store.mark(PR, marks)).toEqual({ written: 200 });
    await isOverwritten;
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ ...mark, seenAt: NOW_S - 60, extra: 'stays' });
  });
});

describe('a crash', () => {
  it('in the midst of marking leaves whole markers, and what else it leaves is no marker and goes', async () => {
    const stateDir = newFolder();
    const folder = seenFolderIn(stateDir);
    const store = storeIn(stateDir);
    await store.probe(PR);
    const isMidst = filesArrived(folder, 200);
    const task = { stateDir, items: 2_000, nowMs: NOW_MS, bodyHash: HASHES.one, readAtMs: NOW_MS };
    const child = startMarking(task);
    await isMidst;
    await child.kill();

    const left = otherFiles(stateDir);
    const markers = readdirSync(folder).length - left.length;
    expect(markers).toBeLessThan(task.items);
    const ids = itemIds(task.items);
    const read = await store.load(PR, ids);
    expect(read.markers.size).toBe(markers);
    expect([...read.markers.values()]).toEqual(
      [...read.markers.keys()].map((id) => ({
        ...markOf(id, { bodyHash: HASHES.one, readAtMs: NOW_MS }),
        seenAt: NOW_S,
      })),
    );

    const longAgo = NOW_MS / 1_000 - 7_200;
    for (const name of left) utimesSync(join(folder, name), longAgo, longAgo);
    await store.mark(
      PR,
      ids.slice(0, 5).map((id) => markOf(id)),
    );
    expect(otherFiles(stateDir)).toEqual([]);
  });
});
