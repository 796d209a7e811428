import { describe, expect, it, onTestFinished } from 'vitest';
import { createEmbeddedHost } from '../host.ts';
import { cron } from '../sources.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { type Script, scripted } from '../testing/script.ts';
import { createTempDir, startTestHost } from '../testing/test-host.ts';
import type { WakeEvent } from '../types.ts';

const SOURCE = '/_cron/eyJleHByZXNzaW9uIjoiKi8yICogKiAqICogKiIsInRpbWV6b25lIjoiVVRDIn0';
const ZEROS = { fromOffset: 0, toOffset: 0, eventCount: 0 };

/** Observes what it is told to on each wake, and keeps the wakes. */
function observer(...expressions: readonly [expression: string, timezone?: string][]) {
  const wakes: WakeEvent[] = [];
  const script: Script = async (ctx, wake) => {
    wakes.push(wake);
    for (const [expression, timezone] of expressions) {
      await ctx.observe(cron(expression, timezone === undefined ? {} : { timezone }));
    }
  };
  return { wakes, script };
}

const keyOf = (wake: WakeEvent | undefined) =>
  (wake?.payload as { changes: { key: string }[] } | undefined)?.changes.map(({ key }) => key);

describe('cron', () => {
  it('ticks on one shared stream for each expression, in UTC by default', async () => {
    const clock = createManualClock();
    const { wakes, script } = observer(['*/2 * * * * *']);
    const host = await startTestHost({ registry: scripted({ e: script }), clock });
    for (const id of ['a', 'b']) await host.client.spawnEntity({ type: 'e', id, initialMessage: 'go' });
    await host.settled();
    clock.advance(2_000);
    await host.settled();
    expect(wakes).toHaveLength(4);
    expect(wakes.slice(2)).toEqual(
      Array.from({ length: 2 }, () => ({
        source: SOURCE,
        type: 'wake',
        ...ZEROS,
        payload: {
          timestamp: '2026-01-01T00:00:02.000Z',
          source: SOURCE,
          timeout: false,
          changes: [{ collection: 'cron_tick', kind: 'insert', key: 'tick-0' }],
          _timeline_order: expect.stringMatching(/^stream:\d+$/),
        },
      })),
    );
    clock.advance(2_000);
    await host.settled();
    expect(wakes.slice(4).map(keyOf)).toEqual([['tick-1'], ['tick-1']]);
  });

  it('takes five fields and a time zone, over its changes to summer time', async () => {
    const clock = createManualClock(Date.UTC(2026, 2, 28, 7, 59));
    const { wakes, script } = observer(['0 9 * * *', 'Europe/Berlin']);
    const host = await startTestHost({ registry: scripted({ e: script }), clock });
    await host.client.spawnEntity({ type: 'e', id: 'a', initialMessage: 'go' });
    await host.settled();
    clock.advance(60_000);
    await host.settled();
    clock.advance(23 * 3_600_000 - 1);
    await host.settled();
    expect(wakes).toHaveLength(2);
    clock.advance(1);
    await host.settled();
    expect(wakes).toHaveLength(3);
  });

  it('fires once, late, what was due while the host was down', async () => {
    const dataDir = createTempDir();
    const clock = createManualClock();
    const { wakes, script } = observer(['*/2 * * * * *']);
    const first = createEmbeddedHost({ registry: scripted({ e: script }), dataDir, clock });
    onTestFinished(() => first.close());
    await first.start();
    await first.client.spawnEntity({ type: 'e', id: 'a', initialMessage: 'go' });
    await first.settled();
    await first.close();
    clock.advance(61_000);
    const host = await startTestHost({ registry: scripted({ e: script }), dataDir, clock });
    await host.settled();
    expect(wakes.slice(1).map(keyOf)).toEqual([['tick-0']]);
    clock.advance(1_000);
    await host.settled();
    expect(wakes.slice(2).map(keyOf)).toEqual([['tick-1']]);
  });

  it('ends its ticks when nobody observes it any more', async () => {
    const clock = createManualClock();
    const { script } = observer(['* * * * * *']);
    const host = await startTestHost({ registry: scripted({ e: script }), clock });
    await host.client.spawnEntity({ type: 'e', id: 'a', initialMessage: 'go' });
    await host.settled();
    await host.client.deleteEntity('/e/a');
    clock.advance(60_000);
    await host.settled();
    expect(host.readRows('/e/a', 'wakes')).toEqual([]);
  });

  it.each([
    ['61 * * * *', 'UTC', 'malformed'],
    ['* * * *', 'UTC', 'neither five nor six fields'],
    ['@daily', 'UTC', 'neither five nor six fields'],
    ['0 0 31 2 *', 'UTC', 'never ticks'],
    ['* * * * *', 'Mars/Base', 'malformed'],
  ])('refuses %j in %s: %s', (expression, timezone, reason) => {
    expect(() => cron(expression, { timezone })).toThrow(reason);
  });
});
