/**
 * How a model is run: by the runtime's `ctx.useAgent` in an entity, so that the run stands in its stream, or
 * directly where there is no entity. Both take the same settings.
 *
 * @module
 */
import type { AgentTool, StreamFn } from '@mariozechner/pi-agent-core';
import type { Api, Model } from '@mariozechner/pi-ai';
import type { ModelTool } from './tool.ts';

/** A tool that takes what it is given and ends the run. */
export interface TerminatingTool extends ModelTool {
  readonly execute: (id: string, args: unknown) => Promise<ToolResult>;
}

interface ToolResult {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly details: unknown;
  readonly terminate: true;
}

/** The part of the runtime's `AgentConfig` that a review sets. */
export interface RunConfig {
  readonly systemPrompt: string;
  readonly model: Model<Api>;
  readonly tools: readonly TerminatingTool[];
  readonly streamFn: StreamFn;
  readonly getApiKey: () => string | undefined;
  readonly modelTimeoutMs: number;
  readonly modelMaxRetries: number;
}

/**
 * Runs a model to its end. In an entity: `(config, input, signal) => ctx.useAgent(config).run(input, signal)`.
 * `input` is what a reader of the entity's stream sees as the reason; the prompt itself comes from `streamFn`.
 * Contract: ends soon after `signal` fires. A failed call may reject or not; what was said is seen in `streamFn`.
 */
export type RunAgent = (config: RunConfig, input: string, signal?: AbortSignal) => Promise<unknown>;

/** Runs pi-agent-core's loop without an entity. */
export const runDirect: RunAgent = async (config, input, signal) => {
  const { Agent } = await import('@mariozechner/pi-agent-core');
  const agent = new Agent({
    initialState: {
      systemPrompt: config.systemPrompt,
      model: config.model,
      tools: [...config.tools] as AgentTool[],
    },
    streamFn: config.streamFn,
    getApiKey: config.getApiKey,
  });
  const abort = (): void => agent.abort();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    if (signal?.aborted !== true) await agent.prompt(input);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
};
