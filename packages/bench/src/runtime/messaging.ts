/**
 * Messages, fan-outs and spawns of one host.
 *
 * @module
 */

import { type Child, startChild } from '../child.ts';
import type { EntityHostCommands } from '../hosts/entity-host.ts';
import type { NotedWake } from '../hosts/entity-types.ts';
import { createHttpLoad, type HttpLoad, inParallel } from '../http-load.ts';
import { monotonicMs } from '../monotonic.ts';
import { median, quantile } from '../statistics.ts';
import type { Measurement, OpenMeasurement, RunResult, Workbench } from './measurement.ts';

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
export async function startEntityHost(dataDir: string, connections: number): Promise<HostUnderTest> {
  const child = await startChild<EntityHostCommands>('entity-host.ts', [dataDir]);
  return { child, http: createHttpLoad(child.port, connections) };
}

/** Ends a host. */
export async function stopEntityHost({ child, http }: HostUnderTest): Promise<void> {
  await http.close();
  await child.stop();
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

async function onOneHost(
  bench: Workbench,
  connections: number,
  prepare: (host: HostUnderTest) => Promise<void>,
  run: (host: HostUnderTest) => Promise<RunResult>,
): Promise<OpenMeasurement> {
  const dataDir = await bench.createDir();
  const host = await startEntityHost(dataDir, connections);
  await prepare(host);
  return {
    run: () => run(host),
    async close() {
      await stopEntityHost(host);
      await bench.removeDir(dataDir);
    },
  };
}

const nothing = async () => {};

const sends: Measurement = {
  keys: ['send_to_handler_ms_p50', 'send_to_handler_ms_p99'],
  open: (bench) =>
    onOneHost(
      bench,
      1,
      async ({ http }) => {
        await inParallel(TARGETS, 1, (index) => spawn(http, `/worker/${index}`));
      },
      async ({ child, http }) => {
        await inParallel(SENDS, 1, (index) => sendTime(http, `/worker/${index % TARGETS}`));
        const elapsedMs = latencies(await child.call('takeWakes'));
        return {
          send_to_handler_ms_p50: median(elapsedMs),
          send_to_handler_ms_p99: quantile(elapsedMs, 0.99),
        };
      },
    ),
};

const fanOuts: Measurement = {
  keys: ['fanout6_ms_p50'],
  open: (bench) =>
    onOneHost(bench, 1, nothing, async ({ child }) => ({
      fanout6_ms_p50: median(await child.call('fanOuts', FAN_OUTS)),
    })),
};

const spawns: Measurement = {
  keys: ['spawn_send_per_s'],
  open: (bench) =>
    onOneHost(bench, 1, nothing, async ({ child }) => ({
      spawn_send_per_s: (SPAWNS * 1_000) / (await child.call('spawnAndSend', SPAWNS)),
    })),
};

async function spawnOverHttp({ child, http }: HostUnderTest, round: number): Promise<RunResult> {
  const ended = child.call('leavesEnded', SPAWNS);
  const startedAtMs = monotonicMs();
  await inParallel(SPAWNS, HTTP_CLIENTS, async (index) => {
    const entityUrl = `/leaf/${round}~${index}`;
    await spawn(http, entityUrl);
    await sendTime(http, entityUrl);
  });
  return { http_spawn_send_per_s: (SPAWNS * 1_000) / ((await ended) - startedAtMs) };
}

const httpSpawns: Measurement = {
  keys: ['http_spawn_send_per_s'],
  open: (bench) => {
    let round = 0;
    return onOneHost(bench, HTTP_CLIENTS, nothing, (host) => {
      round += 1;
      return spawnOverHttp(host, round);
    });
  },
};

const growth: Measurement = {
  keys: ['wake_growth_ratio'],
  open: (bench) =>
    onOneHost(bench, 1, nothing, async ({ child }) => {
      const { old, fresh } = await child.call('wakeCycles', GROWN_WAKES, GROWTH_SAMPLES);
      return { wake_growth_ratio: median(old) / median(fresh) };
    }),
};

/** What one host does. */
export const MESSAGING: readonly Measurement[] = [sends, fanOuts, spawns, httpSpawns, growth];
