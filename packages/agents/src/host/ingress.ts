/**
 * Where GitHub's deliveries come in: verified, appended, answered. GitHub waits for ten seconds and never
 * repeats a delivery by itself, so nothing is worked on here (S2, T-023).
 *
 * @module
 */
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Secret } from '../config-secret.ts';
import { ConfigError, messageOf } from '../errors.ts';
import { type ParsedDelivery, type PrEvent, parseDelivery, repositoryOf } from '../github-events.ts';
import { type RepoRef, sameRepo } from '../ids.ts';
import type { Log } from '../log.ts';
import { isSigned } from './signature.ts';

/** GitHub sends nothing larger. */
const MAX_BODY_BYTES = 25 * 1024 * 1024;
/** Both are stored and logged, and no signature covers them. */
const EVENT_NAME = /^[a-z][a-z0-9_]{0,63}$/;
const DELIVERY_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** A verified delivery, with the runtime's names for its fields. */
export interface WebhookRow {
  /** The delivery id: a redelivery has the same. */
  readonly key: string;
  readonly endpoint_key: string;
  readonly event_type: string;
  readonly body: unknown;
  /** `x-github-*`, `content-type` and `user-agent`, names in lower case; never the signature. */
  readonly headers: Readonly<Record<string, string>>;
  /** ISO 8601. */
  readonly received_at: string;
  readonly request: {
    readonly method: string;
    readonly content_type: string;
    readonly size_bytes: number;
    readonly query: Readonly<Record<string, string | readonly string[]>>;
  };
  /** Paths of the buckets under the endpoint that it belongs into; at least one. */
  readonly buckets: readonly string[];
}

/** What the ingress needs. */
export interface IngressDeps {
  /** The webhook secret. */
  readonly secret: Secret;
  /** Deliveries of other repositories are ignored. */
  readonly repo: RepoRef;
  /** Name of the webhook source. */
  readonly endpointKey: string;
  /** Largest accepted body; default 25 MiB. */
  readonly maxBytes?: number;
  /** Stores the row durably before it resolves. `appended` is false where its key was stored before. */
  readonly append: (row: WebhookRow) => Promise<{ readonly appended: boolean }>;
  /**
   * Called after the append and before the answer. Where it throws the answer is 503, so that the delivery can
   * be sent again; it is then called again, also for a row that was stored before, so it has to be idempotent
   * by `deliveryId`.
   */
  readonly onEvent?: (event: PrEvent) => Promise<void>;
  readonly clock: () => Date;
  readonly log: Log;
  /** Whether the service serves. */
  readonly healthy: () => boolean;
}

/** What is answered, as JSON. */
type Answer =
  | { readonly status: 'accepted' | 'duplicate' }
  | { readonly status: 'ignored'; readonly reason: string }
  | { readonly status: 'malformed'; readonly missing: string }
  | { readonly status: 'rejected' | 'failed'; readonly error: string };

interface Incoming {
  readonly event: string;
  readonly deliveryId: string;
  readonly sizeBytes: number;
  readonly body: unknown;
}

/**
 * `POST /webhooks/github` and `GET /healthz`.
 *
 * @throws ConfigError when the secret is empty: anybody can sign with that.
 */
export function createIngress(deps: IngressDeps): Hono {
  if (deps.secret.reveal() === '') throw new ConfigError(['The webhook secret is empty.']);
  const maxSize = deps.maxBytes ?? MAX_BODY_BYTES;
  const app = new Hono();
  app.post('/webhooks/github', limitBody(maxSize), (c) => receive(c, deps));
  app.all('/webhooks/github', (c) => notAllowed(c, 'POST'));
  app.get('/healthz', (c) => {
    const healthy = deps.healthy();
    return c.json({ status: healthy ? 'ok' : 'unavailable' }, healthy ? 200 : 503);
  });
  app.all('/healthz', (c) => notAllowed(c, 'GET'));
  app.notFound((c) => reject(c, 404, 'nothing is here; deliveries go to POST /webhooks/github'));
  app.onError((error, c) => {
    deps.log.error('request failed', { error: messageOf(error) });
    return c.json<Answer>({ status: 'failed', error: 'internal error' }, 500);
  });
  return app;
}

/**
 * Refuses what is too large. GitHub names the length, and then nothing has to be counted; a body without a
 * length, or with one that its encoding makes meaningless, is counted while it is read.
 */
function limitBody(maxBytes: number): MiddlewareHandler {
  const tooLarge = (c: Context): Response => reject(c, 413, `the body is larger than ${maxBytes} bytes`);
  const counting = bodyLimit({ maxSize: maxBytes, onError: tooLarge });
  return (c, next) => {
    const length = c.req.header('content-length') ?? '';
    if (!/^\d+$/.test(length) || c.req.header('transfer-encoding') !== undefined) return counting(c, next);
    // The server reads no more of a body than its length says.
    return Number(length) > maxBytes ? Promise.resolve(tooLarge(c)) : next();
  };
}

