import { describe, expect, it } from 'vitest';
import { HostNotRunningError, StorageError } from './errors.ts';
import { createEmbeddedHost } from './host.ts';
import { createEntityRegistry } from './registry.ts';
import { createManualClock } from './testing/manual-clock.ts';
import { createReviewFactory, openedDelivery, WORKERS } from './testing/review-factory.ts';
import { scripted } from './testing/script.ts';
import { createGate, createTempDir, startTestHost } from './testing/test-host.ts';

describe('the way of a delivery', () => {
  it('goes from the bucket over dispatcher and shepherd to six workers and back', async () => {
    const clock = createManualClock();
    const host = await startTestHost({ registry: createReviewFactory(), clock });
    await host.client.spawnEntity({ type: 'dispatcher', id: 'main', initialMessage: {} });
    await host.settled();
    expect(await host.appendWebhookEvent(openedDelivery(7))).toEqual({ appended: true });
    await host.settled();
    const answers = host.readRows('/shepherd/o~r~7', 'answers').map((row) => row.key);
    expect(answers.sort()).toEqual(WORKERS.map((aspect) => `/worker/o~r~7~${aspect}`));
    expect(host.readRows('/worker/o~r~7~a', 'runs')).toMatchObject([{ key: 'run-0', status: 'completed' }]);
    clock.advance(60_000);
    await host.settled();
    expect(host.readRows('/shepherd/o~r~7', 'deadlines')).toHaveLength(1);
  });

  it('ends at the door for a delivery that is there already', async () => {
    const host = await startTestHost({ registry: createReviewFactory() });
    await host.client.spawnEntity({ type: 'dispatcher', id: 'main', initialMessage: {} });
    await host.appendWebhookEvent(openedDelivery(7));
    await host.settled();
    const wakes = host.readRows('/dispatcher/main', 'wakes');
    expect(await host.appendWebhookEvent(openedDelivery(7))).toEqual({ appended: false });
    await host.settled();
    expect(host.readRows('/dispatcher/main', 'wakes')).toEqual(wakes);
  });
});

describe('the life of a host', () => {
  it('answers nothing before its start and after its end', async () => {
    const host = createEmbeddedHost({ registry: createEntityRegistry(), dataDir: ':memory:' });
    await expect(host.appendWebhookEvent(openedDelivery(1))).rejects.toThrow(HostNotRunningError);
    await expect(host.fetch(new Request('http://x/_electric/health'))).rejects.toThrow(HostNotRunningError);
    await host.start();
    await expect(host.start()).rejects.toThrow(HostNotRunningError);
    await host.close();
    await host.close();
    await expect(host.settled()).rejects.toThrow(HostNotRunningError);
  });

  it('aborts handlers when it closes, and runs them again after the next start', async () => {
    const dataDir = createTempDir();
    const started = createGate();
    const seen: unknown[] = [];
    const registry = createEntityRegistry();
    registry.define('slow', {
      async handler(ctx) {
        seen.push(ctx.wake.type === 'inbox' && ctx.wake.message.payload);
        if (seen.length > 1) return;
        started.open();
        await new Promise((_, reject) => {
          ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason));
        });
      },
    });
    const first = await startTestHost({ registry, dataDir });
    await first.client.spawnEntity({ type: 'slow', id: 'a', initialMessage: 'job' });
    await started.opened;
    await first.close();
    const second = await startTestHost({ registry, dataDir });
    await second.settled();
    expect(seen).toEqual(['job', 'job']);
    expect(second.readRows('/slow/a', 'errors')).toEqual([]);
  });

  it('keeps messages for a type that is not registered until it is', async () => {
    const dataDir = createTempDir();
    const seen: unknown[] = [];
    const registry = scripted({ e: (ctx) => void seen.push(ctx.events.map((event) => event.value)) });
    const first = await startTestHost({ registry, dataDir });
    await first.client.spawnEntity({ type: 'e', id: 'a' });
    await first.close();
    const without = await startTestHost({ registry: scripted({}), dataDir });
    await without.client.sendEntityMessage({ targetUrl: '/e/a', payload: 'kept' });
    await without.settled();
    await without.close();
    const again = await startTestHost({ registry, dataDir });
    await again.settled();
    expect(seen).toEqual([[expect.objectContaining({ payload: 'kept' })]]);
  });

  it('reads rows of what does not exist as none', async () => {
    const host = await startTestHost({ registry: createReviewFactory() });
    expect(host.readRows('/shepherd/none', 'answers')).toEqual([]);
    await host.client.spawnEntity({ type: 'dispatcher', id: 'main' });
    expect(host.readRows('/dispatcher/main', 'nothing')).toEqual([]);
  });

  it('refuses a directory that it cannot use', async () => {
    const host = createEmbeddedHost({ registry: createEntityRegistry(), dataDir: '/dev/null/x' });
    await expect(host.start()).rejects.toThrow(StorageError);
  });
});

