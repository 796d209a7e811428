/**
 * Messages, fan-outs and spawns of one host.
 *
 * @module
 */

import type { Child } from '../child.ts';
import type { EntityHostCommands } from '../hosts/entity-host.ts';
import type { NotedWake } from '../hosts/entity-types.ts';
import { type HttpLoad, inParallel } from '../http-load.ts';
import type { Measurement, RunResult } from '../measurement.ts';
import { monotonicMs } from '../monotonic.ts';
import { median, quantile } from '../statistics.ts';
import type { Workbench } from '../workbench.ts';
import type { RuntimeKey } from './figures.ts';

const SENDS = 2_000;
const TARGETS = 100;
const FAN_OUTS = 200;
const SPAWNS = 2_000;
const HTTP_CLIENTS = 16;
const GROWN_WAKES = 10_000;
const GROWTH_SAMPLES = 100;

/** A host and connections to it. */
export interface HostUnderTest {
  readonly child: Child<EntityHostCommands>;
  readonly http: HttpLoad;
}

/** Starts a host over a data directory. */
export async function startEntityHost(
  bench: Workbench,
  dataDir: string,
  connections: number,
): Promise<HostUnderTest> {
  const child = await bench.start<EntityHostCommands>('entity-host.ts', [dataDir]);
  return { child, http: bench.connect(child, connections) };
}

/** Creates an entity without a message. */
export function spawn(http: HttpLoad, entityUrl: string): Promise<void> {
  return http.send({ method: 'PUT', path: `/_electric/entities${entityUrl}`, body: '{}' });
}

/** Sends the time, so that the handler knows how long the message took. */
export function sendTime(http: HttpLoad, entityUrl: string): Promise<void> {
  const body = JSON.stringify({ payload: { sentAtMs: monotonicMs() } });
  return http.send({ method: 'POST', path: `/_electric/entities${entityUrl}/send`, body });
}

/** How long each message took to its handler, in milliseconds. */
export function latencies(wakes: readonly NotedWake[]): readonly number[] {
  return wakes.map(({ sentAtMs, startedAtMs }) => startedAtMs - sentAtMs);
}

/** A host of its own, for all runs. */
function onOneHost(
  connections: number,
  run: (host: HostUnderTest, round: number) => Promise<RunResult<RuntimeKey>>,
  prepare: (host: HostUnderTest) => Promise<unknown> = async () => {},
): Measurement<RuntimeKey>['open'] {
  return async (bench) => {
    const host = await startEntityHost(bench, await bench.createDir(), connections);
    await prepare(host);
    let round = 0;
    return () => {
      round += 1;
      return run(host, round);
    };
  };
}

const sends: Measurement<RuntimeKey> = {
  keys: ['send_to_handler_ms_p50', 'send_to_handler_ms_p99'],
  open: onOneHost(
    1,
    async ({ child, http }) => {
      await inParallel(SENDS, 1, (index) => sendTime(http, `/worker/${index % TARGETS}`));
      const elapsedMs = latencies(await child.call('takeWakes'));
      return {
        send_to_handler_ms_p50: median(elapsedMs),
        send_to_handler_ms_p99: quantile(elapsedMs, 0.99),
      };
    },
    ({ http }) => inParallel(TARGETS, 1, (index) => spawn(http, `/worker/${index}`)),
  ),
};

const fanOuts: Measurement<RuntimeKey> = {
  keys: ['fanout6_ms_p50'],
  open: onOneHost(1, async ({ child }) => ({
    fanout6_ms_p50: median(await child.call('fanOuts', FAN_OUTS)),
  })),
};

const spawns: Measurement<RuntimeKey> = {
  keys: ['spawn_send_per_s'],
  open: onOneHost(1, async ({ child }) => ({
    spawn_send_per_s: (SPAWNS * 1_000) / (await child.call('spawnAndSend', SPAWNS)),
  })),
};

const httpSpawns: Measurement<RuntimeKey> = {
  keys: ['http_spawn_send_per_s'],
  open: onOneHost(HTTP_CLIENTS, async ({ child, http }, round) => {
    const ended = child.call('leavesEnded', SPAWNS);
    const startedAtMs = monotonicMs();
    await inParallel(SPAWNS, HTTP_CLIENTS, async (index) => {
      const entityUrl = `/leaf/${round}~${index}`;
      await spawn(http, entityUrl);
      await sendTime(http, entityUrl);
    });
    return { http_spawn_send_per_s: (SPAWNS * 1_000) / ((await ended) - startedAtMs) };
  }),
};

const growth: Measurement<RuntimeKey> = {
  keys: ['wake_growth_ratio'],
  open: onOneHost(1, async ({ child }) => {
    const { old, fresh } = await child.call('wakeCycles', GROWN_WAKES, GROWTH_SAMPLES);
    return { wake_growth_ratio: median(old) / median(fresh) };
  }),
};

/** What one host does. */
export const MESSAGING: readonly Measurement<RuntimeKey>[] = [sends, fanOuts, spawns, httpSpawns, growth];
