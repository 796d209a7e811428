/**
 * Listens to a model's stream while it passes on to the runtime. The arguments of the tool are kept as the
 * model wrote them: once they are parsed leniently, a truncated answer looks like a whole one.
 *
 * @module
 */
import type {
  Api,
  AssistantMessage,
  AssistantMessageEvent,
  AssistantMessageEventStream,
  Model,
} from '@mariozechner/pi-ai';
import { messageOf } from '../errors.ts';
import { type Failure, readFailure } from './failure.ts';

/** What was heard. */
export interface Heard {
  /** Whether the model was asked at all; a run can fail before. */
  readonly asked: boolean;
  /** Raw arguments of the first tool call, else the text; an object only where the provider gave no raw form. */
  readonly value: unknown;
  /** Whether anything was said at all. */
  readonly spoke: boolean;
  readonly message: AssistantMessage | undefined;
  readonly failure: Failure | undefined;
  /** The provider's own words on the failure. For nobody's eyes before they are cleaned. */
  readonly failureText: string | undefined;
  readonly toolCalls: number;
}

/** A tap for one call. */
export interface AnswerTap {
  /** True for the first call of a run only. */
  begin(): boolean;
  /** Passes a stream on to `out` and listens. Failures go on in our words. Contract: never rejects. */
  relay(open: () => AssistantMessageEventStream, out: AssistantMessageEventStream): Promise<void>;
  /** Ends `out` as if the model had nothing to say. */
  close(out: AssistantMessageEventStream): void;
  heard(): Heard;
}

/** Creates a tap for one run of `model`. */
export function createAnswerTap(model: Model<Api>): AnswerTap {
  const args = new Map<number, string>();
  let begun = false;
  let message: AssistantMessage | undefined;
  let failure: Failure | undefined;
  let failureText: string | undefined;

  const fail = (text: string): string => {
    failureText = text;
    failure = readFailure(text);
    return failure.status === undefined ? failure.why : `${failure.status} ${failure.why}`;
  };

  const listen = (event: AssistantMessageEvent): AssistantMessageEvent => {
    if ('partial' in event) message = event.partial;
    if (event.type === 'toolcall_start') args.set(event.contentIndex, '');
    if (event.type === 'toolcall_delta') {
      args.set(event.contentIndex, (args.get(event.contentIndex) ?? '') + event.delta);
    }
    if (event.type === 'done') message = event.message;
    if (event.type !== 'error') return event;
    message = { ...event.error, errorMessage: fail(event.error.errorMessage ?? 'no reason given') };
    return { ...event, error: message };
  };

  return {
    begin: () => {
      const first = !begun;
      begun = true;
      return first;
    },
    relay: async (open, out) => {
      try {
        for await (const event of open()) out.push(listen(event));
      } catch (error) {
        const errorMessage = fail(messageOf(error));
        out.push({
          type: 'error',
          reason: 'error',
          error: { ...emptyMessage(model), stopReason: 'error', errorMessage },
        });
      }
      out.end();
    },
    close: (out) => {
      out.push({ type: 'done', reason: 'stop', message: emptyMessage(model) });
      out.end();
    },
    heard: () => {
      const raw = [...args.values()][0] ?? '';
      const called = message?.content.find((block) => block.type === 'toolCall');
      const text = (message?.content ?? [])
        .map((block) => (block.type === 'text' ? block.text : ''))
        .join('');
      const value = raw.trim() === '' ? (called?.arguments ?? text) : raw;
      const spoke = raw.trim() !== '' || text.trim() !== '';
      return { asked: begun, value, spoke, message, failure, failureText, toolCalls: args.size };
    },
  };
}

function emptyMessage(model: Model<Api>): AssistantMessage {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  return {
    role: 'assistant',
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost },
    stopReason: 'stop',
    timestamp: 0,
  };
}
