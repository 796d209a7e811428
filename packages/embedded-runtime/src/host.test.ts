import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createEmbeddedHost, createEntityRegistry, type EmbeddedHost, webhook } from './index.ts';

const hosts: EmbeddedHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});

const review = z.object({ wakeId: z.string() });

function createFactory() {
  const registry = createEntityRegistry();
  registry.define('dispatcher', {
    state: { processed: { schema: z.object({ key: z.string() }) } },
    async handler(ctx) {
      const handle = await ctx.observe(webhook('github', { bucket: 'prs/opened' }));
      for (const row of handle.db.collections.events.toArray) {
        if (ctx.state.processed.get(row.key) !== undefined) continue;
        const { number } = row.body as { number: number };
        await ctx.spawn('shepherd', `o~r~${number}`, { number });
        await ctx.send(`/shepherd/o~r~${number}`, { number }, { type: 'opened' });
        ctx.state.processed.insert({ key: row.key });
      }
    },
  });
  registry.define('shepherd', {
    creationSchema: z.object({ number: z.number() }),
    inboxSchemas: { opened: z.object({ number: z.number() }), 'worker-done': review },
    state: { answers: { schema: z.object({ key: z.string(), wakeId: z.string() }) } },
    async handler(ctx) {
      if (ctx.wake.type === 'inbox' && ctx.wake.message.type === 'opened') {
        for (const aspect of ['a', 'b', 'c', 'd', 'e', 'f']) {
          const worker = await ctx.spawn('worker', `o~r~${ctx.args.number}~${aspect}`, { parent: ctx.entityUrl });
          await ctx.send(worker.entityUrl, { wakeId: 'w1' }, { type: 'review' });
        }
      }
      for (const row of ctx.db.collections.inbox.toArray) {
        if (row.message_type !== 'worker-done' || row.from_agent === undefined) continue;
        if (ctx.state.answers.get(row.from_agent) !== undefined) continue;
        ctx.state.answers.insert({ key: row.from_agent, wakeId: review.parse(row.payload).wakeId });
      }
    },
  });
  registry.define('worker', {
    creationSchema: z.object({ parent: z.string() }),
    inboxSchemas: { review },
    async handler(ctx) {
      const agent = ctx.useAgent({ systemPrompt: 'x', model: 'claude-haiku-4-5', tools: [], testResponses: ['fine'] });
      await agent.run('Aspect');
      await ctx.send(ctx.args.parent, { wakeId: 'w1' }, { type: 'worker-done' });
    },
  });
  return registry;
}

async function startHost(registry = createFactory()): Promise<EmbeddedHost> {
  const host = createEmbeddedHost({ registry, dataDir: ':memory:' });
  hosts.push(host);
  await host.start();
  return host;
}

function delivery(number: number) {
  return {
    endpointKey: 'github',
    key: `delivery-${number}`,
    buckets: ['prs/opened', `prs/${number}`],
    eventType: 'pull_request',
    headers: { 'x-github-event': 'pull_request' },
    body: { number },
    receivedAt: '2026-01-01T00:00:00.000Z',
    request: { method: 'POST', content_type: 'application/json', size_bytes: 10, query: {} },
  };
}

describe('the way of a delivery', () => {
  it('goes from the bucket over the dispatcher and the shepherd to six workers and back', async () => {
    const host = await startHost();
    await host.client.spawnEntity({ type: 'dispatcher', id: 'main', initialMessage: {} });
    await host.settled();
    expect(await host.appendWebhookEvent(delivery(7))).toEqual({ appended: true });
    await host.settled();
    const answers = host.readRows('/shepherd/o~r~7', 'answers');
    expect(host.readRows('/dispatcher/main', 'errors')).toEqual([]);
    expect(host.readRows('/shepherd/o~r~7', 'errors')).toEqual([]);
    expect(host.readRows('/worker/o~r~7~a', 'errors')).toEqual([]);
    expect(answers.map((row) => row['key'])).toEqual(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((aspect) => `/worker/o~r~7~${aspect}`),
    );
    expect(await host.appendWebhookEvent(delivery(7))).toEqual({ appended: false });
  });
});
