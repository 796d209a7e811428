import { createEntityRegistry, type EntityRegistry } from '../registry.ts';
import { cron } from '../sources.ts';

/** Workers that get messages one after another. */
export const LANES = ['w0', 'w1', 'w2'] as const;
export const SINK = '/sink/main';
export const TICKS = cron('* * * * * *');

interface Message {
  readonly kind: 'effect' | 'timer';
  readonly n: number;
}

/** Workers that pass each message on to one sink, which keeps the effect of each once. */
export function createChaosRegistry(): EntityRegistry {
  const registry = createEntityRegistry();
  registry.define('worker', {
    state: { done: {} },
    async handler(ctx) {
      for (const { key, value } of ctx.events) {
        if (ctx.state.done.get(key) !== undefined) continue;
        const { n } = (value as { payload: Message }).payload;
        await ctx.send(SINK, { kind: 'effect', n });
        ctx.state.done.insert({ key, n });
      }
    },
  });
  registry.define('sink', {
    state: { effects: {}, timers: {} },
    async handler(ctx) {
      await ctx.observe(TICKS);
      for (const { type, key, value } of ctx.events) {
        if (type !== 'inbox') continue;
        const { kind, n } = (value as { payload: Message }).payload;
        // A timer's message comes once, so its key is enough; what workers send may come again.
        if (kind === 'timer') ctx.state.timers.update(key, (row) => Object.assign(row, { n }));
        else if (ctx.state.effects.get(`${n}`) === undefined) ctx.state.effects.insert({ key: `${n}` });
      }
    },
  });
  return registry;
}
