/**
 * A model provider on loopback that speaks the wire formats of Anthropic Messages, OpenAI Responses and OpenAI
 * Completions, streaming included. What it answers is a function of the request; see `answers.ts`.
 *
 * ```ts
 * await using provider = await startProviderServer({ answer: playRound({ findings: { security: [...] } }) });
 * // SHEPHERD_MODEL=anthropic/claude-sonnet-4-6 SHEPHERD_MODEL_BASE_URL=provider.url ANTHROPIC_API_KEY=…
 * expect(provider.requests.map((request) => request.aspect)).toEqual([...]);
 * ```
 *
 * @module
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { isAspect } from '../../ids.ts';
import { FORMATS, type Format, type StreamEvent } from './provider-formats.ts';
import type { ProviderAnswer, ProviderRequest } from './provider-types.ts';

/** A running server. */
export interface ProviderServer extends AsyncDisposable {
  /** Base URL for any of the three. */
  readonly url: string;
  /** All requests so far, repeated ones included. */
  readonly requests: readonly ProviderRequest[];
  /** Resolves with the request of this number, counted from 1, once it is there. */
  request(number: number): Promise<ProviderRequest>;
  close(): Promise<void>;
}

/** How the server behaves. */
export interface ProviderServerOptions {
  readonly answer: (request: ProviderRequest, number: number) => ProviderAnswer | Promise<ProviderAnswer>;
}

/** Characters of arguments or text in one event. */
const PIECE_CHARS = 17;

/** Starts a provider on a free port of 127.0.0.1. */
export async function startProviderServer(options: ProviderServerOptions): Promise<ProviderServer> {
  const requests: ProviderRequest[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer((incoming, outgoing) => {
    void serve(incoming, outgoing, options, (request) => {
      requests.push(request);
      for (const wake of waiting.splice(0)) wake();
      return requests.length;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    request: async (number) => {
      let request = requests[number - 1];
      while (request === undefined) {
        await new Promise<void>((resolve) => waiting.push(resolve));
        request = requests[number - 1];
      }
      return request;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: ProviderServerOptions,
  record: (request: ProviderRequest) => number,
): Promise<void> {
  const closed = once(outgoing, 'close').then(() => {});
  const path = incoming.url ?? '/';
  const format = FORMATS.find((candidate) => path.split('?')[0]?.endsWith(candidate.path));
  const raw = await readText(incoming);
  if (format === undefined) {
    outgoing.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { path } }));
    return;
  }
  const body = JSON.parse(raw) as Readonly<Record<string, unknown>>;
  const request = readRequest(format, path, incoming.headers, body, closed);
  const answer = await options.answer(request, record(request));
  reply(outgoing, format, body, answer);
}

function readRequest(
  format: Format,
  path: string,
  headers: IncomingHttpHeaders,
  body: Readonly<Record<string, unknown>>,
  closed: Promise<void>,
): ProviderRequest {
  const userText = format.lastUserText(body);
  const named = [...userText.matchAll(/^Aspect: (\w+)$/gm)].at(-1)?.[1];
  return {
    api: format.api,
    path,
    headers,
    model: String(body.model),
    system: format.system(body),
    userText,
    aspect: named !== undefined && isAspect(named) ? named : undefined,
    body,
    closed,
  };
}

function reply(
  outgoing: ServerResponse,
  format: Format,
  body: Readonly<Record<string, unknown>>,
  answer: ProviderAnswer,
): void {
  if (answer.kind === 'status') {
    // Both SDKs wait as long as this header says before they repeat a request.
    const headers = { 'content-type': 'application/json', 'retry-after-ms': '1' };
    outgoing
      .writeHead(answer.status, headers)
      .end(JSON.stringify(format.error(answer.status, answer.message)));
    return;
  }
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
  write(outgoing, format.begin(body));
  if (answer.kind === 'hang') return;
  const said = 'tool' in answer.content ? answer.content.args : answer.content.text;
  write(outgoing, format.pieces(answer.content, inPieces(said)));
  finish(outgoing, format, answer);
}

function finish(
  outgoing: ServerResponse,
  format: Format,
  { content, end }: Extract<ProviderAnswer, { readonly kind: 'speak' }>,
): void {
  switch (end) {
    case 'whole':
    case 'length':
      write(outgoing, format.end(content, end));
      outgoing.end();
      return;
    case 'overloaded':
      write(outgoing, [format.overloaded]);
      outgoing.end();
      return;
    case 'closed':
      outgoing.end();
      return;
    case 'dropped':
      // What was written has to be on its way before the connection is reset.
      outgoing.write(':\n\n', () => outgoing.destroy());
  }
}

function write(outgoing: ServerResponse, events: readonly StreamEvent[]): void {
  for (const { name, data } of events) {
    const head = name === undefined ? '' : `event: ${name}\n`;
    outgoing.write(`${head}data: ${data === '[DONE]' ? data : JSON.stringify(data)}\n\n`);
  }
}

function inPieces(text: string): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / PIECE_CHARS) }, (_, index) =>
    text.slice(index * PIECE_CHARS, (index + 1) * PIECE_CHARS),
  );
}
