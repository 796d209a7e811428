/**
 * One model call: exactly the messages that were built for it, whatever timeline the runtime hands in, with one
 * tool that ends the run.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import type { StreamFn } from '@mariozechner/pi-agent-core';
import type { Api, Context, Model } from '@mariozechner/pi-ai';
import { messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import { type AnswerTap, createAnswerTap, type Heard } from './answer-tap.ts';
import { type ChosenModel, loadModel } from './choice.ts';
import type { Deadline } from './deadline.ts';
import { cleanDetail, type Failure, failure, readFailure } from './failure.ts';
import { adjustPayload } from './payload.ts';
import type { RunAgent, RunConfig } from './run.ts';
import type { ModelTool } from './tool.ts';

/** What is sent. */
export interface ModelRequest {
  readonly system: string;
  /** The blocks of the one user message. Of several the first is marked for the provider's cache. */
  readonly blocks: readonly string[];
  readonly tool: ModelTool;
  /** What a reader of the entity's stream sees as the reason of the run. */
  readonly label: string;
}

/** How it is sent. */
export interface CallSettings {
  readonly choice: ChosenModel;
  readonly run: RunAgent;
  readonly maxOutputTokens: number;
  readonly log: Log;
  /** Told of each call when it has ended. */
  readonly onCall?: ((call: ModelCall) => void) | undefined;
}

/** One model call that ended; tokens as the provider counted them. */
export interface ModelCall {
  /** `provider/model`. */
  readonly model: string;
  readonly ok: boolean;
  /** All that was read, from the cache or not. */
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
}

/**
 * What came back. `value`: the arguments of the tool as the model wrote them, else its text. `cut`: why it may
 * be less than the model meant to say; `trouble`: that the cut was no decision of the model.
 */
export type Answer =
  | { readonly ok: true; readonly value: unknown; readonly cut?: string; readonly trouble?: Failure }
  | { readonly ok: false; readonly failure: Failure };

/** The provider's client repeats a call that failed in passing; nothing above it does. */
const MAX_RETRIES = 2;
/** How long a runner may take to end after its signal fired. */
const GRACE_MS = 5_000;

/** Makes one call. Contract: never rejects, and ends soon after its deadline. */
export async function callModel(
  request: ModelRequest,
  settings: CallSettings,
  deadline: Deadline,
): Promise<Answer> {
  const { choice, log } = settings;
  const loaded = await loadModel(choice);
  if ('problem' in loaded) {
    log.error('the model cannot be used', { problem: loaded.problem });
    return { ok: false, failure: failure('configuration') };
  }
  const tap = createAnswerTap(loaded.model);
  const config = runConfig(request, settings, loaded.model, deadline, tap);
  const ended = settings.run(config, request.label, deadline.signal).then(() => undefined, messageOf);
  const rejection = await Promise.race([ended, deadline.overdue(GRACE_MS).then(() => undefined)]);
  const heard = tap.heard();
  const answer = answerOf(heard, deadline, rejection);
  report(answer, heard, settings, heard.failureText ?? rejection);
  return answer;
}

function runConfig(
  request: ModelRequest,
  settings: CallSettings,
  model: Model<Api>,
  deadline: Deadline,
  tap: AnswerTap,
): RunConfig {
  return {
    systemPrompt: request.system,
    model,
    tools: [{ ...request.tool, execute: async () => RECEIVED }],
    getApiKey: settings.choice.apiKey,
    modelTimeoutMs: deadline.timeoutMs,
    modelMaxRetries: MAX_RETRIES,
    streamFn: streamFn(request, settings, model, deadline, tap),
  };
}

const RECEIVED = {
  content: [{ type: 'text' as const, text: 'Received.' }],
  details: {},
  terminate: true as const,
};

/** A `streamFn` that sends the request, once, in place of what the loop hands in. */
function streamFn(
  request: ModelRequest,
  { choice, maxOutputTokens }: CallSettings,
  model: Model<Api>,
  deadline: Deadline,
  tap: AnswerTap,
): StreamFn {
  const context: Context = {
    systemPrompt: request.system,
    messages: [
      { role: 'user', content: request.blocks.map((text) => ({ type: 'text', text })), timestamp: 0 },
    ],
    tools: [request.tool],
  };
  return async (_model, _timeline, options) => {
    const ai = await import('@mariozechner/pi-ai');
    const out = ai.createAssistantMessageEventStream();
    // The loop comes back when the tool did not take its arguments. Whether to ask again is decided elsewhere.
    if (!tap.begin()) {
      tap.close(out);
      return out;
    }
    const key = choice.apiKey();
    const open = () =>
      ai.streamSimple(model, context, {
        ...(key === undefined ? {} : { apiKey: key }),
        ...(model.reasoning ? { reasoning: 'medium' } : {}),
        ...(request.blocks.length > 1 ? { sessionId: cacheKey(request) } : {}),
        signal: options?.signal ?? deadline.signal,
        maxTokens: Math.min(maxOutputTokens, model.maxTokens),
        timeoutMs: deadline.timeoutMs,
        maxRetries: MAX_RETRIES,
        onPayload: adjustPayload,
      });
    void tap.relay(open, out);
    return out;
  };
}

/** Requests of one key begin alike; OpenAI sends them to one machine, whose cache has that beginning. */
function cacheKey({ system, blocks }: ModelRequest): string {
  return createHash('sha256')
    .update(system)
    .update(blocks[0] ?? '')
    .digest('hex')
    .slice(0, 32);
}

function answerOf(heard: Heard, deadline: Deadline, rejection: string | undefined): Answer {
  const endedBy = deadline.endedBy();
  if (endedBy === 'abort') return { ok: false, failure: failure('aborted') };
  const trouble = troubleOf(heard, endedBy, rejection);
  if (trouble !== undefined && !heard.spoke) return { ok: false, failure: trouble };
  if (trouble !== undefined) {
    return { ok: true, value: heard.value, cut: `${trouble.why} in mid-answer`, trouble };
  }
  if (heard.message?.stopReason === 'length') {
    return { ok: true, value: heard.value, cut: 'it reached the limit of its length' };
  }
  if (heard.toolCalls > 1)
    return { ok: true, value: heard.value, cut: 'of several calls only the first was read' };
  return { ok: true, value: heard.value };
}

function troubleOf(
  heard: Heard,
  endedBy: ReturnType<Deadline['endedBy']>,
  rejection: string | undefined,
): Failure | undefined {
  if (endedBy !== undefined) return failure('deadline');
  if (heard.failure !== undefined) return heard.failure;
  // A run that was rejected although the model answered to the end failed afterwards: the answer stands.
  return rejection === undefined || heard.message !== undefined ? undefined : readFailure(rejection);
}

function report(
  answer: Answer,
  { asked, message }: Heard,
  { choice, log, onCall }: CallSettings,
  trouble: string | undefined,
): void {
  const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0 } = message?.usage ?? {};
  const call: ModelCall = {
    model: choice.name,
    ok: answer.ok,
    inputTokens: input + cacheRead + cacheWrite,
    cachedTokens: cacheRead,
    outputTokens: output,
  };
  if (answer.ok) log.info('a model call ended', { ...call, stop: message?.stopReason });
  else {
    const detail = trouble === undefined ? {} : { detail: cleanDetail(trouble, choice.apiKey()) };
    log.warn('a model call failed', { ...call, why: answer.failure.why, ...detail });
  }
  if (asked) onCall?.(call);
}
