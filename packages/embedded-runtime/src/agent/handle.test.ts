import { createAssistantMessageEventStream } from '@mariozechner/pi-ai';
import { describe, expect, it } from 'vitest';
import { ModelProviderError, UnknownModelError } from './errors.ts';
import { createAgentHandle } from './handle.ts';
import { createMemoryBridge, type MemoryBridge } from './testing/memory-bridge.ts';
import { answerOf, createScriptedModel, type ScriptedTurn } from './testing/scripted-model.ts';
import type { AgentConfig, AgentTool, StepStats } from './types.ts';

function tool(name: string, execute: AgentTool['execute']): AgentTool {
  return { name, label: name, description: name, parameters: { type: 'object' }, execute };
}

function says(text: string, terminate?: boolean): AgentTool['execute'] {
  const end = terminate === undefined ? {} : { terminate };
  return async () => ({ content: [{ type: 'text', text }], details: {}, ...end });
}

function setUp(
  turns: readonly ScriptedTurn[],
  config: Partial<AgentConfig> = {},
  bridge: MemoryBridge = createMemoryBridge(),
) {
  const { model, streamFn, calls } = createScriptedModel(turns);
  const handle = createAgentHandle(
    { systemPrompt: 'Be brief.', model, tools: [], streamFn, ...config },
    bridge,
  );
  return { bridge, calls, handle };
}

function textsOf(messages: readonly { readonly role: string; readonly content: unknown }[] = []) {
  return messages.map(({ role, content }) => [role, JSON.stringify(content)] as const);
}

describe('what the model is told', () => {
  it('is the trigger when the timeline is empty', async () => {
    const { handle, calls } = setUp(['ok']);
    await handle.run();
    expect(calls[0]?.context.systemPrompt).toBe('Be brief.');
    expect(textsOf(calls[0]?.context.messages)).toEqual([['user', expect.stringContaining('wake up')]]);
  });

  it('does not repeat the message that woke the entity', async () => {
    const { bridge, handle, calls } = setUp(['ok']);
    bridge.seed('inbox', 'msg-in-1', { payload: 'hello', status: 'processed' });
    await handle.run();
    expect(textsOf(calls[0]?.context.messages)).toEqual([['user', expect.stringContaining('hello')]]);
  });

  it('ends with the input, if one is given', async () => {
    const { bridge, handle, calls } = setUp(['ok']);
    bridge.seed('inbox', 'msg-in-1', { payload: 'hello', status: 'processed' });
    await handle.run('Aspect: perf');
    expect(textsOf(calls[0]?.context.messages).at(-1)?.[1]).toContain('Aspect: perf');
    expect(calls[0]?.context.messages).toHaveLength(2);
  });

  it('includes what earlier runs said', async () => {
    const { handle, calls } = setUp(['first answer', 'second']);
    await handle.run('one');
    await handle.run('two');
    const told = JSON.stringify(calls[1]?.context.messages);
    expect(told).toContain('first answer');
    expect(told).not.toContain('one');
  });
});

describe('options of the model call', () => {
  it('have the defaults of the contract', async () => {
    const { handle, calls } = setUp(['ok'], { getApiKey: () => 'the-key' });
    await handle.run();
    expect(calls[0]?.options).toEqual({
      signal: expect.any(AbortSignal),
      apiKey: 'the-key',
      timeoutMs: 30_000,
      maxRetries: 2,
    });
  });

  it('are what the agent sets', async () => {
    const onPayload = (): undefined => undefined;
    const given = { reasoning: 'low', thinkingBudgets: { low: 100 }, onPayload } as const;
    const { handle, calls } = setUp(['ok'], { ...given, modelTimeoutMs: 120_000, modelMaxRetries: 0 });
    await handle.run();
    expect(calls[0]?.options).toMatchObject({ ...given, timeoutMs: 120_000, maxRetries: 0 });
    expect(calls[0]?.options).not.toHaveProperty('apiKey');
  });

  it('name a model of the list, or the run does not begin', async () => {
    const { bridge, handle } = setUp(['ok'], { model: 'claude-99' });
    await expect(handle.run()).rejects.toThrow(UnknownModelError);
    await expect(handle.run()).rejects.toThrow(/"claude-99".*"anthropic"/);
    expect(bridge.rowsOf('run')).toEqual([]);
  });
});

