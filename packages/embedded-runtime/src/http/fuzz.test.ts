import { expect, it } from 'vitest';
import { createFuzzRegistry, fuzzRoutes } from '../testing/malformed-requests.ts';
import { startTestHost } from '../testing/test-host.ts';

it('answers every malformed request without a fault of its own', async () => {
  const host = await startTestHost({ registry: createFuzzRegistry() });
  await fuzzRoutes(host, 1_000);
  expect((await host.fetch(new Request('http://host/_electric/health'))).status).toBe(200);
});
