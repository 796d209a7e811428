import { expect, it } from 'vitest';
import type { WebhookEvent } from '../index.ts';
import { entityOf, rowsOf } from './testing/conformance-host.ts';
import {
  api,
  createGate,
  ExpectedFailure,
  itStricter,
  runPass,
  runPasses,
  scripted,
  section,
  startHost,
  typeName,
} from './testing/harness.ts';

const definition = { state: { notes: {} } };

function deliveryTo(endpointKey: string): WebhookEvent {
  return {
    endpointKey,
    key: 'd',
    buckets: ['b'],
    eventType: null,
    headers: {},
    body: null,
    receivedAt: '2026-01-01T00:00:00.000Z',
    request: { method: 'POST', content_type: '', size_bytes: 0, query: {} },
  };
}

section('a pass', () => {
  it('is one at a time for each entity, and many at once for many', async () => {
    const type = typeName('e');
    const bothRun = createGate();
    const log: string[] = [];
    let running = 0;
    const host = await startHost(
      scripted({
        async [type](ctx, wake) {
          log.push(`${ctx.entityUrl} begins ${wake.payload}`);
          running += 1;
          if (running === 2) bothRun.open();
          await bothRun.opened;
          log.push(`${ctx.entityUrl} ends ${wake.payload}`);
        },
      }),
    );
    for (const id of ['a', 'b']) await host.client.spawnEntity({ type, id, initialMessage: 1 });
    await bothRun.opened;
    await host.client.sendEntityMessage({ targetUrl: `/${type}/a`, payload: 2 });
    await host.settled();
    const ofA = log.filter((line) => line.startsWith(`/${type}/a`)).map((line) => line.split(' ').slice(1));
    expect(ofA).toEqual([
      ['begins', '1'],
      ['ends', '1'],
      ['begins', '2'],
      ['ends', '2'],
    ]);
  });

  it('sees the newest message as its wake; the inbox has all (sharp edge 2)', async () => {
    const type = typeName('e');
    const [begun, gate] = [createGate(), createGate()];
    const passes: { readonly wake: unknown; readonly inbox: unknown[] }[] = [];
    const host = await startHost(
      scripted({
        async [type](ctx, wake) {
          const inbox = ctx.db.collections.inbox.toArray.map((row) => row.payload);
          passes.push({ wake: wake.payload, inbox });
          begun.open();
          if (passes.length === 1) await gate.opened;
        },
      }),
    );
    await host.client.spawnEntity({ type, id: 'a', initialMessage: 0 });
    await begun.opened;
    for (const payload of [1, 2, 3]) {
      await host.client.sendEntityMessage({ targetUrl: `/${type}/a`, payload });
    }
    gate.open();
    await host.settled();
    expect(passes.at(-1)).toEqual({ wake: 3, inbox: [0, 1, 2, 3] });
  });

  itStricter('has all that came in since the last one in ctx.events, in order (sharp edge 3)', async () => {
    const type = typeName('e');
    const [begun, gate] = [createGate(), createGate()];
    const passes: unknown[] = [];
    const host = await startHost(
      scripted({
        async [type](ctx) {
          passes.push(ctx.events.map(({ type: kind, headers }) => [kind, headers.operation]));
          begun.open();
          if (passes.length === 1) {
            await gate.opened;
            ctx.sleep();
          }
        },
      }),
    );
    await host.client.spawnEntity({ type, id: 'a', initialMessage: 0 });
    await begun.opened;
    for (const payload of [1, 2, 3]) {
      await host.client.sendEntityMessage({ targetUrl: `/${type}/a`, payload });
    }
    gate.open();
    await host.settled();
    expect(passes).toEqual([[['inbox', 'insert']], Array.from({ length: 3 }, () => ['inbox', 'insert'])]);
  });

  it('has events with type, key, value and headers', async () => {
    const { host, url } = await runPass((ctx) => {
      const [event] = ctx.events;
      expect(event).toMatchObject({
        type: 'inbox',
        key: expect.stringMatching(/^msg-in-/),
        value: { payload: 0 },
        headers: { operation: 'insert', offset: expect.any(String) },
      });
    });
    expect((await entityOf(host, url)).status).toBe('idle');
  });
});

