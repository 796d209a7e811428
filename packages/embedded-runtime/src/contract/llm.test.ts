import { createAssistantMessageEventStream } from '@mariozechner/pi-ai';
import { expect, it } from 'vitest';
import { createScriptedModel, type ScriptedTurn } from '../agent/testing/scripted-model.ts';
import type { AgentConfig, AgentTool, HandlerContext } from '../index.ts';
import { rowsOf } from './testing/conformance-host.ts';
import {
  api,
  createGate,
  isPublished,
  itStricter,
  rejectionOf,
  runPass,
  runPasses,
  scripted,
  section,
  startHost,
  typeName,
} from './testing/harness.ts';

function tool(name: string, execute: AgentTool['execute']): AgentTool {
  const parameters = { type: 'object', properties: { verdict: { type: 'string' } } };
  return { name, label: name, description: name, parameters, execute };
}

/** Runs one agent in one pass. */
async function runAgent(
  turns: readonly ScriptedTurn[],
  config: Partial<AgentConfig> = {},
  run: (ctx: HandlerContext) => Promise<unknown> = (ctx) => ctx.agent.run('go'),
) {
  const { model, streamFn, calls } = createScriptedModel(turns);
  const { host, url } = await runPass(async (ctx) => {
    ctx.useAgent({ systemPrompt: 'Be brief.', model, tools: [], streamFn, ...config });
    await run(ctx);
  });
  return { host, url, calls };
}

/** A model whose stream fails with this text. */
const failing = (text: string): Partial<AgentConfig> => ({
  modelMaxRetries: 0,
  streamFn: () => {
    throw new Error(text);
  },
});

section('agent.run', () => {
  it('gives a placeholder (sharp edge 17)', async () => {
    await runAgent(['hello'], {}, async (ctx) => {
      expect(await ctx.agent.run('go')).toEqual({
        writes: [],
        toolCalls: [],
        usage: { tokens: 0, duration: 0 },
      });
    });
  });

  it('needs useAgent before', async () => {
    await runPass(async (ctx) => {
      expect(String(await rejectionOf(ctx.agent.run()))).toContain('useAgent');
    });
  });

  it('writes its run, step, text and tool calls', async () => {
    const look = tool('look', async () => ({ content: [{ type: 'text', text: 'seen' }], details: {} }));
    const { host, url } = await runAgent([['Let me look.', ['look', {}]], 'Done.'], { tools: [look] });
    expect(await rowsOf(host, url, 'run')).toMatchObject([{ key: 'run-0', status: 'completed' }]);
    const steps = (await rowsOf(host, url, 'step')).map((row) => row.run_id);
    expect([steps.length >= 2, new Set(steps)]).toEqual([true, new Set(['run-0'])]);
    const deltas = (await rowsOf(host, url, 'text_delta')).map((row) => row.delta).join(' ');
    expect(deltas).toContain('Let me look.');
    expect(deltas).toContain('Done.');
    expect(await rowsOf(host, url, 'tool_call')).toMatchObject([{ tool_name: 'look', status: 'completed' }]);
  });

  it('reads the whole timeline; the message that woke it stands there once', async () => {
    const { model, streamFn, calls } = createScriptedModel(['four', 'six', 'eight']);
    const run = (input?: string) => async (ctx: HandlerContext) => {
      ctx.insertContext('c', { name: 'note', content: 'carry the one' });
      await ctx.useAgent({ systemPrompt: 'Add.', model, tools: [], streamFn }).run(input);
    };
    await runPasses([run(), run(), run('and more')]);
    const roles = calls.map(({ context }) => context.messages.map(({ role }) => role));
    expect(calls[0]?.context.systemPrompt).toBe('Add.');
    expect(JSON.stringify(calls[1]?.context.messages)).toContain('four');
    expect(JSON.stringify(calls[1]?.context.messages)).toContain('carry the one');
    expect(roles[1]?.filter((role) => role === 'assistant')).toHaveLength(1);
    expect(JSON.stringify(calls[2]?.context.messages.at(-1))).toContain('and more');
  });

  it('ends after a tool that terminates, in one call', async () => {
    const submitted: unknown[] = [];
    const submit = tool('submit', async (_id, params) => {
      submitted.push(params);
      return { content: [{ type: 'text', text: 'ok' }], details: {}, terminate: true };
    });
    const { calls } = await runAgent([[['submit', { verdict: 'ok' }]], 'never asked'], { tools: [submit] });
    expect(submitted).toEqual([{ verdict: 'ok' }]);
    expect(calls).toHaveLength(1);
  });

  it('tells the model of a tool that throws', async () => {
    const broken = tool('broken', () => Promise.reject(new Error('disk on fire')));
    const { calls } = await runAgent([[['broken', {}]], 'I see.'], { tools: [broken] });
    expect(JSON.stringify(calls[1]?.context.messages)).toContain('disk on fire');
  });

  it('calls the model with its time-out and retries (sharp edge 18)', async () => {
    const { calls } = await runAgent(['ok'], { getApiKey: () => 'the-key' });
    expect(calls[0]?.options).toMatchObject({ timeoutMs: 30_000, maxRetries: 2, apiKey: 'the-key' });
    const { calls: set } = await runAgent(['ok'], { modelTimeoutMs: 120_000, modelMaxRetries: 0 });
    expect(set[0]?.options).toMatchObject({ timeoutMs: 120_000, maxRetries: 0 });
  });

  itStricter('counts each model call once in onStepEnd (sharp edge 19)', async () => {
    const stats: unknown[] = [];
    const look = tool('look', async () => ({ content: [{ type: 'text', text: 'seen' }], details: {} }));
    await runAgent([[['look', {}]], 'ok'], { tools: [look], onStepEnd: (step) => stats.push(step) });
    expect(stats).toEqual(Array.from({ length: 2 }, () => ({ input: 133, uncachedInput: 103, output: 20 })));
  });

  it('runs several times in one pass', async () => {
    const { host, url } = await runAgent(['one', 'two'], {}, async (ctx) => {
      await ctx.agent.run('first');
      await ctx.agent.run('second');
    });
    expect((await rowsOf(host, url, 'run')).map((row) => row.key)).toEqual(['run-0', 'run-1']);
  });
});

