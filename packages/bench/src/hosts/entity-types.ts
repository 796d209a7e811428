/**
 * The entity types that are measured, and what is noted of their wakes.
 *
 * @module
 */

import {
  createEntityRegistry,
  type EntityRegistry,
  type HandlerContext,
  type WakeEvent,
} from '@electric-ax/agents-runtime';
import { monotonicMs } from '../monotonic.ts';

/** Children of one fan-out. */
const FAN_OUT = 6;

/** A message that was sent, and the start of the handler that it woke. */
export interface NotedWake {
  readonly sentAtMs: number;
  readonly startedAtMs: number;
}

/** What the handlers tell. */
export interface Probe {
  wakes: NotedWake[];
  /** A handler of a leaf has ended. */
  onLeafEnded: () => void;
  /** A fan-out has its six answers, so many milliseconds after its handler began. */
  onFanOut: (elapsedMs: number) => void;
  /** A chain has ended; its last cycle took so many milliseconds from one handler's start to the next one's. */
  onChain: (cycleMs: number) => void;
}

function payloadOf<T>(wake: WakeEvent): T {
  return wake.payload as T;
}

function defineTargets(registry: EntityRegistry, probe: Probe): void {
  for (const name of ['shepherd', 'worker']) {
    registry.define(name, {
      handler(_ctx, wake) {
        const startedAtMs = monotonicMs();
        probe.wakes.push({ sentAtMs: payloadOf<{ sentAtMs: number }>(wake).sentAtMs, startedAtMs });
      },
    });
  }
}

async function fanOut(ctx: HandlerContext): Promise<void> {
  for (let index = 0; index < FAN_OUT; index += 1) {
    const child = await ctx.spawn('fan-child', `${ctx.entityUrl.split('/')[2]}~${index}`);
    await ctx.send(child.entityUrl, { parent: ctx.entityUrl });
  }
}

function defineFanOut(registry: EntityRegistry, probe: Probe): void {
  const startedAtMs = new Map<string, number>();
  registry.define('fan-parent', {
    state: { answers: {} },
    async handler(ctx) {
      if (!startedAtMs.has(ctx.entityUrl)) {
        startedAtMs.set(ctx.entityUrl, monotonicMs());
        await fanOut(ctx);
        return;
      }
      for (const { value } of ctx.events) {
        const { from_agent: key } = value as { readonly from_agent: string };
        await ctx.state.answers.insert({ key }).isPersisted.promise;
      }
      if (ctx.state.answers.toArray.length < FAN_OUT) return;
      probe.onFanOut(monotonicMs() - (startedAtMs.get(ctx.entityUrl) ?? 0));
      startedAtMs.delete(ctx.entityUrl);
    },
  });
  registry.define('fan-child', {
    async handler(ctx, wake) {
      await ctx.send(payloadOf<{ parent: string }>(wake).parent, { answer: 'done' });
    },
  });
}

function defineSpawns(registry: EntityRegistry, probe: Probe): void {
  registry.define('spawner', {
    async handler(ctx, wake) {
      const { count, prefix } = payloadOf<{ count: number; prefix: string }>(wake);
      for (let index = 0; index < count; index += 1) {
        const child = await ctx.spawn('leaf', `${prefix}~${index}`);
        await ctx.send(child.entityUrl, { index });
      }
    },
  });
  registry.define('leaf', {
    handler() {
      probe.onLeafEnded();
    },
  });
}

function defineChains(registry: EntityRegistry, probe: Probe): void {
  const lastStartMs = new Map<string, number>();
  registry.define('chain', {
    state: { totals: {} },
    async handler(ctx, wake) {
      const nowMs = monotonicMs();
      const cycleMs = nowMs - (lastStartMs.get(ctx.entityUrl) ?? nowMs);
      lastStartMs.set(ctx.entityUrl, nowMs);
      ctx.state.totals.update('wakes', (row) => {
        row.count = Number(row.count ?? 0) + 1;
      });
      const { left } = payloadOf<{ left: number }>(wake);
      if (left === 0) probe.onChain(cycleMs);
      else await ctx.send(ctx.entityUrl, { left: left - 1 });
    },
  });
}

/** Fills a registry whose handlers tell `probe`. */
export function createMeasuredTypes(probe: Probe): EntityRegistry {
  const registry = createEntityRegistry();
  defineTargets(registry, probe);
  defineFanOut(registry, probe);
  defineSpawns(registry, probe);
  defineChains(registry, probe);
  return registry;
}
