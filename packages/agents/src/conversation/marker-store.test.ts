import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../log.ts';
import { recordingLog } from '../model/testing/client.ts';
import { createMarkerStore, type MarkerStore } from './marker-store.ts';
import { itemId, itemIds, markOf, NOW_MS, NOW_S, PR } from './testing/marker-samples.ts';
import { describeMarkerStore } from './testing/marker-store-contract.ts';
import { createMemoryMarkerStore } from './testing/memory-marker-store.ts';
import { markerPath, newFolder, otherFiles, runCommand, seenFolderIn } from './testing/state-dir.ts';

const ID = itemId('IC_kwDOSGizTs8AAAABSsxwqg');
const HOUR_S = 3_600;

function storeIn(stateDir: string, log = silentLog): MarkerStore {
  return createMarkerStore({ stateDir, now: () => NOW_MS, log });
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

describeMarkerStore('files', (now) => createMarkerStore({ stateDir: newFolder(), now, log: silentLog }));
describeMarkerStore('store for tests', (now) => createMemoryMarkerStore({ now }));

describe('a marker on the disk', () => {
  it('lies where the specification says, and reads as it says', async () => {
    const stateDir = newFolder();
    await storeIn(stateDir).mark({ owner: 'Acme', repo: 'Shop', number: 7 }, [markOf(ID)]);
    const path = markerPath(stateDir, ID);
    expect(readFileSync(path, 'utf8')).toBe(
      `{"id":"${ID}","seenAt":${NOW_S},"bodyHash":"3f9a1c2b7e4d5a6f","closed":[],"readAtMs":${NOW_MS - 100}}\n`,
    );
    expect(readdirSync(seenFolderIn(stateDir))).toHaveLength(1);
  });

  it('is believed with the specified fields alone, and then says nothing of what was closed', async () => {
    const stateDir = newFolder();
    const specified = { id: ID, seenAt: 1_732_000_000, bodyHash: '3f9a1c2b7e4d5a6f' };
    put(markerPath(stateDir, ID), JSON.stringify(specified));
    expect(await storeIn(stateDir).load(PR, [ID])).toEqual({ markers: new Map([[ID, specified]]) });
  });

  it('is for the service alone, and so are the folders, under any umask', async () => {
    const stateDir = join(newFolder(), 'state', 'pr-shepherd');
    const umask = process.umask(0);
    onTestFinished(() => void process.umask(umask));
    await storeIn(stateDir).mark(PR, [markOf(ID)]);
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
    expect(mode(markerPath(stateDir, ID))).toBe('600');
    const seen = seenFolderIn(stateDir);
    const folders = [dirname(stateDir), stateDir, dirname(dirname(seen)), dirname(seen), seen];
    expect(folders.map(mode)).toEqual(['700', '700', '700', '700', '700']);
  });

  it('keeps the fields of other versions, nested ones too', async () => {
    const stateDir = newFolder();
    const others = {
      kind: 'thread',
      history: [{ at: 1, by: { login: 'mia', tags: [] } }],
      constructor: null,
    };
    put(markerPath(stateDir, ID), JSON.stringify({ ...others, ...markOf(ID), seenAt: 5 }));
    await storeIn(stateDir).mark(PR, [markOf(ID, { bodyHash: '00000000000000aa' })]);
    expect(readJson(markerPath(stateDir, ID))).toEqual({
      ...others,
      ...markOf(ID, { bodyHash: '00000000000000aa' }),
      seenAt: 5,
    });
  });

  it('is not written again where it would stay the same', async () => {
    const stateDir = newFolder();
    await storeIn(stateDir).mark(PR, [markOf(ID)]);
    const { ino } = statSync(markerPath(stateDir, ID));
    expect(await storeIn(stateDir).mark(PR, [markOf(ID)])).toEqual({ written: 1 });
    expect(statSync(markerPath(stateDir, ID)).ino).toBe(ino);
  });
});

const WHOLE = JSON.stringify({ id: ID, seenAt: 1_732_000_000, bodyHash: '3f9a1c2b7e4d5a6f' });
const DAMAGED: readonly (readonly [string, string])[] = [
  ['is empty', ''],
  ['ends in the middle', WHOLE.slice(0, 50)],
  ['is an array', `[${WHOLE}]`],
  ['is null', 'null'],
  ['is a text', '"seen"'],
  ['is of another item', WHOLE.replace(ID, ID.toLowerCase())],
  ['has a hash that is a number', WHOLE.replace('"3f9a1c2b7e4d5a6f"', '7')],
  ['is larger than any marker', `${WHOLE.slice(0, -1)},"extra":"${'x'.repeat(1_000_000)}"}`],
  ['is one byte larger than any marker', `${WHOLE}${' '.repeat(65_537 - WHOLE.length)}`],
  ['is no text', '\u0000\u0001\ufffd'],
];

describe('a damaged marker', () => {
  it.each(DAMAGED)(
    'faults 52 and 53: that %s counts as absent with a log line, and the next mark heals it',
    async (_, text) => {
      const stateDir = newFolder();
      const path = markerPath(stateDir, ID);
      put(path, text);
      const { log, lines } = recordingLog();
      const store = storeIn(stateDir, log);
      expect(await store.load(PR, [ID])).toEqual({ markers: new Map() });
      expect(lines().split('\n')).toEqual([expect.stringMatching(/^warn a marker counts as absent .*json/)]);
      expect(await store.mark(PR, [markOf(ID)])).toEqual({ written: 1 });
      expect(lines()).toMatch(/\ninfo .*"healed":1/);
      expect(readJson(path)).toEqual({ ...markOf(ID), seenAt: NOW_S });
    },
  );

  it('of the greatest size that a marker has is valid', async () => {
    const stateDir = newFolder();
    put(markerPath(stateDir, ID), `${WHOLE}${' '.repeat(65_536 - WHOLE.length)}`);
    expect((await storeIn(stateDir).load(PR, [ID])).markers.size).toBe(1);
  });

  it('that is a pipe keeps nobody waiting, and is replaced', async () => {
    const stateDir = newFolder();
    mkdirSync(seenFolderIn(stateDir), { recursive: true });
    runCommand('mkfifo', markerPath(stateDir, ID));
    const store = storeIn(stateDir);
    expect((await store.load(PR, [ID])).markers.size).toBe(0);
    expect(await store.mark(PR, [markOf(ID)])).toEqual({ written: 1 });
    expect((await store.load(PR, [ID])).markers.size).toBe(1);
  });

  it('that is a link is replaced, and what it leads to stays', async () => {
    const stateDir = newFolder();
    const elsewhere = join(newFolder(), 'elsewhere.json');
    writeFileSync(elsewhere, WHOLE);
    mkdirSync(seenFolderIn(stateDir), { recursive: true });
    symlinkSync(elsewhere, markerPath(stateDir, ID));
    const store = storeIn(stateDir);
    expect((await store.load(PR, [ID])).markers.size).toBe(0);
    expect(await store.mark(PR, [markOf(ID)])).toEqual({ written: 1 });
    expect(await store.load(PR, [ID])).toEqual({
      markers: new Map([[ID, { ...markOf(ID), seenAt: NOW_S }]]),
    });
    expect(readFileSync(elsewhere, 'utf8')).toBe(WHOLE);
  });

  it('has a line in the log, but not hundreds', async () => {
    const stateDir = newFolder();
    const ids = itemIds(300);
    for (const id of ids) put(markerPath(stateDir, id), '');
    const { log, lines } = recordingLog();
    expect((await storeIn(stateDir, log).load(PR, ids)).markers.size).toBe(0);
    expect(lines().split('\n')).toHaveLength(21);
    expect(lines()).toContain('"more":280');
  });

  it('that is a folder counts as absent, is told, and hinders no other', async () => {
    const stateDir = newFolder();
    mkdirSync(join(markerPath(stateDir, ID), 'full'), { recursive: true });
    const { log, lines } = recordingLog();
    const store = storeIn(stateDir, log);
    const others = itemIds(200);
    const marks = [ID, ...others].map((id) => markOf(id));
    const trouble = `the folder ${seenFolderIn(stateDir)} cannot be written (EISDIR)`;
    expect(await store.mark(PR, marks)).toEqual({ written: 200, trouble });
    expect(lines().match(/^error /gm)).toHaveLength(1);
    expect(otherFiles(stateDir)).toEqual([]);
    const read = await store.load(PR, [ID, ...others]);
    expect([...read.markers.keys()]).toEqual(others);
    expect(read.trouble).toBe(`1 of 201 markers in ${seenFolderIn(stateDir)} cannot be read (EISDIR)`);
  });
});

describe('files beside the markers', () => {
  it('are removed where a crash left them, and stay where they may be in use or are not ours', async () => {
    const stateDir = newFolder();
    const folder = seenFolderIn(stateDir);
    const names = { old: `.${'a'.repeat(36)}.tmp`, young: `.${'b'.repeat(36)}.tmp`, foreign: 'notes.tmp' };
    for (const name of Object.values(names)) put(join(folder, name), WHOLE);
    const age = (name: string, seconds: number) =>
      utimesSync(join(folder, name), NOW_MS / 1_000 - seconds, NOW_MS / 1_000 - seconds);
    age(names.old, HOUR_S + 1);
    age(names.young, HOUR_S - 1);
    age(names.foreign, 10 * HOUR_S);
    await storeIn(stateDir).mark(PR, [markOf(ID)]);
    expect(otherFiles(stateDir)).toEqual([names.young, names.foreign]);
  });

  it('are no markers, whatever they hold', async () => {
    const stateDir = newFolder();
    put(`${markerPath(stateDir, ID)}.tmp`, WHOLE);
    put(join(seenFolderIn(stateDir), `${ID}.json`), WHOLE);
    expect(await storeIn(stateDir).load(PR, [ID])).toEqual({ markers: new Map() });
  });

  it('do not stay behind when it was tried whether marks can be written', async () => {
    const stateDir = newFolder();
    expect(await storeIn(stateDir).probe(PR)).toBeUndefined();
    expect(readdirSync(seenFolderIn(stateDir))).toEqual([]);
  });

  it('keep a folder as a person made it', async () => {
    const stateDir = newFolder();
    chmodSync(stateDir, 0o755);
    await storeIn(stateDir).mark(PR, [markOf(ID)]);
    expect(statSync(stateDir).mode & 0o777).toBe(0o755);
  });
});
