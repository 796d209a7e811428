import { expect, it } from 'vitest';
import { entityOf, rowsOf } from './testing/conformance-host.ts';
import {
  createGate,
  itStricter,
  rejectionOf,
  scripted,
  section,
  startHost,
  typeName,
} from './testing/harness.ts';

/** An entity whose passes wait for their abort. */
async function startWaiting() {
  const type = typeName('e');
  const started = createGate();
  const reasons: unknown[] = [];
  const host = await startHost(
    scripted({
      async [type](ctx) {
        started.open();
        await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
        reasons.push(ctx.signal.reason);
      },
    }),
  );
  await host.client.spawnEntity({ type, id: 'a' });
  return { host, url: `/${type}/a`, started, reasons };
}

section('signals', () => {
  it('SIGINT aborts the pass that runs and is ignored otherwise', async () => {
    const { host, url, started, reasons } = await startWaiting();
    await host.client.signalEntity({ entityUrl: url, signal: 'SIGINT' });
    await host.client.sendEntityMessage({ targetUrl: url, payload: 1 });
    await started.opened;
    expect(reasons).toEqual([]);
    await host.client.signalEntity({ entityUrl: url, signal: 'SIGINT', reason: 'enough' });
    await host.settled();
    expect(reasons).toHaveLength(1);
    expect(await rowsOf(host, url, 'signal')).toMatchObject([{ signal: 'SIGINT' }, { signal: 'SIGINT' }]);
  });

  it('SIGKILL ends the entity for good', async () => {
    const { host, url } = await startWaiting();
    await host.client.signalEntity({ entityUrl: url, signal: 'SIGKILL' });
    await host.settled();
    expect(await entityOf(host, url)).toMatchObject({ status: 'killed' });
    const error = await rejectionOf(host.client.sendEntityMessage({ targetUrl: url, payload: 3 }));
    expect((error as Error).message).toMatch(/\(409\).*NOT_RUNNING/);
  });

  itStricter('SIGKILL aborts the pass that runs, and no other follows', async () => {
    const { host, url, started, reasons } = await startWaiting();
    await host.client.sendEntityMessage({ targetUrl: url, payload: 1 });
    await started.opened;
    await host.client.sendEntityMessage({ targetUrl: url, payload: 2 });
    await host.client.signalEntity({ entityUrl: url, signal: 'SIGKILL' });
    await host.settled();
    expect(reasons).toHaveLength(1);
    expect(await entityOf(host, url)).toMatchObject({ status: 'killed' });
  });
});

section('signals for the handler', () => {
  /** An entity that keeps the signals of its passes; a pass ends when the gate is opened. */
  async function startListening() {
    const type = typeName('e');
    const [started, gate] = [createGate(), createGate()];
    const signals: unknown[] = [];
    const payloads: unknown[] = [];
    const host = await startHost(
      scripted({
        async [type](ctx, wake) {
          payloads.push(wake.payload);
          ctx.onSignal((signal) => void signals.push(signal));
          started.open();
          await gate.opened;
        },
      }),
    );
    await host.client.spawnEntity({ type, id: 'a' });
    return { host, url: `/${type}/a`, started, gate, signals, payloads };
  }

  it('SIGHUP and SIGUSR reach onSignal of the pass that runs', async () => {
    const { host, url, started, gate, signals } = await startListening();
    await host.client.sendEntityMessage({ targetUrl: url, payload: 1 });
    await started.opened;
    const usr = { signal: 'SIGUSR', reason: 'look', payload: { n: 1 } };
    await host.client.signalEntity({ entityUrl: url, ...usr });
    await expect.poll(() => signals.length).toBe(1);
    await host.client.signalEntity({ entityUrl: url, signal: 'SIGHUP' });
    await expect.poll(() => signals.length).toBe(2);
    gate.open();
    await host.settled();
    expect(signals).toMatchObject([usr, { signal: 'SIGHUP' }]);
    expect(await entityOf(host, url)).toMatchObject({ status: 'idle' });
  });

  it('SIGTERM reaches it, lets the pass end, and stops the entity', async () => {
    const { host, url, started, gate, signals } = await startListening();
    await host.client.sendEntityMessage({ targetUrl: url, payload: 1 });
    await started.opened;
    await host.client.signalEntity({ entityUrl: url, signal: 'SIGTERM' });
    await expect.poll(() => signals.length).toBe(1);
    gate.open();
    await host.settled();
    expect(await entityOf(host, url)).toMatchObject({ status: 'stopped' });
    const error = await rejectionOf(host.client.sendEntityMessage({ targetUrl: url, payload: 2 }));
    expect((error as Error).message).toMatch(/\(409\).*NOT_RUNNING/);
  });

  itStricter('SIGSTOP holds further passes back until SIGCONT', async () => {
    const { host, url, gate, payloads } = await startListening();
    gate.open();
    await host.client.signalEntity({ entityUrl: url, signal: 'SIGSTOP' });
    expect(await entityOf(host, url)).toMatchObject({ status: 'paused' });
    await host.client.sendEntityMessage({ targetUrl: url, payload: 'held' });
    await host.settled();
    expect(payloads).toEqual([]);
    await host.client.signalEntity({ entityUrl: url, signal: 'SIGCONT' });
    await host.settled();
    expect(payloads).toEqual(['held']);
  });
});
