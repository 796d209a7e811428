import { getModels } from '@mariozechner/pi-ai';
import { afterEach, describe, expect, it } from 'vitest';
import { ModelProviderError } from './errors.ts';
import { createAgentHandle } from './handle.ts';
import { createMemoryBridge } from './testing/memory-bridge.ts';
import {
  anthropicText,
  anthropicTextBegun,
  anthropicToolCallCutShort,
  anthropicToolCalls,
  errorReply,
  type ModelReply,
  type ModelServer,
  openaiText,
  openaiToolCall,
  openaiToolCallCutShort,
  startModelServer,
} from './testing/model-server.ts';
import type { AgentConfig, AgentTool, StepStats } from './types.ts';

const MODELS = { anthropic: 'claude-sonnet-4-6', openai: 'gpt-5-mini' } as const;
/** Put together here, so that no file holds a thing that looks like a key. */
const API_KEY = ['sk', 'ant', 'test0123456789abcdefgh'].join('-');

const servers: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(...replies: [ModelReply, ...ModelReply[]]): Promise<ModelServer> {
  const server = await startModelServer(replies);
  servers.push(server);
  return server;
}

function configFor(
  baseUrl: string,
  provider: keyof typeof MODELS = 'anthropic',
  extra: Partial<AgentConfig> = {},
): AgentConfig {
  const listed = getModels(provider).find(({ id }) => id === MODELS[provider]);
  if (listed === undefined) throw new Error(`pi-ai does not list ${MODELS[provider]}`);
  return {
    systemPrompt: 'You review code.',
    model: { ...listed, baseUrl },
    tools: [],
    getApiKey: () => API_KEY,
    modelMaxRetries: 0,
    ...extra,
  };
}

function submitTool(seen: unknown[], terminate = true): AgentTool {
  return {
    name: 'submit',
    label: 'Submit',
    description: 'Hands in the result.',
    parameters: {
      type: 'object',
      properties: { verdict: { type: 'string' } },
      required: ['verdict'],
    },
    async execute(_id, params: { verdict: string }) {
      seen.push(params);
      return { content: [{ type: 'text', text: 'noted' }], details: {}, terminate };
    },
  };
}

async function failureOf(config: AgentConfig, bridge = createMemoryBridge()): Promise<ModelProviderError> {
  const outcome = await createAgentHandle(config, bridge)
    .run('Review.')
    .catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(ModelProviderError);
  return outcome as ModelProviderError;
}

describe.each([
  [
    'anthropic',
    anthropicText('All good.'),
    anthropicToolCalls(['submit', { verdict: 'ok' }]),
    '/v1/messages',
  ],
  ['openai', openaiText('All good.'), openaiToolCall('submit', { verdict: 'ok' }), '/responses'],
] as const)('%s over HTTP', (provider, text, toolCall, path) => {
  it('ends after one request when the tool terminates the run', async () => {
    const server = await serve(toolCall);
    const seen: unknown[] = [];
    const bridge = createMemoryBridge();
    const config = configFor(server.url, provider, { tools: [submitTool(seen)] });

    const result = await createAgentHandle(config, bridge).run('Aspect: security');

    expect(seen).toEqual([{ verdict: 'ok' }]);
    expect(server.requests.map((request) => request.path)).toEqual([path]);
    expect(JSON.stringify(server.requests[0]?.body)).toContain('Aspect: security');
    expect(result).toEqual({ writes: [], toolCalls: [], usage: { tokens: 0, duration: 0 } });
    expect(bridge.rowsOf('run')).toEqual([{ status: 'completed', finish_reason: 'stop' }]);
    expect(bridge.rowsOf('tool_call')).toMatchObject([
      { tool_name: 'submit', status: 'completed', args: { verdict: 'ok' }, run_id: 'run-0' },
    ]);
  });

  it('goes on after a tool that does not terminate, and records text and tokens', async () => {
    const server = await serve(toolCall, text);
    const bridge = createMemoryBridge();
    const stats: StepStats[] = [];
    const config = configFor(server.url, provider, {
      tools: [submitTool([], false)],
      onStepEnd: (step) => stats.push(step),
    });

    await createAgentHandle(config, bridge).run('Review.');

    expect(server.requests).toHaveLength(2);
    expect(JSON.stringify(server.requests[1]?.body)).toContain('noted');
    expect(
      bridge
        .rowsOf('text_delta')
        .map((row) => row.delta)
        .join(''),
    ).toBe('All good.');
    expect(bridge.rowsOf('step').map((row) => [row.step_number, row.finish_reason])).toEqual([
      [1, 'tool_calls'],
      [2, 'stop'],
    ]);
    expect(stats).toHaveLength(2);
    expect(stats[0]?.input).toBeGreaterThan(stats[0]?.uncachedInput ?? Number.NaN);
  });
});

it('reports tokens with and without what the cache gave', async () => {
  const server = await serve(anthropicText('ok'));
  const bridge = createMemoryBridge();
  const stats: StepStats[] = [];
  await createAgentHandle(
    configFor(server.url, 'anthropic', { onStepEnd: (step) => stats.push(step) }),
    bridge,
  ).run('Review.');
  expect(stats).toEqual([{ input: 17, uncachedInput: 12, output: 7 }]);
  expect(bridge.rowsOf('step')).toMatchObject([
    { input_tokens: 12, context_input_tokens: 17, output_tokens: 7, model_provider: 'anthropic' },
  ]);
});

