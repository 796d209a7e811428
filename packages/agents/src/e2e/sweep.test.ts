import { describe, expect, it } from 'vitest';
import { workerUrl } from '../ids.ts';
import { openStage } from './testing/stage.ts';

const FOCUSED = "it.only('adds', () => {});\n";

describe('the sweep at the start', () => {
  it('T-023 finds the push and the close that no delivery told of', async () => {
    const stage = await openStage();
    await stage.commit('feature', { 'a.test.ts': FOCUSED });
    await stage.commit('other', { 'b.test.ts': FOCUSED });
    const pr = { base: 'main', title: 'Add a test', author: 'ada' };
    const feature = await stage.simulator.openPullRequest({ ...pr, head: 'feature' });
    await stage.published(1);
    const other = await stage.simulator.openPullRequest({ ...pr, head: 'other' });
    await stage.published(1, other.number);
    await stage.quiet();

    await stage.stopService();
    const sha = await stage.commit('feature', { 'a.test.ts': FOCUSED.replace('.only', '') });
    await stage.simulator.push('feature', sha, { by: 'ada' });
    await stage.simulator.closePullRequest(other.number);
    await stage.commit('third', { 'c.test.ts': FOCUSED });
    const missed = await stage.simulator.openPullRequest({ ...pr, head: 'third' });

    await stage.startService();
    expect(await stage.published(2)).toMatchObject({ sha });
    await stage.published(1, missed.number);
    await stage.quiet();
    expect(stage.ours(feature.number)).toHaveLength(1);
    const url = workerUrl({ owner: 'acme', repo: 'shop', number: other.number }, 'perf');
    expect(stage.service().factory.host.readRows(url, 'meta')).toMatchObject([{ status: 'shutdown' }]);
  });

  it('starts no review of a PR that was open before the service ever ran', async () => {
    const stage = await openStage({ serve: false });
    await stage.commit('feature', { 'a.test.ts': FOCUSED });
    const { number } = await stage.simulator.openPullRequest({
      head: 'feature',
      base: 'main',
      title: 'Add a test',
      author: 'ada',
    });
    await stage.startService();
    await stage.quiet();
    expect(stage.ours(number)).toEqual([]);
    const sha = await stage.commit('feature', { 'b.txt': 'b\n' });
    await stage.simulator.push('feature', sha, { by: 'ada' });
    await stage.published(1);
    expect(stage.ours(number)).toHaveLength(1);
  });
});
