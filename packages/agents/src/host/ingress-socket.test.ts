import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import type { Hono } from 'hono';
import { afterEach, describe, expect, it } from 'vitest';
import { Secret } from '../config-secret.ts';
import { silentLog } from '../log.ts';
import { examplePayload } from '../testing/webhook-examples.ts';
import { createIngress } from './ingress.ts';

const secret = new Secret('a secret of the tests, long enough');
const path = '/webhooks/github';

function ingress(maxBytes: number): Hono {
  return createIngress({
    secret,
    repo: { owner: 'Codertocat', repo: 'Hello-World' },
    endpointKey: 'github-repo-test',
    maxBytes,
    append: async () => ({ appended: true }),
    clock: () => new Date(0),
    log: silentLog,
    healthy: () => true,
  });
}

function signedHeaders(body: Buffer) {
  return {
    'content-type': 'application/json',
    'x-github-event': 'pull_request',
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret.reveal()).update(body).digest('hex')}`,
  };
}

describe('the ingress over a socket', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
  });

  async function listen(maxBytes: number): Promise<number> {
    const server = serve({
      fetch: ingress(maxBytes).fetch,
      port: 0,
      hostname: '127.0.0.1',
    }) as Server;
    servers.push(server);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  /** Sends chunks until the server has answered, at most `most` of them. */
  async function send(port: number, headers: Record<string, string | number>, chunk: Buffer, most: number) {
    const outgoing = request({ port, host: '127.0.0.1', path, method: 'POST', headers });
    outgoing.on('error', () => {}); // the server may cut a body that it does not want
    const answered = once(outgoing, 'response');
    let sent = 0;
    const pump = (): void => {
      while (sent < most && !outgoing.destroyed) {
        sent += 1;
        if (!outgoing.write(chunk)) return void outgoing.once('drain', pump);
      }
      outgoing.end();
    };
    pump();
    const [response] = await answered;
    outgoing.destroy();
    return { status: response.statusCode as number, sent };
  }

  it('takes a signed delivery', async () => {
    const port = await listen(1_000_000);
    const body = Buffer.from(JSON.stringify(examplePayload('pull_request', 0)));
    const headers = signedHeaders(body);
    expect(await send(port, { ...headers, 'content-length': body.length }, body, 1)).toMatchObject({
      status: 202,
    });
    expect(await send(port, headers, body, 1)).toMatchObject({ status: 202 });
  });

  it('refuses by the declared length', async () => {
    const port = await listen(1_000_000);
    const headers = { 'content-length': 1_000_001 };
    expect(await send(port, headers, Buffer.alloc(1), 0)).toMatchObject({ status: 413 });
  });

  it('stops reading a body without a declared length', async () => {
    const port = await listen(1_000_000);
    const chunk = Buffer.alloc(100_000);
    const result = await send(port, { 'transfer-encoding': 'chunked' }, chunk, 10_000);
    expect(result.status).toBe(413);
    // A gigabyte was on offer.
    expect(result.sent).toBeLessThan(1000);
  });
});
