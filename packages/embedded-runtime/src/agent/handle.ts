/**
 * `ctx.useAgent`: runs pi-agent-core's loop over the entity's timeline and records the run in its stream.
 *
 * @module
 */
import type { AgentContext, AgentMessage } from '@mariozechner/pi-agent-core';
import type { Api, KnownProvider, Message, Model } from '@mariozechner/pi-ai';
import type { UseContextConfig } from '../types/llm.ts';
import { createContextTools } from './context-tools.ts';
import { failureText, ModelProviderError, modelProviderError, UnknownModelError } from './errors.ts';
import { createEventSink } from './events.ts';
import { createModelCall } from './model-call.ts';
import { toModelMessages, userMessage } from './model-messages.ts';
import type { AgentBridge } from './port.ts';
import { RunWriter } from './run-writer.ts';
import { composeContext } from './sources.ts';
import { defaultMessages } from './timeline.ts';
import type { AgentConfig, AgentHandle, AgentRunResult, AgentTool, TestResponses } from './types.ts';

const DEFAULT_PROVIDER = 'anthropic';
/** How long an aborted run waits for a tool that does not listen to its signal. */
const ABORT_GRACE_MS = 5_000;

/** pi-ai takes a third of a second to load; hosts whose agents call no model never pay it. */
async function loadPi() {
  const [ai, core] = await Promise.all([
    import('@mariozechner/pi-ai'),
    import('@mariozechner/pi-agent-core'),
  ]);
  return { ai, core };
}
type Pi = Awaited<ReturnType<typeof loadPi>>;

/**
 * The handle that `ctx.useAgent(config)` returns. Nothing happens before its first `run`; several runs, one
 * after another, are fine.
 *
 * @param contextConfig - what `ctx.useContext` set last, if it was called; asked at each run
 */
export function createAgentHandle(
  config: AgentConfig,
  bridge: AgentBridge,
  contextConfig: () => UseContextConfig | undefined = () => undefined,
): AgentHandle {
  return {
    async run(input, signal): Promise<AgentRunResult> {
      await bridge.flush();
      if (config.testResponses === undefined) await runModel(config, bridge, contextConfig(), input, signal);
      else await runCanned(config.testResponses, bridge, input ?? bridge.triggerText);
      return { writes: [], toolCalls: [], usage: { tokens: 0, duration: 0 } };
    },
  };
}

function resolveModel(config: AgentConfig, pi: Pi): Model<Api> {
  if (typeof config.model !== 'string') return config.model;
  const provider: KnownProvider = config.provider ?? DEFAULT_PROVIDER;
  const models: readonly Model<Api>[] = pi.ai.getModels(provider);
  const model = models.find(({ id }) => id === config.model);
  if (model === undefined) throw new UnknownModelError(config.model, provider);
  return model;
}

/** What the model reads and may call. */
interface Prompt {
  readonly messages: Message[];
  readonly tools: readonly AgentTool[];
}

async function buildPrompt(
  config: AgentConfig,
  bridge: AgentBridge,
  contextConfig: UseContextConfig | undefined,
  model: Model<Api>,
): Promise<Prompt> {
  if (contextConfig === undefined) {
    return {
      messages: toModelMessages(defaultMessages(await bridge.timeline()), model),
      tools: config.tools,
    };
  }
  const { messages, snapshots } = await composeContext(contextConfig);
  const added = createContextTools(() => bridge.timeline(), snapshots);
  return { messages: toModelMessages(messages, model), tools: [...config.tools, ...added] };
}

async function runModel(
  config: AgentConfig,
  bridge: AgentBridge,
  contextConfig: UseContextConfig | undefined,
  input: string | undefined,
  givenSignal: AbortSignal | undefined,
): Promise<void> {
  const pi = await loadPi();
  const model = resolveModel(config, pi);
  const { messages, tools } = await buildPrompt(config, bridge, contextConfig, model);
  // With the default context the message that woke the entity is there already; it must not stand there twice.
  if (input !== undefined || messages.at(-1)?.role !== 'user') {
    messages.push(userMessage(input ?? bridge.triggerText));
  }
  const signal = givenSignal === undefined ? bridge.signal : AbortSignal.any([bridge.signal, givenSignal]);
  const secrets: string[] = [pi.ai.getEnvApiKey(model.provider) ?? ''];
  const callModel = createModelCall(config, {
    streamFn: config.streamFn ?? pi.ai.streamSimple,
    createStream: pi.ai.createAssistantMessageEventStream,
    signal,
    onSecret: (key) => secrets.push(key),
  });
  const writer = new RunWriter(bridge, model);
  const step: typeof callModel = async (...call) => {
    // An abort between two calls ends the run without another step.
    if (signal.aborted) return callModel(...call);
    writer.startStep();
    // What tools and this run staged so far must outlive the process before money is spent again.
    await bridge.flush();
    return callModel(...call);
  };
  const context: AgentContext = {
    systemPrompt: config.systemPrompt,
    messages,
    tools: [...tools] as NonNullable<AgentContext['tools']>,
  };
  const loop = pi.core.runAgentLoopContinue(
    context,
    { model, convertToLlm: (all) => all as Message[] },
    createEventSink(writer, config.onStepEnd),
    signal,
    step,
  );
  await settle(loop, writer, signal, (text) =>
    modelProviderError(text, { provider: model.provider, model: model.id, secrets }),
  );
}

/** Ends the run's rows the way the loop ended. */
async function settle(
  loop: Promise<readonly AgentMessage[]>,
  writer: RunWriter,
  signal: AbortSignal,
  toError: (text: string) => ModelProviderError,
): Promise<void> {
  let failure: string | undefined;
  try {
    const messages = await orAbandoned(loop, signal);
    const last = messages?.at(-1);
    if (last?.role === 'assistant' && last.stopReason === 'error')
      failure = last.errorMessage ?? 'no reason given';
  } catch (error) {
    writer.end('error');
    throw error;
  }
  if (failure !== undefined) {
    const error = toError(failure);
    writer.error(error);
    writer.end('error');
    throw error;
  }
  writer.end(signal.aborted ? 'aborted' : 'stop');
}

/** What the loop gives, or nothing when it does not end within the grace after an abort. */
async function orAbandoned<T>(loop: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => {};
  const abandoned = new Promise<undefined>((resolve) => {
    onAbort = () => {
      timer = setTimeout(() => resolve(undefined), ABORT_GRACE_MS);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([loop, abandoned]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

async function runCanned(responses: TestResponses, bridge: AgentBridge, message: string): Promise<void> {
  const writer = new RunWriter(bridge, { provider: 'test', id: 'test' });
  writer.startStep();
  try {
    const text = await cannedText(responses, writer, message);
    if (text !== undefined && text !== '') writer.text(text);
    writer.endStep('stop');
    writer.end('stop');
  } catch (error) {
    const source = { provider: 'test', model: 'test', secrets: [] };
    const failure =
      error instanceof ModelProviderError ? error : modelProviderError(failureText(error), source);
    writer.error(failure);
    writer.end('error');
    throw failure;
  }
}

async function cannedText(
  responses: TestResponses,
  writer: RunWriter,
  message: string,
): Promise<string | undefined> {
  if (typeof responses !== 'function') return responses[writer.index % responses.length];
  return responses(message, {
    onTextStart: () => writer.endBlock(),
    onTextDelta: (delta) => writer.text(delta),
    onTextEnd: () => writer.endBlock(),
    onToolCallStart: (id, name, args) => writer.startTool(id, name, args),
    onToolCallEnd: (id, _name, result, isError) => writer.endTool(id, result, isError),
  });
}