describe('order and fairness', () => {
  it('R6: runs one pass per entity at a time, and others meanwhile', async () => {
    const gates = [createGate(), createGate()];
    const log: string[] = [];
    const registry = createEntityRegistry();
    registry.define('e', {
      async handler(ctx) {
        const id = ctx.entityUrl.slice(3);
        log.push(`${id} begins with ${ctx.events.length}`);
        if (id === 'slow') await gates.shift()?.opened;
        log.push(`${id} ends`);
      },
    });
    const [first] = gates;
    gates[1]?.open();
    const host = await startTestHost({ registry });
    await host.client.spawnEntity({ type: 'e', id: 'slow', initialMessage: 0 });
    await host.client.sendEntityMessage({ targetUrl: '/e/slow', payload: 1 });
    await host.client.sendEntityMessage({ targetUrl: '/e/slow', payload: 2 });
    await host.client.spawnEntity({ type: 'e', id: 'quick', initialMessage: 0 });
    first?.open();
    await host.settled();
    expect(log).toEqual([
      'slow begins with 1',
      'quick begins with 1',
      'quick ends',
      'slow ends',
      'slow begins with 2',
      'slow ends',
    ]);
  });

  it('R6: runs no more handlers at once than it may, first come first served', async () => {
    const gate = createGate();
    const order: string[] = [];
    let running = 0;
    let most = 0;
    const registry = createEntityRegistry();
    registry.define('e', {
      async handler(ctx) {
        running += 1;
        most = Math.max(most, running);
        order.push(ctx.entityUrl);
        await gate.opened;
        running -= 1;
      },
    });
    const host = await startTestHost({ registry, maxConcurrentWakes: 2 });
    for (const id of ['1', '2', '3', '4', '5']) {
      await host.client.spawnEntity({ type: 'e', id, initialMessage: 0 });
    }
    gate.open();
    await host.settled();
    expect(most).toBe(2);
    expect(order).toEqual(['/e/1', '/e/2', '/e/3', '/e/4', '/e/5']);
  });

  it('cuts a handler that never returns, and reports it', async () => {
    const clock = createManualClock();
    const started = createGate<AbortSignal>();
    const late = createGate<unknown>();
    const registry = createEntityRegistry();
    registry.define('e', {
      state: { c: {} },
      async handler(ctx) {
        if (ctx.wake.type === 'inbox' && ctx.wake.message.payload === 'quick') return;
        started.open(ctx.signal);
        await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
        try {
          ctx.state.c.insert({ key: 'too late' });
        } catch (error) {
          late.open(error);
        }
      },
    });
    const host = await startTestHost({ registry, clock, wakeTimeoutMs: 1_000 });
    await host.client.spawnEntity({ type: 'e', id: 'a', initialMessage: 'stuck' });
    const signal = await started.opened;
    clock.advance(1_000);
    await host.settled();
    expect(signal.aborted).toBe(true);
    expect(await late.opened).toMatchObject({ code: 'PASS_OVER' });
    expect(host.readRows('/e/a', 'errors')).toMatchObject([{ error_code: 'HANDLER_TIMEOUT' }]);
    expect(host.readRows('/e/a', 'c')).toEqual([]);
    await host.client.sendEntityMessage({ targetUrl: '/e/a', payload: 'quick' });
    await host.settled();
    expect(host.readRows('/e/a', 'errors')).toHaveLength(1);
  });
});