section('a model that fails', () => {
  const FAILURES = [
    ['429 too many requests', 'MODEL_PROVIDER_RATE_LIMITED'],
    ['401 invalid x-api-key', 'MODEL_PROVIDER_AUTH_FAILED'],
    ['529 overloaded', 'MODEL_PROVIDER_UNAVAILABLE'],
    ['fetch failed', 'MODEL_PROVIDER_UNREACHABLE'],
    ['Request timed out', 'MODEL_PROVIDER_TIMEOUT'],
    ['400 prompt is too long', 'MODEL_PROVIDER_ERROR'],
  ] as const;
  it.each(FAILURES)('with "%s" is a ModelProviderError %s, and the handler goes on', async (text, code) => {
    const { host, url } = await runAgent([], failing(text), async (ctx) => {
      const error = await rejectionOf(ctx.agent.run('go'));
      expect(error).toBeInstanceOf(api.ModelProviderError);
      expect(error).toMatchObject({ code });
      ctx.replyText('went on');
    });
    expect(await rowsOf(host, url, 'run')).toMatchObject([{ status: 'failed' }, { status: 'completed' }]);
    expect(await rowsOf(host, url, 'error')).toMatchObject([{ error_code: code, run_id: 'run-0' }]);
  });

  it('says so to the parent of its entity', async () => {
    const [parent, kid] = [typeName('parent'), typeName('kid')];
    const payloads: unknown[] = [];
    const host = await startHost(
      scripted({
        async [parent](ctx, wake) {
          payloads.push(wake.payload);
          if (payloads.length === 1) {
            await ctx.spawn(kid, 'a', {}, { initialMessage: 1, wake: 'runFinished' });
          }
        },
        async [kid](ctx) {
          const { model } = createScriptedModel([]);
          ctx.useAgent({ systemPrompt: '', model, tools: [], ...failing('429 slow down') });
          await ctx.agent.run('go').catch(() => {});
        },
      }),
    );
    await host.client.spawnEntity({ type: parent, id: 'p', initialMessage: 'go' });
    await host.settled();
    expect(payloads[1]).toMatchObject({
      finished_child: { run_status: 'failed', error: expect.stringMatching(/.+/) },
    });
  });

  itStricter('by silence is given up', async () => {
    const silent = {
      streamFn: () => createAssistantMessageEventStream(),
      modelTimeoutMs: 20,
      modelMaxRetries: 0,
    };
    await runAgent([], silent, async (ctx) => {
      expect(await rejectionOf(ctx.agent.run('go'))).toMatchObject({ code: 'MODEL_PROVIDER_TIMEOUT' });
    });
  });
});

