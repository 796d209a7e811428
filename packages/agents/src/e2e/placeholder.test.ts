import { expect, it } from 'vitest';
import { hold } from './testing/hold.ts';
import { openPr } from './testing/scene.ts';
import { openStage, type Stage } from './testing/stage.ts';

/** Each text of ours that stood under a pull request at any time, oldest first: people only say `asked`. */
function written({ simulator }: Stage, asked?: string): readonly unknown[] {
  return simulator.deliveries
    .filter(({ event }) => event === 'issue_comment')
    .map(({ payload }) => (payload.comment as { readonly body?: unknown }).body)
    .filter((body) => body !== asked);
}

it('T-084 nothing is written before there is a result, also where the service dies or the review cannot be done', async () => {
  const [stage, broken] = await Promise.all([openStage(), openStage()]);
  const held = hold(stage.simulator, /\/compare\//);
  await openPr(stage, 'feature');
  await held.reached;
  expect(written(stage)).toEqual([]);
  const stopped = stage.stopService();
  held.release();
  await stopped;
  expect(stage.ours(1)).toEqual([]);

  await stage.startService();
  await stage.published(1);
  await stage.quiet();
  expect(written(stage)).toEqual([expect.stringContaining('### Issues Found')]);
  expect(stage.ours(1)).toHaveLength(1);

  const respond = { status: 403, body: { message: 'Resource not accessible by integration' } };
  broken.simulator.inject({ path: /\/compare\//, respond });
  await openPr(broken, 'feature');
  await broken.failed();
  await broken.quiet();
  expect(broken.ours(1)).toEqual([]);
  const asked = '@horton review';
  await broken.simulator.comment(1, { author: 'ada', body: asked });
  await broken.quiet();
  expect(written(broken, asked)).toEqual([expect.stringMatching(/^The review could not be finished: /)]);
});
