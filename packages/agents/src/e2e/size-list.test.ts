import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PermanentError } from '../errors.ts';
import { numbered } from '../review/testing/builders.ts';
import { type Lane, openRoundWorld, outline, type RoundWorld } from './testing/round-world.ts';

let world: RoundWorld;
beforeAll(async () => {
  world = await openRoundWorld();
});
afterAll(() => world.close());

const BASE = { 'README.md': 'Hi\n' };
const REFUSED = {
  status: 406,
  body: { message: 'Sorry, the diff exceeded the maximum number of files (300).' },
};

/** `f0000.ts` and so on. */
function many(count: number, text = 'export {};\n'): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`f${String(index).padStart(4, '0')}.ts`, text]),
  );
}

function listRequests(lane: Lane): number {
  return world.simulator.requests.filter(({ path }) => path.includes(`/pulls/${lane.number}/files`)).length;
}

describe('T-076 a comparison holds 300 files', () => {
  it('beyond them the list of the PR is read, and counted against what the PR says', async () => {
    const lane = await world.open(BASE, many(305));
    const input = await lane.round();
    expect(input).toMatchObject({ totalFiles: 305, changedFiles: 305, listComplete: true });
    expect(listRequests(lane)).toBe(4);
  });

  it('300 files are all of them where the PR says so, without another request', async () => {
    const lane = await world.open(BASE, many(300));
    expect(await lane.round()).toMatchObject({ totalFiles: 300, listComplete: true });
    expect(listRequests(lane)).toBe(0);
  });

  it('the list of another head is not mixed in when a push comes while it is read', async () => {
    const lane = await world.open(BASE, many(305));
    const headSha = lane.headSha();
    const pushed = await lane.commit({ 'a.ts': 'late\n' });
    let open = (): void => {};
    world.simulator.inject({
      path: new RegExp(`/pulls/${lane.number}/files`),
      times: 1,
      gate: new Promise<void>((resolve) => {
        open = resolve;
      }),
      onRequest: () => {
        void lane.push(pushed).then(open);
      },
    });
    const { baseSha } = world.simulator.pullRequest(lane.number);
    const { input } = await lane.load({ baseSha, headSha });
    expect(outline(input).files).not.toContain('a.ts');
    expect(input).toMatchObject({ listComplete: false, totalFiles: 305 });
    expect(input.files).toHaveLength(300);
  });

  it("a head that is no longer the PR's is reviewed as far as the comparison tells", async () => {
    const lane = await world.open(BASE, many(305));
    const headSha = lane.headSha();
    await lane.pushChanges({ 'a.ts': 'late\n' });
    const { baseSha } = world.simulator.pullRequest(lane.number);
    const { input } = await lane.load({ baseSha, headSha });
    expect(input).toMatchObject({ listComplete: false });
    expect(input.files).toHaveLength(300);
  });
});

describe('T-076 what was reviewed of such a PR', () => {
  it('is not reviewed again after a push: only what that touched is', async () => {
    const lane = await world.open(BASE, many(305));
    const reviewed = lane.headSha();
    await lane.pushChanges({ 'f0003.ts': 'changed\n', 'f0303.ts': 'changed\n', 'g.ts': 'new\n' });
    const input = await lane.round(reviewed);
    expect(outline(input).files).toEqual(['f0003.ts', 'f0303.ts', 'g.ts']);
    expect(input).toMatchObject({ incremental: true, totalFiles: 306, listComplete: true });
    // Nobody knows what stood in the patch of a file beyond the cap, so that all of it is new.
    expect(input.files.every((file) => file.hunks.every((hunk) => hunk.isNew))).toBe(true);
  });

  it('is not reviewed again after a merge of the base branch', async () => {
    const lane = await world.open(BASE, many(305));
    const reviewed = lane.headSha();
    await lane.advanceBase({ 'main.ts': 'main\n' });
    await lane.mergeBase();
    expect(outline(await lane.round(reviewed)).files).toEqual([]);
  });

  it('is read again after a rebase, since nobody can know what changed', async () => {
    const lane = await world.open(BASE, many(305));
    const reviewed = lane.headSha();
    const tip = await lane.advanceBase({ 'main.ts': 'main\n' });
    await lane.push(await lane.commit(many(305), tip));
    expect(await lane.round(reviewed)).toMatchObject({ incremental: false, changedFiles: 305 });
  });
});

describe('T-077 the list of a PR ends at 3,000 files', () => {
  it('and the round says that there are more', async () => {
    const lane = await world.open(BASE, many(3_005));
    const input = await lane.round();
    expect(input).toMatchObject({ totalFiles: 3_005, listComplete: false });
    expect(input.files).toHaveLength(3_000);
  });
});

describe('T-075 a refusal', () => {
  it('is not asked for again: the list of the PR is read instead', async () => {
    const lane = await world.open(BASE, many(3));
    const path = new RegExp(`/compare/\\w+\\.\\.\\.${lane.headSha()}`);
    const before = world.simulator.requests.length;
    world.simulator.inject({ path, respond: REFUSED });
    const input = await lane.round();
    expect(outline(input).files).toEqual(Object.keys(many(3)));
    expect(input).toMatchObject({ listComplete: true, baseSha: input.pr.baseSha });
    const asked = world.simulator.requests.slice(before).filter((request) => path.test(request.path));
    expect(asked).toHaveLength(1);
  });

  it('of both is told once and for all', async () => {
    const lane = await world.open(BASE, many(3));
    world.simulator.inject({ path: new RegExp(`/compare/\\w+\\.\\.\\.${lane.headSha()}`), respond: REFUSED });
    world.simulator.inject({ path: new RegExp(`/pulls/${lane.number}/files`), respond: REFUSED });
    await expect(lane.round()).rejects.toBeInstanceOf(PermanentError);
  });

  it('of what was reviewed makes the whole PR the range', async () => {
    const lane = await world.open(BASE, many(3));
    const reviewed = lane.headSha();
    await lane.pushChanges({ 'f0001.ts': 'changed\n' });
    const path = new RegExp(`/compare/\\w+\\.\\.\\.${reviewed}`);
    const takeBack = world.simulator.inject({ path, respond: REFUSED });
    expect(outline(await lane.round(reviewed)).files).toHaveLength(3);
    takeBack();
  });
});

describe('T-073 a diff that GitHub would refuse to show whole', () => {
  it('is read file by file; what is too large alone is named, and nothing is claimed about it', async () => {
    const lane = await world.open(BASE, {
      'data.ts': numbered(20_100),
      'package-lock.json': numbered(42_000),
      'src/a.ts': 'export const a = 1;\n',
    });
    const { files } = await lane.round();
    expect(files.map(({ path, unread }) => [path, unread])).toEqual([
      ['src/a.ts', undefined],
      ['data.ts', 'too-large'],
      ['package-lock.json', 'too-large'],
    ]);
  });

  it('T-081 keeps the eight lines that people wrote, whatever a generator added', async () => {
    const lane = await world.open(BASE, {
      'a/baseline.generated.json': numbered(18_000),
      'a/yarn.lock': numbered(18_000),
      'z/price.ts': numbered(8),
    });
    const { files } = await lane.round();
    expect(files.map(({ path, unread }) => [path, unread])).toEqual([
      ['z/price.ts', undefined],
      ['a/baseline.generated.json', 'generated'],
      ['a/yarn.lock', 'generated'],
    ]);
  });
});
