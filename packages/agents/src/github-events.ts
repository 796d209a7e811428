/**
 * What GitHub tells, in the words of the factory: the bucket catalogue, and a delivery read as an event of
 * one PR. Pure: the ingress calls it on the request, an entity calls it again on the stored row.
 *
 * A payload is a hint. Deliveries come late, twice and out of order, so whoever acts on an event reads the
 * PR again first; the event carries what decides whether that is worth it.
 *
 * @module
 */
import { PAYLOAD_READERS } from './github-event-readers.ts';
import { repositoryPayload } from './github-event-schemas.ts';
import type { PrEvent } from './github-event-types.ts';
import type { DeliveryId, RepoRef } from './ids.ts';

export { GHOST, type PrEvent } from './github-event-types.ts';

/** Name of the webhook source that the repository's deliveries come through, where none is configured. */
export const WEBHOOK_ENDPOINT_KEY_DEFAULT = 'github-repo-electricsql-electric';

/** One bucket of the webhook source: which deliveries go in, and under which path. */
export interface BucketRule {
  readonly key: string;
  /** `:number` is the number of the PR or issue. */
  readonly pathTemplate: string;
  /** Values of `x-github-event`. */
  readonly events: readonly string[];
  /** Value of `body.action`; any where absent. */
  readonly action?: string;
}

/**
 * The three buckets that the webhook source on Electric Cloud has. A comment on a plain issue matches
 * `pull_requests` too: the catalogue looks at the event's name alone.
 */
export const BUCKET_CATALOGUE: readonly BucketRule[] = [
  { key: 'issues', pathTemplate: 'issues/:number', events: ['issues', 'issue_comment'] },
  {
    key: 'pull_requests',
    pathTemplate: 'prs/:number',
    events: ['pull_request', 'pull_request_review', 'pull_request_review_comment', 'issue_comment'],
  },
  { key: 'pull_request_opened', pathTemplate: 'prs/opened', events: ['pull_request'], action: 'opened' },
];

/** The catalogue is fixed there; our own ingress also tells a PR that a thread was resolved. */
const ROUTES: readonly BucketRule[] = [
  ...BUCKET_CATALOGUE,
  { key: 'pull_request_threads', pathTemplate: 'prs/:number', events: ['pull_request_review_thread'] },
];

/** A delivery before it is understood. */
export interface Delivery {
  /** `X-GitHub-Event`. */
  readonly event: string;
  /** `X-GitHub-Delivery`. */
  readonly deliveryId: string;
  /** The parsed JSON. */
  readonly body: unknown;
}

/** What a delivery turned out to be. */
export type ParsedDelivery =
  | { readonly kind: 'event'; readonly event: PrEvent; readonly buckets: readonly string[] }
  | { readonly kind: 'ignored'; readonly why: string; readonly buckets: readonly string[] }
  /** An event of ours whose payload lacks a field that is read. `missing` is its path, such as `comment.id`. */
  | { readonly kind: 'malformed'; readonly missing: string };

/** Why an event that people expect to matter does not. */
const NOT_OURS: ReadonlyMap<string, string> = new Map([
  ['ping', 'GitHub tested the webhook'],
  ['issues', 'plain issues are not reviewed'],
  ['label', 'the definition of a label changed, not the labels of a PR'],
  ['installation', 'the App was installed or changed, which needs no action'],
  ['installation_repositories', 'the list of installed repositories changed, which needs no action'],
  ['check_run', 'checks are read when they are needed'],
  ['check_suite', 'checks are read when they are needed'],
  ['status', 'checks are read when they are needed'],
]);

/** Events of which some action has a reader. */
const EVENTS_READ: ReadonlySet<string> = new Set(
  [...PAYLOAD_READERS.keys()].map((name) => name.slice(0, name.indexOf('.'))),
);

/** `undefined` for anything but a plain property of an object. */
function property(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

function numberOf(body: unknown): number | undefined {
  const candidates = [
    property(property(body, 'pull_request'), 'number'),
    property(property(body, 'issue'), 'number'),
    property(body, 'number'),
  ];
  return candidates.find((value): value is number => Number.isSafeInteger(value) && Number(value) > 0);
}

/** The buckets that a delivery belongs into, as paths under the webhook source. */
export function bucketsFor(event: string, body: unknown): readonly string[] {
  const action = property(body, 'action');
  const number = numberOf(body);
  return ROUTES.filter((rule) => rule.events.includes(event))
    .filter((rule) => rule.action === undefined || rule.action === action)
    .filter((rule) => number !== undefined || !rule.pathTemplate.includes(':number'))
    .map((rule) => rule.pathTemplate.replace(':number', String(number)));
}

/** The repository that a payload names; `undefined` where it names none, or none that can exist. */
export function repositoryOf(body: unknown): RepoRef | undefined {
  const result = repositoryPayload.safeParse(body);
  return result.success ? result.data.repository.full_name : undefined;
}

/** Reads a delivery. Never throws, whatever the body is. */
export function parseDelivery(delivery: Delivery): ParsedDelivery {
  const { event, body } = delivery;
  const buckets = bucketsFor(event, body);
  const ignored = (why: string): ParsedDelivery => ({ kind: 'ignored', why, buckets });

  const known = NOT_OURS.get(event);
  if (known !== undefined) return ignored(known);
  const action = property(body, 'action');
  if (typeof action !== 'string') {
    return EVENTS_READ.has(event)
      ? { kind: 'malformed', missing: 'action' }
      : ignored(`nobody acts on ${event}`);
  }
  const read = PAYLOAD_READERS.get(`${event}.${action}`);
  if (read === undefined) return ignored(`nobody acts on ${event}.${action}`);
  if (event === 'issue_comment' && isOnPlainIssue(body)) return ignored('a comment on a plain issue');

  const payload = read(body);
  if (payload.kind === 'malformed') return payload;
  const deliveryId = delivery.deliveryId as DeliveryId;
  return { kind: 'event', event: { ...payload.facts, deliveryId }, buckets };
}

function isOnPlainIssue(body: unknown): boolean {
  const issue = property(body, 'issue');
  return typeof issue === 'object' && issue !== null && !property(issue, 'pull_request');
}

/**
 * Reads a stored webhook row as {@link parseDelivery} reads a request. Header names are lower case there.
 *
 * @param row what the runtime keeps of a delivery; more fields do no harm.
 */
export function parseWebhookRow(row: {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}): ParsedDelivery {
  const event = row.headers['x-github-event'];
  const deliveryId = row.headers['x-github-delivery'];
  if (!event) return { kind: 'malformed', missing: 'headers.x-github-event' };
  if (!deliveryId) return { kind: 'malformed', missing: 'headers.x-github-delivery' };
  return parseDelivery({ event, deliveryId, body: row.body });
}
