import { z } from 'zod';
import { createEntityRegistry, type EntityRegistry } from '../registry.ts';
import { webhook } from '../sources.ts';
import type { InboxRow } from '../types.ts';

export const WORKERS = ['a', 'b', 'c', 'd', 'e', 'f'] as const;

/** Called at named places of the handlers, so that a test can stop or kill there. */
export type OnStep = (step: string) => void | Promise<void>;

const opened = z.object({ number: z.number() });
const done = z.object({ worker: z.string(), text: z.string() });
const processedSchema = z.object({ key: z.string() });

function unprocessed(
  inbox: readonly InboxRow[],
  processed: { get(key: string): unknown },
  type: string,
): readonly InboxRow[] {
  return inbox.filter((row) => row.message_type === type && processed.get(row.key) === undefined);
}

function defineDispatcher(registry: EntityRegistry, onStep: OnStep): void {
  registry.define('dispatcher', {
    state: { processed: { schema: processedSchema } },
    async handler(ctx) {
      const handle = await ctx.observe(webhook('github', { bucket: 'prs/opened' }));
      for (const row of handle.db.collections.events.toArray) {
        if (ctx.state.processed.get(row.key) !== undefined) continue;
        const { number } = opened.parse(row.body);
        const id = `o~r~${number}`;
        if (ctx.db.collections.manifests.get(`child:shepherd:${id}`) === undefined) {
          await ctx.spawn('shepherd', id, { number });
        }
        await onStep('dispatcher');
        await ctx.send(`/shepherd/${id}`, { number }, { type: 'opened' });
        ctx.state.processed.insert({ key: row.key });
      }
    },
  });
}

function defineShepherd(registry: EntityRegistry, onStep: OnStep): void {
  registry.define('shepherd', {
    creationSchema: opened,
    inboxSchemas: { opened, 'worker-done': done, deadline: z.object({}) },
    state: {
      processed: { schema: processedSchema },
      answers: { schema: z.object({ key: z.string(), text: z.string() }) },
      deadlines: { schema: processedSchema },
    },
    async handler(ctx) {
      const inbox = ctx.db.collections.inbox.toArray;
      await ctx.observe(webhook('github', { bucket: `prs/${ctx.args.number}` }));
      for (const row of unprocessed(inbox, ctx.state.processed, 'opened')) {
        for (const aspect of WORKERS) {
          const id = `o~r~${ctx.args.number}~${aspect}`;
          if (ctx.db.collections.manifests.get(`child:worker:${id}`) === undefined) {
            await ctx.spawn('worker', id, { parent: ctx.entityUrl });
          }
          await onStep(`shepherd ${aspect}`);
          await ctx.send(`/worker/${id}`, {}, { type: 'review' });
        }
        await ctx.send(ctx.entityUrl, {}, { type: 'deadline', afterMs: 60_000 });
        ctx.state.processed.insert({ key: row.key });
      }
      for (const row of unprocessed(inbox, ctx.state.processed, 'worker-done')) {
        const { worker, text } = done.parse(row.payload);
        ctx.state.answers.update(worker, (draft) => {
          draft.text = text;
        });
        ctx.state.processed.insert({ key: row.key });
      }
      for (const row of unprocessed(inbox, ctx.state.processed, 'deadline')) {
        ctx.state.deadlines.insert({ key: row.key });
        ctx.state.processed.insert({ key: row.key });
      }
    },
  });
}

function defineWorker(registry: EntityRegistry, onStep: OnStep): void {
  registry.define('worker', {
    creationSchema: z.object({ parent: z.string() }),
    inboxSchemas: { review: z.object({}) },
    async handler(ctx) {
      const { parent } = ctx.args;
      const agent = ctx.useAgent({
        systemPrompt: 'You review.',
        model: 'claude-haiku-4-5',
        tools: [],
        testResponses: ['fine'],
      });
      await agent.run('Aspect');
      await onStep('worker');
      await ctx.send(parent, { worker: ctx.entityUrl, text: 'fine' }, { type: 'worker-done' });
    },
  });
}

/** Dispatcher, shepherd and six workers, as small as they can be. */
export function createReviewFactory(onStep: OnStep = () => {}): EntityRegistry {
  const registry = createEntityRegistry();
  defineDispatcher(registry, onStep);
  defineShepherd(registry, onStep);
  defineWorker(registry, onStep);
  return registry;
}

/** A delivery of `pull_request.opened` in two buckets. */
export function openedDelivery(number: number) {
  return {
    endpointKey: 'github',
    key: `delivery-${number}`,
    buckets: ['prs/opened', `prs/${number}`],
    eventType: 'pull_request',
    headers: { 'x-github-event': 'pull_request' },
    body: { number },
    receivedAt: '2026-01-01T00:00:00.000Z',
    request: { method: 'POST', content_type: 'application/json', size_bytes: 12, query: {} },
  } as const;
}
