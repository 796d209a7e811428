/**
 * A host of its own process that works until it is killed. Arguments: data directory, first number. Waits for a
 * line on its input before it starts, and prints one for each thing that was accepted.
 */

import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { createEmbeddedHost } from '../host.ts';
import { createChaosRegistry, LANES, SINK } from './chaos-registry.ts';
import { openedDelivery } from './review-factory.ts';

const [dataDir = '', firstNumber = '0'] = process.argv.slice(2);
let next = Number(firstNumber);

function take(): number {
  next += 1;
  return next;
}

function print(line: string): void {
  writeSync(1, `${line}\n`);
}

await once(process.stdin, 'data');
const host = createEmbeddedHost({ registry: createChaosRegistry(), dataDir });
await host.start();
const { client } = host;
await client.spawnEntity({ type: 'sink', id: 'main', initialMessage: { kind: 'effect', n: -1 } });
for (const id of LANES) await client.spawnEntity({ type: 'worker', id });
print('ready');

const works: readonly (() => Promise<void>)[] = [
  ...LANES.map((lane) => async () => {
    const n = take();
    await client.sendEntityMessage({ targetUrl: `/worker/${lane}`, payload: { n } });
    print(`sent ${lane} ${n}`);
  }),
  async () => {
    const n = take();
    await client.sendEntityMessage({ targetUrl: SINK, payload: { kind: 'timer', n }, afterMs: 1 + (n % 40) });
    print(`timer ${n}`);
  },
  async () => {
    const n = take();
    await host.appendWebhookEvent({ ...openedDelivery(n), buckets: ['all'] });
    print(`delivery ${n}`);
  },
  async () => {
    const n = take();
    await client.spawnEntity({ type: 'worker', id: `s${n}`, initialMessage: { n } });
    print(`spawned ${n}`);
  },
];

// Messages go one after another in each lane; of everything else several are under way at once.
const others = works.slice(LANES.length);
await Promise.all(
  [...works, ...others, ...others, ...others].map(async (work) => {
    for (;;) await work();
  }),
);
