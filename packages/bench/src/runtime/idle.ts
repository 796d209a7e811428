/**
 * A host of 70,000 idle entities, beside one that is almost empty.
 *
 * @module
 */

import { cp } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { inParallel } from '../http-load.ts';
import type { Measurement, RunResult } from '../measurement.ts';
import { quantile } from '../statistics.ts';
import type { Workbench } from '../workbench.ts';
import type { RuntimeKey } from './figures.ts';
import { type HostUnderTest, latencies, sendTime, spawn, startEntityHost } from './messaging.ts';
import { entityUrlsOf, PULL_REQUESTS, seedIdleHost } from './seed.ts';

const SENDS = 2_000;
/** Sends to one host before it is the other's turn. */
const BLOCK = 100;
const WARM_UP_SENDS = 400;
/** Entities of the host that is almost empty. */
const FEW_ENTITIES = 100;
/** A prime: consecutive sends go to entities that lie far apart. */
const STRIDE = 7_919;
const IDLE_MS = 1_000;

function manyUrl(index: number): string {
  const number = ((index * STRIDE) % PULL_REQUESTS) + 1;
  const urls = entityUrlsOf(number);
  return urls[index % urls.length] ?? '';
}

const fewUrl = (index: number) => `/worker/${index % FEW_ENTITIES}`;

async function firstWakeMs(host: HostUnderTest): Promise<number> {
  await sendTime(host.http, manyUrl(0));
  const [wake] = await host.child.call('takeWakes');
  if (wake === undefined) throw new Error('the first wake was not noted');
  return wake.startedAtMs - host.child.startedAtMs;
}

async function wakeRatio(many: HostUnderTest, few: HostUnderTest): Promise<number> {
  async function send(first: number, count: number): Promise<void> {
    await inParallel(count, 1, (index) => sendTime(many.http, manyUrl(first + index)));
    await inParallel(count, 1, (index) => sendTime(few.http, fewUrl(first + index)));
  }
  await inParallel(FEW_ENTITIES, 1, (index) => spawn(few.http, fewUrl(index)));
  await send(1, WARM_UP_SENDS);
  await Promise.all([many.child.call('takeWakes'), few.child.call('takeWakes')]);
  for (let sent = 0; sent < SENDS; sent += BLOCK) await send(1 + WARM_UP_SENDS + sent, BLOCK);
  const p99 = async ({ child }: HostUnderTest) => quantile(latencies(await child.call('takeWakes')), 0.99);
  return (await p99(many)) / (await p99(few));
}

async function runIdle(bench: Workbench, seeded: string): Promise<RunResult<RuntimeKey>> {
  const [manyDir, fewDir] = [await bench.createDir(), await bench.createDir()];
  await cp(seeded, manyDir, { recursive: true });
  const many = await startEntityHost(bench, manyDir, 1);
  const startMs = await firstWakeMs(many);
  await pause(IDLE_MS);
  const residentBytes = await many.child.call('residentBytes');
  const few = await startEntityHost(bench, fewDir, 1);
  const ratio = await wakeRatio(many, few);
  await Promise.all([many.child.stop(), few.child.stop()]);
  await Promise.all([bench.removeDir(manyDir), bench.removeDir(fewDir)]);
  return {
    idle_70000_rss_mb: residentBytes / 1_000_000,
    idle_70000_start_ms: startMs,
    idle_70000_wake_ratio: ratio,
  };
}

/** What idle entities cost. */
export const IDLE: Measurement<RuntimeKey> = {
  keys: ['idle_70000_rss_mb', 'idle_70000_start_ms', 'idle_70000_wake_ratio'],
  async open(bench) {
    const seeded = await bench.createDir();
    await seedIdleHost(seeded);
    return () => runIdle(bench, seeded);
  },
};
