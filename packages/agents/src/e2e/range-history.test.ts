import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commentableLines } from '../review/diff-index.ts';
import type { RoundInput } from '../review/round.ts';
import { numbered } from '../review/testing/builders.ts';
import { type Changes, openRoundWorld, outline, type RoundWorld } from './testing/round-world.ts';

let world: RoundWorld;
beforeAll(async () => {
  world = await openRoundWorld();
});
afterAll(() => world.close());

const TEXT = numbered(60);
/** The text with some of its lines replaced. */
function edited(...lines: readonly number[]): string {
  return lines.reduce((text, line) => text.replace(`line ${line}\n`, `edited ${line}\n`), TEXT);
}

const BASE = { 'a.ts': TEXT, 'b.ts': TEXT };
const CHANGE = { 'a.ts': edited(10), 'b.ts': edited(10) };
const NOTHING = { files: [], others: ['a.ts', 'b.ts'], gone: [] };

function newLinesOf(input: RoundInput, path: string): readonly string[] {
  const file = input.files.find((candidate) => candidate.path === path);
  const lines = file === undefined ? [] : commentableLines(file);
  return lines.filter((line) => line.added && line.isNew).map((line) => line.text);
}

describe('a first round', () => {
  it('is about all that the PR changes, also where its base is the first commit of the repository', async () => {
    const lane = await world.open(BASE, CHANGE);
    const input = await lane.round();
    expect(input.baseSha).toBe(input.pr.baseSha);
    expect(newLinesOf(input, 'a.ts')).toEqual(['edited 10']);
    expect(outline(input)).toEqual({ files: ['a.ts', 'b.ts'], others: [], gone: [] });
    expect(input).toMatchObject({ incremental: false, totalFiles: 2, changedFiles: 2, listComplete: true });
  });
});

it('a base branch that moved on between two looks is no earlier review', async () => {
  const lane = await world.open(BASE, CHANGE);
  const tip = await lane.advanceBase({ 'main.ts': TEXT });
  await lane.advanceBase({ 'main.ts': edited(1) });
  await lane.pushChanges({});
  const input = await lane.round(tip);
  expect(input).toMatchObject({ incremental: false, changedFiles: 2 });
});

describe('a push', () => {
  it('T-032 brings the file that it changes, with what is new in it', async () => {
    const lane = await world.open(BASE, CHANGE);
    const reviewed = lane.headSha();
    await lane.pushChanges({ 'a.ts': edited(10, 40) });
    const input = await lane.round(reviewed);
    expect(outline(input)).toEqual({ files: ['a.ts'], others: ['b.ts'], gone: [] });
    expect(newLinesOf(input, 'a.ts')).toEqual(['edited 40']);
    expect(input).toMatchObject({ incremental: true, baseSha: reviewed, changedFiles: 1, totalFiles: 2 });
  });

  it('T-035 of several commits brings them all', async () => {
    const lane = await world.open(BASE, CHANGE);
    const reviewed = lane.headSha();
    const first = await lane.commit({ 'a.ts': edited(10, 40) });
    const second = await lane.commit({ 'c.ts': 'export {};\n' }, first);
    await lane.push(await lane.commit({ 'b.ts': edited(10, 50) }, second));
    expect(outline(await lane.round(reviewed))).toEqual({
      files: ['a.ts', 'b.ts', 'c.ts'],
      others: [],
      gone: [],
    });
  });

  it('T-043 that takes itself back within several commits brings nothing', async () => {
    const lane = await world.open(BASE, CHANGE);
    const reviewed = lane.headSha();
    const there = await lane.commit({ 'a.ts': edited(10, 40), 'c.ts': 'export {};\n' });
    await lane.push(await lane.commit({ 'a.ts': CHANGE['a.ts'], 'c.ts': null }, there));
    const input = await lane.round(reviewed);
    expect(outline(input)).toEqual(NOTHING);
    expect(input.changedFiles).toBe(0);
  });

  it('that reverts a commit brings the file that is no longer part of the PR', async () => {
    const lane = await world.open(BASE, CHANGE);
    const reviewed = lane.headSha();
    await lane.pushChanges({ 'a.ts': TEXT });
    const input = await lane.round(reviewed);
    expect(outline(input)).toEqual({ files: [], others: ['b.ts'], gone: ['a.ts'] });
    expect(input.changedFiles).toBe(1);
  });

  it('that reverts a part of a file brings the file, and nothing new in it', async () => {
    const lane = await world.open(BASE, { 'a.ts': edited(10, 40) });
    const reviewed = lane.headSha();
    await lane.pushChanges({ 'a.ts': edited(40) });
    const input = await lane.round(reviewed);
    expect(outline(input).files).toEqual(['a.ts']);
    expect(newLinesOf(input, 'a.ts')).toEqual([]);
  });

  it('that goes back to an older commit brings what is undone', async () => {
    const lane = await world.open(BASE, CHANGE);
    const older = lane.headSha();
    const reviewed = await lane.pushChanges({ 'a.ts': edited(10, 40), 'c.ts': 'export {};\n' });
    await lane.push(older);
    expect(outline(await lane.round(reviewed))).toEqual({
      files: ['a.ts'],
      others: ['b.ts'],
      gone: ['c.ts'],
    });
  });

  it('T-041 of an empty commit is a commit that was not reviewed, with nothing to read', async () => {
    const lane = await world.open(BASE, CHANGE);
    const reviewed = lane.headSha();
    const pushed = await lane.pushChanges({});
    const input = await lane.round(reviewed);
    expect(pushed).not.toBe(reviewed);
    expect(input.headSha).toBe(pushed);
    expect(outline(input)).toEqual(NOTHING);
  });
});

