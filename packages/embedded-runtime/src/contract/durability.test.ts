/**
 * What is kept over restarts. Not part of the suite that runs on the published runtime: it needs a host that
 * the test can stop.
 */
import { expect, it } from 'vitest';
import { createEntityRegistry, createManualClock } from '../index.ts';
import { createTempDir, startTestHost } from '../testing/test-host.ts';

it('R4: a delayed message is delivered once, at its time, across restarts', async () => {
  const clock = createManualClock();
  const dataDir = createTempDir();
  const registry = createEntityRegistry();
  let wakes = 0;
  registry.define('kid', {
    handler: () => {
      wakes += 1;
    },
  });
  const first = await startTestHost({ registry, clock, dataDir });
  await first.client.spawnEntity({ type: 'kid', id: 'a' });
  for (const afterMs of [2_000, 1_000]) {
    await first.client.sendEntityMessage({ targetUrl: '/kid/a', payload: afterMs, afterMs });
  }
  clock.advance(999);
  await first.settled();
  expect(wakes).toBe(0);
  await first.close();

  const second = await startTestHost({ registry, clock, dataDir });
  clock.advance(1);
  await second.settled();
  const delivered = () => second.readRows('/kid/a', 'inbox').map((row) => [row.key, row.payload]);
  expect(delivered()).toEqual([['scheduled-task-2', 1_000]]);
  for (let round = 0; round < 2; round += 1) {
    clock.advance(10_000);
    await second.settled();
  }
  expect(delivered()).toEqual([
    ['scheduled-task-2', 1_000],
    ['scheduled-task-1', 2_000],
  ]);
  expect(wakes).toBe(2);
});