it('lets onPayload change the request', async () => {
  const server = await serve(anthropicText('ok'));
  const onPayload = (payload: unknown): unknown => ({ ...(payload as object), temperature: 0.25 });
  await createAgentHandle(configFor(server.url, 'anthropic', { onPayload }), createMemoryBridge()).run('x');
  expect(server.requests[0]?.body.temperature).toBe(0.25);
  expect(server.requests[0]?.headers['x-api-key']).toBe(API_KEY);
});

describe('failures of the provider', () => {
  it.each([
    [401, 'MODEL_PROVIDER_AUTH_FAILED', false],
    [403, 'MODEL_PROVIDER_AUTH_FAILED', false],
    [429, 'MODEL_PROVIDER_RATE_LIMITED', true],
    [500, 'MODEL_PROVIDER_UNAVAILABLE', true],
    [529, 'MODEL_PROVIDER_UNAVAILABLE', true],
    [400, 'MODEL_PROVIDER_ERROR', false],
  ] as const)('HTTP %i is %s', async (status, code, retryable) => {
    for (const provider of ['anthropic', 'openai'] as const) {
      const server = await serve(errorReply(status, `refused ${API_KEY} for a reason`));
      const bridge = createMemoryBridge();
      const error = await failureOf(configFor(server.url, provider), bridge);

      expect(error).toMatchObject({ code, retryable, provider, model: MODELS[provider] });
      expect(error.message).not.toContain(API_KEY);
      expect(bridge.rowsOf('run')).toEqual([{ status: 'failed', finish_reason: 'error' }]);
      expect(bridge.rowsOf('error')).toEqual([{ error_code: code, message: error.message, run_id: 'run-0' }]);
      // An observer of the run's end reads the error row then.
      expect(bridge.log.slice(-2)).toEqual(['error insert', 'run update']);
    }
  });

  it('repeats a call that failed in passing', async () => {
    const server = await serve(errorReply(503, 'later'), anthropicText('ok'));
    const bridge = createMemoryBridge();
    await createAgentHandle(configFor(server.url, 'anthropic', { modelMaxRetries: 1 }), bridge).run('x');
    expect(server.requests).toHaveLength(2);
    expect(bridge.rowsOf('step')).toHaveLength(1);
  });

  it.each([
    ['before it answers', { body: '', ending: 'hang' } as const],
    ['in mid-stream', anthropicTextBegun('Well', 'hang')],
  ])('a provider that falls silent %s is a timeout', async (_when, reply) => {
    const server = await serve(reply);
    const error = await failureOf(configFor(server.url, 'anthropic', { modelTimeoutMs: 150 }));
    expect(error.code).toBe('MODEL_PROVIDER_TIMEOUT');
    await server.requests[0]?.closed;
  });

  it('a refused connection is unreachable', async () => {
    const server = await startModelServer([anthropicText('never')]);
    await server.close();
    const error = await failureOf(configFor(server.url));
    expect(error).toMatchObject({ code: 'MODEL_PROVIDER_UNREACHABLE', retryable: true });
  });

  it('a connection cut in mid-stream is unreachable', async () => {
    const server = await serve(anthropicTextBegun('Half a sent', 'cut'));
    const bridge = createMemoryBridge();
    const error = await failureOf(configFor(server.url), bridge);
    expect(error.code).toBe('MODEL_PROVIDER_UNREACHABLE');
    expect(bridge.rowsOf('text')).toEqual([{ status: 'completed', run_id: 'run-0' }]);
  });

  it.each([
    ['anthropic', anthropicToolCallCutShort],
    ['openai', openaiToolCallCutShort],
  ] as const)('%s: never runs a tool call whose arguments were cut short', async (provider, cutShort) => {
    const server = await serve(cutShort('submit', { verdict: 'nothing found in 12 files' }));
    const seen: unknown[] = [];
    const error = await failureOf(configFor(server.url, provider, { tools: [submitTool(seen)] }));
    expect(error.code).toBe('MODEL_PROVIDER_UNREACHABLE');
    expect(seen).toEqual([]);
  });
});

describe('abort in mid-stream', () => {
  it.each(['of the wake', 'given to run'])(
    'by the signal %s ends the request and resolves',
    async (which) => {
      const server = await serve(anthropicTextBegun('I was about to say', 'hang'));
      const controller = new AbortController();
      const ofWake = which === 'of the wake';
      const bridge = createMemoryBridge(ofWake ? { signal: controller.signal } : {});
      const running = createAgentHandle(configFor(server.url), bridge).run(
        'x',
        ofWake ? undefined : controller.signal,
      );

      await bridge.firstRow('text');
      controller.abort();
      await running;

      await server.requests[0]?.closed;
      expect(bridge.rowsOf('run')).toEqual([{ status: 'completed', finish_reason: 'aborted' }]);
      expect(bridge.rowsOf('error')).toEqual([]);
    },
  );
});
