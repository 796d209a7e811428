import { expect, it } from 'vitest';
import { z } from 'zod';
import type { WakeEvent } from '../index.ts';
import { rowsOf } from './testing/conformance-host.ts';
import { api, itStricter, scripted, section, startHost, typeName } from './testing/harness.ts';

const ENTITIES = '/_electric/entities';

/** An entity that keeps its wakes. */
async function setUp() {
  const type = typeName('e');
  const wakes: WakeEvent[] = [];
  const host = await startHost(scripted({ [type]: (_ctx, wake) => void wakes.push(wake) }));
  await host.client.spawnEntity({ type, id: 'a' });
  return { host, wakes, url: `/${type}/a`, path: `${ENTITIES}/${type}/a` };
}

section('messages that wait', () => {
  itStricter('of mode queued are seen one in each pass (sharp edge 28)', async () => {
    const { host, wakes, path } = await setUp();
    for (const payload of [1, 2, 3]) await host.call('POST', `${path}/send`, { payload, mode: 'queued' });
    await host.settled();
    expect(wakes.map((wake) => wake.payload)).toEqual([1, 2, 3]);
  });

  itStricter('of mode paused wait until they are changed, and can be removed', async () => {
    const { host, wakes, url, path } = await setUp();
    for (const key of ['k1', 'k2']) {
      await host.call('POST', `${path}/send`, { payload: key, mode: 'paused', key });
    }
    await host.settled();
    expect(wakes).toEqual([]);
    expect(await rowsOf(host, url, 'inbox')).toMatchObject([{ status: 'pending' }, { status: 'pending' }]);
    expect((await host.call('DELETE', `${path}/inbox/k2`)).status).toBe(200);
    expect((await host.call('PATCH', `${path}/inbox/k1`, { mode: 'immediate' })).status).toBe(200);
    await host.settled();
    expect(wakes.map((wake) => wake.payload)).toEqual(['k1']);
  });
});

section('rows from outside', () => {
  it('go into collections that are open to them', async () => {
    const type = typeName('e');
    const registry = api.createEntityRegistry();
    registry.define(type, {
      state: {
        notes: { schema: z.object({ key: z.string(), text: z.string() }), externallyWritable: true },
        closed: {},
      },
      handler() {},
    });
    const host = await startHost(registry);
    await host.client.spawnEntity({ type, id: 'a' });
    const write = async (collection: string, body: object) =>
      (await host.call('POST', `${ENTITIES}/${type}/a/collections/${collection}`, body)).status;
    expect(
      await write('notes', { operation: 'insert', key: 'k', value: { key: 'k', text: 'x' } }),
    ).toBeLessThan(300);
    expect(await write('notes', { operation: 'insert', key: 'l', value: { key: 'l', text: 1 } })).toBe(422);
    expect(await write('notes', { operation: 'delete', key: 'k' })).toBe(403);
    expect(await write('closed', { operation: 'insert', value: {} })).toBe(403);
    expect(await rowsOf(host, `/${type}/a`, 'state:notes')).toMatchObject([{ key: 'k', text: 'x' }]);
  });
});

section('streams of no entity', () => {
  it('of shared state take rows, and wake who registered for them', async () => {
    const { host, wakes, url } = await setUp();
    const id = typeName('db');
    const stream = `/_electric/shared-state/${id}`;
    await host.client.ensureSharedStateStream(id);
    await host.client.registerWake({
      subscriberUrl: url,
      sourceUrl: stream,
      condition: { on: 'change', collections: ['finding'], ops: ['insert'] },
    });
    const event = { type: 'finding', key: 'f1', value: { key: 'f1' }, headers: { operation: 'insert' } };
    expect((await host.call('POST', stream, event)).status).toBe(204);
    await host.settled();
    expect(wakes.map((wake) => wake.payload)).toMatchObject([
      { source: stream, changes: [{ collection: 'finding', kind: 'insert', key: 'f1' }] },
    ]);
    await host.client.unregisterWake({ subscriberUrl: url, sourceUrl: stream });
    await host.call('POST', stream, { ...event, key: 'f2', value: { key: 'f2' } });
    await host.settled();
    expect(wakes).toHaveLength(1);
    const { json } = await host.call('GET', `${stream}?offset=-1`);
    expect(json).toMatchObject([{ key: 'f1' }, { key: 'f2' }]);
  });

  itStricter('answer 501 with the reason for what is not here', async () => {
    const { host, path } = await setUp();
    for (const route of [`${path}/fork`, `${path}/attachments`, `${path}/grants`, '/_electric/runners']) {
      expect(await host.call('POST', route, {})).toMatchObject({
        status: 501,
        json: { error: { code: 'NOT_SUPPORTED', message: expect.stringMatching(/.{10}/) } },
      });
    }
    expect(await host.call('GET', '/_electric/webhook-sources')).toMatchObject({
      json: { webhookSources: [] },
    });
  });
});
