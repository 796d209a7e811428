import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aggregate } from '../review/aggregate.ts';
import { allDone, finding, numbered } from '../review/testing/builders.ts';
import { type Changes, openRoundWorld, outline, type RoundWorld } from './testing/round-world.ts';

let world: RoundWorld;
beforeAll(async () => {
  world = await openRoundWorld();
});
afterAll(() => world.close());

const TEXT = numbered(40);
const EDITED = TEXT.replace('line 20\n', 'twenty\n');
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]);
const OTHER_PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 9, 9, 9]);

describe('renames', () => {
  it('T-069 without a change have nothing to read', async () => {
    const lane = await world.open({ 'a.ts': TEXT }, { 'a.ts': null, 'b.ts': TEXT });
    const [file] = (await lane.round()).files;
    expect(file).toMatchObject({ path: 'b.ts', previousPath: 'a.ts', status: 'renamed', hunks: [] });
    expect(file?.unread).toBeUndefined();
  });

  it('T-173 with a change are followed, also when a new file takes the old name', async () => {
    const lane = await world.open({ 'a.ts': TEXT }, { 'a.ts': EDITED });
    const reviewed = lane.headSha();
    await lane.pushChanges({ 'a.ts': null, 'b.ts': EDITED });
    const moved = await lane.round(reviewed);
    expect(outline(moved)).toEqual({ files: [], others: ['b.ts'], gone: [] });
    expect(moved.carried).toMatchObject([{ from: 'a.ts', to: 'b.ts', hunks: [{ from: 17, to: 17 }] }]);

    const again = lane.headSha();
    await lane.pushChanges({ 'b.ts': EDITED.replace('line 3\n', 'three\n') });
    const changed = await lane.round(again);
    expect(changed.files).toMatchObject([{ path: 'b.ts', previousPath: 'a.ts', status: 'renamed' }]);
    expect(changed.files[0]?.hunks.map((hunk) => hunk.isNew)).toEqual([true, false]);
    // git no longer sees a rename once the old name is taken: both are files that nobody has read as such.
    await lane.pushChanges({ 'a.ts': 'something else\n' });
    expect(outline(await lane.round(again)).files).toEqual(['a.ts', 'b.ts']);
  });

  it('T-173 of a file that the PR adds are followed by its content', async () => {
    const lane = await world.open({ 'a.ts': TEXT }, { 'x.ts': EDITED });
    const reviewed = lane.headSha();
    await lane.pushChanges({ 'x.ts': null, 'dir/y.ts': EDITED });
    const input = await lane.round(reviewed);
    expect(outline(input)).toEqual({ files: [], others: ['dir/y.ts'], gone: [] });
    expect(input.carried).toMatchObject([{ from: 'x.ts', to: 'dir/y.ts' }]);
  });
});

describe('removals', () => {
  it('T-174 have lines that no remark can point to, so a remark stands at the file', async () => {
    const lane = await world.open({ 'a.ts': TEXT }, { 'a.ts': null });
    const input = await lane.round();
    expect(input.files).toMatchObject([{ path: 'a.ts', status: 'removed', deletions: 40 }]);
    const said = finding('a.ts', 'Callers remain.', { line: 20, quote: 'line 20' });
    const { findings } = aggregate(allDone({ correctness: [said] }), input);
    expect(findings).toMatchObject([{ place: { kind: 'removed' }, finding: { file: 'a.ts' } }]);
    expect(findings[0]?.finding).not.toHaveProperty('line');
  });

  it('of another file with the same text are another removal', async () => {
    const lane = await world.open({ 'a.ts': TEXT, 'b.ts': TEXT }, { 'a.ts': null });
    const reviewed = lane.headSha();
    await lane.pushChanges({ 'a.ts': TEXT, 'b.ts': null });
    expect(outline(await lane.round(reviewed))).toEqual({ files: ['b.ts'], others: [], gone: ['a.ts'] });
  });
});

