/**
 * A model whose answers a test writes down beforehand, behind the `streamFn` seam.
 *
 * @module
 */
import {
  type Api,
  type AssistantMessage,
  type Context,
  createAssistantMessageEventStream,
  type Model,
  type SimpleStreamOptions,
  type Usage,
} from '@mariozechner/pi-ai';
import type { StreamFn } from '../types.ts';

/** A text, or a tool call as `[name, arguments]`. */
export type ScriptedBlock = string | readonly [tool: string, args: Readonly<Record<string, unknown>>];

/** One answer; what is given as a single text stands for one block. */
export type ScriptedTurn = string | readonly ScriptedBlock[];

export interface ScriptedModel {
  readonly model: Model<Api>;
  readonly streamFn: StreamFn;
  /** What the loop asked for, call by call. Messages are as they were at the time. */
  readonly calls: readonly { readonly context: Context; readonly options: SimpleStreamOptions }[];
}

export const SCRIPTED_USAGE: Usage = {
  input: 100,
  output: 20,
  cacheRead: 30,
  cacheWrite: 3,
  totalTokens: 153,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

const MODEL: Model<Api> = {
  id: 'scripted-1',
  name: 'Scripted',
  api: 'scripted',
  provider: 'scripted',
  baseUrl: '',
  reasoning: false,
  input: ['text'],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 200_000,
  maxTokens: 1_000,
};

/** Gives the turns in order; a call beyond the last one fails like a provider does. */
export function createScriptedModel(turns: readonly ScriptedTurn[]): ScriptedModel {
  const calls: { context: Context; options: SimpleStreamOptions }[] = [];
  return {
    model: MODEL,
    calls,
    streamFn(_model, context, options = {}) {
      const turn = turns[calls.length];
      calls.push({ context: { ...context, messages: structuredClone(context.messages) }, options });
      const stream = createAssistantMessageEventStream();
      if (turn === undefined) {
        const error = answerOf([], 'error', 'The script has no more turns.');
        stream.push({ type: 'error', reason: 'error', error });
      } else {
        play(stream, typeof turn === 'string' ? [turn] : turn, calls.length);
      }
      stream.end();
      return stream;
    },
  };
}

/** An answer of the scripted model. */
export function answerOf(
  content: AssistantMessage['content'],
  stopReason: AssistantMessage['stopReason'],
  errorMessage?: string,
): AssistantMessage {
  const { api, provider, id } = MODEL;
  const rest = errorMessage === undefined ? {} : { errorMessage };
  return {
    role: 'assistant',
    content,
    api,
    provider,
    model: id,
    usage: SCRIPTED_USAGE,
    stopReason,
    timestamp: 0,
    ...rest,
  };
}

function play(
  stream: ReturnType<typeof createAssistantMessageEventStream>,
  blocks: readonly ScriptedBlock[],
  callNumber: number,
): void {
  const partial = answerOf([], 'stop');
  stream.push({ type: 'start', partial });
  blocks.forEach((block, contentIndex) => {
    if (typeof block === 'string') {
      partial.content.push({ type: 'text', text: block });
      stream.push({ type: 'text_start', contentIndex, partial });
      stream.push({ type: 'text_delta', contentIndex, delta: block, partial });
      stream.push({ type: 'text_end', contentIndex, content: block, partial });
      return;
    }
    const [name, args] = block;
    const toolCall = {
      type: 'toolCall',
      id: `call-${callNumber}-${contentIndex}`,
      name,
      arguments: args,
    } as const;
    partial.content.push(toolCall);
    stream.push({ type: 'toolcall_start', contentIndex, partial });
    stream.push({ type: 'toolcall_end', contentIndex, toolCall, partial });
  });
  const reason = blocks.some((block) => typeof block !== 'string') ? 'toolUse' : 'stop';
  stream.push({ type: 'done', reason, message: { ...partial, stopReason: reason } });
}