describe('what comes from the base branch', () => {
  const theirs = { 'a.ts': `${numbered(4, 'main')}${TEXT}`, 'main.ts': TEXT, 'b.ts': edited(50) };

  it('T-036 is in no range when it is merged, also where it touched the same files', async () => {
    const lane = await world.open(BASE, CHANGE);
    const reviewed = lane.headSha();
    await lane.advanceBase(theirs);
    await lane.mergeBase();
    const input = await lane.round(reviewed);
    expect(outline(input)).toEqual(NOTHING);
    expect(input.carried).toContainEqual({
      from: 'a.ts',
      to: 'a.ts',
      hunks: [{ from: 7, to: 11, lineCount: 7 }],
    });
  });

  it('T-037 is no removal of a branch that lacks it', async () => {
    const lane = await world.open(BASE, CHANGE);
    await lane.advanceBase({ ...theirs, 'gone.ts': TEXT });
    await lane.pushChanges({ 'c.ts': 'export {};\n' });
    const input = await lane.round();
    expect(outline(input).files).toEqual(['a.ts', 'b.ts', 'c.ts']);
    expect(input.files.flatMap((file) => file.hunks.flatMap((hunk) => hunk.lines))).not.toContainEqual(
      expect.objectContaining({ text: 'main 1' }),
    );
    expect(input.files.map((file) => file.deletions)).toEqual([1, 1, 0]);
  });

  it('T-045 leaves a branch that is behind as it is, and is only counted', async () => {
    const lane = await world.open(BASE, CHANGE);
    for (let n = 0; n < 7; n += 1) await lane.advanceBase({ [`main-${n}.ts`]: TEXT });
    const reviewed = lane.headSha();
    await lane.pushChanges({ 'c.ts': 'export {};\n' });
    const input = await lane.round(reviewed);
    expect(input.behindBy).toBe(7);
    expect(outline(input)).toEqual({ files: ['c.ts'], others: ['a.ts', 'b.ts'], gone: [] });
  });

  it('T-033 is in no range when the branch is rebased onto it', async () => {
    const lane = await world.open(BASE, CHANGE);
    const reviewed = lane.headSha();
    const tip = await lane.advanceBase({ 'a.ts': `${numbered(4, 'main')}${TEXT}`, 'main.ts': TEXT });
    const files = { 'a.ts': `${numbered(4, 'main')}${edited(10)}`, 'b.ts': edited(10) };
    await lane.push(await lane.commit(files, tip));
    const input = await lane.round(reviewed);
    expect(outline(input)).toEqual(NOTHING);
    expect(input.changedFiles).toBe(0);
  });

  it('T-033 is told apart from a change that a rebase brought along', async () => {
    const lane = await world.open(BASE, CHANGE);
    const reviewed = lane.headSha();
    const tip = await lane.advanceBase({ 'a.ts': `${numbered(4, 'main')}${TEXT}`, 'main.ts': TEXT });
    const files = { 'a.ts': `${numbered(4, 'main')}${edited(10, 40)}`, 'b.ts': edited(10) };
    await lane.push(await lane.commit(files, tip));
    const input = await lane.round(reviewed);
    expect(outline(input)).toEqual({ files: ['a.ts'], others: ['b.ts'], gone: [] });
    expect(newLinesOf(input, 'a.ts')).toEqual(['edited 40']);
  });
});

