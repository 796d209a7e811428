import { serve } from '@hono/node-server';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createRuntimeServerClient } from '../client.ts';
import { createEntityRegistry } from '../registry.ts';
import { rejectionOf } from '../testing/script.ts';
import { startTestHost } from '../testing/test-host.ts';

function registryOfKids() {
  const registry = createEntityRegistry();
  registry.define('kid', {
    creationSchema: z.object({ n: z.number() }),
    inboxSchemas: { ping: z.object({ a: z.number() }) },
    handler() {},
  });
  return registry;
}

async function setUp() {
  const host = await startTestHost({ registry: registryOfKids() });
  async function call(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; json: unknown }> {
    const response = await host.fetch(
      new Request(`http://host${path}`, {
        method,
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
  }
  return { host, call };
}

const ENTITIES = '/_electric/entities';

describe('the routes', () => {
  it('say that the host is well, and what it runs', async () => {
    const { call } = await setUp();
    expect(await call('GET', '/_electric/health')).toEqual({ status: 200, json: { status: 'ok' } });
    expect(await call('GET', '/_electric/entity-types')).toMatchObject({
      status: 200,
      json: [{ name: 'kid' }],
    });
    expect(await call('GET', '/_electric/entity-types/none')).toMatchObject({ status: 404 });
  });

  it('create, show, list and end entities', async () => {
    const { call } = await setUp();
    const body = { args: { n: 1 }, tags: { t: 'x' }, parent: '/kid/p' };
    expect(await call('PUT', `${ENTITIES}/kid/a`, body)).toMatchObject({
      status: 201,
      json: {
        url: '/kid/a',
        type: 'kid',
        status: 'idle',
        tags: { t: 'x' },
        spawn_args: { n: 1 },
        streams: { main: '/kid/a/main' },
      },
    });
    expect(await call('PUT', `${ENTITIES}/kid/a`, body)).toMatchObject({
      status: 409,
      json: { error: { code: 'DUPLICATE_URL', details: { entity: { url: '/kid/a' } } } },
    });
    await call('PUT', `${ENTITIES}/kid/b`);
    const listed = async (query: string) =>
      ((await call('GET', `${ENTITIES}${query}`)).json as unknown[]).length;
    expect([
      await listed(''),
      await listed('?type=kid'),
      await listed('?type=x'),
      await listed('?parent=/kid/p'),
    ]).toEqual([2, 2, 0, 1]);
    expect(await call('HEAD', `${ENTITIES}/kid/a`)).toEqual({ status: 200, json: undefined });
    expect((await call('HEAD', `${ENTITIES}/kid/none`)).status).toBe(404);
    expect((await call('DELETE', `${ENTITIES}/kid/a`)).status).toBe(200);
    expect(await call('GET', `${ENTITIES}/kid/a`)).toMatchObject({ json: { status: 'killed' } });
    expect(await listed('?status=killed')).toBe(1);
  });

  it('deliver messages; a given key is the key of the row', async () => {
    const { host, call } = await setUp();
    await call('PUT', `${ENTITIES}/kid/a`);
    expect(await call('POST', `${ENTITIES}/kid/a/send`, { payload: 1, key: 'k' })).toMatchObject({
      status: 200,
      json: { txid: expect.any(String) },
    });
    await call('POST', `${ENTITIES}/kid/a/send`, { payload: 2, key: 'k' });
    expect((await call('POST', `${ENTITIES}/kid/a/send`, { payload: 1, afterMs: 9e9 })).status).toBe(204);
    expect(host.readRows('/kid/a', 'inbox')).toMatchObject([{ key: 'k', payload: 2 }]);
    const { json } = await call('GET', '/kid/a/main?offset=-1');
    expect(json).toMatchObject([
      { type: 'entity_created', headers: { operation: 'insert' } },
      { type: 'inbox', key: 'k', value: { payload: 1 } },
      { type: 'inbox', key: 'k', value: { payload: 2 } },
    ]);
  });

  it.each([
    ['PUT', '/nobody/a', {}, 404, 'UNKNOWN_ENTITY_TYPE'],
    ['PUT', '/kid/a%20b', {}, 400, 'INVALID_REQUEST'],
    ['PUT', '/kid/new', { args: { n: 'x' } }, 422, 'SCHEMA_VALIDATION_FAILED'],
    ['PUT', '/kid/new', '{', 400, 'INVALID_REQUEST'],
    ['PUT', '/kid/new', { tags: { a: 1 } }, 400, 'INVALID_REQUEST'],
    ['GET', '/kid/none', undefined, 404, 'NOT_FOUND'],
    ['DELETE', '/kid/none', undefined, 404, 'NOT_FOUND'],
    ['GET', '/kid/a/b', undefined, 404, 'NOT_FOUND'],
    ['POST', '/kid/none/send', { payload: 1 }, 404, 'NOT_FOUND'],
    ['POST', '/kid/a/send', {}, 400, 'INVALID_REQUEST'],
    ['POST', '/kid/a/send', { payload: 1, afterMs: 'x' }, 400, 'INVALID_REQUEST'],
    ['POST', '/kid/a/send', { payload: 1, type: 'pong' }, 422, 'UNKNOWN_MESSAGE_TYPE'],
    ['POST', '/kid/a/send', { payload: { a: 'x' }, type: 'ping' }, 422, 'SCHEMA_VALIDATION_FAILED'],
    ['POST', '/kid/a/send', { payload: 1, key: 'a\0b' }, 400, 'INVALID_REQUEST'],
    ['POST', '/kid/a/signal', { signal: 'SIGWINCH' }, 400, 'INVALID_REQUEST'],
    ['POST', '/kid/a/tags/t', { value: 1 }, 400, 'INVALID_REQUEST'],
  ])('refuse %s %s %j with %i %s', async (method, path, body, status, code) => {
    const { call } = await setUp();
    await call('PUT', `${ENTITIES}/kid/a`);
    const answer = await call(method, ENTITIES + path, body);
    expect(answer).toEqual({
      status,
      json: { error: expect.objectContaining({ code, message: expect.any(String) }) },
    });
  });

  it('answer every malformed request without a fault of their own', async () => {
    const { host, call } = await setUp();
    await call('PUT', `${ENTITIES}/kid/a`);
    const segment = fc.oneof(
      fc.constantFrom(
        '_electric',
        'entities',
        'kid',
        'a',
        'send',
        'signal',
        'tags',
        'main',
        '%00',
        '%',
        '..',
        '%ff',
        '',
      ),
      fc.webSegment(),
    );
    const path = fc.array(segment, { maxLength: 6 }).map((parts) => `/${parts.join('/')}`);
    const known = fc
      .constantFrom('', '/kid/a', '/kid/a/send', '/kid/a/signal', '/kid/a/tags/x')
      .map((p) => ENTITIES + p);
    const field = fc.constantFrom(
      'payload',
      'type',
      'key',
      'args',
      'parent',
      'tags',
      'signal',
      'value',
      'afterMs',
      'from',
    );
    const body = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.dictionary(field, fc.jsonValue()).map((value) => JSON.stringify(value)),
      fc
        .dictionary(field, fc.constantFrom('a\0b', '\ud800', -1, 1e308))
        .map((value) => JSON.stringify(value)),
    );
    const method = fc.constantFrom('GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS');
    await fc.assert(
      fc.asyncProperty(method, fc.oneof(path, known), fc.string(), body, async (verb, where, query, text) => {
        const hasBody = verb !== 'GET' && verb !== 'OPTIONS';
        const request = new Request(`http://host${where}?${query}`, {
          method: verb,
          ...(hasBody && { body: text }),
        });
        expect((await host.fetch(request)).status).toBeLessThan(500);
      }),
      { numRuns: 400 },
    );
  });
});

describe('the client over a socket', () => {
  it('does everything that it offers', async () => {
    const { host } = await setUp();
    const client = await new Promise<ReturnType<typeof createRuntimeServerClient>>((resolve) => {
      const server = serve(
        { fetch: (request) => host.fetch(request), port: 0, hostname: '127.0.0.1' },
        ({ port }) =>
          resolve(
            createRuntimeServerClient({ baseUrl: `http://127.0.0.1:${port}`, headers: { 'x-from': 'test' } }),
          ),
      );
      onTestFinished(() => void server.close());
    });
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
    await client.setTag('/kid/a', 'a/b', 'x');
    await client.setTag('/kid/a', 'c', 'y');
    await client.deleteTag('/kid/a', 'c');
    expect(await client.getEntity('/kid/a')).toMatchObject({
      spawn_args: {},
      parent: '/kid/p',
      tags: { 'a/b': 'x' },
    });
    expect(host.readRows('/kid/a', 'inbox')).toHaveLength(2);
    await client.signalEntity({ entityUrl: '/kid/a', signal: 'SIGINT', reason: 'r' });
    await client.deleteEntity('/kid/a');
    const refused = await rejectionOf(client.spawnEntity({ type: 'kid', id: 'b', args: { n: 'x' } }));
    expect(refused).toMatchObject({ status: 422, retryable: false });
    expect((refused as Error).message).toContain('spawn kid/b failed (422): {"error"');
  });
});