/** In this order: headers, signature, JSON. Nothing of the body is parsed before the signature holds. */
async function receive(c: Context, deps: IngressDeps): Promise<Response> {
  const event = c.req.header('x-github-event') ?? '';
  const deliveryId = c.req.header('x-github-delivery') ?? '';
  if (!EVENT_NAME.test(event)) return reject(c, 400, 'the header X-GitHub-Event is missing or malformed');
  if (!DELIVERY_ID.test(deliveryId))
    return reject(c, 400, 'the header X-GitHub-Delivery is missing or malformed');

  const bytes = Buffer.from(await c.req.arrayBuffer());
  const log = deps.log.child({ deliveryId, event });
  if (!isSigned(bytes, c.req.header('x-hub-signature-256'), deps.secret)) {
    log.warn('delivery with a missing or wrong signature refused');
    return reject(
      c,
      401,
      'the header X-Hub-Signature-256 is missing, or does not fit the body and the secret',
    );
  }
  const json = parseJson(bytes);
  if (json === undefined) {
    const form = c.req.header('content-type')?.toLowerCase().startsWith('application/x-www-form-urlencoded');
    return reject(
      c,
      400,
      form
        ? "the body is a form: choose the content type application/json in the webhook's settings"
        : 'the body is not JSON in UTF-8',
    );
  }
  return admit(c, deps, log, { event, deliveryId, sizeBytes: bytes.length, body: json.value });
}

async function admit(c: Context, deps: IngressDeps, log: Log, incoming: Incoming): Promise<Response> {
  const parsed = parseDelivery(incoming);
  const repo = repositoryOf(incoming.body);
  if (repo !== undefined && !sameRepo(repo, deps.repo)) {
    log.info('delivery of another repository ignored', { repo: `${repo.owner}/${repo.repo}` });
    return c.json<Answer>({ status: 'ignored', reason: 'another repository is looked after here' }, 202);
  }
  if (parsed.kind === 'malformed') {
    log.warn('delivery without a field that is read', { missing: parsed.missing });
    return c.json<Answer>({ status: 'malformed', missing: parsed.missing }, 202);
  }
  // Without a repository there is nothing that a bucket of this repository could mean.
  const buckets = repo === undefined ? [] : parsed.buckets;
  try {
    const answer = await keep(deps, rowOf(c, deps, incoming, buckets), parsed);
    log.info('delivery received', { ...answer });
    return c.json<Answer>(answer, 202);
  } catch (error) {
    log.error('delivery could not be kept', { error: messageOf(error) });
    return c.json<Answer>({ status: 'failed', error: 'it could not be stored; deliver it again' }, 503);
  }
}

/** Also what nobody acts on today is appended where the catalogue has a bucket for it: others may observe it. */
async function keep(
  deps: IngressDeps,
  row: WebhookRow,
  parsed: Exclude<ParsedDelivery, { kind: 'malformed' }>,
): Promise<Answer> {
  const appended = row.buckets.length === 0 || (await deps.append(row)).appended;
  if (parsed.kind === 'event') await deps.onEvent?.(parsed.event);
  if (!appended) return { status: 'duplicate' };
  return parsed.kind === 'event' ? { status: 'accepted' } : { status: 'ignored', reason: parsed.why };
}

function rowOf(c: Context, deps: IngressDeps, incoming: Incoming, buckets: readonly string[]): WebhookRow {
  const headers = Object.entries(c.req.header()).filter(([name]) =>
    /^(?:x-github-|content-type$|user-agent$)/.test(name),
  );
  const query = Object.entries(c.req.queries()).map(
    ([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values] as const,
  );
  return {
    key: incoming.deliveryId,
    endpoint_key: deps.endpointKey,
    event_type: incoming.event,
    body: incoming.body,
    headers: Object.fromEntries(headers),
    received_at: deps.clock().toISOString(),
    request: {
      method: c.req.method,
      content_type: c.req.header('content-type') ?? '',
      size_bytes: incoming.sizeBytes,
      query: Object.fromEntries(query),
    },
    buckets,
  };
}

/** The value in an object, because JSON has `null`; `undefined` for what is not JSON. */
function parseJson(bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return undefined;
  }
}

function reject(c: Context, status: 400 | 401 | 404 | 405 | 413, error: string): Response {
  return c.json<Answer>({ status: 'rejected', error }, status);
}

function notAllowed(c: Context, allowed: 'GET' | 'POST'): Response {
  c.header('allow', allowed);
  return reject(c, 405, `only ${allowed} is answered here`);
}