describe('another base', () => {
  it('T-044 makes everything that the PR now changes the range', async () => {
    const lane = await world.open(BASE, CHANGE);
    const other = await world.open({ ...BASE, 'other.ts': TEXT }, { 'other.ts': edited(1) });
    // The new base has no file of the PR's in common history: it grew from the PR's own base.
    const release = await lane.commit({ 'release.ts': TEXT }, lane.base);
    await world.simulator.push(`release-${lane.number}`, release);
    await world.simulator.editPullRequest(lane.number, { base: `release-${lane.number}` });
    const input = await lane.round();
    expect(other.number).not.toBe(lane.number);
    expect(input).toMatchObject({ incremental: false, pr: { baseRef: `release-${lane.number}` } });
    expect(outline(input)).toEqual({ files: ['a.ts', 'b.ts'], others: [], gone: [] });
  });

  it('under a stacked PR, which was merged, leaves that one out', async () => {
    const lower = await world.open(BASE, { 'a.ts': edited(10) });
    const upper = await lower.commit({ 'b.ts': edited(10) });
    const head = `stacked-${lower.number}`;
    await world.simulator.push(head, upper);
    const { number } = await world.simulator.openPullRequest({ head, base: lower.head, title: 'Upper' });
    await world.simulator.closePullRequest(lower.number, { merged: true });
    await world.simulator.editPullRequest(number, { base: lower.base });
    const { baseSha } = world.simulator.pullRequest(number);
    const input = await lower.load({ number, baseSha, headSha: upper });
    expect(outline(input.input)).toEqual({ files: ['b.ts'], others: [], gone: [] });
  });

  it('history, part of which was merged by another way, shows what is left of the PR as the range', async () => {
    const lane = await world.open(BASE, { 'a.ts': edited(10) });
    const reviewed = lane.headSha();
    await world.simulator.push(lane.base, reviewed);
    await lane.pushChanges({ 'b.ts': edited(10) });
    const input = await lane.round(reviewed);
    expect(outline(input)).toEqual({ files: ['b.ts'], others: [], gone: [] });
    expect(newLinesOf(input, 'b.ts')).toEqual(['edited 10']);
  });
});

describe('any history', () => {
  const NAMES = ['f0.ts', 'f1.ts', 'f2.ts'];
  const slots = (offset: number) =>
    fc.uniqueArray(
      fc
        .record({ name: fc.constantFrom(...NAMES), slot: fc.integer({ min: 0, max: 2 }) })
        .map(({ name, slot }) => ({ name, line: slot * 20 + offset })),
      { selector: ({ name, line }) => `${name} ${line}`, minLength: 1, maxLength: 5 },
    );
  type Edits = readonly { readonly name: string; readonly line: number }[];

  /** Every file with the author's edits, and with more lines where the base branch gained some. */
  function contents(own: Edits, theirs: Edits): Record<string, string> {
    return Object.fromEntries(
      NAMES.map((name) => {
        const lines = TEXT.split('\n').map((text, index) => {
          const isOwn = own.some((edit) => edit.name === name && edit.line === index + 1);
          const isTheirs = theirs.some((edit) => edit.name === name && edit.line === index + 1);
          return isTheirs ? `${text}\nfrom the base` : isOwn ? `${text} by the author` : text;
        });
        return [name, lines.join('\n')];
      }),
    );
  }

  function patched(own: Edits): readonly string[] {
    return [...new Set(own.map(({ name }) => name))].toSorted();
  }

  it('T-033 T-036 has no range after a rebase or a merge, and after a push that of the files whose patch changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        slots(10),
        slots(20),
        slots(10),
        fc.boolean(),
        async (before, theirs, after, byMerge) => {
          const none: Changes = contents([], []);
          const lane = await world.open(none, contents(before, []));
          const reviewed = lane.headSha();
          const tip = await lane.advanceBase(contents([], theirs));
          if (byMerge) await lane.mergeBase();
          else await lane.push(await lane.commit(contents(before, theirs), tip));
          const merged = await lane.round(reviewed);
          expect(outline(merged)).toEqual({ files: [], others: patched(before), gone: [] });

          await lane.pushChanges(contents(after, theirs));
          const changed = NAMES.filter((name) => contents(before, [])[name] !== contents(after, [])[name]);
          const pushed = outline(await lane.round(reviewed));
          expect([...pushed.files, ...pushed.gone].toSorted()).toEqual(changed);
          expect(pushed.gone).toEqual(patched(before).filter((name) => !patched(after).includes(name)));
        },
      ),
      { numRuns: 6 },
    );
  });
});
