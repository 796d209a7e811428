import { describe, expect, it, vi } from 'vitest';
import { createSweeper } from '../host/sweep.ts';
import { workerUrl } from '../ids.ts';
import { FOCUSED } from './testing/scene.ts';
import { openStage, type Stage } from './testing/stage.ts';

const PLAIN = "it('adds', () => {});\n";
const ENDLESS = new AbortController().signal;
const PULLS = /\/pulls\?/;

/** Opens a PR with one file that the tests aspect speaks of. */
async function openPr(stage: Stage, head: string, draft = false): Promise<number> {
  await stage.commit(head, { [`${head}.test.ts`]: FOCUSED });
  const pr = { head, base: 'main', title: `Add ${head}`, author: 'ada', draft };
  return (await stage.simulator.openPullRequest(pr)).number;
}

/** What happens in here, no delivery tells of. */
async function untold(stage: Stage, act: () => Promise<void>): Promise<void> {
  stage.simulator.setWebhookUrl(undefined);
  await act();
  stage.simulator.setWebhookUrl(`${stage.service().url}/webhooks/github`);
}

/** A sweeper that does not wait, but says how long it would have. */
function sweeperOf(stage: Stage) {
  const waitsMs: number[] = [];
  const sweeper = createSweeper(stage.service().factory, async (ms) => void waitsMs.push(ms));
  return { waitsMs, pass: () => sweeper.pass(ENDLESS) };
}

function asked(stage: Stage, path: RegExp): number {
  return stage.simulator.requests.filter((request) => path.test(request.path)).length;
}

function workerStatus(stage: Stage, number: number): unknown {
  const url = workerUrl({ owner: 'acme', repo: 'shop', number }, 'perf');
  return stage.service().factory.host.readRows(url, 'meta')[0]?.status;
}

describe('the sweep at the start', () => {
  it('T-023 finds the push, the close and the new PR that no delivery told of', async () => {
    const stage = await openStage();
    const feature = await openPr(stage, 'feature');
    await stage.published(1);
    const other = await openPr(stage, 'other');
    await stage.published(1, other);
    await stage.quiet();

    await stage.stopService();
    const sha = await stage.commit('feature', { 'feature.test.ts': PLAIN });
    await stage.simulator.push('feature', sha, { by: 'ada' });
    await stage.simulator.closePullRequest(other);
    const missed = await openPr(stage, 'third');

    await stage.startService();
    expect(await stage.published(2)).toMatchObject({ sha });
    await stage.published(1, missed);
    await stage.quiet();
    expect(stage.ours(feature)).toHaveLength(1);
    expect(workerStatus(stage, other)).toBe('shutdown');
  });
});