section('a handler that throws', () => {
  it('is not run again; an errors row says why (sharp edge 1)', async () => {
    let runs = 0;
    const { host, url } = await runPass(() => {
      runs += 1;
      throw new ExpectedFailure('no luck');
    });
    expect(runs).toBe(1);
    expect(await rowsOf(host, url, 'error')).toMatchObject([
      { key: expect.stringMatching(/^error-/), error_code: 'HANDLER_FAILED', message: 'no luck' },
    ]);
  });

  it('keeps its state, sends, spawns and tags, and loses its manifest', async () => {
    const kid = typeName('kid');
    const firstWakes: boolean[] = [];
    const { host, url } = await runPasses(
      [
        async (ctx) => {
          ctx.state.notes?.insert({ key: 'kept' });
          const handle = await ctx.spawn(kid, 'k');
          await ctx.send(handle.entityUrl, 'hello');
          await ctx.setTag('tag', 'kept');
          ctx.insertContext('c', { name: 'n', content: 'x' });
          throw new ExpectedFailure('late');
        },
        (ctx) => void firstWakes.push(ctx.firstWake),
      ],
      { definition, define: (registry) => registry.define(kid, { handler() {} }) },
    );
    expect(await rowsOf(host, url, 'state:notes')).toMatchObject([{ key: 'kept' }]);
    expect(await rowsOf(host, `/${kid}/k`, 'inbox')).toHaveLength(1);
    expect(await entityOf(host, url)).toMatchObject({ tags: { tag: 'kept' } });
    expect(await rowsOf(host, url, 'manifest')).toEqual([]);
    expect(firstWakes).toEqual([true]);
  });

  it('is not woken by a child that it spawned in that pass (sharp edge 22)', async () => {
    const [parent, kid] = [typeName('parent'), typeName('kid')];
    let passes = 0;
    const host = await startHost(
      scripted({
        async [parent](ctx) {
          passes += 1;
          await ctx.spawn(kid, 'a', {}, { wake: 'runFinished' });
          throw new Error('after the spawn');
        },
        [kid]: (ctx) => ctx.replyText('done'),
      }),
    );
    await host.client.spawnEntity({ type: parent, id: 'p', initialMessage: 'go' });
    await host.settled();
    await host.client.sendEntityMessage({ targetUrl: `/${kid}/a`, payload: 1 });
    await host.settled();
    expect(await rowsOf(host, `/${kid}/a`, 'run')).toHaveLength(1);
    expect(passes).toBe(1);
  });

  itStricter('keeps the registrations of earlier passes (sharp edge 13)', async () => {
    const endpoint = typeName('ep');
    const { host, url } = await runPasses([
      async (ctx) => void (await ctx.observe(api.webhook(endpoint, { bucket: 'b' }))),
      async (ctx) => {
        await ctx.observe(api.webhook(endpoint, { bucket: 'b' }));
        throw new ExpectedFailure('late');
      },
    ]);
    await host.deliver(deliveryTo(endpoint));
    await host.settled();
    expect(await rowsOf(host, url, 'wake')).toHaveLength(1);
  });
});

section('what is durable', () => {
  it('before the model is called: state, spawns and manifest', async () => {
    const kid = typeName('kid');
    const { host, url } = await runPass(
      async (ctx) => {
        ctx.state.notes?.insert({ key: 'before' });
        await ctx.spawn(kid, 'k');
        const agent = ctx.useAgent({
          systemPrompt: '',
          model: 'claude-haiku-4-5',
          tools: [],
          testResponses: () => Promise.reject(new Error('provider down')),
        });
        await agent.run('x').catch(() => {});
        throw new ExpectedFailure('after the call');
      },
      { definition, define: (registry) => registry.define(kid, { handler() {} }) },
    );
    expect(await rowsOf(host, url, 'state:notes')).toHaveLength(1);
    expect(await rowsOf(host, url, 'manifest')).toMatchObject([{ key: `child:${kid}:k` }]);
  });
});
