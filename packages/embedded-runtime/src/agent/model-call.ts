/**
 * One model call, guarded: the loop gets an answer, a failure or an abort as data, whatever the provider does.
 * A call that stays silent ends, an abort takes effect at once, and a tool call that was cut short never runs.
 *
 * @module
 */
import type {
  Api,
  AssistantMessage,
  AssistantMessageEvent,
  AssistantMessageEventStream,
  Context,
  Model,
  SimpleStreamOptions,
} from '@mariozechner/pi-ai';
import { failureText } from './errors.ts';
import { emptyAnswer } from './model-messages.ts';
import type { AgentConfig, StreamFn } from './types.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_RETRIES = 2;

/** What {@link createModelCall} needs besides the agent's settings. */
export interface ModelCallDeps {
  readonly streamFn: StreamFn;
  readonly createStream: () => AssistantMessageEventStream;
  /** Ends the run. */
  readonly signal: AbortSignal;
  /** Told of each key that is used, so that it can be kept out of messages. */
  readonly onSecret: (key: string) => void;
}

/** The agent's settings as the options of a model call. */
function callOptions(
  config: AgentConfig,
  apiKey: string | undefined,
  signal: AbortSignal,
): SimpleStreamOptions {
  return {
    signal,
    timeoutMs: config.modelTimeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxRetries: config.modelMaxRetries ?? DEFAULT_MAX_RETRIES,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(config.onPayload === undefined ? {} : { onPayload: config.onPayload }),
    ...(config.reasoning === undefined ? {} : { reasoning: config.reasoning }),
    ...(config.thinkingBudgets === undefined ? {} : { thinkingBudgets: config.thinkingBudgets }),
  };
}

/** A model call for pi-agent-core's loop. Contract: never rejects; a failure is the stream's last event. */
export function createModelCall(config: AgentConfig, deps: ModelCallDeps): StreamFn {
  return (model, context) => {
    const out = deps.createStream();
    const call = new GuardedCall(model, config, deps, out);
    void call.run(context);
    return out;
  };
}

class GuardedCall {
  readonly #model: Model<Api>;
  readonly #config: AgentConfig;
  readonly #deps: ModelCallDeps;
  readonly #out: AssistantMessageEventStream;
  /** Stops the provider's request once nobody waits for it. */
  readonly #request = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #partial: AssistantMessage | undefined;
  #openToolCalls = 0;

  constructor(model: Model<Api>, config: AgentConfig, deps: ModelCallDeps, out: AssistantMessageEventStream) {
    this.#model = model;
    this.#config = config;
    this.#deps = deps;
    this.#out = out;
  }

  /** Contract: never rejects. */
  async run(context: Context): Promise<void> {
    const { signal } = this.#deps;
    const onAbort = (): void => this.#finish('aborted', 'The run was aborted.');
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await this.#relay(context);
    } catch (error) {
      this.#finish('error', failureText(error));
    } finally {
      clearTimeout(this.#timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #relay(context: Context): Promise<void> {
    const timeoutMs = this.#config.modelTimeoutMs ?? DEFAULT_TIMEOUT_MS;
    const attempts = 1 + (this.#config.modelMaxRetries ?? DEFAULT_MAX_RETRIES);
    // Until the first event the provider's client times and repeats its attempts; this only backs it up.
    this.#watch(timeoutMs * attempts);
    const apiKey = await this.#config.getApiKey?.(this.#model.provider);
    if (apiKey !== undefined) this.#deps.onSecret(apiKey);
    const signal = AbortSignal.any([this.#deps.signal, this.#request.signal]);
    const inner = await this.#deps.streamFn(this.#model, context, callOptions(this.#config, apiKey, signal));
    for await (const event of inner) {
      this.#watch(timeoutMs);
      if (this.#pass(event)) return;
    }
    // A stream may also end by `end(message)` alone. Without a message it has no result and never will have.
    const last = await Promise.race([inner.result(), Promise.resolve(undefined)]);
    if (last === undefined) throw new Error('The stream ended before the answer was complete.');
    this.#out.push({ type: 'done', reason: 'stop', message: last });
  }

  /** @returns whether this was the last event */
  #pass(event: AssistantMessageEvent): boolean {
    if (event.type === 'toolcall_start') this.#openToolCalls += 1;
    if (event.type === 'toolcall_end') this.#openToolCalls -= 1;
    if ('partial' in event) this.#partial = event.partial;
    if (event.type === 'done' && this.#openToolCalls > 0) {
      // pi-ai repairs cut JSON and reports a normal end when a connection closes early; such a call must not run.
      throw new Error('The connection ended before the tool call was complete.');
    }
    this.#out.push(event);
    return event.type === 'done' || event.type === 'error';
  }

  #watch(timeoutMs: number): void {
    clearTimeout(this.#timer);
    const onSilence = (): void => this.#finish('error', `Timed out: no sign of life for ${timeoutMs} ms.`);
    this.#timer = setTimeout(onSilence, timeoutMs);
  }

  /** Ends the answer now, with what came of it. A second end is without effect: the stream is closed by then. */
  #finish(reason: 'error' | 'aborted', errorMessage: string): void {
    clearTimeout(this.#timer);
    const { usage, content } = this.#partial ?? emptyAnswer(this.#model, reason);
    const error = { ...emptyAnswer(this.#model, reason), content: [...content], usage, errorMessage };
    this.#out.push({ type: 'error', reason, error });
    this.#request.abort();
  }
}
