import { expect, it } from 'vitest';
import { z } from 'zod';
import { rowsOf } from './testing/conformance-host.ts';
import { api, section, startHost, typeName } from './testing/harness.ts';

const ENTITIES = '/_electric/entities';

/** A host with one type of kids, and the path of one kid that is there. */
async function setUp() {
  const kid = typeName('kid');
  const registry = api.createEntityRegistry();
  registry.define(kid, {
    creationSchema: z.object({ n: z.number() }),
    inboxSchemas: { ping: z.object({ a: z.number() }) },
    handler() {},
  });
  const { call, ...host } = await startHost(registry);
  await call('PUT', `${ENTITIES}/${kid}/a`, {});
  return { host: { call, ...host }, call, kid, path: `${ENTITIES}/${kid}/a`, url: `/${kid}/a` };
}

section('the routes', () => {
  it('say that the server is well, and what it runs', async () => {
    const { call, kid } = await setUp();
    expect(await call('GET', '/_electric/health')).toMatchObject({ status: 200, json: { status: 'ok' } });
    const { json } = await call('GET', '/_electric/entity-types');
    expect((json as readonly { name: string }[]).map(({ name }) => name)).toContain(kid);
    expect(await call('GET', `/_electric/entity-types/${kid}`)).toMatchObject({ json: { name: kid } });
    expect((await call('GET', `/_electric/entity-types/${typeName('none')}`)).status).toBe(404);
  });

  it('create an entity, once', async () => {
    const { call, kid } = await setUp();
    const path = `${ENTITIES}/${kid}/new`;
    const body = { args: { n: 1 }, tags: { t: 'x' } };
    expect(await call('PUT', path, body)).toMatchObject({
      status: 201,
      json: {
        url: `/${kid}/new`,
        type: kid,
        tags: { t: 'x' },
        spawn_args: { n: 1 },
        streams: { main: `/${kid}/new/main` },
      },
    });
    expect(await call('PUT', path, body)).toMatchObject({
      status: 409,
      json: { error: { code: 'DUPLICATE_URL' } },
    });
  });

  it('list entities, by type, parent and status', async () => {
    const { call, kid, url } = await setUp();
    await call('PUT', `${ENTITIES}/${kid}/b`, { parent: url });
    await call('DELETE', `${ENTITIES}/${kid}/b`);
    const listed = async (query: string) => {
      const { json } = await call('GET', `${ENTITIES}?type=${kid}${query}`);
      return (json as readonly { url: string }[]).map((entity) => entity.url).sort();
    };
    expect(await listed('')).toEqual([url, `/${kid}/b`]);
    expect(await listed(`&parent=${url}`)).toEqual([`/${kid}/b`]);
    expect(await listed('&status=killed')).toEqual([`/${kid}/b`]);
  });

  it('show an entity, say whether it is there, and end it', async () => {
    const { call, kid, path } = await setUp();
    expect(await call('GET', path)).toMatchObject({ status: 200, json: { status: 'idle' } });
    expect(await call('HEAD', path)).toEqual({ status: 200, json: undefined });
    expect((await call('HEAD', `${ENTITIES}/${kid}/none`)).status).toBe(404);
    expect((await call('DELETE', path)).status).toBe(200);
    expect(await call('GET', path)).toMatchObject({ json: { status: 'killed' } });
  });

  it('deliver messages; a given key is the key of the row', async () => {
    const { host, call, path, url } = await setUp();
    expect(await call('POST', `${path}/send`, { payload: 1, key: 'k' })).toMatchObject({
      status: 200,
      json: { txid: expect.anything() },
    });
    await call('POST', `${path}/send`, { payload: 2, key: 'k' });
    expect((await call('POST', `${path}/send`, { payload: 3, afterMs: 9e8 })).status).toBe(204);
    expect(await rowsOf(host, url, 'inbox')).toMatchObject([{ key: 'k', payload: 2 }]);
  });

  it('set and remove tags', async () => {
    const { call, path } = await setUp();
    expect((await call('POST', `${path}/tags/color`, { value: 'red' })).status).toBe(200);
    expect(await call('GET', path)).toMatchObject({ json: { tags: { color: 'red' } } });
    expect((await call('DELETE', `${path}/tags/color`)).status).toBe(200);
    expect(await call('GET', path)).toMatchObject({ json: { tags: {} } });
  });

  it('take signals', async () => {
    const { host, call, path, url } = await setUp();
    const body = { signal: 'SIGINT', reason: 'enough', payload: { by: 'me' } };
    expect(await call('POST', `${path}/signal`, body)).toMatchObject({ status: 200 });
    expect(await rowsOf(host, url, 'signal')).toMatchObject([body]);
  });

  it("give an entity's stream as an array of change events", async () => {
    const { call, path, url } = await setUp();
    await call('POST', `${path}/send`, { payload: 1 });
    const { status, json } = await call('GET', `${url}/main?offset=-1`);
    expect(status).toBe(200);
    expect(json).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          type: 'entity_created',
          headers: expect.objectContaining({ operation: 'insert' }),
        }),
        expect.objectContaining({
          type: 'inbox',
          key: expect.stringMatching(/^msg-in-/),
          value: expect.objectContaining({ payload: 1 }),
        }),
      ]),
    );
  });
});

section('errors', () => {
  it.each([
    ['PUT', 'nobody', {}, 404, 'UNKNOWN_ENTITY_TYPE'],
    ['PUT', 'new', { args: { n: 'x' } }, 422, 'SCHEMA_VALIDATION_FAILED'],
    ['GET', 'none', undefined, 404, 'NOT_FOUND'],
    ['POST', 'none/send', { payload: 1 }, 404, 'NOT_FOUND'],
    ['POST', 'a/send', {}, 400, 'INVALID_REQUEST'],
    ['POST', 'a/send', { payload: 1, type: 'pong' }, 422, 'UNKNOWN_MESSAGE_TYPE'],
    ['POST', 'a/send', { payload: { a: 'x' }, type: 'ping' }, 422, 'SCHEMA_VALIDATION_FAILED'],
  ])('of %s %s %j are %i %s, with code and message', async (method, rest, body, status, code) => {
    const { call, kid } = await setUp();
    const path = rest === 'nobody' ? `${ENTITIES}/${typeName('nobody')}/a` : `${ENTITIES}/${kid}/${rest}`;
    expect(await call(method, path, body)).toEqual({
      status,
      json: { error: expect.objectContaining({ code, message: expect.any(String) }) },
    });
  });
});