describe('tools', () => {
  it('end the run when all calls of the batch say so', async () => {
    const turn = [['submit', { a: 1 }] as const, ['submit', { a: 2 }] as const];
    const { handle, calls } = setUp([turn, 'never asked'], { tools: [tool('submit', says('ok', true))] });
    await handle.run();
    expect(calls).toHaveLength(1);
  });

  it('leave it open when one call of the batch has an answer to read', async () => {
    const turn = [['submit', {}] as const, ['look', {}] as const];
    const tools = [tool('submit', says('ok', true)), tool('look', says('seen'))];
    const { handle, calls } = setUp([turn, 'done'], { tools });
    await handle.run();
    expect(calls).toHaveLength(2);
  });

  it('that throw, or do not exist, give the model an error', async () => {
    const turn = [['broken', {}] as const, ['missing', {}] as const];
    const tools = [
      tool('broken', async () => {
        throw new Error('disk on fire');
      }),
    ];
    const { bridge, handle, calls } = setUp([turn, 'I see.'], { tools });
    await handle.run();
    expect(JSON.stringify(calls[1]?.context.messages)).toContain('disk on fire');
    expect(bridge.rowsOf('tool_call').map((row) => row.status)).toEqual(['failed', 'failed']);
    expect(bridge.rowsOf('run')).toEqual([{ status: 'completed', finish_reason: 'stop' }]);
  });

  it('are called with arguments that fit their schema, or not at all', async () => {
    const seen: unknown[] = [];
    const strict: AgentTool = {
      ...tool('count', async (_id, params) => {
        seen.push(params);
        return { content: [], details: {} };
      }),
      parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    };
    const { handle, calls } = setUp([[['count', { n: 'many' }]], [['count', { n: 2 }]], 'done'], {
      tools: [strict],
    });
    await handle.run();
    expect(seen).toEqual([{ n: 2 }]);
    expect(JSON.stringify(calls[1]?.context.messages)).toContain('Validation failed');
  });
});

describe('rows', () => {
  it('tell the whole run, durable before each model call', async () => {
    const { bridge, handle } = setUp([['Let me look.', ['look', { at: 'x' }]], 'Done.'], {
      tools: [tool('look', says('seen'))],
    });
    await handle.run();
    expect(bridge.log).toEqual([
      'flush',
      'run insert',
      'step insert',
      'flush',
      'text insert',
      'text_delta insert',
      'text update',
      'step update',
      'tool_call insert',
      'tool_call update',
      'step insert',
      'flush',
      'text insert',
      'text_delta insert',
      'text update',
      'step update',
      'run update',
    ]);
    expect(bridge.rows.map(({ key }) => key)).toEqual([
      'run-0',
      'step-0',
      'msg-0',
      'msg-0:0',
      'tc-0',
      'step-1',
      'msg-1',
      'msg-1:0',
    ]);
    expect(bridge.rowsOf('text_delta')[0]).toEqual({
      text_id: 'msg-0',
      run_id: 'run-0',
      delta: 'Let me look.',
    });
    expect(bridge.rowsOf('step')[0]).toEqual({
      run_id: 'run-0',
      step_number: 1,
      status: 'completed',
      finish_reason: 'tool_calls',
      model_provider: 'scripted',
      model_id: 'scripted-1',
      duration_ms: expect.any(Number),
      input_tokens: 103,
      output_tokens: 20,
      context_input_tokens: 133,
      context_window: 200_000,
    });
    expect(bridge.rowsOf('tool_call')[0]).toMatchObject({
      run_id: 'run-0',
      tool_call_id: 'call-1-1',
      tool_name: 'look',
      status: 'completed',
      args: { at: 'x' },
      result: expect.stringContaining('seen'),
    });
  });

  it('hold a text that only the last event brings', async () => {
    const { bridge, handle } = setUp([], {
      streamFn: () => {
        const stream = createAssistantMessageEventStream();
        const message = answerOf([{ type: 'text', text: 'all at once' }], 'stop');
        stream.push({ type: 'done', reason: 'stop', message });
        stream.end();
        return stream;
      },
    });
    await handle.run();
    expect(bridge.rowsOf('text_delta')).toEqual([
      { text_id: 'msg-0', run_id: 'run-0', delta: 'all at once' },
    ]);
  });

  it('hold reasoning apart from text, and long text in bundles', async () => {
    const { bridge, handle } = setUp([], {
      streamFn: () => {
        const stream = createAssistantMessageEventStream();
        const partial = answerOf([], 'stop');
        stream.push({ type: 'start', partial });
        stream.push({ type: 'thinking_delta', contentIndex: 0, delta: 'hm', partial });
        for (let n = 0; n < 300; n += 1) {
          stream.push({ type: 'text_delta', contentIndex: 1, delta: 'ten chars.', partial });
        }
        stream.push({ type: 'done', reason: 'stop', message: partial });
        stream.end();
        return stream;
      },
    });
    await handle.run();
    expect(bridge.rowsOf('reasoning')).toEqual([{ status: 'completed', run_id: 'run-0' }]);
    expect(bridge.rowsOf('reasoning_delta')).toEqual([
      { reasoning_id: 'reasoning-0', run_id: 'run-0', delta: 'hm' },
    ]);
    const deltas = bridge.rowsOf('text_delta').map((row) => row.delta);
    expect(deltas.length).toBeLessThan(5);
    expect(deltas.join('')).toBe('ten chars.'.repeat(300));
    expect(bridge.log.indexOf('text update')).toBeLessThan(bridge.log.indexOf('step update'));
  });

  it('count steps once each', async () => {
    const stats: StepStats[] = [];
    const { handle } = setUp([[['look', {}]], 'ok'], {
      tools: [tool('look', says('seen'))],
      onStepEnd: (step) => stats.push(step),
    });
    await handle.run();
    const each = { input: 133, uncachedInput: 103, output: 20 };
    expect(stats).toEqual([each, each]);
  });
});

