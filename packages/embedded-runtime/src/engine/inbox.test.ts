import { describe, expect, it } from 'vitest';
import { rejectionOf, scripted } from '../testing/script.ts';
import { createGate, startTestHost } from '../testing/test-host.ts';

/** An entity whose first pass, of the payload `go`, waits for the test. */
async function setUp() {
  const goOn = createGate();
  const passes: unknown[][] = [];
  const registry = scripted({
    async e(ctx) {
      passes.push(ctx.events.map((event) => (event.value as { payload: unknown }).payload));
      if (passes.length === 1) await goOn.opened;
    },
  });
  const host = await startTestHost({ registry });
  await host.client.spawnEntity({ type: 'e', id: 'a', initialMessage: 'go' });
  async function call(method: string, path: string, body?: unknown): Promise<number> {
    const request = new Request(`http://host/_electric/entities/e/a${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await host.fetch(request)).status;
  }
  const send = (payload: string, others: object = {}) =>
    call('POST', '/send', { payload, key: payload, ...others });
  async function finish(): Promise<unknown[][]> {
    goOn.open();
    await host.settled();
    return passes.slice(1);
  }
  return { host, call, send, finish };
}

describe('queued messages', () => {
  it('are seen one in each pass, by position and then in order', async () => {
    const { host, send, finish } = await setUp();
    await send('third', { mode: 'queued' });
    await send('fourth', { mode: 'queued' });
    await send('second', { mode: 'queued', position: 'b' });
    await send('first', { mode: 'queued', position: 'a' });
    await send('now');
    expect(host.readRows('/e/a', 'inbox').map((row) => row.status)).toEqual([
      'processed',
      ...Array.from({ length: 4 }, () => 'pending'),
      'processed',
    ]);
    expect(await finish()).toEqual([['now'], ['first'], ['second'], ['third'], ['fourth']]);
    expect(host.readRows('/e/a', 'inbox').every((row) => row.status === 'processed')).toBe(true);
  });

  it('wake an entity that is idle', async () => {
    const { host, send, finish } = await setUp();
    await finish();
    await send('one', { mode: 'queued' });
    await host.settled();
    expect(await finish()).toEqual([['one']]);
  });

  it('come through whenever they are sent, also while the end of a pass is written', async () => {
    const gates = new Map<string, () => void>();
    const registry = scripted({
      e: (ctx, wake) =>
        wake.payload === 'hold'
          ? new Promise((resolve) => void gates.set(ctx.entityUrl, resolve))
          : undefined,
    });
    const host = await startTestHost({ registry });
    for (let turns = 0; turns < 40; turns += 1) {
      const targetUrl = `/e/${turns}`;
      await host.client.spawnEntity({ type: 'e', id: `${turns}`, initialMessage: 'hold' });
      gates.get(targetUrl)?.();
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      await host.client.sendEntityMessage({ targetUrl, payload: 'queued', mode: 'queued' });
      await host.settled();
      expect(host.readRows(targetUrl, 'inbox').map((row) => row.status)).toEqual(['processed', 'processed']);
    }
  });

  it('wait without end when they are paused, until their mode is changed', async () => {
    const { host, call, send, finish } = await setUp();
    await send('held', { mode: 'paused' });
    expect(await finish()).toEqual([]);
    expect(await call('PATCH', '/inbox/held', { mode: 'immediate' })).toBe(200);
    await host.settled();
    expect(await finish()).toEqual([['held']]);
  });
});

describe('changes to messages that were not seen yet', () => {
  it('are seen as changed, not at all when cancelled or removed', async () => {
    const { host, call, send, finish } = await setUp();
    for (const key of ['kept', 'edited', 'cancelled', 'removed']) await send(key);
    expect(await call('PATCH', '/inbox/edited', { payload: 'better' })).toBe(200);
    expect(await call('PATCH', '/inbox/cancelled', { status: 'cancelled' })).toBe(200);
    expect(await call('DELETE', '/inbox/removed')).toBe(200);
    expect(await finish()).toEqual([['kept', 'better']]);
    expect(host.readRows('/e/a', 'inbox').map((row) => row.status)).toEqual([
      'processed',
      'processed',
      'processed',
      'cancelled',
    ]);
  });

  it('make no pass when nothing is left to see', async () => {
    const { call, send, finish } = await setUp();
    await send('removed');
    await send('queued', { mode: 'queued' });
    await call('DELETE', '/inbox/removed');
    await call('PATCH', '/inbox/queued', { status: 'cancelled' });
    expect(await finish()).toEqual([]);
  });

  it('refuse what is not there, and changes of nothing', async () => {
    const { host, call, send } = await setUp();
    await send('one');
    expect(await call('PATCH', '/inbox/none', { payload: 1 })).toBe(404);
    expect(await call('PATCH', '/inbox/one', {})).toBe(400);
    expect(await call('PATCH', '/inbox/one', { status: 'lost' })).toBe(400);
    const gone = rejectionOf(host.client.sendEntityMessage({ targetUrl: '/e/none', payload: 1 }));
    expect(await gone).toMatchObject({ status: 404 });
  });
});
