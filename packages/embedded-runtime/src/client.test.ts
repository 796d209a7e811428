import { serve } from '@hono/node-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createRuntimeServerClient, type RuntimeServerClient } from './client.ts';
import { createEntityRegistry } from './registry.ts';
import { rejectionOf } from './testing/script.ts';
import { startTestHost } from './testing/test-host.ts';

/** A client that talks to a host over a socket. */
async function setUp() {
  const sources: unknown[] = [];
  const registry = createEntityRegistry();
  registry.define('kid', {
    creationSchema: z.object({ n: z.number() }),
    inboxSchemas: { ping: z.object({ a: z.number() }) },
    handler(ctx) {
      if (ctx.wake.type === 'inbox') ctx.replyText('done');
      else sources.push(ctx.wake.source);
    },
  });
  const host = await startTestHost({ registry });
  let connections = 0;
  const client = await new Promise<RuntimeServerClient>((resolve) => {
    const server = serve(
      { fetch: (request) => host.fetch(request), port: 0, hostname: '127.0.0.1' },
      ({ port }) => resolve(createRuntimeServerClient({ baseUrl: `http://127.0.0.1:${port}` })),
    );
    server.on('connection', () => {
      connections += 1;
    });
    onTestFinished(() => void server.close());
  });
  return { host, client, sources, connections: () => connections };
}

describe('the client over a socket', () => {
  it('creates, tells, tags and ends entities', async () => {
    const { host, client } = await setUp();
    const spawned = await client.spawnEntity({
      type: 'kid',
      id: 'a',
      args: {},
      parentUrl: '/kid/p',
      initialMessage: 0,
    });
    expect(spawned).toEqual({ entityUrl: '/kid/a', entityType: 'kid', streamPath: '/kid/a/main' });
    expect(await client.spawnEntity({ type: 'kid', id: 'a', args: { n: 1 } })).toEqual(spawned);
    await client.sendEntityMessage({ targetUrl: '/kid/a', payload: { a: 1 }, type: 'ping' });
    await client.sendEntityMessage({ targetUrl: '/kid/a', payload: { a: 1 }, type: 'ping', afterMs: 60_000 });
    await client.sendEntityMessage({ targetUrl: '/kid/a', payload: 1, mode: 'paused', position: 'a0' });
    await client.setTag('/kid/a', 'a/b', 'x');
    await client.setTag('/kid/a', 'c', 'y');
    await client.deleteTag('/kid/a', 'c');
    expect(await client.getEntity('/kid/a')).toMatchObject({
      spawn_args: {},
      parent: '/kid/p',
      tags: { 'a/b': 'x' },
    });
    expect(host.readRows('/kid/a', 'inbox')).toHaveLength(3);
    await client.signalEntity({ entityUrl: '/kid/a', signal: 'SIGUSR', reason: 'r' });
    await client.deleteEntity('/kid/a');
    await client.deleteEntity('/kid/none');
    expect(await client.getEntity('/kid/a')).toMatchObject({ status: 'killed' });
  });

  it('registers wakes and takes them back', async () => {
    const { host, client, sources } = await setUp();
    await client.spawnEntity({ type: 'kid', id: 'w' });
    const wake = { subscriberUrl: '/kid/w', condition: 'runFinished' } as const;
    await client.spawnEntity({ type: 'kid', id: 'a', wake, initialMessage: 1 });
    await host.settled();
    expect(sources).toEqual(['/kid/a']);
    await client.unregisterWake({ subscriberUrl: '/kid/w', sourceUrl: '/kid/a' });
    await client.sendEntityMessage({ targetUrl: '/kid/a', payload: 1 });
    await host.settled();
    expect(sources).toHaveLength(1);
    const condition = { on: 'change', collections: ['run'], ops: ['insert'] } as const;
    await client.registerWake({ ...wake, condition, sourceUrl: '/kid/a/main', manifestKey: 'k' });
    await client.sendEntityMessage({ targetUrl: '/kid/a', payload: 1 });
    await host.settled();
    expect(sources).toHaveLength(2);
    await client.unregisterWake({ subscriberUrl: '/kid/w', manifestKey: 'k' });
    await client.sendEntityMessage({ targetUrl: '/kid/a', payload: 1 });
    await host.settled();
    expect(sources).toHaveLength(2);
    expect(await rejectionOf(client.unregisterWake({ subscriberUrl: '/kid/w' }))).toMatchObject({
      status: 400,
    });
  });

  it('makes streams and schedules', async () => {
    const { host, client } = await setUp();
    expect(await client.ensureSharedStateStream('s')).toBe('/_electric/shared-state/s');
    expect(await client.ensureSharedStateStream('s')).toBe('/_electric/shared-state/s');
    expect(await client.ensureStream('/_webhooks/github')).toBe('/_webhooks/github');
    await client.spawnEntity({ type: 'kid', id: 'a' });
    const target = { entityUrl: '/kid/a', id: 'nightly run' };
    await client.upsertCronSchedule({
      ...target,
      expression: '0 3 * * *',
      timezone: 'Europe/Berlin',
      payload: 1,
    });
    expect(host.readRows('/kid/a', 'manifests')).toMatchObject([{ key: 'schedule:nightly run', payload: 1 }]);
    await client.upsertFutureSendSchedule({ ...target, payload: 2, fireAt: '2999-01-01T00:00:00.000Z' });
    expect(host.readRows('/kid/a', 'manifests')).toMatchObject([{ payload: 2, status: 'pending' }]);
    expect(await client.deleteSchedule(target)).toEqual({ txid: expect.any(String) });
    expect(host.readRows('/kid/a', 'manifests')).toEqual([]);
  });

  it('says what was refused and why', async () => {
    const { client } = await setUp();
    await client.spawnEntity({ type: 'kid', id: 'a' });
    const messages = await Promise.all(
      [
        client.spawnEntity({ type: 'kid', id: 'b', args: { n: 'x' } }),
        client.sendEntityMessage({ targetUrl: '/kid/nope', payload: 1 }),
        client.signalEntity({ entityUrl: '/kid/a', signal: 'SIGWINCH' }),
        client.getEntity('/kid/nope'),
      ].map(async (call) => String(await rejectionOf(call))),
    );
    const details = '"details":[{"path":"/n","message":"must be number"}]';
    expect(messages).toEqual([
      `RequestFailedError: spawn kid/b failed (422): {"error":{"code":"SCHEMA_VALIDATION_FAILED","message":"Validation failed",${details}}}`,
      expect.stringMatching(/: send to \/kid\/nope failed \(404\): \{"error":\{"code":"NOT_FOUND"/),
      expect.stringMatching(/: signal \/kid\/a SIGWINCH failed \(400\): \{"error"/),
      expect.stringMatching(/failed to resolve entity \/kid\/nope.* \(404\): \{"error"/),
    ]);
  });

  it('keeps its connections over a hundred messages', async () => {
    const { client, connections } = await setUp();
    await client.spawnEntity({ type: 'kid', id: 'a' });
    for (let n = 0; n < 100; n += 1) await client.sendEntityMessage({ targetUrl: '/kid/a', payload: n });
    // Node frees a connection one turn after its answer was read, so the second call opens another, once.
    expect(connections()).toBeLessThanOrEqual(2);
  });
});
