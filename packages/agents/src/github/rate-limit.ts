/**
 * What requests cost at GitHub, and what its answers say of its limits. Facts: docs, "Rate limits for the REST
 * API" and "Rate limits and query limits for the GraphQL API".
 *
 * @module
 */
import type { Budget, Cost } from './github-limits.ts';
import type { LimitSign } from './pacing.ts';

/** A request as Octokit's hook shows it. */
export interface OutgoingRequest {
  readonly method: string;
  /** Path or address, placeholders filled in or not. */
  readonly url: string;
  /** The GraphQL document. */
  readonly query?: unknown;
}

/** Whether a request changes nothing, so that it may be sent again. */
export function isRead(request: OutgoingRequest): boolean {
  if (isGraphql(request)) return !isMutation(request);
  return request.method === 'GET' || request.method === 'HEAD';
}

/** Points and creations of a request. */
export function costOf(request: OutgoingRequest): Cost {
  if (isGraphql(request)) {
    // The document does not show whether a mutation creates something: it counts as if it did.
    return isMutation(request) ? { creations: 1, graphql: 5 } : { graphql: 1 };
  }
  if (isRead(request)) return { rest: 1 };
  const creates = request.method === 'POST' && !/\/(?:reactions|labels)$/.test(request.url);
  return creates ? { creations: 1, rest: 5 } : { rest: 5 };
}

/**
 * Whether the App asks as itself and not as its installation. GitHub counts that apart; and a token is asked for
 * inside of a request that waits for it, so that it must not wait for the other to end.
 */
export function isAsApp({ url }: OutgoingRequest): boolean {
  return /^\/app(?:\/|$)/.test(url);
}

function isGraphql({ method, url }: OutgoingRequest): boolean {
  return method === 'POST' && /\/graphql$/.test(url);
}

/** In doubt a document is a mutation: then it is merely not repeated. */
function isMutation({ query }: OutgoingRequest): boolean {
  return /\bmutation\b/.test(String(query));
}

/** An answer, a failed one included. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The body; only where GitHub wrote all of it. */
  readonly data: unknown;
}

/** What of an answer is GitHub's own word: other successful ones hold texts of people. */
export function ownWord(request: OutgoingRequest, { status, headers, data }: Answer): Answer {
  return { status, headers, data: status >= 400 || isGraphql(request) ? data : undefined };
}

/** No wait that GitHub asks for is longer; its primary limit is renewed every hour (S9). */
const MAX_WAIT_MS = 3_600_000;
const EVERYTHING: readonly Budget[] = ['graphql', 'rest'];

/** Whether GitHub says that we asked too often; true of answers that are otherwise a refusal or a success. */
export function isRateLimited(answer: Answer): boolean {
  const { status, headers } = answer;
  if (status === 429) return true;
  if (status === 403) {
    return isSpent(headers) || headers['retry-after'] !== undefined || isSecondary(messageOf(answer));
  }
  return status === 200 && graphqlErrors(answer).some(isLimitError);
}

/** What an answer says of the limits; `undefined` where there is room left. */
export function limitSign(answer: Answer): LimitSign | undefined {
  const waitMs = waitOf(answer.headers);
  const wait = waitMs === undefined ? {} : { waitMs };
  const spent = isSpent(answer.headers);
  if (!isRateLimited(answer))
    return spent && waitMs !== undefined ? { budgets: [resource(answer)], waitMs } : undefined;
  if (answer.status === 200) return { budgets: graphqlBudgets(answer), ...wait };
  if (spent) return { budgets: [resource(answer)], ...wait };
  const onlyCreations = /content creation/i.test(messageOf(answer));
  return { budgets: onlyCreations ? ['creations'] : EVERYTHING, ...wait };
}

/** `retry-after`, or the time until a spent limit is renewed. */
export function waitOf(headers: Answer['headers']): number | undefined {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  if (Number.isFinite(seconds)) return Math.min(Math.max(seconds, 0) * 1000, MAX_WAIT_MS);
  const resetMs = Number(headers['x-ratelimit-reset'] ?? Number.NaN) * 1000;
  // By GitHub's clock, since ours may differ.
  const nowMs = Date.parse(String(headers.date));
  if (!isSpent(headers) || !Number.isFinite(resetMs - nowMs)) return undefined;
  return Math.min(Math.max(resetMs - nowMs, 0), MAX_WAIT_MS);
}

function isSpent(headers: Answer['headers']): boolean {
  return headers['x-ratelimit-remaining'] === '0';
}

function resource({ headers }: Answer): Budget {
  return headers['x-ratelimit-resource'] === 'graphql' ? 'graphql' : 'rest';
}

function isSecondary(message: string): boolean {
  return /secondary rate limit|abuse detection/i.test(message);
}

interface GraphqlError {
  readonly type?: unknown;
  readonly message?: unknown;
}

function graphqlErrors({ data }: Answer): readonly GraphqlError[] {
  const errors = typeof data === 'object' && data !== null && 'errors' in data ? data.errors : undefined;
  return Array.isArray(errors) ? errors.filter((error) => typeof error === 'object' && error !== null) : [];
}

function isLimitError(error: GraphqlError): boolean {
  // Documented as RATE_LIMITED, and seen as RATE_LIMIT.
  return /^RATE_LIMIT(?:ED)?$/.test(String(error.type)) || isSecondary(String(error.message));
}

function graphqlBudgets(answer: Answer): readonly Budget[] {
  return graphqlErrors(answer).some((error) => isSecondary(String(error.message))) ? EVERYTHING : ['graphql'];
}

function messageOf({ data }: Answer): string {
  return typeof data === 'object' && data !== null && 'message' in data ? String(data.message) : String(data);
}
