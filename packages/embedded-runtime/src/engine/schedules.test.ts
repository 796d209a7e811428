import { describe, expect, it } from 'vitest';
import { createManualClock } from '../testing/manual-clock.ts';
import { rejectionOf, scripted } from '../testing/script.ts';
import { startTestHost } from '../testing/test-host.ts';
import type { WakeEvent } from '../types.ts';

const SOURCE = '/_cron/eyJleHByZXNzaW9uIjoiKi8yICogKiAqICogKiIsInRpbWV6b25lIjoiVVRDIn0';

const keyOf = (wake: WakeEvent | undefined) =>
  (wake?.payload as { changes: { key: string }[] } | undefined)?.changes.map(({ key }) => key);

describe('schedules', () => {
  async function setUp() {
    const clock = createManualClock();
    const wakes: WakeEvent[] = [];
    const registry = scripted({ e: (_, wake) => void wakes.push(wake) });
    const host = await startTestHost({ registry, clock });
    for (const id of ['a', 'b']) await host.client.spawnEntity({ type: 'e', id });
    const after = (ms: number) => new Date(clock.now() + ms).toISOString();
    return { host, clock, wakes, after };
  }

  it('tick until they are deleted; their payload stands in the manifest', async () => {
    const { host, clock, wakes } = await setUp();
    const schedule = { entityUrl: '/e/a', id: 's', expression: '*/2 * * * * *', payload: { why: 'sweep' } };
    await host.client.upsertCronSchedule(schedule);
    expect(host.readRows('/e/a', 'manifests')).toMatchObject([
      {
        key: 'schedule:s',
        kind: 'schedule',
        id: 's',
        scheduleType: 'cron',
        expression: '*/2 * * * * *',
        timezone: 'UTC',
        payload: { why: 'sweep' },
        wake: { on: 'change' },
      },
    ]);
    clock.advance(2_000);
    await host.settled();
    expect(wakes.map((wake) => [wake.source, keyOf(wake)])).toEqual([[SOURCE, ['tick-0']]]);
    await host.client.deleteSchedule({ entityUrl: '/e/a', id: 's' });
    clock.advance(60_000);
    await host.settled();
    expect(wakes).toHaveLength(1);
    expect(host.readRows('/e/a', 'manifests')).toEqual([]);
  });

  it('send a message once, and say so', async () => {
    const { host, clock, wakes, after } = await setUp();
    const fireAt = after(1_000);
    await host.client.upsertFutureSendSchedule({
      entityUrl: '/e/a',
      id: 's',
      payload: { n: 1 },
      targetUrl: '/e/b',
      fireAt,
      messageType: 'later',
    });
    const row = { scheduleType: 'future_send', fireAt, targetUrl: '/e/b', payload: { n: 1 } };
    expect(host.readRows('/e/a', 'manifests')).toMatchObject([{ ...row, status: 'pending' }]);
    clock.advance(1_000);
    await host.settled();
    clock.advance(60_000);
    await host.settled();
    expect(wakes).toMatchObject([{ type: 'inbox', payload: { n: 1 }, summary: 'later' }]);
    expect(host.readRows('/e/b', 'inbox')).toMatchObject([{ from_agent: '/e/a', message_type: 'later' }]);
    expect(host.readRows('/e/a', 'manifests')).toMatchObject([{ ...row, status: 'sent', sentAt: fireAt }]);
  });

  it('are replaced and cancelled by their id', async () => {
    const { host, clock, wakes, after } = await setUp();
    const put = (id: string, payload: unknown, ms: number) =>
      host.client.upsertFutureSendSchedule({ entityUrl: '/e/a', id, payload, fireAt: after(ms) });
    await put('moved', 'early', 1_000);
    await put('moved', 'late', 5_000);
    await put('cancelled', 'never', 1_000);
    await host.client.deleteSchedule({ entityUrl: '/e/a', id: 'cancelled' });
    await host.client.deleteSchedule({ entityUrl: '/e/a', id: 'never was' });
    clock.advance(4_000);
    await host.settled();
    expect(wakes).toEqual([]);
    clock.advance(1_000);
    await host.settled();
    expect(wakes.map((wake) => wake.payload)).toEqual(['late']);
  });

  it('note why a message could not be sent', async () => {
    const { host, clock, after } = await setUp();
    const fireAt = after(1_000);
    await host.client.upsertFutureSendSchedule({
      entityUrl: '/e/a',
      id: 's',
      payload: 1,
      targetUrl: '/e/b',
      fireAt,
    });
    await host.client.deleteEntity('/e/b');
    clock.advance(1_000);
    await host.settled();
    expect(host.readRows('/e/a', 'manifests')).toMatchObject([
      { status: 'failed', failedAt: fireAt, lastError: expect.stringContaining('/e/b is killed') },
    ]);
  });

  it('refuse what could never work', async () => {
    const { host, after } = await setUp();
    const { client } = host;
    const id = 's';
    const fireAt = after(1);
    const refusals = [
      client.upsertCronSchedule({ entityUrl: '/e/a', id, expression: 'x', payload: 1 }),
      client.upsertCronSchedule({ entityUrl: '/e/a', id, expression: '* * * * *' }),
      client.upsertFutureSendSchedule({ entityUrl: '/e/a', id, payload: 1, fireAt: 'soon' }),
      client.upsertFutureSendSchedule({ entityUrl: '/e/a', id, payload: 1, fireAt, targetUrl: '/e/none' }),
      client.upsertFutureSendSchedule({ entityUrl: '/e/none', id, payload: 1, fireAt }),
    ].map(rejectionOf);
    const statuses = (await Promise.all(refusals)).map((error) => (error as { status: number }).status);
    expect(statuses).toEqual([400, 400, 400, 404, 404]);
    expect(host.readRows('/e/a', 'manifests')).toEqual([]);
  });
});