describe('a later sweep', () => {
  it('T-023 finds whatever else no delivery told of, and leaves alone what needs nothing', async () => {
    const stage = await openStage();
    const draft = await openPr(stage, 'draft', true);
    const labelled = await openPr(stage, 'labelled');
    const retargeted = await openPr(stage, 'retargeted');
    const reopened = await openPr(stage, 'reopened');
    await Promise.all([labelled, retargeted, reopened].map((number) => stage.published(1, number)));
    await stage.commit('next', { 'next.txt': 'next\n' });
    await stage.simulator.closePullRequest(reopened);
    await stage.quiet();
    const { pass, waitsMs } = sweeperOf(stage);

    await untold(stage, async () => {
      await stage.simulator.setDraft(draft, false);
      await stage.simulator.editPullRequest(retargeted, { base: 'next' });
      await stage.simulator.addLabel(labelled, 'no-shepherd');
      const sha = await stage.commit('reopened', { 'reopened.test.ts': PLAIN });
      await stage.simulator.push('reopened', sha);
      await stage.simulator.reopenPullRequest(reopened);
    });
    expect(await pass()).toEqual({ open: 4, told: 4 });
    // One after another, with time for what each of them asks.
    expect(waitsMs).toEqual([1_000, 1_000, 1_000]);
    await stage.published(1, draft);
    await stage.published(2, retargeted);
    await stage.published(2, reopened);
    await stage.quiet();
    expect(workerStatus(stage, labelled)).toBe('shutdown');

    const before = stage.simulator.requests.length;
    expect(await pass()).toEqual({ open: 4, told: 0 });
    expect(await pass()).toEqual({ open: 4, told: 0 });
    await stage.quiet();
    const requests = stage.simulator.requests.slice(before);
    expect(requests.every(({ path }) => PULLS.test(path))).toBe(true);
    expect(requests).toHaveLength(2);
    expect(requests[1]).toMatchObject({ status: 304 });
  });

  it('T-025 is not misled by a list that is behind, nor by one that breaks off', async () => {
    const stage = await openStage();
    const number = await openPr(stage, 'feature');
    await stage.published(1);
    await stage.quiet();
    const { pass } = sweeperOf(stage);
    expect(await pass()).toEqual({ open: 1, told: 0 });

    const page = Array.from({ length: 100 }, (_, index) => listed(number, 1_000 + index));
    stage.simulator.inject({ path: PULLS, times: 1, respond: { status: 200, body: page } });
    stage.simulator.inject({
      path: PULLS,
      times: 1,
      respond: { status: 403, body: { message: 'Forbidden' } },
    });
    await expect(pass()).rejects.toThrow('list the open pull requests');
    await stage.quiet();
    expect(asked(stage, /pulls\/1\d{3}$/)).toBe(0);

    // The head that a push replaced: the Shepherd looks, and what it knows still holds.
    stage.simulator.inject({
      path: PULLS,
      times: 1,
      respond: { status: 200, body: [listed(number, number)] },
    });
    expect(await pass()).toEqual({ open: 1, told: 1 });
    // Not listed although it is open: the list is a hint, and the PR itself says what is true.
    stage.simulator.inject({ path: PULLS, times: 1, respond: { status: 200, body: [] } });
    await stage.quiet();
    expect(await pass()).toEqual({ open: 0, told: 1 });
    await stage.quiet();
    expect(await pass()).toEqual({ open: 1, told: 0 });
    expect(stage.ours(number)).toHaveLength(1);
    expect(stage.progress.filter(({ type }) => type === 'comment')).toHaveLength(1);
    expect(workerStatus(stage, number)).toBe('active');
  });
});

describe('a PR that was open before the service ever ran', () => {
  it('is left alone until something happens to it, told or not', async () => {
    const stage = await openStage({ serve: false });
    const told = await openPr(stage, 'told');
    const missed = await openPr(stage, 'missed');
    const idle = await openPr(stage, 'idle');
    await nextSecond();
    await stage.startService();
    const { pass } = sweeperOf(stage);
    expect(await pass()).toEqual({ open: 3, told: 0 });
    await stage.quiet();
    expect(stage.progress).toEqual([]);

    const first = await stage.commit('told', { 'b.txt': 'b\n' });
    await stage.simulator.push('told', first, { by: 'ada' });
    await stage.published(1, told);
    const second = await stage.commit('missed', { 'b.txt': 'b\n' });
    await untold(stage, () => stage.simulator.push('missed', second, { by: 'ada' }));
    expect(await pass()).toEqual({ open: 3, told: 1 });
    await stage.published(1, missed);
    await stage.quiet();
    expect(stage.ours(idle)).toEqual([]);
  });
});

/** GitHub tells whole seconds: what happens in the same one as the first start may be before or after it. */
async function nextSecond(): Promise<void> {
  const startMs = Date.now();
  await vi.waitFor(() => expect(Math.floor(Date.now() / 1000)).toBeGreaterThan(Math.floor(startMs / 1000)), {
    timeout: 2_000,
    interval: 20,
  });
}

function listed(real: number, number: number): unknown {
  const head = { sha: 'f'.repeat(40) };
  const pr = { number, head, base: { ref: 'main' }, draft: false, labels: [] };
  return { ...pr, updated_at: number === real ? '2020-01-01T00:00:00Z' : '2100-01-01T00:00:00Z' };
}
