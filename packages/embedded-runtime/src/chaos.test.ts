import { expect, it } from 'vitest';
import { runChaos } from './testing/chaos.ts';
import { createTempDir } from './testing/test-host.ts';

it('loses nothing, does nothing twice and keeps every order, wherever it is killed', async () => {
  const { accepted, problems } = await runChaos(createTempDir(), 20, Math.random);
  expect(problems).toEqual([]);
  for (const count of Object.values(accepted)) expect(count).toBeGreaterThan(20);
}, 90_000);
