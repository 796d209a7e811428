import { expect, it } from 'vitest';
import { rowsOf } from './testing/conformance-host.ts';
import { createGate, rejectionOf, scripted, section, startHost, typeName } from './testing/harness.ts';

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
    const { host, url, started, reasons } = await startWaiting();
    await host.client.sendEntityMessage({ targetUrl: url, payload: 1 });
    await started.opened;
    await host.client.sendEntityMessage({ targetUrl: url, payload: 2 });
    await host.client.signalEntity({ entityUrl: url, signal: 'SIGKILL' });
    await host.settled();
    expect(reasons).toHaveLength(1);
    expect(await host.client.getEntity(url)).toMatchObject({ status: 'killed' });
    const error = await rejectionOf(host.client.sendEntityMessage({ targetUrl: url, payload: 3 }));
    expect((error as Error).message).toMatch(/\(409\).*NOT_RUNNING/);
  });
});
