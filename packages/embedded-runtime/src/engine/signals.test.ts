import { describe, expect, it, onTestFinished } from 'vitest';
import { createEmbeddedHost } from '../host.ts';
import { entity } from '../sources.ts';
import { rejectionOf, type Script, scripted } from '../testing/script.ts';
import { createGate, createTempDir, startTestHost } from '../testing/test-host.ts';

/** An entity whose first pass waits for the test. */
async function setUp(onPass: Script = () => {}) {
  const started = createGate();
  const goOn = createGate();
  const payloads: unknown[] = [];
  const registry = scripted({
    async e(ctx, wake) {
      payloads.push(wake.payload);
      await onPass(ctx, wake);
      started.open();
      if (payloads.length === 1) await goOn.opened;
    },
  });
  const host = await startTestHost({ registry });
  await host.client.spawnEntity({ type: 'e', id: 'a', initialMessage: 1 });
  await started.opened;
  const signal = (name: string, others: object = {}) =>
    host.client.signalEntity({ entityUrl: '/e/a', signal: name, ...others });
  const send = (payload: unknown) => host.client.sendEntityMessage({ targetUrl: '/e/a', payload });
  const status = async () => (await host.client.getEntity('/e/a')).status;
  return { host, goOn, payloads, signal, send, status };
}

describe('signals', () => {
  it('SIGTERM stops the entity when its pass has ended', async () => {
    const { host, goOn, payloads, signal, send, status } = await setUp();
    await send(2);
    await signal('SIGTERM', { reason: 'enough' });
    expect(await status()).toBe('stopping');
    expect(await rejectionOf(send(3))).toMatchObject({ status: 409 });
    goOn.open();
    await host.settled();
    expect(await status()).toBe('stopped');
    expect(payloads).toEqual([1]);
    expect(host.readRows('/e/a', 'entityStopped')).toHaveLength(1);
    expect(host.readRows('/e/a', 'signals')).toMatchObject([
      {
        signal: 'SIGTERM',
        reason: 'enough',
        status: 'handled',
        outcome: 'shutdown_requested',
        new_state: 'stopped',
      },
    ]);
    expect(String(await rejectionOf(signal('SIGCONT')))).toContain('INVALID_SIGNAL');
  });

  it('SIGTERM stops the entity whenever it comes, also while the end of a pass is written', async () => {
    const gates = new Map<string, () => void>();
    const registry = scripted({
      e: (ctx) => new Promise((resolve) => void gates.set(ctx.entityUrl, resolve)),
    });
    const host = await startTestHost({ registry });
    for (let turns = 0; turns < 40; turns += 1) {
      const url = `/e/${turns}`;
      await host.client.spawnEntity({ type: 'e', id: `${turns}`, initialMessage: 0 });
      gates.get(url)?.();
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      await host.client.signalEntity({ entityUrl: url, signal: 'SIGTERM' });
      await host.settled();
      expect(await host.client.getEntity(url)).toMatchObject({ status: 'stopped' });
    }
  });

  it('SIGTERM stops an idle entity at once', async () => {
    const { host, goOn, signal, status } = await setUp();
    goOn.open();
    await host.settled();
    await signal('SIGTERM');
    expect(await status()).toBe('stopped');
    expect(host.readRows('/e/a', 'signals')).toMatchObject([
      { status: 'handled', outcome: 'transitioned', previous_state: 'idle', new_state: 'stopped' },
    ]);
  });

  it('R3: SIGTERM outlives the process: the pass that was cut off runs again, then the entity stops', async () => {
    const dataDir = createTempDir();
    const started = createGate();
    let passes = 0;
    const registry = scripted({
      async e(ctx) {
        passes += 1;
        if (passes > 1) return;
        started.open();
        await new Promise((_, reject) => ctx.signal.addEventListener('abort', reject));
      },
    });
    const first = createEmbeddedHost({ registry, dataDir });
    onTestFinished(() => first.close());
    await first.start();
    await first.client.spawnEntity({ type: 'e', id: 'a', initialMessage: 1 });
    await started.opened;
    await first.client.signalEntity({ entityUrl: '/e/a', signal: 'SIGTERM' });
    await first.close();
    const host = await startTestHost({ registry, dataDir });
    await host.settled();
    expect(passes).toBe(2);
    expect(await host.client.getEntity('/e/a')).toMatchObject({ status: 'stopped' });
  });

  it('SIGSTOP holds messages back until SIGCONT', async () => {
    const { host, goOn, payloads, signal, send, status } = await setUp();
    await signal('SIGSTOP');
    expect(await status()).toBe('paused');
    await send(2);
    goOn.open();
    await host.settled();
    await signal('SIGUSR');
    expect(payloads).toEqual([1]);
    await signal('SIGCONT');
    await host.settled();
    expect(payloads).toEqual([1, 2]);
    expect(await status()).toBe('idle');
    expect(host.readRows('/e/a', 'signals').map((row) => [row.signal, row.outcome])).toEqual([
      ['SIGSTOP', 'transitioned'],
      ['SIGUSR', 'ignored'],
      ['SIGCONT', 'transitioned'],
    ]);
  });

  it('SIGHUP and SIGUSR reach onSignal of the pass that runs; the pass waits for it', async () => {
    const seen: unknown[] = [];
    const answered = createGate();
    const { host, goOn, signal } = await setUp((ctx) => {
      ctx.onSignal(async (delivered) => {
        await answered.opened;
        seen.push(delivered);
        await ctx.setTag('signal', delivered.signal);
      });
    });
    await signal('SIGUSR', { payload: { n: 1 } });
    goOn.open();
    answered.open();
    await host.settled();
    expect(seen).toEqual([{ signal: 'SIGUSR', payload: { n: 1 } }]);
    expect(await host.client.getEntity('/e/a')).toMatchObject({ tags: { signal: 'SIGUSR' } });
    await signal('SIGHUP');
    await host.settled();
    expect(seen).toHaveLength(1);
    expect(host.readRows('/e/a', 'signals')).toMatchObject([
      { signal: 'SIGUSR', status: 'handled', outcome: 'delivered' },
      { signal: 'SIGHUP', status: 'unhandled' },
    ]);
  });

  it('a handler of signals that throws fails the pass', async () => {
    const { host, goOn, signal } = await setUp((ctx) => {
      ctx.onSignal(() => {
        throw new Error('no');
      });
    });
    await signal('SIGHUP');
    goOn.open();
    await host.settled();
    expect(host.readRows('/e/a', 'errors')).toMatchObject([{ error_code: 'SIGNAL_HANDLER_FAILED' }]);
    expect(host.readRows('/e/a', 'signals')).toMatchObject([{ status: 'handled', outcome: 'failed' }]);
  });

  it('are changes that observers can wait for', async () => {
    const wakes: unknown[] = [];
    const registry = scripted({
      e: () => {},
      async watcher(ctx, wake) {
        wakes.push(wake.source);
        await ctx.observe(entity('/e/a'), { wake: { on: 'change', collections: ['signal'] } });
      },
    });
    const host = await startTestHost({ registry });
    await host.client.spawnEntity({ type: 'e', id: 'a' });
    await host.client.spawnEntity({ type: 'watcher', id: 'w', initialMessage: 0 });
    await host.settled();
    await host.client.signalEntity({ entityUrl: '/e/a', signal: 'SIGUSR' });
    await host.settled();
    expect(wakes.at(-1)).toBe('/e/a');
  });
});
