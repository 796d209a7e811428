import { describe, expect, it } from 'vitest';
import type { EmbeddedHost } from '../host.ts';
import { createEntityRegistry } from '../registry.ts';
import { webhook } from '../sources.ts';
import { createManualClock, type ManualClock } from '../testing/manual-clock.ts';
import { openedDelivery } from '../testing/review-factory.ts';
import { startTestHost } from '../testing/test-host.ts';

const DAY_MS = 86_400_000;

/** Lets a sweep come to its end: each batch waits for the clock. */
async function pass(host: EmbeddedHost, clock: ManualClock, days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    clock.advance(DAY_MS);
    for (let batch = 0; batch < 40; batch += 1) clock.advance(20);
    await host.settled();
  }
}

async function eventsOf(host: EmbeddedHost, path: string): Promise<readonly { type: string; key: string }[]> {
  const response = await host.fetch(new Request(`http://host${path}`));
  return (await response.json()) as { type: string; key: string }[];
}

async function setUp(retentionMs?: number) {
  const clock = createManualClock();
  const registry = createEntityRegistry();
  registry.define('e', {
    state: { notes: {} },
    async handler(ctx) {
      const handle = await ctx.observe(webhook('github', { bucket: 'prs/opened' }));
      ctx.state.notes.update('seen', (row) => {
        row.count = Number(row.count ?? 0) + 1;
        row.deliveries = handle.db.collections.events.size;
      });
    },
  });
  const host = await startTestHost({ registry, clock, ...(retentionMs !== undefined && { retentionMs }) });
  await host.client.spawnEntity({ type: 'e', id: 'a', initialMessage: 0 });
  await host.settled();
  return { clock, host };
}

describe('R8: retention', () => {
  it('removes old messages, wakes and bucket rows, and keeps state', async () => {
    const { clock, host } = await setUp();
    for (const number of [1, 2]) await host.appendWebhookEvent(openedDelivery(number));
    await host.settled();
    await pass(host, clock, 29);
    expect(host.readRows('/e/a', 'inbox')).toHaveLength(1);
    await host.appendWebhookEvent(openedDelivery(3));
    await host.settled();
    await pass(host, clock, 3);
    expect(host.readRows('/e/a', 'inbox')).toEqual([]);
    expect(host.readRows('/e/a', 'wakes')).toHaveLength(1);
    expect(host.readRows('/e/a', 'notes')).toMatchObject([{ key: 'seen', deliveries: 3 }]);
    const bucket = await eventsOf(host, '/_webhooks/github/prs/opened');
    expect(bucket.map((event) => event.key)).toEqual(['delivery-3']);
    const own = (await eventsOf(host, '/e/a/main')).map((event) => event.type);
    expect(own).toEqual(['entity_created', 'manifest', 'wake', 'state:notes']);
  });

  it('knows the keys of deliveries for eight days when it keeps their rows for one', async () => {
    const { clock, host } = await setUp(DAY_MS);
    await host.appendWebhookEvent(openedDelivery(1));
    await pass(host, clock, 6);
    expect(await eventsOf(host, '/_webhooks/github/prs/opened')).toEqual([]);
    expect(await host.appendWebhookEvent(openedDelivery(1))).toEqual({ appended: false });
    await host.appendWebhookEvent(openedDelivery(2));
    await pass(host, clock, 5);
    expect(await host.appendWebhookEvent(openedDelivery(1))).toEqual({ appended: true });
    expect(await host.appendWebhookEvent(openedDelivery(2))).toEqual({ appended: false });
  });

  it('leaves what no pass has seen, and what waits for its turn', async () => {
    const { clock, host } = await setUp();
    await host.client.sendEntityMessage({ targetUrl: '/e/a', payload: 'later', mode: 'paused' });
    await host.client.signalEntity({ entityUrl: '/e/a', signal: 'SIGSTOP' });
    await host.client.sendEntityMessage({ targetUrl: '/e/a', payload: 'unseen' });
    await pass(host, clock, 40);
    expect(host.readRows('/e/a', 'inbox').map((row) => row.payload)).toEqual(['later', 'unseen']);
    await host.client.signalEntity({ entityUrl: '/e/a', signal: 'SIGCONT' });
    await host.settled();
    expect(host.readRows('/e/a', 'notes')).toMatchObject([{ count: 2 }]);
  });

  it('takes many batches, and messages in between', async () => {
    const { clock, host } = await setUp();
    await Promise.all(
      Array.from({ length: 1_000 }, (_, number) =>
        host.appendWebhookEvent({ ...openedDelivery(number), buckets: ['prs/opened'] }),
      ),
    );
    await host.settled();
    await pass(host, clock, 29);
    clock.advance(2 * DAY_MS);
    const left = async () => {
      const streams = ['/_webhooks/github/prs/opened', '/e/a/main'].map((path) => eventsOf(host, path));
      return (await Promise.all(streams)).flat().filter(({ type }) => /webhook_event|wake/.test(type)).length;
    };
    const before = await left();
    clock.advance(20);
    await host.client.sendEntityMessage({ targetUrl: '/e/a', payload: 1 });
    await host.settled();
    clock.advance(20);
    expect(await left()).toBeLessThan(before);
    expect(await left()).toBeGreaterThan(0);
    for (let batch = 0; batch < 40; batch += 1) clock.advance(20);
    expect(await left()).toBe(0);
    expect(host.readRows('/e/a', 'inbox')).toMatchObject([{ payload: 1 }]);
  });
});
