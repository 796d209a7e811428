import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PermanentError, TransientError } from '../errors.ts';
import { createMemberships } from '../github/membership.ts';
import { readPullRequest } from '../github/pull-request.ts';
import { openRoundWorld, outline, type RoundWorld } from './testing/round-world.ts';

let world: RoundWorld;
beforeAll(async () => {
  world = await openRoundWorld();
});
afterAll(() => world.close());

const NOT_FOUND = { status: 404, body: { message: 'Not Found' } };
const GONE = 'f'.repeat(40);

/** A PR that was reviewed, and then changed once more. */
async function reviewedLane() {
  const lane = await world.open({ 'a.ts': 'a\n' }, { 'a.ts': 'b\n', 'b.ts': 'b\n' });
  const reviewed = lane.headSha();
  await lane.pushChanges({ 'b.ts': 'c\n' });
  return { lane, reviewed };
}

describe('a commit that GitHub does not know', () => {
  it('as the last reviewed one makes the whole PR the range', async () => {
    const { lane } = await reviewedLane();
    const { input } = await lane.load({ baseSha: GONE, headSha: lane.headSha() });
    expect(outline(input)).toEqual({ files: ['a.ts', 'b.ts'], others: [], gone: [] });
    expect(input).toMatchObject({ incremental: false, baseSha: input.pr.baseSha });
  });

  it('as the head is no reason to give up for good', async () => {
    const { lane, reviewed } = await reviewedLane();
    await expect(lane.load({ baseSha: reviewed, headSha: GONE })).rejects.toBeInstanceOf(TransientError);
  });

  it('T-027 for some seconds is asked for again, and what it said is not remembered', async () => {
    const { lane, reviewed } = await reviewedLane();
    const spec = { baseSha: reviewed, headSha: lane.headSha() };
    const path = new RegExp(`/compare/\\w+\\.\\.\\.${spec.headSha}`);
    world.simulator.inject({ path, times: 2, respond: NOT_FOUND });
    await expect(lane.load(spec)).rejects.toBeInstanceOf(TransientError);
    await expect(lane.load(spec)).rejects.toBeInstanceOf(TransientError);
    expect(outline((await lane.load(spec)).input).files).toEqual(['b.ts']);
  });

  it('T-027 for some seconds as the last reviewed one costs more reading, and loses nothing', async () => {
    const { lane, reviewed } = await reviewedLane();
    const path = new RegExp(`/compare/\\w+\\.\\.\\.${reviewed}`);
    world.simulator.inject({ path, times: 1, respond: NOT_FOUND });
    expect(outline(await lane.round(reviewed)).files).toEqual(['a.ts', 'b.ts']);
    expect(outline(await lane.round(reviewed)).files).toEqual(['b.ts']);
  });
});

describe('histories that have nothing in common', () => {
  it('cannot be compared: that stays, and is told with its remedy', async () => {
    const { lane, reviewed } = await reviewedLane();
    const orphan = await world.open({ 'z.ts': 'z\n' }, { 'z.ts': 'y\n' });
    const loaded = lane.load({ baseSha: reviewed, headSha: orphan.headSha() });
    await expect(loaded).rejects.toBeInstanceOf(PermanentError);
    await expect(loaded).rejects.toThrow('rebase');
  });

  it('before the last push make the whole PR the range', async () => {
    const { lane } = await reviewedLane();
    const orphan = await world.open({ 'z.ts': 'z\n' }, { 'z.ts': 'y\n' });
    const { input } = await lane.load({ baseSha: orphan.headSha(), headSha: lane.headSha() });
    expect(outline(input).files).toEqual(['a.ts', 'b.ts']);
  });
});

describe('a pull request from a fork', () => {
  it('T-039 is compared in the repository that it wants to change, also when the fork is deleted', async () => {
    const lane = await world.open({ 'a.ts': 'a\n' }, { 'a.ts': 'b\n' }, { fork: 'eve' });
    const before = await lane.round();
    world.simulator.deleteFork(lane.number);
    const after = await lane.round();
    expect(outline(after)).toEqual(outline(before));
    expect(after.files).toMatchObject([{ path: 'a.ts', additions: 1, deletions: 1 }]);
    const compared = world.simulator.requests.filter((request) => request.path.includes('/compare/'));
    expect(compared.every((request) => request.path.startsWith('/repos/acme/shop/'))).toBe(true);
  });

  it('T-148 is judged by its author, not by where its branch lies', async () => {
    const lane = await world.open({ 'a.ts': 'a\n' }, { 'a.ts': 'b\n' }, { fork: 'ada' });
    const classOf = async () => {
      const read = await readPullRequest(world.octokit, { owner: 'acme', repo: 'shop', number: lane.number });
      if (!read.found) throw new TypeError('the PR is there');
      const { author, authorIsBot, ...repo } = read.pr;
      return createMemberships().classify(world.octokit, repo, { login: author, isBot: authorIsBot });
    };
    expect(await classOf()).toBe('team');
    world.simulator.deleteFork(lane.number);
    expect(await classOf()).toBe('team');
  });
});
