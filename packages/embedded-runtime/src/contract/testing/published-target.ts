/**
 * The suite on the published runtime: this process serves the handlers, an agents-server runs beside it.
 *
 * @module
 */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EntityRegistry, getWebhookStreamPath, type WebhookEvent } from '../../index.ts';
import { answerOf, type ConformanceHost, requestOf } from './conformance-host.ts';
import type { SharedApi } from './target.ts';

const WEBHOOK_PATH = '/webhook';
const JSON_TYPE = { 'content-type': 'application/json' };
/** A server that was quiet for this many looks, this far apart, has nothing more to do. */
const QUIET_LOOKS = 5;
const LOOK_MS = 100;

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function webhookRow(event: WebhookEvent, bucket: string): object {
  const { key, body, endpointKey, eventType, headers, receivedAt, request } = event;
  const streamPath = getWebhookStreamPath(endpointKey, bucket);
  const value = {
    key,
    body,
    event_type: eventType,
    endpoint_key: endpointKey,
    bucket,
    stream_path: streamPath,
    headers,
    received_at: receivedAt,
    request,
  };
  return { type: 'webhook_event', key, value, headers: { operation: 'insert' } };
}

/** Serves these types to the agents-server at `baseUrl`. */
export async function startPublished(
  api: SharedApi,
  baseUrl: string,
  registry: EntityRegistry,
): Promise<ConformanceHost> {
  const server = createServer((request, response) => void runtime.onEnter(request, response));
  const serveEndpoint = `http://127.0.0.1:${await listen(server)}${WEBHOOK_PATH}`;
  const runtime = api.createRuntimeHandler({
    baseUrl,
    serveEndpoint,
    registry,
    idleTimeout: 0,
    onWakeError: () => true,
  });
  const close = async () => {
    runtime.abortWakes();
    server.closeAllConnections();
    server.close();
  };
  const call: ConformanceHost['call'] = async (method, path, body) =>
    answerOf(await fetch(requestOf(method, `${baseUrl}${path}`, body)));

  /** Everything that moves while the server works: statuses and the lengths of streams. */
  async function look(): Promise<string> {
    const looks = registry.list().map(async ({ name }) => {
      const { json } = await call('GET', `/_electric/entities?type=${name}`);
      const entities = json as readonly { readonly url: string; readonly status: string }[];
      return Promise.all(
        entities.map(async ({ url, status }) => {
          const events = (await call('GET', `${url}/main?offset=-1`)).json as readonly unknown[];
          return `${url} ${status} ${events.length}`;
        }),
      );
    });
    return `${runtime.debugState().pendingWakeCount} ${(await Promise.all(looks)).flat().join(' ')}`;
  }

  async function settled(): Promise<void> {
    let last = '';
    for (let quiet = 0; quiet < QUIET_LOOKS; ) {
      const now = await look();
      quiet = now === last && now.startsWith('0 ') && !now.includes(' running ') ? quiet + 1 : 0;
      last = now;
      await sleep(LOOK_MS);
    }
  }

  try {
    await runtime.registerTypes();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    client: api.createRuntimeServerClient({ baseUrl }),
    call,
    async deliver(event) {
      for (const bucket of event.buckets) {
        const path = getWebhookStreamPath(event.endpointKey, bucket);
        // A stream gets its type when it is made, and takes no other later.
        await fetch(`${baseUrl}${path}`, { method: 'PUT', headers: JSON_TYPE });
        await call('POST', path, webhookRow(event, bucket));
      }
    },
    settled,
    async pass(ms) {
      await sleep(ms);
      await settled();
    },
    close,
  };
}
