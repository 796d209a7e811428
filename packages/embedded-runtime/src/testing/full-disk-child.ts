/**
 * A host of its own process whose files may not grow beyond a limit. Fills its disk with deliveries and
 * prints, as JSON, what was accepted and how the rest was refused.
 */

import { writeSync } from 'node:fs';
import { createEmbeddedHost } from '../host.ts';
import { createEntityRegistry } from '../registry.ts';
import { openedDelivery } from './review-factory.ts';

const [dataDir = ''] = process.argv.slice(2);
const registry = createEntityRegistry();
registry.define('e', { handler() {} });
const host = createEmbeddedHost({ registry, dataDir });
await host.start();
await host.client.spawnEntity({ type: 'e', id: 'a' });

const accepted: number[] = [];
let refusal: unknown;
for (let number = 0; refusal === undefined; number += 1) {
  const body = { number, padding: 'x'.repeat(20_000) };
  try {
    await host.appendWebhookEvent({ ...openedDelivery(number), body });
    accepted.push(number);
  } catch (error) {
    refusal = error;
  }
}
const payload = 'x'.repeat(200_000);
const { status } = await host.fetch(
  new Request('http://host/_electric/entities/e/a/send', {
    method: 'POST',
    body: JSON.stringify({ payload }),
  }),
);
writeSync(1, JSON.stringify({ accepted, refusal: (refusal as Error).name, status }));
await host.close();
