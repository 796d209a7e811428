/**
 * A host of its own process, for tests that kill it. Arguments: data directory, step at which to stop for
 * good (or none), numbers of the deliveries. Prints a line for each step and each accepted delivery.
 */

import { writeSync } from 'node:fs';
import { createEmbeddedHost } from '../host.ts';
import { createReviewFactory, openedDelivery } from './review-factory.ts';

const [dataDir = '', stopAt = '', ...numbers] = process.argv.slice(2);

function print(line: string): void {
  writeSync(1, `${line}\n`);
}

const registry = createReviewFactory((step) => {
  print(`step ${step}`);
  return step === stopAt ? new Promise<void>(() => {}) : undefined;
});
const host = createEmbeddedHost({ registry, dataDir });
await host.start();
await host.client.spawnEntity({ type: 'dispatcher', id: 'main', initialMessage: {} });
await Promise.all(
  numbers.map(async (number) => {
    await host.appendWebhookEvent(openedDelivery(Number(number)));
    print(`accepted ${number}`);
  }),
);
await host.settled();
print('settled');
setInterval(() => {}, 60_000); // waits for its end
