/**
 * A host of its own process whose files may not grow beyond a limit. Fills its disk with deliveries, tries
 * everything else, and prints, as JSON, what was accepted and how the rest was refused.
 */

import { writeSync } from 'node:fs';
import { createEmbeddedHost } from '../host.ts';
import { createEntityRegistry } from '../registry.ts';
import { silentLog } from '../runtime-log.ts';
import { createManualClock } from './manual-clock.ts';
import { openedDelivery } from './review-factory.ts';

const [dataDir = ''] = process.argv.slice(2);
const large = 'x'.repeat(200_000);
const registry = createEntityRegistry();
registry.define('e', { handler() {} });
const clock = createManualClock();
const errors: string[] = [];
const log = { ...silentLog, error: (message: string) => void errors.push(message) };
const host = createEmbeddedHost({ registry, dataDir, clock, log });
await host.start();
await host.client.spawnEntity({ type: 'e', id: 'a' });
await host.client.sendEntityMessage({ targetUrl: '/e/a', payload: large, afterMs: 10_000 });

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

async function call(method: string, path: string, body?: unknown): Promise<number> {
  const request = new Request(`http://host/_electric/entities/e/${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (await host.fetch(request)).status;
}

const statuses = {
  send: await call('POST', 'a/send', { payload: large }),
  delayedSend: await call('POST', 'a/send', { payload: large, afterMs: 1 }),
  spawn: await call('PUT', 'b', { args: { large } }),
  signal: await call('POST', 'a/signal', { signal: 'SIGUSR', payload: large }),
  tag: await call('POST', 'a/tags/t', { value: large }),
  schedule: await call('PUT', 'a/schedules/s', {
    scheduleType: 'future_send',
    payload: large,
    fireAt: '2027-01-01T00:00:00Z',
  }),
  get: await call('GET', 'a'),
  spawned: await call('GET', 'b'),
};
errors.length = 0;
clock.advance(10_000); // the delayed message cannot be delivered
await host.settled();
const inbox = host.readRows('/e/a', 'inbox').length;
writeSync(1, JSON.stringify({ accepted, refusal: (refusal as Error).name, statuses, inbox, errors }));
await host.close();
