import { describe, expect, it } from 'vitest';
import { openStage } from './testing/stage.ts';

const FOCUSED = "import { it } from 'vitest';\n\nit.only('adds', () => {});\n";

describe('a pull request of the team', () => {
  it('gets one comment by six workers, and the second iteration in the same comment', async () => {
    const stage = await openStage();
    await stage.commit('feature', { 'src/price.test.ts': FOCUSED });
    const { number } = await stage.simulator.openPullRequest({
      head: 'feature',
      base: 'main',
      title: 'Test prices',
      author: 'ada',
    });
    const first = await stage.published(1);
    expect(first.action).toBe('created');
    expect(first.body).toContain('src/price.test.ts');
    const workers = stage.progress.flatMap((event) =>
      event.type === 'worker' && event.state === 'done' ? [event.aspect] : [],
    );
    expect(workers.toSorted()).toEqual([
      'architecture',
      'conventions',
      'correctness',
      'perf',
      'security',
      'tests',
    ]);

    const sha = await stage.commit('feature', { 'src/price.test.ts': FOCUSED.replace('.only', '') });
    await stage.simulator.push('feature', sha, { by: 'ada' });
    const second = await stage.published(2);
    expect(second).toMatchObject({ action: 'updated', sha, commentId: first.commentId });
    await stage.quiet();
    expect(stage.ours(number)).toHaveLength(1);
  });
});
