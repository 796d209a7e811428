import { type AssistantMessageEventStream, createAssistantMessageEventStream } from '@mariozechner/pi-ai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAgentHandle } from './handle.ts';
import { createMemoryBridge } from './testing/memory-bridge.ts';
import { answerOf, createScriptedModel } from './testing/scripted-model.ts';
import type { AgentTool } from './types.ts';

/** Only time is unreal here; each step waits for the rows that show how far the run has come. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A provider that speaks when told, and does not listen to any signal. */
function createPuppet() {
  let onCalled = (): void => {};
  const called = new Promise<void>((resolve) => {
    onCalled = resolve;
  });
  const stream: AssistantMessageEventStream = createAssistantMessageEventStream();
  const partial = answerOf([], 'stop');
  return {
    called,
    streamFn: () => {
      onCalled();
      return stream;
    },
    start: () => stream.push({ type: 'start', partial }),
    say: (delta: string) => stream.push({ type: 'text_delta', contentIndex: 0, delta, partial }),
    finish: () => stream.push({ type: 'done', reason: 'stop', message: partial }),
  };
}

function setUp(puppet = createPuppet(), signal?: AbortSignal) {
  const bridge = createMemoryBridge(signal === undefined ? {} : { signal });
  const { model } = createScriptedModel([]);
  const { streamFn } = puppet;
  const handle = createAgentHandle({ systemPrompt: '', model, tools: [], streamFn }, bridge);
  return { puppet, bridge, handle };
}

describe('a model call with the default of 30 s and two retries', () => {
  it('may take any time as long as it goes on speaking', async () => {
    const { puppet, bridge, handle } = setUp();
    const running = handle.run();
    await puppet.called;
    puppet.start();
    for (let n = 0; n < 5; n += 1) {
      puppet.say(`${n} `);
      await vi.advanceTimersByTimeAsync(29_000);
    }
    puppet.finish();
    await running;
    expect(bridge.rowsOf('text_delta')[0]?.delta).toBe('0 1 2 3 4 ');
  });

  it('ends when it falls silent for 30 s in its answer', async () => {
    const { puppet, bridge, handle } = setUp();
    const failure = handle.run().catch((error: unknown) => error);
    await puppet.called;
    puppet.start();
    puppet.say('Well');
    await bridge.firstRow('text');
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await failure).toMatchObject({ code: 'MODEL_PROVIDER_TIMEOUT', retryable: true });
  });

  it('gives the client of the provider time for its three attempts before the answer', async () => {
    const { puppet, handle } = setUp();
    const running = handle.run();
    await puppet.called;
    await vi.advanceTimersByTimeAsync(89_000);
    puppet.start();
    puppet.finish();
    await running;
  });
});

describe('an abort', () => {
  it('takes effect though the provider does not listen', async () => {
    const controller = new AbortController();
    const { puppet, bridge, handle } = setUp(createPuppet(), controller.signal);
    const running = handle.run();
    await puppet.called;
    puppet.start();
    puppet.say('I was');
    await bridge.firstRow('text');
    controller.abort();
    await running;
    expect(bridge.rowsOf('run')).toEqual([{ status: 'completed', finish_reason: 'aborted' }]);
    expect(bridge.rowsOf('text_delta')).toMatchObject([{ delta: 'I was' }]);
  });

  it('leaves a tool behind that does not listen, and what the tool does later is not recorded', async () => {
    let finishTool = (): void => {};
    const tool: AgentTool = {
      name: 'hang',
      label: 'hang',
      description: 'hang',
      parameters: { type: 'object' },
      execute: () =>
        new Promise((resolve) => {
          finishTool = () => resolve({ content: [], details: {} });
        }),
    };
    const controller = new AbortController();
    const bridge = createMemoryBridge();
    const { model, streamFn } = createScriptedModel([[['hang', {}]], 'never asked']);
    const handle = createAgentHandle({ systemPrompt: '', model, tools: [tool], streamFn }, bridge);
    const running = handle.run(undefined, controller.signal);
    await bridge.firstRow('tool_call');
    controller.abort();
    await vi.advanceTimersByTimeAsync(5_000);
    await running;

    expect(bridge.rowsOf('run')).toEqual([{ status: 'completed', finish_reason: 'aborted' }]);
    const before = [...bridge.log];
    finishTool();
    await new Promise((resolve) => setImmediate(resolve));
    expect(bridge.log).toEqual(before);
  });
});