describe('what has no text', () => {
  it('is named as unread, and is in the range again only when its bytes change', async () => {
    const lane = await world.open({ 'a.ts': TEXT }, { 'logo.png': { content: PNG } });
    expect((await lane.round()).files).toMatchObject([{ path: 'logo.png', unread: 'binary', hunks: [] }]);
    const reviewed = lane.headSha();
    await lane.pushChanges({ 'a.ts': EDITED });
    expect(outline(await lane.round(reviewed))).toEqual({ files: ['a.ts'], others: ['logo.png'], gone: [] });
    await lane.pushChanges({ 'logo.png': { content: OTHER_PNG } });
    expect(outline(await lane.round(reviewed)).files).toEqual(['a.ts', 'logo.png']);
  });

  it('is in no range after a merge that did not touch it', async () => {
    const lane = await world.open(
      { 'a.ts': TEXT, 'logo.png': { content: PNG }, 'run.sh': 'true\n' },
      { 'logo.png': { content: OTHER_PNG }, 'run.sh': { content: 'true\n', mode: '100755' } },
    );
    const reviewed = lane.headSha();
    // The base branch changes the text of a file of which the PR changes the mode alone.
    await lane.advanceBase({ 'a.ts': EDITED, 'run.sh': 'true\ntrue\n' });
    await lane.mergeBase();
    expect(outline(await lane.round(reviewed))).toEqual({
      files: [],
      others: ['logo.png', 'run.sh'],
      gone: [],
    });
  });

  it('may be a mode, of which no line says anything', async () => {
    const lane = await world.open(
      { 'run.sh': 'true\n' },
      { 'run.sh': { content: 'true\n', mode: '100755' } },
    );
    const [file] = (await lane.round()).files;
    expect(file).toMatchObject({ path: 'run.sh', additions: 0, deletions: 0, hunks: [] });
    expect(file?.unread).toBeUndefined();
  });

  it('may be a submodule, whose commit is its text', async () => {
    const lane = await world.open({ 'a.ts': TEXT }, { 'lib/dep': { submodule: 'a'.repeat(40) } });
    const reviewed = lane.headSha();
    await lane.pushChanges({ 'lib/dep': { submodule: 'b'.repeat(40) } });
    const { input, readFile } = await lane.load({ baseSha: reviewed, headSha: lane.headSha() });
    expect(input.files).toMatchObject([{ path: 'lib/dep', status: 'added' }]);
    expect(input.files[0]?.hunks[0]?.lines).toMatchObject([
      { kind: 'add', text: `Subproject commit ${'b'.repeat(40)}` },
    ]);
    expect(await readFile('lib/dep')).toBeUndefined();
  });

  it('may become a link, which is another kind of file at the same path', async () => {
    const lane = await world.open(
      { 'a.ts': TEXT, 'link.ts': TEXT },
      { 'link.ts': { content: 'a.ts', mode: '120000' } },
    );
    const [file] = (await lane.round()).files;
    expect(file).toMatchObject({ path: 'link.ts', additions: 1, deletions: 40 });
    expect(file?.hunks.flatMap((hunk) => hunk.lines).at(-1)).toMatchObject({ kind: 'add', text: 'a.ts' });
  });
});

describe('T-170 odd paths', () => {
  const ODD = [
    'with blank/x b/y.ts',
    'a/b/ b/a b/z.ts',
    'ünïcödé/文件.ts',
    'emoji-😀.ts',
    'tab\there.ts',
    '"quoted" and \\back.ts',
    "it's.ts",
    '100%25 #1?.ts',
    '-dash.ts',
    '@@ -1 +1 @@.ts',
    '../dots.ts'.replace('../', '...'),
  ];

  it('come through as they are, in the list, in a rename and when they are read', async () => {
    const base = Object.fromEntries(ODD.map((path, index) => [path, `${TEXT}own ${index}\n`]));
    const changes: Record<string, string> = Object.fromEntries(
      ODD.map((path, index) => [path, `${EDITED}own ${index}\n`]),
    );
    const lane = await world.open(base, changes);
    const { input, readFile } = await lane.load({
      baseSha: (await lane.round()).baseSha,
      headSha: lane.headSha(),
    });
    expect(outline(input).files).toEqual(ODD.toSorted());
    expect(input.files.every((file) => file.unread === undefined && file.hunks.length > 0)).toBe(true);
    for (const path of ODD) expect(await readFile(path)).toBe(changes[path]);

    const reviewed = lane.headSha();
    const moves: Changes = Object.fromEntries(
      ODD.flatMap((path) => [
        [path, null],
        [`moved ${path}`, changes[path] ?? null],
      ]),
    );
    await lane.pushChanges(moves);
    const moved = await lane.round(reviewed);
    expect(moved.changedFiles).toBe(0);
    expect(moved.carried.map((file) => file.to)).toEqual(ODD.map((path) => `moved ${path}`).toSorted());
  });
});

describe('T-099 a file without a newline at its end', () => {
  it('has no line for the mark, and is in the range when the newline comes', async () => {
    const lane = await world.open({ 'a.ts': 'one\ntwo' }, { 'a.ts': 'one\ntwo\nthree' });
    const texts = (await lane.round()).files[0]?.hunks.flatMap((hunk) => hunk.lines.map((line) => line.text));
    expect(texts).toEqual(['one', 'two', 'two', 'three']);
    const reviewed = lane.headSha();
    await lane.pushChanges({ 'a.ts': 'one\ntwo\nthree\n' });
    expect(outline(await lane.round(reviewed)).files).toEqual(['a.ts']);
  });
});

it('marks that some take for the end of a line hide no change behind them', async () => {
  const marks = ['\r', '\u2028', '\u0085', '\f'];
  const hidden = (text: string): Changes =>
    Object.fromEntries(
      marks.map((mark, index) => [`${index}.ts`, `const a = 1;${mark}@@ -1 +1 @@ ${text}\n`]),
    );
  const lane = await world.open({ 'a.ts': TEXT }, hidden('harmless'));
  const reviewed = lane.headSha();
  await lane.pushChanges(hidden('harmful'));
  expect(outline(await lane.round(reviewed)).files).toEqual(['0.ts', '1.ts', '2.ts', '3.ts']);
});
