import { serve } from '@hono/node-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import * as embedded from '../index.ts';
import { entityOf } from './testing/conformance-host.ts';
import {
  api,
  isPublished,
  itStricter,
  rejectionOf,
  section,
  startHost,
  typeName,
} from './testing/harness.ts';

describe.skipIf(isPublished)('createRuntimeHandler', () => {
  it('has its type, and throws one error that names the line to change', () => {
    const registry = embedded.createEntityRegistry();
    const start = (): embedded.RuntimeHandler =>
      embedded.createRuntimeHandler({ baseUrl: 'http://localhost:4437', registry });
    expect(start).toThrow(embedded.NotSupportedError);
    expect(start).toThrow(/link:packages\/embedded-runtime.*pnpm-workspace\.yaml/);
  });
});

describe.runIf(isPublished)('createRuntimeHandler of the published runtime', () => {
  it('has the members that the embedded type names', () => {
    const runtime = api.createRuntimeHandler({
      baseUrl: 'http://localhost:4437',
      registry: api.createEntityRegistry(),
    });
    for (const name of [
      'handleRequest',
      'onEnter',
      'registerTypes',
      'drainWakes',
      'waitForSettled',
    ] as const) {
      expect(typeof runtime[name]).toBe('function');
    }
    expect(runtime.debugState()).toMatchObject({ pendingWakeCount: 0 });
  });
});

/** A host with one type of kids. */
async function setUp() {
  const kid = typeName('kid');
  const registry = api.createEntityRegistry();
  registry.define(kid, {
    creationSchema: z.object({ n: z.number() }),
    inboxSchemas: { ping: z.object({ a: z.number() }) },
    handler() {},
  });
  const host = await startHost(registry);
  return { host, client: host.client, kid, url: `/${kid}/a` };
}

section('createRuntimeServerClient', () => {
  it('spawns, once for each id (sharp edge 6)', async () => {
    const { host, client, kid, url } = await setUp();
    const spawned = await client.spawnEntity({
      type: kid,
      id: 'a',
      args: { n: 1 },
      tags: { t: 'x' },
      initialMessage: { a: 1 },
      initialMessageType: 'ping',
    });
    expect(spawned).toMatchObject({ entityUrl: url, streamPath: `${url}/main` });
    expect(await client.spawnEntity({ type: kid, id: 'a', args: { n: 2 } })).toMatchObject({
      entityUrl: url,
    });
    expect(await entityOf(host, url)).toMatchObject({
      url,
      type: kid,
      spawn_args: { n: 1 },
      tags: { t: 'x' },
      streams: { main: `${url}/main` },
    });
  });

  it('spawns without arguments what demands them (sharp edge 15)', async () => {
    const { host, client, kid, url } = await setUp();
    await client.spawnEntity({ type: kid, id: 'a', args: {} });
    expect((await entityOf(host, url)).spawn_args ?? {}).toEqual({});
  });

  it('sends, now and later', async () => {
    const { host, client, kid, url } = await setUp();
    await client.spawnEntity({ type: kid, id: 'a' });
    await client.sendEntityMessage({ targetUrl: url, payload: { a: 1 }, type: 'ping' });
    await client.sendEntityMessage({ targetUrl: url, payload: { a: 2 }, type: 'ping', afterMs: 500 });
    await host.pass(1_000);
    const { json } = await host.call('GET', `${url}/main?offset=-1`);
    const messages = (json as readonly { type: string; value: { payload: unknown } }[]).filter(
      ({ type }) => type === 'inbox',
    );
    expect(messages.map(({ value }) => value.payload)).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it('finds an entity, and where its stream is', async () => {
    const { client, kid, url } = await setUp();
    await client.spawnEntity({ type: kid, id: 'a' });
    expect(await client.getEntity(url)).toMatchObject({
      entityUrl: url,
      entityType: kid,
      streamPath: `${url}/main`,
    });
  });

  it('signals and deletes', async () => {
    const { host, client, kid, url } = await setUp();
    await client.spawnEntity({ type: kid, id: 'a' });
    await client.signalEntity({ entityUrl: url, signal: 'SIGINT', reason: 'enough' });
    await client.deleteEntity(url);
    expect(await entityOf(host, url)).toMatchObject({ status: 'killed' });
  });

  it('rejects with status and body', async () => {
    const { client, kid, url } = await setUp();
    await client.spawnEntity({ type: kid, id: 'a' });
    const failures = [
      client.getEntity(`/${kid}/none`),
      client.sendEntityMessage({ targetUrl: url, payload: {}, type: 'ping' }),
      client.spawnEntity({ type: typeName('nobody'), id: 'a' }),
      client.spawnEntity({ type: kid, id: 'b', args: { n: 'x' } }),
    ];
    const messages = await Promise.all(
      failures.map(async (failure) => ((await rejectionOf(failure)) as Error).message),
    );
    expect(messages).toEqual([
      expect.stringMatching(/\(404\): .*NOT_FOUND/),
      expect.stringMatching(/\(422\): .*SCHEMA_VALIDATION_FAILED/),
      expect.stringMatching(/\(404\): .*UNKNOWN_ENTITY_TYPE/),
      expect.stringMatching(/\(422\): .*SCHEMA_VALIDATION_FAILED/),
    ]);
  });

  itStricter('talks to a host over a socket, with its headers', async () => {
    const { host, kid } = await setUp();
    const seen: (string | null)[] = [];
    const baseUrl = await new Promise<string>((resolve) => {
      const server = serve(
        {
          async fetch(request) {
            seen.push(request.headers.get('x-from'));
            const { pathname } = new URL(request.url);
            const body = request.method === 'GET' ? undefined : await request.text();
            const { status, json } = await host.call(request.method, pathname, body);
            return Response.json(json ?? null, { status });
          },
          port: 0,
          hostname: '127.0.0.1',
        },
        ({ port }) => resolve(`http://127.0.0.1:${port}`),
      );
      onTestFinished(() => void server.close());
    });
    const client = api.createRuntimeServerClient({ baseUrl, headers: { 'x-from': 'test' } });
    await client.spawnEntity({ type: kid, id: 'a' });
    expect(await client.getEntity(`/${kid}/a`)).toMatchObject({ url: `/${kid}/a` });
    expect(seen).toEqual(['test', 'test']);
  });
});
