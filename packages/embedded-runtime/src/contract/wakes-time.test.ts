import { expect, it } from 'vitest';
import type { WakeEvent } from '../index.ts';
import { rowsOf } from './testing/conformance-host.ts';
import { api, scripted, section, startHost, typeName } from './testing/harness.ts';

/** An entity that observes a cron on its first wake, and keeps its wakes. */
async function setUp(expression?: string) {
  const type = typeName('e');
  const wakes: WakeEvent[] = [];
  const host = await startHost(
    scripted({
      async [type](ctx, wake) {
        wakes.push(wake);
        if (expression !== undefined) await ctx.observe(api.cron(expression));
      },
    }),
  );
  await host.client.spawnEntity({ type, id: 'a', initialMessage: 'go' });
  await host.settled();
  return { host, wakes, url: `/${type}/a` };
}

function segmentOf(spec: object): string {
  return Buffer.from(JSON.stringify(spec)).toString('base64url');
}

section('cron', () => {
  it('names its stream by expression and time zone, UTC by default', () => {
    expect(api.cron('*/2 * * * * *')).toMatchObject({
      sourceType: 'cron',
      sourceRef: 'eyJleHByZXNzaW9uIjoiKi8yICogKiAqICogKiIsInRpbWV6b25lIjoiVVRDIn0',
    });
    const spec = { expression: '0 9 * * 1', timezone: 'Europe/Berlin' };
    expect(api.cron(spec.expression, { timezone: spec.timezone })).toMatchObject({
      sourceRef: segmentOf(spec),
    });
  });

  it('wakes with its tick, of six fields too', async () => {
    const { host, wakes } = await setUp('*/2 * * * * *');
    await host.pass(2_500);
    const source = `/_cron/${segmentOf({ expression: '*/2 * * * * *', timezone: 'UTC' })}`;
    expect(wakes[1]).toEqual({
      source,
      type: 'wake',
      fromOffset: 0,
      toOffset: 0,
      eventCount: 0,
      payload: {
        timestamp: expect.any(String),
        source,
        timeout: false,
        changes: [{ collection: 'cron_tick', kind: 'insert', key: expect.stringMatching(/^tick-\d+$/) }],
        _timeline_order: expect.stringMatching(/^stream:/),
      },
    });
  });
});

section('schedules', () => {
  it('of a cron wake like the cron; the manifest has their payload', async () => {
    const { host, wakes, url } = await setUp();
    await host.client.upsertCronSchedule({
      entityUrl: url,
      id: 'nightly',
      expression: '*/2 * * * * *',
      payload: { sweep: true },
    });
    await host.pass(2_500);
    expect(wakes[1]).toMatchObject({ type: 'wake', payload: { changes: [{ collection: 'cron_tick' }] } });
    expect(await rowsOf(host, url, 'manifest')).toMatchObject([
      {
        kind: 'schedule',
        scheduleType: 'cron',
        expression: '*/2 * * * * *',
        payload: { sweep: true },
      },
    ]);
    await host.client.deleteSchedule({ entityUrl: url, id: 'nightly' });
    const { length } = wakes;
    await host.pass(3_000);
    expect(wakes).toHaveLength(length);
    expect(await rowsOf(host, url, 'manifest')).toEqual([]);
  });

  it('of a message send it once, and can be replaced', async () => {
    const { host, wakes, url } = await setUp();
    // The host's clock may stand still, so its own time-stamps tell the time.
    const [first] = await rowsOf(host, url, 'inbox');
    const fireAt = new Date(Date.parse(String(first?.timestamp)) + 3_000).toISOString();
    for (const payload of ['first', 'second']) {
      const schedule = { entityUrl: url, id: 'deadline', payload, messageType: 'deadline', fireAt };
      await host.client.upsertFutureSendSchedule(schedule);
    }
    await host.pass(4_000);
    await host.pass(1_000);
    expect(wakes.slice(1)).toMatchObject([{ type: 'inbox', payload: 'second', summary: 'deadline' }]);
    expect(await rowsOf(host, url, 'manifest')).toMatchObject([
      { scheduleType: 'future_send', targetUrl: url, messageType: 'deadline', status: 'sent' },
    ]);
  });
});
