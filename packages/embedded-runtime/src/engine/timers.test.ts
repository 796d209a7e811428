import { describe, expect, it } from 'vitest';
import { createEmbeddedHost } from '../host.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { scripted } from '../testing/script.ts';
import { createTempDir, startTestHost } from '../testing/test-host.ts';

describe('R4: timers', () => {
  it('all fire, in order and once, however many were due while the host was down', async () => {
    const dataDir = createTempDir();
    const clock = createManualClock();
    const registry = scripted({ e: () => {} });
    const first = createEmbeddedHost({ registry, dataDir, clock });
    await first.start();
    await first.client.spawnEntity({ type: 'e', id: 'a' });
    const payloads = Array.from({ length: 450 }, (_, n) => n);
    await Promise.all(
      payloads.map((n) => first.client.sendEntityMessage({ targetUrl: '/e/a', payload: n, afterMs: n + 1 })),
    );
    await first.close();
    clock.advance(60_000);
    const host = await startTestHost({ registry, dataDir, clock });
    await host.settled();
    expect(host.readRows('/e/a', 'inbox').map((row) => row.payload)).toEqual(payloads);
    clock.advance(60_000);
    await host.settled();
    expect(host.readRows('/e/a', 'inbox')).toHaveLength(payloads.length);
  });
});
