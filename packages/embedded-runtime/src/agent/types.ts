/**
 * What a handler gives to `ctx.useAgent` and what it gets back, with the names of the published runtime.
 *
 * @module
 */
import type {
  Api,
  AssistantMessageEventStream,
  Context,
  ImageContent,
  KnownProvider,
  Model,
  SimpleStreamOptions,
  TextContent,
} from '@mariozechner/pi-ai';
import type { ChangeEvent } from '../types/wake.ts';

/** One model call: the seam through which tests and wrappers replace the provider. pi-ai's `streamSimple` fits. */
export type StreamFn = (
  model: Model<Api>,
  context: Context,
  options?: SimpleStreamOptions,
) => AssistantMessageEventStream | Promise<AssistantMessageEventStream>;

/** What a tool hands back to the model. */
export interface AgentToolResult {
  readonly content: (TextContent | ImageContent)[];
  /** Anything for logs and user interfaces; the model does not see it. */
  readonly details: unknown;
  /** `true` ends the run after this batch of tool calls, if every call of the batch says so. */
  readonly terminate?: boolean;
}

/**
 * A tool that the model may call. Calls of one turn run in parallel; a tool that throws gives the model an
 * error result. `parameters` is JSON schema (TypeBox or plain); arguments are checked against it first.
 */
export interface AgentTool {
  readonly name: string;
  /** Name for people. */
  readonly label: string;
  readonly description: string;
  readonly parameters: object;
  // Method syntax, so that a tool may narrow `params` to what its schema describes.
  execute(
    toolCallId: string,
    // biome-ignore lint/suspicious/noExplicitAny: the shape is known only to the tool, through `parameters`.
    params: any,
    signal?: AbortSignal,
    onUpdate?: (partial: AgentToolResult) => void,
  ): Promise<AgentToolResult>;
}

/** Token counts of one model call. */
export interface StepStats {
  /** Everything that the model read, cache reads included. */
  readonly input: number;
  /** What was new in it: fresh tokens and cache writes. */
  readonly uncachedInput: number;
  readonly output: number;
}

/** Lets a `testResponses` function write texts and tool calls into the entity's stream without running a tool. */
export interface TestResponseBridge {
  onTextStart(): void;
  onTextDelta(delta: string): void;
  onTextEnd(): void;
  onToolCallStart(toolCallId: string, toolName: string, args: unknown): void;
  onToolCallEnd(toolCallId: string, toolName: string, result: unknown, isError: boolean): void;
}

/** A canned answer: a list used in turn by run number, or a function of the trigger text. */
export type TestResponses =
  | readonly string[]
  | ((message: string, bridge: TestResponseBridge) => Promise<string | undefined>);

/** Settings of `ctx.useAgent`. */
export interface AgentConfig {
  readonly systemPrompt: string;
  /** A model id of pi-ai's list, or a model object (for a gateway: `{ ...getModel(…), baseUrl }`). */
  readonly model: string | Model<Api>;
  /** Provider of a model given by id. Default `anthropic`. */
  readonly provider?: KnownProvider;
  readonly tools: readonly AgentTool[];
  /** Default: pi-ai's `streamSimple`. */
  readonly streamFn?: StreamFn;
  /** Default: pi-ai's look-up in the environment (`ANTHROPIC_API_KEY`, `OPENAI_API_KEY`, …). */
  readonly getApiKey?: (provider: string) => Promise<string | undefined> | string | undefined;
  /** Sees, and may replace, the provider's request body. */
  readonly onPayload?: NonNullable<SimpleStreamOptions['onPayload']>;
  readonly reasoning?: NonNullable<SimpleStreamOptions['reasoning']>;
  readonly thinkingBudgets?: NonNullable<SimpleStreamOptions['thinkingBudgets']>;
  /** Answers without any model: tools are not run. */
  readonly testResponses?: TestResponses;
  /** How long one attempt may stay silent, in milliseconds, before or within its answer. Default 30 000. */
  readonly modelTimeoutMs?: number;
  /** How often the provider's client repeats a call that failed in passing. Default 2. */
  readonly modelMaxRetries?: number;
  /** Called once for each model call that ended. */
  readonly onStepEnd?: (stats: StepStats) => void;
}

/**
 * The published runtime's placeholder: always empty. What an agent found comes from a terminating tool that
 * keeps its arguments, or from the text rows.
 */
export interface AgentRunResult {
  readonly result?: unknown;
  readonly writes: ChangeEvent[];
  readonly toolCalls: { name: string; args: unknown; result: unknown }[];
  readonly usage: { readonly tokens: number; readonly duration: number };
}

/** What `ctx.useAgent` returns. */
export interface AgentHandle {
  /**
   * Runs the model with the entity's timeline until it answers without calling a tool, or a tool ends the run.
   * `input` is added as the last user message. An abort of `signal` or of the wake ends the run early and
   * resolves; the run's row then has `finish_reason` `aborted`.
   *
   * @throws ModelProviderError when the provider fails. The run's row is then `failed`.
   * @throws UnknownModelError when the model id is not in pi-ai's list.
   */
  run(input?: string, signal?: AbortSignal): Promise<AgentRunResult>;
}
