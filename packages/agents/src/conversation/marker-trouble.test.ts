import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmdirSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../log.ts';
import { recordingLog } from '../model/testing/client.ts';
import { createMarkerStore, type MarkerStore } from './marker-store.ts';
import { startMarking } from './testing/marker-child.ts';
import { itemId, itemIds, markOf, NOW_MS, NOW_S, PR } from './testing/marker-samples.ts';
import { newFolder, otherFiles, runCommand, seenFolderIn } from './testing/state-dir.ts';

const NOBODY = 65_534;
const IDS = itemIds(3);
const MARKS = IDS.map((id) => markOf(id));
const TASK = { items: 300, nowMs: NOW_MS, bodyHash: '00000000000000aa', readAtMs: NOW_MS } as const;

function storeIn(stateDir: string, log = silentLog): MarkerStore {
  return createMarkerStore({ stateDir, now: () => NOW_MS, log });
}

function mountTmpfs(size: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'pr-shepherd-disk-'));
  try {
    runCommand('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder);
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
  return folder;
}

function unmount(folder: string): void {
  runCommand('umount', folder);
  rmSync(folder, { recursive: true });
}

function canMount(): boolean {
  try {
    unmount(mountTmpfs('64k'));
    return true;
  } catch {
    return false;
  }
}

/** A disk of its own. */
function newDisk(size: string): string {
  const folder = mountTmpfs(size);
  onTestFinished(() => unmount(folder));
  return folder;
}

/** Notes the temporary files that come into a folder. @returns ends that, and tells how many there were */
function countTemporary(folder: string): () => Promise<number> {
  const names = new Set<string>();
  const last = join(folder, 'last');
  mkdirSync(last);
  const isOver = new Promise<void>((resolve) => {
    const watcher = watch(folder, (_, name) => {
      if (name?.endsWith('.tmp')) names.add(name);
      if (name === 'last') resolve();
    });
    onTestFinished(() => watcher.close());
  });
  return async () => {
    // Names are told in order.
    rmdirSync(last);
    await isOver;
    return names.size;
  };
}

describe('fault 52: a place where nothing can be written', () => {
  const IN_THE_WAY: readonly (readonly [string, (stateDir: string) => string, string, string | undefined])[] =
    [
      ['the state directory itself', (stateDir) => stateDir, 'ENOTDIR', 'ENOTDIR'],
      ['the folder of the repository', (stateDir) => join(stateDir, 'acme-shop'), 'ENOTDIR', 'ENOTDIR'],
      ['the folder of the markers', seenFolderIn, 'EEXIST', 'ENOTDIR'],
    ];
  it.each(IN_THE_WAY)('is told where %s is a file', async (_, place, writeCode, readCode) => {
    const stateDir = join(newFolder(), 'state');
    mkdirSync(dirname(place(stateDir)), { recursive: true });
    writeFileSync(place(stateDir), '');
    const { log, lines } = recordingLog();
    const store = storeIn(stateDir, log);
    const trouble = `the folder ${seenFolderIn(stateDir)} cannot be written (${writeCode})`;
    expect(await store.probe(PR)).toBe(trouble);
    expect(await store.mark(PR, MARKS)).toEqual({ written: 0, trouble });
    expect(await store.load(PR, IDS)).toEqual({
      markers: new Map(),
      trouble: `the folder ${seenFolderIn(stateDir)} cannot be read (${readCode})`,
    });
    expect(lines().match(/^error /gm)).toHaveLength(2);
  });

  it('is told where the permission is missing', async () => {
    const stateDir = newFolder();
    await storeIn(stateDir).mark(PR, MARKS);
    chmodSync(stateDir, 0o000);
    const asRoot = process.getuid?.() === 0;
    const report = await startMarking({ ...TASK, stateDir, ...(asRoot ? { uid: NOBODY } : {}) }).report;
    chmodSync(stateDir, 0o700);
    const folder = seenFolderIn(stateDir);
    expect(report).toEqual({
      written: 0,
      markTrouble: `the folder ${folder} cannot be written (EACCES)`,
      probeTrouble: `the folder ${folder} cannot be written (EACCES)`,
      loaded: 0,
      loadTrouble: `the folder ${folder} cannot be read (EACCES)`,
    });
  });

  it('is told where no file can be opened any more, and is whole again afterwards', async () => {
    const stateDir = newFolder();
    const before = await startMarking({ ...TASK, stateDir, isExhausted: 'always' }, { maxOpenFiles: 200 })
      .report;
    const folder = seenFolderIn(stateDir);
    expect(before).toEqual({
      written: 0,
      markTrouble: `the folder ${folder} cannot be written (EMFILE)`,
      probeTrouble: `the folder ${folder} cannot be written (EMFILE)`,
      loaded: 0,
      loadTrouble: `the folder ${folder} cannot be read (EMFILE)`,
    });
    expect(await storeIn(stateDir).mark(PR, MARKS)).toEqual({ written: 3 });
  });

  it('is told where a marker cannot be read for a while, and what it says stays', async () => {
    const stateDir = newFolder();
    const ids = itemIds(TASK.items);
    const first = ids.map((id) => markOf(id, { readAtMs: 1 }));
    await storeIn(stateDir).mark(PR, first);
    const task = { ...TASK, stateDir, nowMs: NOW_MS + 60_000, isExhausted: 'at-first' } as const;
    expect(await startMarking(task, { maxOpenFiles: 200 }).report).toEqual({
      written: 0,
      markTrouble: `the folder ${seenFolderIn(stateDir)} cannot be written (EMFILE)`,
      loaded: TASK.items,
    });
    const { markers } = await storeIn(stateDir).load(PR, ids);
    expect([...markers.values()]).toEqual(first.map((mark) => ({ ...mark, seenAt: NOW_S })));
  });

  it('needs few files at once, however much there is to mark', async () => {
    const stateDir = newFolder();
    expect(await startMarking({ ...TASK, stateDir }, { maxOpenFiles: 128 }).report).toEqual({
      written: TASK.items,
      loaded: TASK.items,
    });
  });
});

describe.skipIf(!canMount())('fault 52: a disk of its own (needs the right to mount one)', () => {
  it('that becomes full is told; what was written stays, nothing half-written does, and the rest is not tried', async () => {
    const stateDir = newDisk('64k');
    const ids = itemIds(500);
    const { log, lines } = recordingLog();
    const store = storeIn(stateDir, log);
    await store.probe(PR);
    const tried = countTemporary(seenFolderIn(stateDir));
    const { written, trouble } = await store.mark(
      PR,
      ids.map((id) => markOf(id)),
    );
    expect(trouble).toBe(`the folder ${seenFolderIn(stateDir)} cannot be written (ENOSPC)`);
    expect(written).toBeGreaterThan(0);
    // Those that were under way.
    expect(await tried()).toBeLessThanOrEqual(written + 64);
    expect(readdirSync(seenFolderIn(stateDir))).toHaveLength(written);
    expect((await store.load(PR, ids)).markers.size).toBe(written);
    expect(lines().match(/^(error|warn) /gm)).toHaveLength(1);
  });

  it('that is full is told before a round, and marks stick again when there is room', async () => {
    const stateDir = newDisk('64k');
    const store = storeIn(stateDir);
    await store.mark(PR, MARKS);
    const ballast = join(stateDir, 'ballast');
    expect(() => writeFileSync(ballast, 'x'.repeat(100_000))).toThrow('ENOSPC');
    const trouble = `the folder ${seenFolderIn(stateDir)} cannot be written (ENOSPC)`;
    const edited = IDS.map((id) => markOf(id, { bodyHash: '00000000000000aa' }));
    expect(await store.probe(PR)).toBe(trouble);
    expect(await store.mark(PR, edited)).toEqual({ written: 0, trouble });
    expect(otherFiles(stateDir)).toEqual([]);
    const { markers } = await store.load(PR, IDS);
    expect([...markers.values()]).toMatchObject(MARKS);
    rmSync(ballast);
    expect(await store.probe(PR)).toBeUndefined();
    expect(await store.mark(PR, edited)).toEqual({ written: 3 });
  });

  it('that is read-only is told, and is still read', async () => {
    const stateDir = newDisk('1m');
    const store = storeIn(stateDir);
    await store.mark(PR, MARKS);
    runCommand('mount', '-o', 'remount,ro', stateDir);
    const trouble = `the folder ${seenFolderIn(stateDir)} cannot be written (EROFS)`;
    expect(await store.probe(PR)).toBe(trouble);
    expect(await store.mark(PR, [markOf(itemId('another'))])).toEqual({
      written: 0,
      trouble,
    });
    const read = await store.load(PR, IDS);
    expect(read.trouble).toBeUndefined();
    expect([...read.markers.values()]).toMatchObject(MARKS);
  });
});
