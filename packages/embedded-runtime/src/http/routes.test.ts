import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createEntityRegistry } from '../registry.ts';
import { startTestHost } from '../testing/test-host.ts';

function registryOfKids() {
  const registry = createEntityRegistry();
  registry.define('kid', {
    creationSchema: z.object({ n: z.number() }),
    inboxSchemas: { ping: z.object({ a: z.number() }) },
    state: {
      closed: {},
      notes: { externallyWritable: true, schema: z.object({ key: z.string(), n: z.number() }) },
      marks: { externallyWritable: true, operations: ['update', 'delete'], primaryKey: 'id', type: 'mark' },
    },
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
      json: [
        {
          name: 'kid',
          externally_writable_collections: {
            notes: { type: 'state:notes', operations: ['insert'] },
            marks: { type: 'mark', operations: ['update', 'delete'] },
          },
        },
      ],
    });
    expect(await call('GET', '/_electric/entity-types/none')).toMatchObject({ status: 404 });
    expect(await call('GET', '/_electric/webhook-sources')).toEqual({
      status: 200,
      json: { webhookSources: [] },
    });
  });

  it('let the types of the process be announced, and no others', async () => {
    const { call } = await setUp();
    const announce = (body: unknown) => call('POST', '/_electric/entity-types', body);
    const creation = { type: 'object' };
    expect(
      await announce({ name: 'kid', creation_schema: creation, serve_endpoint: 'http://x' }),
    ).toMatchObject({
      status: 201,
      json: { name: 'kid', inbox_schemas: { ping: {} } },
    });
    expect(await announce({ name: 'other' })).toMatchObject({
      status: 501,
      json: { error: { code: 'NOT_SUPPORTED' } },
    });
    expect(await announce({ name: '_kid' })).toMatchObject({ status: 400 });
    const refused = await announce({ name: 'kid', inbox_schemas: { ping: { format: 'uri' } } });
    expect(refused).toMatchObject({
      status: 400,
      json: { error: { message: expect.stringContaining('"format"') } },
    });
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
      await listed('?created_by=/principal/system%253Adev-local&type=kid&status=idle'),
      await listed('?created_by=/principal/user%253Ax'),
    ]).toEqual([2, 2, 0, 1, 2, 0]);
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
    ['POST', '/kid/a/collections/closed', { operation: 'insert', value: {} }, 403, 'UNAUTHORIZED'],
    ['POST', '/kid/a/collections/inbox', { operation: 'insert', value: {} }, 403, 'UNAUTHORIZED'],
    ['POST', '/kid/a/collections/notes', { operation: 'update', key: 'k', value: {} }, 403, 'UNAUTHORIZED'],
    ['POST', '/kid/a/collections/notes', { operation: 'insert' }, 400, 'INVALID_REQUEST'],
    ['POST', '/kid/a/collections/notes', { operation: 'insert', value: {} }, 422, 'SCHEMA_VALIDATION_FAILED'],
    ['POST', '/kid/a/collections/notes', { operation: 'insert', other: 1 }, 400, 'INVALID_REQUEST'],
    ['POST', '/kid/a/collections/marks', { operation: 'delete' }, 400, 'INVALID_REQUEST'],
    ['POST', '/kid/none/collections/notes', { operation: 'insert', value: {} }, 404, 'NOT_FOUND'],
    ['PUT', '/kid/a/schedules/s', { scheduleType: 'never' }, 400, 'INVALID_REQUEST'],
    ['PUT', '/kid/new', { wake: { subscriberUrl: '/kid/none', condition: 'runFinished' } }, 404, 'NOT_FOUND'],
    ['POST', '/kid/a/fork', {}, 501, 'NOT_SUPPORTED'],
    ['POST', '/kid/a/attachments', 'x', 501, 'NOT_SUPPORTED'],
    ['GET', '/kid/a/attachments/x', undefined, 501, 'NOT_SUPPORTED'],
    ['POST', '/kid/a/grants', {}, 501, 'NOT_SUPPORTED'],
    ['PUT', '/kid/a/webhook-source-subscriptions/s', {}, 501, 'NOT_SUPPORTED'],
  ])('refuse %s %s %j with %i %s', async (method, path, body, status, code) => {
    const { call } = await setUp();
    await call('PUT', `${ENTITIES}/kid/a`);
    const answer = await call(method, ENTITIES + path, body);
    expect(answer).toEqual({
      status,
      json: { error: expect.objectContaining({ code, message: expect.any(String) }) },
    });
  });

  it('let others write rows of collections that are open to them', async () => {
    const { host, call } = await setUp();
    await call('PUT', `${ENTITIES}/kid/a`);
    const write = (collection: string, body: unknown) =>
      call('POST', `${ENTITIES}/kid/a/collections/${collection}`, body);
    expect(await write('notes', { operation: 'insert', key: 'k', value: { n: 1 } })).toEqual({
      status: 201,
      json: { key: 'k' },
    });
    expect((await write('notes', { operation: 'insert', value: { n: 2 } })).json).toEqual({
      key: expect.stringMatching(/^notes-/),
    });
    expect(host.readRows('/kid/a', 'notes')).toMatchObject([{ key: 'k', n: 1 }, { n: 2 }]);
    expect((await write('marks', { operation: 'update', key: 'm', value: { x: 1 } })).status).toBe(200);
    expect(host.readRows('/kid/a', 'marks')).toMatchObject([{ id: 'm', x: 1 }]);
    await write('marks', { operation: 'delete', key: 'm' });
    expect(host.readRows('/kid/a', 'marks')).toEqual([]);
    await host.settled();
    expect(host.readRows('/kid/a', 'errors')).toEqual([]);
  });

  it('keep shared state, and show streams', async () => {
    const { call } = await setUp();
    const path = '/_electric/shared-state/pr~1';
    expect((await call('GET', path)).status).toBe(404);
    expect((await call('POST', path, [])).status).toBe(404);
    expect((await call('PUT', path)).status).toBe(201);
    expect((await call('PUT', path)).status).toBe(200);
    const headers = { operation: 'upsert' };
    expect((await call('POST', path, { type: 'finding', key: 'f', value: { n: 1 }, headers })).status).toBe(
      204,
    );
    expect((await call('POST', path, [{ type: 'finding', key: 'f', value: { n: 2 }, headers }])).status).toBe(
      204,
    );
    expect((await call('POST', path, { type: 'finding', key: 'f', headers })).status).toBe(400);
    expect(await call('GET', path)).toMatchObject({
      json: [
        { key: 'f', value: { n: 1 }, headers: { operation: 'insert' } },
        { key: 'f', value: { n: 2 }, headers: { operation: 'update' } },
      ],
    });
    expect((await call('PUT', '/_electric/shared-state/a*b')).status).toBe(400);
    expect((await call('PUT', '/_webhooks/github/o/r')).status).toBe(201);
    expect(await call('GET', '/_webhooks/github/o/r')).toEqual({ status: 200, json: [] });
    expect((await call('PUT', '/_webhooks/Git%20hub')).status).toBe(400);
    expect((await call('POST', '/_webhooks/github/o/r', {})).status).toBe(501);
    const cron = '/_electric/observations/cron/ensure-stream';
    const { json } = await call('POST', cron, { expression: '0 * * * *' });
    const { streamUrl } = json as { streamUrl: string };
    expect(streamUrl).toMatch(/^\/_cron\//);
    expect(await call('GET', streamUrl)).toEqual({ status: 200, json: [] });
    expect((await call('POST', cron, { expression: 'often' })).status).toBe(400);
  });
});