section('an abort', () => {
  it('by the given signal ends the run', async () => {
    const controller = new AbortController();
    const wait = tool('wait', (_id, _params, signal) => {
      controller.abort();
      return Promise.reject(new Error(signal?.aborted ? 'stopped' : 'not told'));
    });
    const { host, url, calls } = await runAgent([[['wait', {}]], 'never asked'], { tools: [wait] }, (ctx) =>
      ctx.agent.run('go', controller.signal),
    );
    expect(calls.length).toBeLessThanOrEqual(isPublished ? 2 : 1);
    expect(await rowsOf(host, url, 'run')).toHaveLength(1);
  });

  it('by SIGINT ends the run, and so its pass', async () => {
    const type = typeName('e');
    const started = createGate();
    const wait = tool(
      'wait',
      (_id, _params, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
          started.open();
        }),
    );
    const { model, streamFn, calls } = createScriptedModel([[['wait', {}]], 'never asked']);
    const host = await startHost(
      scripted({
        async [type](ctx) {
          await ctx.useAgent({ systemPrompt: '', model, tools: [wait], streamFn }).run('go');
        },
      }),
    );
    await host.client.spawnEntity({ type, id: 'a', initialMessage: 1 });
    await started.opened;
    await host.client.signalEntity({ entityUrl: `/${type}/a`, signal: 'SIGINT' });
    await host.settled();
    expect(calls.length).toBeLessThanOrEqual(isPublished ? 2 : 1);
    expect(await rowsOf(host, `/${type}/a`, 'run')).toMatchObject([{ finish_reason: 'aborted' }]);
  });
});

section('testResponses', () => {
  const base = { systemPrompt: '', model: 'claude-haiku-4-5', tools: [] };

  it('are given in turn by run number, without a model or tools', async () => {
    const run = async (ctx: HandlerContext) =>
      void (await ctx.useAgent({ ...base, testResponses: ['a', 'b'] }).run('go'));
    const { host, url } = await runPasses([run, run, run]);
    const deltas = (await rowsOf(host, url, 'text_delta')).map((row) => row.delta);
    expect(deltas).toEqual(['a', 'b', 'a']);
    expect((await rowsOf(host, url, 'step'))[0]).toMatchObject({ model_provider: 'test' });
  });

  it('may be a function that writes texts and tool calls', async () => {
    const { host, url } = await runPass(async (ctx) => {
      const agent = ctx.useAgent({
        ...base,
        async testResponses(_message, bridge) {
          bridge.onTextStart();
          bridge.onTextDelta('Let me ');
          bridge.onTextDelta('look.');
          bridge.onTextEnd();
          bridge.onToolCallStart('t1', 'look', { at: 1 });
          bridge.onToolCallEnd('t1', 'look', 'seen', false);
          return undefined;
        },
      });
      await agent.run('go');
    });
    expect(await rowsOf(host, url, 'tool_call')).toMatchObject([
      { tool_name: 'look', args: { at: 1 }, status: 'completed' },
    ]);
    expect((await rowsOf(host, url, 'text_delta')).map((row) => row.delta).join('')).toBe('Let me look.');
  });
});
