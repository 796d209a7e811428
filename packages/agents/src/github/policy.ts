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
import type { Pacer } from './pacer.ts';
import type { LimitSign } from './pacing.ts';
import {
  type Answer,
  costOf,
  isAsApp,
  isRateLimited,
  isRead,
  limitSign,
  type OutgoingRequest,
  ownWord,
  waitOf,
} from './rate-limit.ts';

/** GitHub itself gives up on a request after 10 s; a diff may take longer to arrive than to be made. */
const REQUEST_TIMEOUT_MS = 20_000;
/** How long a request may wait for its turn: a full window of GitHub's limits. */
const READ_PATIENCE_MS = 61_000;
/** A write is decided by a look at the PR just before it (S3): its caller looks again rather than wait. */
const WRITE_PATIENCE_MS = 5_000;
/** Waits before the second and third attempt of a read. */
const READ_RETRY_MS: readonly number[] = [500, 2_000];

/** What the policy needs of its surroundings. */
export interface PolicyDeps {
  readonly log: Log;
  /** Shared by all Octokits of the host. */
  readonly pacer: Pacer;
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

/** The answer that Octokit made an error of; `undefined` where none came. */
function answerOf(error: unknown): Answer | undefined {
  const answer = (error as { readonly response?: Partial<Answer> } | null)?.response;
  const status = statusOf(error);
  if (answer === undefined || status === undefined) return undefined;
  return { status, headers: answer.headers ?? {}, data: answer.data };
}

/** Whether the same request may succeed later without a change by anybody. */
export function isTransient(error: unknown): boolean {
  if (error instanceof TransientError) return true;
  if (error instanceof PermanentError) return false;
  const status = statusOf(error);
  // Octokit reports a refused, reset or timed-out connection as 500. Without a status it is no answer of
  // GitHub's at all but a fault of ours (an unusable key, a bug), and does not pass by itself.
  if (status === undefined) return false;
  const answer = answerOf(error);
  return status >= 500 || (answer !== undefined && isRateLimited(answer));
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
    ? new TransientError(text, { cause: error, retryAfterMs: waitOf(answerOf(error)?.headers ?? {}) })
    : new PermanentError(text, { cause: error });
}

/** Installs the policy on an Octokit. Call it once for each that is constructed. */
export function applyPolicy(octokit: Octokit, deps: PolicyDeps): void {
  octokit.hook.wrap('request', async (request, options) => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await send(deps, options, () =>
          request({ ...options, request: { ...options.request, signal: deadline(options.request?.signal) } }),
        );
      } catch (error) {
        const waitMs = READ_RETRY_MS[attempt];
        // A rate limit lasts longer than a retry in place may wait; its caller backs off instead.
        const over = options.request?.signal?.aborted === true;
        if (!isRead(options) || over || waitMs === undefined || !isRepeatable(error)) throw error;
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

/** The part of a request that the policy decides by. */
interface HookOptions extends OutgoingRequest {
  readonly request?: { readonly signal?: AbortSignal };
  readonly mediaType: { readonly format?: string };
}

/** One attempt, when its turn has come. What GitHub says of its limits is heeded by all who share the pacer. */
async function send<Response extends Answer>(
  { pacer, onRequest }: PolicyDeps,
  options: HookOptions,
  request: () => Response | Promise<Response>,
): Promise<Response> {
  const read = isRead(options);
  const patience = read ? READ_PATIENCE_MS : WRITE_PATIENCE_MS;
  const wanted = { cost: costOf(options), urgent: !read, maxWaitMs: patience };
  const release = isAsApp(options) ? () => {} : await pacer.admit(wanted, options.request?.signal);
  let sign: LimitSign | undefined;
  try {
    onRequest({ method: options.method, url: options.url });
    const response = await request();
    const answer = ownWord(options, response);
    sign = limitSign(answer);
    if (isCutOff(response.data, options.mediaType.format)) throw new CutOffError();
    // GraphQL answers 200 also where it refuses.
    if (isRateLimited(answer)) throw new RateLimitedError(sign?.waitMs);
    return response;
  } catch (error) {
    const answer = answerOf(error);
    if (answer !== undefined) sign = limitSign(answer);
    throw error;
  } finally {
    release(sign);
  }
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

class RateLimitedError extends TransientError {
  constructor(retryAfterMs: number | undefined) {
    super("GitHub's rate limit for GraphQL is used up.", { retryAfterMs });
  }
}

function isRepeatable(error: unknown): boolean {
  return error instanceof CutOffError || (statusOf(error) ?? 0) >= 500;
}

function deadline(signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}
