import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createEntityRegistry } from '../registry.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { rejectionOf, type Script, scripted } from '../testing/script.ts';
import { createTempDir, startTestHost } from '../testing/test-host.ts';
import type { HandlerContext } from '../types.ts';

/** A parent that runs `script` once, and kids with schemas that count their wakes. */
function family(script: Script) {
  const registry = createEntityRegistry();
  const kidWakes: string[] = [];
  registry.define('parent', { handler: (ctx) => script(ctx as unknown as HandlerContext, ctx.wake.raw) });
  registry.define('kid', {
    creationSchema: z.object({ n: z.number(), d: z.string().default('x') }),
    inboxSchemas: { ping: z.object({ a: z.number() }) },
    handler(ctx) {
      kidWakes.push(`${ctx.entityUrl} ${JSON.stringify(ctx.args)} ${JSON.stringify(ctx.wake)}`);
    },
  });
  return { registry, kidWakes };
}

/** Runs a script in a parent's pass; fails when the pass throws. */
async function inParent(script: Script) {
  const { registry, kidWakes } = family(script);
  const host = await startTestHost({ registry });
  await host.client.spawnEntity({ type: 'parent', id: 'p', initialMessage: 'go' });
  await host.settled();
  expect(host.readRows('/parent/p', 'errors')).toEqual([]);
  return { host, kidWakes };
}

describe('spawn', () => {
  it('creates an entity whose handler does not run before its first message', async () => {
    const { host, kidWakes } = await inParent(async (ctx) => {
      const kid = await ctx.spawn('kid', 'a', { n: 1 });
      expect(kid).toMatchObject({
        entityUrl: '/kid/a',
        type: 'kid',
        sourceType: 'entity',
        sourceRef: '/kid/a',
      });
      expect(kid.status()).toBeUndefined();
    });
    expect(kidWakes).toEqual([]);
    expect(await host.client.getEntity('/kid/a')).toMatchObject({ parent: '/parent/p', status: 'idle' });
  });

  it('delivers the first message, applies no default to the arguments', async () => {
    const { kidWakes } = await inParent(async (ctx) => {
      await ctx.spawn('kid', 'a', { n: 1 }, { initialMessage: { a: 1 }, initialMessageType: 'ping' });
    });
    expect(kidWakes).toHaveLength(1);
    expect(kidWakes[0]).toMatch(/^\/kid\/a \{"n":1\} .*"type":"ping","payload":\{"a":1\}/);
  });

  it('checks arguments only when there are any', async () => {
    await inParent(async (ctx) => {
      await ctx.spawn('kid', 'none');
      await ctx.spawn('kid', 'empty', {});
      const error = await rejectionOf(ctx.spawn('kid', 'bad', { n: 'x' }));
      expect(error).toMatchObject({ status: 422 });
      expect((error as Error).message).toBe(
        'spawn kid/bad failed (422): {"error":{"code":"SCHEMA_VALIDATION_FAILED","message":"Validation failed","details":[{"path":"/n","message":"must be number"}]}}',
      );
    });
  });

  it('refuses an own child, in the same pass and in a later one', async () => {
    const sentence =
      '[agent-runtime] child "kid:a" already exists — use observe(entity("/kid/a")) to get a handle';
    const seen: string[] = [];
    const { host } = await inParent(async (ctx) => {
      if (ctx.firstWake) await ctx.spawn('kid', 'a', { n: 1 });
      seen.push(((await rejectionOf(ctx.spawn('kid', 'a'))) as Error).message);
    });
    await host.client.sendEntityMessage({ targetUrl: '/parent/p', payload: 'again' });
    await host.settled();
    expect(seen).toEqual([sentence, sentence]);
  });

  it("gives a handle to somebody else's entity and delivers nothing", async () => {
    const { registry, kidWakes } = family(async (ctx) => {
      const handle = await ctx.spawn('kid', 'a', { n: 2 }, { initialMessage: { a: 1 }, tags: { t: 'x' } });
      expect(handle.entityUrl).toBe('/kid/a');
    });
    const host = await startTestHost({ registry });
    await host.client.spawnEntity({ type: 'kid', id: 'a', args: { n: 1 } });
    await host.client.spawnEntity({ type: 'parent', id: 'p', initialMessage: 'go' });
    await host.settled();
    expect(kidWakes).toEqual([]);
    expect(await host.client.getEntity('/kid/a')).toMatchObject({
      spawn_args: { n: 1 },
      tags: {},
      parent: null,
    });
  });

  it.each(['', '.', '..', 'a/b', 'a*b', 'a#b', 'a?b', 'a%20b', 'a b', 'ü', 'a\nb'])(
    'refuses the id %j',
    async (id) => {
      await inParent(async (ctx) => {
        expect(await rejectionOf(ctx.spawn('kid', id))).toMatchObject({ status: 400 });
      });
    },
  );

  it('takes every character that a URL carries unchanged', async () => {
    const id = `AZaz09-._~!$&'()+,;=:@${'x'.repeat(250)}`;
    const { host } = await inParent(async (ctx) => {
      await ctx.spawn('kid', id);
    });
    expect(await host.client.getEntity(`/kid/${id}`)).toMatchObject({ url: `/kid/${id}` });
  });

  it('refuses an unknown type', async () => {
    await inParent(async (ctx) => {
      const error = await rejectionOf(ctx.spawn('nobody', 'a'));
      expect(error).toMatchObject({ status: 404 });
      expect((error as Error).message).toContain('UNKNOWN_ENTITY_TYPE');
    });
  });

  it('creates nothing when the first message is refused', async () => {
    const { host } = await inParent(async (ctx) => {
      const options = { initialMessage: { a: 'x' }, initialMessageType: 'ping' };
      expect(await rejectionOf(ctx.spawn('kid', 'a', {}, options))).toMatchObject({ status: 422 });
    });
    expect(await rejectionOf(host.client.getEntity('/kid/a'))).toMatchObject({ status: 404 });
  });
});

