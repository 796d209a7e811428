/**
 * Handlers as they are written against the published package: this file compiles against its types, too, when
 * `../index.ts` is replaced by its name. The compiler is the test; at run time the definitions only have to
 * register.
 */
import { expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import {
  type AgentConfig,
  type AgentHandle,
  type AgentRunResult,
  type AgentTool,
  createEntityRegistry,
  createRuntimeServerClient,
  cron,
  db,
  type EntityDefinition,
  type EntityHandle,
  type EntityRegistry,
  entity,
  type HandlerWake,
  ModelProviderError,
  passthrough,
  type SharedStateHandle,
  type SkillMeta,
  type SkillsRegistry,
  type StateCollectionProxy,
  type TimestampedMessage,
  type Wake,
  type WakeEvent,
  type WakeMessage,
  type WebhookEventRow,
  webhook,
} from '../index.ts';

const finding = z.object({ key: z.string(), line: z.number().optional() });
const shared = { findings: { type: 'finding', primaryKey: 'key', schema: finding } } as const;

const submit: AgentTool = {
  name: 'submit',
  label: 'Submit',
  description: 'Hands in the result.',
  parameters: { type: 'object', properties: { verdict: { type: 'string' } }, required: ['verdict'] },
  async execute(_id, params, _signal, _onUpdate) {
    return {
      content: [{ type: 'text', text: (params as { verdict: string }).verdict }],
      details: {},
      terminate: true,
    };
  },
};

function defineShepherd(registry: EntityRegistry): void {
  registry.define('pr-shepherd', {
    description: 'Stays with a pull request.',
    creationSchema: z.object({ owner: z.string(), number: z.number() }),
    inboxSchemas: { github_event: z.object({ delivery: z.string() }) },
    state: {
      findings: { schema: finding },
      loose: {},
      passed: { schema: passthrough<{ key: 'a' | 'b'; n: number }>(), type: 'custom' },
      numbered: { schema: z.object({ id: z.string() }), primaryKey: 'id', externallyWritable: true },
    },
    actions: (collections) => ({
      note(key: string, line: number) {
        collections.findings.insert({ key, line });
      },
    }),
    permissionGrants: [{ subject_kind: 'principal_kind', subject_value: 'user', permission: 'spawn' }],
    slashCommands: [{ name: 'review', description: 'Reviews again.' }],
    async handler(ctx, wake) {
      expectTypeOf(ctx.args).toEqualTypeOf<Readonly<{ owner: string; number: number }>>();
      expectTypeOf(ctx.firstWake).toBeBoolean();
      expectTypeOf(ctx.wake).toEqualTypeOf<HandlerWake>();
      expectTypeOf(wake).toEqualTypeOf<WakeEvent>();
      expectTypeOf(wake.payload).toBeUnknown();
      expectTypeOf(ctx.events[0]?.headers.operation).toExtend<string | undefined>();
      expectTypeOf(ctx.tags).toEqualTypeOf<Readonly<Record<string, string>>>();
      expectTypeOf(ctx.signal).toEqualTypeOf<AbortSignal>();
      expectTypeOf(ctx.principal?.url).toEqualTypeOf<string | undefined>();
      if (ctx.wake.type === 'inbox') expectTypeOf(ctx.wake.message.from).toEqualTypeOf<string | undefined>();
      else expectTypeOf(ctx.wake.wakeType).toBeString();

      expectTypeOf(ctx.state.findings.toArray).toEqualTypeOf<{ key: string; line?: number | undefined }[]>();
      expectTypeOf(ctx.state.passed.get).parameter(0).toEqualTypeOf<'a' | 'b'>();
      expectTypeOf(ctx.state.loose.toArray).toEqualTypeOf<Record<string, unknown>[]>();
      expectTypeOf(ctx.db.collections.findings.toArray[0]?.line).toEqualTypeOf<number | undefined>();
      expectTypeOf(ctx.db.collections.inbox.toArray[0]?.message_type).toEqualTypeOf<string | undefined>();
      expectTypeOf(ctx.db.actions.findings_insert).parameter(0).toEqualTypeOf<{
        row: { key: string; line?: number | undefined };
      }>();
      const written = ctx.state.findings.insert({ key: 'k' });
      await written.isPersisted.promise;
      ctx.state.findings.update('k', (draft) => {
        draft.line = 1;
      });
      ctx.state.findings.delete('k');
      // @ts-expect-error the schema has no such field
      ctx.state.findings.insert({ key: 'k', nope: 1 });
      // @ts-expect-error the definition has no such collection
      ctx.state.nothing;
    },
  });
}

function defineDispatcher(registry: EntityRegistry): void {
  registry.define('pr-dispatcher', {
    state: { processed: {} },
    async handler(ctx) {
      const bucket = await ctx.observe(webhook('github', { bucket: 'electric-sql/electric' }));
      const row = bucket.db?.collections.events?.get('k') as WebhookEventRow | undefined;
      expectTypeOf(row?.headers['x-github-event']).toEqualTypeOf<string | undefined>();
      expectTypeOf(row?.anything).toBeUnknown();
      const child = await ctx.spawn(
        'pr-shepherd',
        'o~r~1',
        { owner: 'o', number: 1 },
        {
          initialMessage: { delivery: 'd' },
          initialMessageType: 'github_event',
          wake: { on: 'runFinished', includeResponse: true },
          tags: { repo: 'o/r' },
          observe: false,
        },
      );
      expectTypeOf(child).toEqualTypeOf<EntityHandle>();
      await child.send({ any: 1 });
      const sent = await ctx.send(child.entityUrl, { a: 1 }, { type: 'deadline', afterMs: 1_000 });
      expectTypeOf(sent.targetUrl).toBeString();
      const other = await ctx.observe(entity('/pr-shepherd/o~r~1'), {
        wake: { on: 'change', collections: ['state:findings'], ops: ['insert'], debounceMs: 1, timeoutMs: 2 },
      });
      expectTypeOf(other.db.collections.inbox.size).toBeNumber();
      const state = await ctx.observe(db('pr-1', shared), { wake: { on: 'change' } });
      expectTypeOf(state.findings.get('k')?.line).toEqualTypeOf<number | undefined>();
      const made = ctx.mkdb('pr-2', shared);
      expectTypeOf(made).toEqualTypeOf<SharedStateHandle<typeof shared>>();
      await ctx.observe(cron('*/5 * * * *', { timezone: 'Europe/Berlin' }));
      await ctx.unobserve('ref');
      await ctx.setTag('a', 'b');
      await ctx.deleteTag('a');
      ctx.onSignal(async ({ signal, reason, payload }) => void [signal, reason, payload]);
      ctx.sleep();
    },
  });
}

function defineWorker(registry: EntityRegistry): void {
  registry.define('pr-worker', {
    async handler(ctx) {
      const config: AgentConfig = {
        systemPrompt: 'You review.',
        model: 'claude-sonnet-4-6',
        provider: 'anthropic',
        tools: [submit, ...ctx.electricTools],
        getApiKey: async (provider) => (provider === 'anthropic' ? undefined : 'k'),
        onStepEnd: ({ input, uncachedInput, output }) => void (input + uncachedInput + output),
        modelTimeoutMs: 120_000,
        modelMaxRetries: 1,
        testResponses: ['one'],
      };
      const agent = ctx.useAgent(config);
      expectTypeOf(agent).toEqualTypeOf<AgentHandle>();
      ctx.useContext({
        sourceBudget: 10_000,
        sources: {
          rules: { content: () => 'rules', cache: 'pinned', max: 100 },
          conversation: { content: () => ctx.timelineMessages({ since: 0 }), cache: 'volatile' },
        },
      });
      expectTypeOf(ctx.timelineMessages()).toEqualTypeOf<TimestampedMessage[]>();
      try {
        expectTypeOf(await agent.run('go', ctx.signal)).toEqualTypeOf<AgentRunResult>();
        await ctx.agent.run();
      } catch (error) {
        if (!(error instanceof ModelProviderError)) throw error;
        expectTypeOf(error.code).toExtend<string>();
      }
      const run = ctx.recordRun();
      run.attachResponse(JSON.stringify({ key: run.key }));
      run.end({ status: 'completed', finishReason: 'stop' });
      ctx.replyText('done');
      ctx.insertContext('skill:x', { name: 'skill', attrs: { n: 1, b: true, s: 'x' }, content: 'do' });
      expectTypeOf(ctx.getContext('skill:x')?.insertedAt).toEqualTypeOf<number | undefined>();
      expectTypeOf(ctx.listContext()[0]?.id).toEqualTypeOf<string | undefined>();
      ctx.removeContext('skill:x');
    },
  });
}

it('types of handlers as the published package documents them are met', () => {
  const registry = createEntityRegistry();
  defineShepherd(registry);
  defineDispatcher(registry);
  defineWorker(registry);
  expect(registry.list().map((entry) => entry.name)).toEqual(['pr-shepherd', 'pr-dispatcher', 'pr-worker']);
});

it('types of data are the documented ones', () => {
  const conditions: Wake[] = ['runFinished', { on: 'runFinished' }, { on: 'change' }];
  const message: WakeMessage = { timestamp: '', source: '/kid/a', timeout: false, changes: [] };
  const event: WakeEvent = { source: '', type: 'wake', fromOffset: 0, toOffset: 0, eventCount: 0 };
  const definition: EntityDefinition = { handler: () => {} };
  expectTypeOf<SkillMeta['keywords']>().toEqualTypeOf<string[]>();
  expectTypeOf<SkillsRegistry['readContent']>().returns.resolves.toEqualTypeOf<string | null>();
  expectTypeOf<StateCollectionProxy['toArray']>().toEqualTypeOf<Record<string, unknown>[]>();
  expectTypeOf(createRuntimeServerClient).parameter(0).toHaveProperty('baseUrl');
  expect([conditions.length, message.changes, event.eventCount, typeof definition.handler]).toEqual([
    3,
    [],
    0,
    'function',
  ]);
});
