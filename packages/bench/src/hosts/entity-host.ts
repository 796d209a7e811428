/**
 * A host of its own process with the measured entity types. Argument: the data directory.
 *
 * @module
 */

import { createEmbeddedHost } from '@electric-ax/agents-runtime';
import { monotonicMs } from '../monotonic.ts';
import { createMeasuredTypes, type NotedWake, type Probe } from './entity-types.ts';
import { listen, serveCommands } from './serve-commands.ts';

const nothing = () => {};
const probe: Probe = { wakes: [], onLeafEnded: nothing, onFanOut: nothing, onChain: nothing };
const host = createEmbeddedHost({ registry: createMeasuredTypes(probe), dataDir: process.argv[2] ?? '' });

let lastId = 0;
function nextId(): string {
  lastId += 1;
  return `${process.pid}-${lastId}`;
}

function fanOut(): Promise<number> {
  return new Promise((resolve, reject) => {
    probe.onFanOut = resolve;
    host.client
      .spawnEntity({ type: 'fan-parent', id: nextId(), initialMessage: { start: true } })
      .catch(reject);
  });
}

function chain(id: string, wakes: number): Promise<number> {
  return new Promise((resolve, reject) => {
    probe.onChain = resolve;
    host.client.sendEntityMessage({ targetUrl: `/chain/${id}`, payload: { left: wakes - 1 } }).catch(reject);
  });
}

async function grown(id: string, wakes: number): Promise<void> {
  await host.client.spawnEntity({ type: 'chain', id });
  await chain(id, wakes);
  await host.settled();
}

const commands = {
  /** Hands over what was noted since the last call. */
  takeWakes(): readonly NotedWake[] {
    const taken = probe.wakes;
    probe.wakes = [];
    return taken;
  },

  /** Times of so many fan-outs, one after another, in milliseconds. */
  async fanOuts(count: number): Promise<readonly number[]> {
    const elapsed: number[] = [];
    for (let index = 0; index < count; index += 1) {
      elapsed.push(await fanOut());
      await host.settled();
    }
    return elapsed;
  },

  /** One handler spawns and sends. @returns how long it took until the last handler had ended, in milliseconds */
  async spawnAndSend(count: number): Promise<number> {
    const prefix = nextId();
    await host.client.spawnEntity({ type: 'spawner', id: prefix });
    const startedAtMs = monotonicMs();
    const payload = { count, prefix };
    await host.client.sendEntityMessage({ targetUrl: `/spawner/${prefix}`, payload });
    await host.settled();
    return monotonicMs() - startedAtMs;
  },

  /** Resolves with the time at which so many handlers of leaves have ended from now on. */
  leavesEnded(count: number): Promise<number> {
    return new Promise((resolve) => {
      let left = count;
      probe.onLeafEnded = () => {
        left -= 1;
        if (left === 0) resolve(monotonicMs());
      };
    });
  },

  /**
   * Cycles, from the start of a handler that sends to its own entity until the handler starts again: into the
   * 10th wake of fresh entities, and into wakes of one entity that has had `wakes`; one of each in turn.
   */
  async wakeCycles(
    wakes: number,
    samples: number,
  ): Promise<{ readonly old: readonly number[]; readonly fresh: readonly number[] }> {
    const oldId = nextId();
    await grown(oldId, wakes);
    const cycles: { readonly old: number[]; readonly fresh: number[] } = { old: [], fresh: [] };
    for (let index = 0; index < samples; index += 1) {
      const freshId = nextId();
      await grown(freshId, 8);
      cycles.fresh.push(await chain(freshId, 2));
      await host.settled();
      cycles.old.push(await chain(oldId, 2));
      await host.settled();
    }
    return cycles;
  },

  residentBytes: (): number => process.memoryUsage.rss(),
};

/** What this process serves. */
export type EntityHostCommands = typeof commands;

await host.start();
serveCommands({ port: await listen(host.fetch), commands, close: () => host.close() });
