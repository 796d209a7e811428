import { createHmac, randomUUID } from 'node:crypto';
import { sign } from '@octokit/webhooks-methods';
import type { Payload } from './payloads.ts';

export interface DeliveryRecord {
  /** Value of `X-GitHub-Delivery`. A redelivery has the same. */
  readonly guid: string;
  readonly event: string;
  readonly action: string | undefined;
  readonly payload: Payload;
  readonly headers: Readonly<Record<string, string>>;
  readonly redelivery: boolean;
  /** Answer of the receiver; undefined when there was none (then `error` says why) or it is still due. */
  readonly status: number | undefined;
  readonly error: string | undefined;
}

/** Sends signed deliveries as GitHub does, and remembers them. A receiver that fails is recorded, not thrown. */
export interface Hook {
  readonly deliveries: readonly DeliveryRecord[];
  setUrl(url: string | undefined): void;
  send(event: string, payload: Payload, options?: { readonly guid?: string }): Promise<DeliveryRecord>;
  /** Sends a former delivery again under its GUID. Undefined when there is none of that GUID. */
  redeliver(guid: string): Promise<DeliveryRecord> | undefined;
  /** Sends without waiting for the answer, for what the App itself caused. */
  sendInBackground(event: string, payload: Payload): void;
  /** Resolves when every delivery under way was answered, also those that these answers caused. */
  delivered(): Promise<void>;
}

export interface HookSetup {
  readonly secret: string;
  readonly hookId: number;
  readonly appId: number;
  /** GitHub waits 10 s for an answer. */
  readonly answerTimeoutMs: number;
}

export function createHook(setup: HookSetup): Hook {
  const deliveries: DeliveryRecord[] = [];
  const underWay = new Set<Promise<DeliveryRecord>>();
  let url: string | undefined;

  const start = async (event: string, payload: Payload, guid: string, redelivery: boolean) => {
    const body = JSON.stringify(payload);
    const headers = await headersFor(setup, event, guid, body);
    const action = typeof payload.action === 'string' ? payload.action : undefined;
    const pending = {
      guid,
      event,
      action,
      payload,
      headers,
      redelivery,
      status: undefined,
      error: undefined,
    };
    const at = deliveries.push(pending) - 1;
    const record = { ...pending, ...(await post(url, headers, body, setup.answerTimeoutMs)) };
    deliveries[at] = record;
    return record;
  };
  const track = (sending: Promise<DeliveryRecord>) => {
    underWay.add(sending);
    return sending.finally(() => underWay.delete(sending));
  };
  const send: Hook['send'] = (event, payload, options = {}) =>
    track(start(event, payload, options.guid ?? randomUUID(), false));

  return {
    deliveries,
    setUrl: (next) => {
      url = next;
    },
    send,
    redeliver: (guid) => {
      const former = deliveries.find((delivery) => delivery.guid === guid);
      return former === undefined ? undefined : track(start(former.event, former.payload, guid, true));
    },
    sendInBackground: (event, payload) => void send(event, payload),
    delivered: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

async function headersFor(setup: HookSetup, event: string, guid: string, body: string) {
  const sha1 = createHmac('sha1', setup.secret).update(body, 'utf8').digest('hex');
  return {
    accept: '*/*',
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/51a0f3e',
    'x-github-delivery': guid,
    'x-github-event': event,
    'x-github-hook-id': String(setup.hookId),
    'x-github-hook-installation-target-id': String(setup.appId),
    'x-github-hook-installation-target-type': 'integration',
    'x-hub-signature': `sha1=${sha1}`,
    'x-hub-signature-256': await sign(setup.secret, body),
  };
}

type Outcome = Pick<DeliveryRecord, 'status' | 'error'>;

async function post(
  url: string | undefined,
  headers: Readonly<Record<string, string>>,
  body: string,
  timeoutMs: number,
): Promise<Outcome> {
  if (url === undefined) return { status: undefined, error: 'no webhook URL is set' };
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    await response.arrayBuffer();
    return { status: response.status, error: undefined };
  } catch (error) {
    return { status: undefined, error: error instanceof Error ? error.message : String(error) };
  }
}