describe('send', () => {
  it('delivers to the inbox with sender, type and time', async () => {
    const { host, kidWakes } = await inParent(async (ctx) => {
      await ctx.spawn('kid', 'a');
      expect(await ctx.send('/kid/a', { a: 1 }, { type: 'ping' })).toEqual({
        sent: true,
        targetUrl: '/kid/a',
      });
    });
    expect(kidWakes).toHaveLength(1);
    const principal = '/principal/system%3Adev-local';
    expect(host.readRows('/kid/a', 'inbox')).toEqual([
      {
        key: expect.stringMatching(/^msg-in-\d+-[0-9a-f]+$/),
        from: principal,
        from_principal: principal,
        from_agent: '/parent/p',
        payload: { a: 1 },
        timestamp: expect.any(String),
        message_type: 'ping',
        mode: 'immediate',
        status: 'processed',
        processed_at: expect.any(String),
        _seq: expect.any(Number),
        _timeline_order: expect.stringMatching(/^stream:\d{16}$/),
      },
    ]);
  });

  it.each([
    ['a missing entity', '/kid/nope', {}, {}, 404, 'NOT_FOUND'],
    ['what is no entity URL', 'kid', {}, {}, 404, 'NOT_FOUND'],
    ['an unknown message type', '/kid/a', {}, { type: 'pong' }, 422, 'UNKNOWN_MESSAGE_TYPE'],
    [
      'a payload that breaks its schema',
      '/kid/a',
      { a: '1' },
      { type: 'ping' },
      422,
      'SCHEMA_VALIDATION_FAILED',
    ],
    ['no payload', '/kid/a', undefined, {}, 400, 'INVALID_REQUEST'],
    ['a negative delay', '/kid/a', {}, { afterMs: -1 }, 400, 'afterMs must be a non-negative finite number'],
    ['an endless delay', '/kid/a', {}, { afterMs: Number.POSITIVE_INFINITY }, 400, 'afterMs must be'],
    ['a bad payload later', '/kid/a', {}, { type: 'ping', afterMs: 5 }, 422, 'SCHEMA_VALIDATION_FAILED'],
  ])('refuses %s', async (_name, url, payload, options, status, text) => {
    await inParent(async (ctx) => {
      await ctx.spawn('kid', 'a');
      const error = await rejectionOf(ctx.send(url, payload, options));
      expect(error).toMatchObject({ status });
      expect((error as Error).message).toContain(`send to ${url} failed (${status}): `);
      expect((error as Error).message).toContain(text);
    });
  });

  it('takes any payload without a type', async () => {
    const { kidWakes } = await inParent(async (ctx) => {
      await ctx.spawn('kid', 'a');
      await ctx.send('/kid/a', 'anything');
    });
    expect(kidWakes).toHaveLength(1);
  });

  it('R4: delivers a delayed message once, at its time, across restarts', async () => {
    const clock = createManualClock();
    const dataDir = createTempDir();
    const { registry, kidWakes } = family(async (ctx) => {
      await ctx.spawn('kid', 'a');
      await ctx.send('/kid/a', { a: 2 }, { type: 'ping', afterMs: 2_000 });
      await ctx.send('/kid/a', { a: 1 }, { type: 'ping', afterMs: 1_000 });
    });
    const first = await startTestHost({ registry, clock, dataDir });
    await first.client.spawnEntity({ type: 'parent', id: 'p', initialMessage: 'go' });
    await first.settled();
    clock.advance(999);
    await first.settled();
    expect(kidWakes).toEqual([]);
    await first.close();
    const second = await startTestHost({ registry, clock, dataDir });
    clock.advance(1);
    await second.settled();
    expect(second.readRows('/kid/a', 'inbox').map((row) => [row.key, row.payload])).toEqual([
      ['scheduled-task-2', { a: 1 }],
    ]);
    clock.advance(10_000);
    await second.settled();
    clock.advance(10_000);
    await second.settled();
    expect(second.readRows('/kid/a', 'inbox').map((row) => row.key)).toEqual([
      'scheduled-task-2',
      'scheduled-task-1',
    ]);
    expect(kidWakes).toHaveLength(2);
  });

  it('drops a delayed message to an entity that has ended', async () => {
    const clock = createManualClock();
    const registry = scripted({ e: () => {} });
    const host = await startTestHost({ registry, clock });
    await host.client.spawnEntity({ type: 'e', id: 'a' });
    await host.client.sendEntityMessage({ targetUrl: '/e/a', payload: 1, afterMs: 10 });
    await host.client.deleteEntity('/e/a');
    clock.advance(10);
    await host.settled();
    expect(host.readRows('/e/a', 'inbox')).toEqual([]);
  });
});
