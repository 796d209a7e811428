/**
 * A model provider on loopback that speaks the wire formats of Anthropic Messages and OpenAI Responses, so that
 * tests drive the real clients. Replies are data, in order; the last one repeats.
 *
 * @module
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One HTTP answer. */
export interface ModelReply {
  /** Default 200. */
  readonly status?: number;
  /** Lines of the event stream, or the body of an error. */
  readonly body: string;
  /** What happens after the body: the answer ends, the line stays open and silent, or the socket is cut. */
  readonly ending?: 'end' | 'hang' | 'cut';
}

/** A request as it arrived. */
export interface ModelRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: { readonly [field: string]: unknown };
  /** Resolves when the client has gone away or the answer is through. */
  readonly closed: Promise<unknown>;
}

export interface ModelServer {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
}

/** Starts the server on a free port of 127.0.0.1. */
export async function startModelServer(
  replies: readonly [ModelReply, ...ModelReply[]],
): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const server = createServer(async (request, response) => {
    const closed = once(response, 'close');
    const body = JSON.parse(await textOf(request)) as ModelRequest['body'];
    requests.push({ path: request.url ?? '', headers: request.headers, body, closed });
    send(response, replies[requests.length - 1] ?? replies[replies.length - 1] ?? replies[0]);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

function send(response: ServerResponse, reply: ModelReply): void {
  const isStream = (reply.status ?? 200) === 200;
  response.writeHead(reply.status ?? 200, {
    'content-type': isStream ? 'text/event-stream' : 'application/json',
  });
  if (reply.ending === undefined || reply.ending === 'end') {
    response.end(reply.body);
    return;
  }
  response.write(reply.body === '' ? ':\n\n' : reply.body, () => {
    if (reply.ending === 'cut') response.destroy();
  });
}

type WireEvent = { readonly type: string; readonly [field: string]: unknown };

function sse(events: readonly WireEvent[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

const ANTHROPIC_START: WireEvent = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    usage: { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 5, cache_creation_input_tokens: 2 },
  },
};

function anthropicEnd(stopReason: string): readonly WireEvent[] {
  return [
    { type: 'message_delta', delta: { stop_reason: stopReason }, usage: { output_tokens: 7 } },
    { type: 'message_stop' },
  ];
}

function anthropicTextStart(text: string): readonly WireEvent[] {
  return [
    ANTHROPIC_START,
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...[...text].map((char) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: char },
    })),
  ];
}

/** A whole answer in text. */
export function anthropicText(text: string): ModelReply {
  const stop = { type: 'content_block_stop', index: 0 };
  return { body: sse([...anthropicTextStart(text), stop, ...anthropicEnd('end_turn')]) };
}

/** The beginning of an answer in text; `ending` says how it goes wrong. */
export function anthropicTextBegun(text: string, ending: 'hang' | 'cut'): ModelReply {
  return { body: sse(anthropicTextStart(text)), ending };
}

/** An answer that calls tools, in one turn. */
export function anthropicToolCalls(...calls: readonly (readonly [name: string, args: object])[]): ModelReply {
  const blocks = calls.flatMap(([name, args], index) => [
    ...anthropicToolStart(index, name, JSON.stringify(args)),
    { type: 'content_block_stop', index },
  ]);
  return { body: sse([ANTHROPIC_START, ...blocks, ...anthropicEnd('tool_use')]) };
}

/** A tool call whose arguments break off, after which the answer ends as if nothing were wrong. */
export function anthropicToolCallCutShort(name: string, args: object): ModelReply {
  const json = JSON.stringify(args);
  const half = json.slice(0, Math.ceil(json.length / 2));
  return { body: sse([ANTHROPIC_START, ...anthropicToolStart(0, name, half)]) };
}

function anthropicToolStart(index: number, name: string, json: string): readonly WireEvent[] {
  return [
    {
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id: `toolu_${index}`, name, input: {} },
    },
    { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: json } },
  ];
}

const OPENAI_USAGE = {
  input_tokens: 20,
  output_tokens: 4,
  total_tokens: 24,
  input_tokens_details: { cached_tokens: 8 },
};

/** An OpenAI Responses answer in text. */
export function openaiText(text: string): ModelReply {
  const item = { type: 'message', id: 'msg_1', role: 'assistant' };
  const part = { type: 'output_text', text, annotations: [] };
  return {
    body: sse([
      { type: 'response.created', response: { id: 'resp_1' } },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
      { type: 'response.content_part.added', item_id: 'msg_1', part: { ...part, text: '' } },
      { type: 'response.output_text.delta', item_id: 'msg_1', delta: text },
      { type: 'response.output_item.done', output_index: 0, item: { ...item, content: [part] } },
      { type: 'response.completed', response: { id: 'resp_1', status: 'completed', usage: OPENAI_USAGE } },
    ]),
  };
}

/** An OpenAI Responses answer that calls one tool. */
export function openaiToolCall(name: string, args: object): ModelReply {
  const item = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name };
  const json = JSON.stringify(args);
  return {
    body: sse([
      { type: 'response.created', response: { id: 'resp_1' } },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: '' } },
      { type: 'response.function_call_arguments.delta', item_id: 'fc_1', delta: json },
      { type: 'response.function_call_arguments.done', item_id: 'fc_1', arguments: json },
      { type: 'response.output_item.done', output_index: 0, item: { ...item, arguments: json } },
      { type: 'response.completed', response: { id: 'resp_1', status: 'completed', usage: OPENAI_USAGE } },
    ]),
  };
}

/** An OpenAI Responses answer that ran out of tokens within the arguments of a tool call. */
export function openaiToolCallCutShort(name: string, args: object): ModelReply {
  const item = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name };
  const json = JSON.stringify(args);
  return {
    body: sse([
      { type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: '' } },
      {
        type: 'response.function_call_arguments.delta',
        item_id: 'fc_1',
        delta: json.slice(0, Math.ceil(json.length / 2)),
      },
      { type: 'response.incomplete', response: { id: 'resp_1', status: 'incomplete' } },
    ]),
  };
}

/** An error answer in Anthropic's and OpenAI's common form. */
export function errorReply(status: number, message: string): ModelReply {
  return { status, body: JSON.stringify({ type: 'error', error: { type: 'error', message } }) };
}