describe('failures', () => {
  async function failureOf(config: Partial<AgentConfig>, bridge = createMemoryBridge()) {
    const { handle } = setUp([], config, bridge);
    return handle.run().then(
      () => undefined,
      (error: unknown) => error as ModelProviderError,
    );
  }

  it.each([
    [
      'a seam that throws',
      () => {
        throw new Error('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:9') });
      },
      'MODEL_PROVIDER_UNREACHABLE',
    ],
    [
      'a stream that ends without an answer',
      () => {
        const stream = createAssistantMessageEventStream();
        stream.end();
        return stream;
      },
      'MODEL_PROVIDER_UNREACHABLE',
    ],
    ['a stream that never speaks', () => createAssistantMessageEventStream(), 'MODEL_PROVIDER_TIMEOUT'],
  ] as const)('%s is an error of the provider', async (_name, streamFn, code) => {
    const error = await failureOf({ streamFn, modelTimeoutMs: 20, modelMaxRetries: 0 });
    expect(error).toBeInstanceOf(ModelProviderError);
    expect(error).toMatchObject({ code, provider: 'scripted', model: 'scripted-1' });
  });

  it('of the handler itself reach the handler as they are, and the run is closed', async () => {
    const bridge = createMemoryBridge();
    const { streamFn } = createScriptedModel(['ok']);
    const bug = new Error('a bug in onStepEnd');
    const onStepEnd = (): never => {
      throw bug;
    };
    expect(await failureOf({ streamFn, onStepEnd }, bridge)).toBe(bug);
    expect(bridge.rowsOf('run')).toEqual([{ status: 'failed', finish_reason: 'error' }]);
  });

  it('leave the handle usable', async () => {
    const { bridge, handle } = setUp(['only one']);
    await handle.run();
    await expect(handle.run('again')).rejects.toThrow(ModelProviderError);
    expect(bridge.rowsOf('run').map((row) => row.status)).toEqual(['completed', 'failed']);
  });
});

describe('abort', () => {
  it('before the run asks no model', async () => {
    const bridge = createMemoryBridge({ signal: AbortSignal.abort() });
    const stats: StepStats[] = [];
    const { handle, calls } = setUp(['never'], { onStepEnd: (step) => stats.push(step) }, bridge);
    await handle.run();
    expect(calls).toHaveLength(0);
    expect(stats).toEqual([]);
    expect(bridge.rowsOf('run')).toEqual([{ status: 'completed', finish_reason: 'aborted' }]);
  });

  it('reaches a tool, and no further call is made', async () => {
    const controller = new AbortController();
    const { bridge, handle, calls } = setUp([[['wait', {}]], 'never asked'], {
      tools: [
        tool('wait', (_id, _params, signal) => {
          controller.abort();
          return Promise.reject(signal?.aborted ? new Error('stopped') : new Error('not told'));
        }),
      ],
    });
    await handle.run(undefined, controller.signal);
    expect(calls).toHaveLength(1);
    expect(bridge.rowsOf('tool_call')[0]?.result).toContain('stopped');
    expect(bridge.rowsOf('step')).toHaveLength(1);
    expect(bridge.rowsOf('run')).toEqual([{ status: 'completed', finish_reason: 'aborted' }]);
  });
});

describe('testResponses', () => {
  const base = { systemPrompt: '', model: 'any', tools: [] };

  it('are given in turn by run number', async () => {
    const bridge = createMemoryBridge();
    const handle = createAgentHandle({ ...base, testResponses: ['a', 'b'] }, bridge);
    for (let n = 0; n < 3; n += 1) await handle.run();
    expect(bridge.rowsOf('text_delta').map((row) => row.delta)).toEqual(['a', 'b', 'a']);
    expect(bridge.rowsOf('step')[0]).toMatchObject({ model_provider: 'test', finish_reason: 'stop' });
  });

  it('may be a function of the trigger that writes tool calls', async () => {
    const bridge = createMemoryBridge({ triggerText: 'PR 7' });
    const testResponses: AgentConfig['testResponses'] = async (message, rows) => {
      rows.onToolCallStart('t1', 'look', { at: message });
      rows.onToolCallEnd('t1', 'look', 'seen', false);
      return undefined;
    };
    await createAgentHandle({ ...base, testResponses }, bridge).run();
    expect(bridge.rowsOf('tool_call')).toMatchObject([
      { tool_name: 'look', args: { at: 'PR 7' }, status: 'completed', result: 'seen' },
    ]);
    expect(bridge.rowsOf('text')).toEqual([]);
  });

  it('may fail like a provider', async () => {
    const bridge = createMemoryBridge();
    const testResponses = async (): Promise<string> => {
      throw new Error('429 slow down');
    };
    await expect(createAgentHandle({ ...base, testResponses }, bridge).run()).rejects.toMatchObject({
      code: 'MODEL_PROVIDER_RATE_LIMITED',
    });
    expect(bridge.rowsOf('error')).toMatchObject([{ error_code: 'MODEL_PROVIDER_RATE_LIMITED' }]);
  });
});
