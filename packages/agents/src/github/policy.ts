/**
 * How we talk to GitHub, whoever holds the Octokit: a deadline for each request, a bounded retry of reads,
 * and errors that say whether trying again can help. Writes are never repeated here: a lost answer may hide
 * a write that took effect (S2), so the caller looks before it writes again.
 *
 * @module
 */
import type { Octokit } from '@octokit/rest';
import { messageOf, PermanentError, TransientError } from '../errors.ts';
import type { Log } from '../log.ts';

/** GitHub itself gives up on a request after 10 s; a diff may take longer to arrive than to be made. */
const REQUEST_TIMEOUT_MS = 20_000;
const MAX_RETRY_AFTER_MS = 3_600_000;
/** Waits before the second and third attempt of a read. */
const READ_RETRY_MS: readonly number[] = [500, 2_000];

/** What the policy needs of its surroundings. */
export interface PolicyDeps {
  readonly log: Log;
  /** Resolves after `ms`, rejects when `signal` fires; injected so that tests need not wait. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Told of every request that is sent, attempts included. */
  readonly onRequest: (request: { readonly method: string; readonly url: string }) => void;
}

/** The HTTP status of an Octokit error; `undefined` where no answer came. */
export function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('status' in error)) return undefined;
  return typeof error.status === 'number' ? error.status : undefined;
}

/** Whether GitHub says that we asked too often: 429, or a 403 that carries the signs of a limit. */
function isRateLimit(error: unknown, status: number): boolean {
  if (status === 429) return true;
  if (status !== 403 || !(error instanceof Error)) return false;
  const headers = (error as { response?: { headers?: Record<string, unknown> } }).response?.headers ?? {};
  return (
    headers['x-ratelimit-remaining'] === '0' ||
    headers['retry-after'] !== undefined ||
    /secondary rate limit/i.test(error.message)
  );
}

/** Whether the same request may succeed later without a change by anybody. */
export function isTransient(error: unknown): boolean {
  if (error instanceof TransientError) return true;
  if (error instanceof PermanentError) return false;
  const status = statusOf(error);
  // Octokit reports a refused, reset or timed-out connection as 500. Without a status it is no answer of
  // GitHub's at all but a fault of ours (an unusable key, a bug), and does not pass by itself.
  if (status === undefined) return false;
  return status >= 500 || isRateLimit(error, status);
}

/**
 * Turns whatever a request threw into {@link TransientError} or {@link PermanentError}, with a sentence that
 * names the act. GitHub's own words are kept; requests' headers, which hold the token, are not.
 */
export function githubError(act: string, error: unknown): TransientError | PermanentError {
  if (error instanceof TransientError || error instanceof PermanentError) return error;
  const status = statusOf(error);
  const text = `GitHub could not ${act}${status === undefined ? '' : ` (${status})`}: ${messageOf(error)}`;
  return isTransient(error)
    ? new TransientError(text, { cause: error, retryAfterMs: retryAfterMs(error) })
    : new PermanentError(text, { cause: error });
}

/** `retry-after`, or the time until the limit is renewed; an hour at most (S9). */
function retryAfterMs(error: unknown): number | undefined {
  const headers = (error as { response?: { headers?: Record<string, unknown> } }).response?.headers ?? {};
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  if (Number.isFinite(seconds)) return Math.min(seconds * 1000, MAX_RETRY_AFTER_MS);
  const isSpent = headers['x-ratelimit-remaining'] === '0' && isRateLimit(error, statusOf(error) ?? 0);
  const resetMs = Number(headers['x-ratelimit-reset'] ?? Number.NaN) * 1000;
  const nowMs = Date.parse(String(headers.date));
  if (!isSpent || !Number.isFinite(resetMs - nowMs)) return undefined;
  return Math.min(Math.max(resetMs - nowMs, 0), MAX_RETRY_AFTER_MS);
}

/** Installs the policy on an Octokit. Call it once for each that is constructed. */
export function applyPolicy(octokit: Octokit, deps: PolicyDeps): void {
  octokit.hook.wrap('request', async (request, options) => {
    const isRead = options.method === 'GET';
    for (let attempt = 0; ; attempt += 1) {
      deps.onRequest({ method: options.method, url: options.url });
      try {
        const response = await request({
          ...options,
          request: { ...options.request, signal: deadline(options.request?.signal) },
        });
        if (isCutOff(response.data, options.mediaType.format)) throw new CutOffError();
        return response;
      } catch (error) {
        const waitMs = READ_RETRY_MS[attempt];
        // A rate limit lasts longer than a retry in place may wait; its caller backs off instead.
        const over = options.request?.signal?.aborted === true;
        if (!isRead || over || waitMs === undefined || !isRepeatable(error)) throw error;
        deps.log.warn('github read failed, trying again', {
          url: options.url,
          status: statusOf(error),
          waitMs,
        });
        await deps.wait(waitMs, options.request?.signal);
      }
    }
  });
}

/** Octokit hands out the text where JSON cannot be read to its end. Text is only wanted where it was asked for. */
function isCutOff(data: unknown, format: string | undefined): boolean {
  return typeof data === 'string' && data !== '' && format !== 'raw';
}

/** An answer that broke off. A write may have taken effect, so its caller looks before it writes again. */
class CutOffError extends TransientError {
  constructor() {
    super("GitHub's answer broke off.");
  }
}

function isRepeatable(error: unknown): boolean {
  return error instanceof CutOffError || (statusOf(error) ?? 0) >= 500;
}

function deadline(signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}
