/**
 * Why a conversation could not be read, and whether trying again can help.
 *
 * @module
 */
import { messageOf, PermanentError, TransientError } from '../errors.ts';
import type { PrRef } from '../ids.ts';
import { githubError, statusOf } from './policy.ts';

/** An entry of `errors` in an answer of GraphQL. */
interface Refusal {
  readonly type?: unknown;
  readonly message?: unknown;
  readonly path?: unknown;
}

const MAX_WORDS = 300;

/** Turns whatever a read threw into one of the two, in a sentence that names the pull request. */
export function snapshotError(pr: PrRef, error: unknown): TransientError | PermanentError {
  const act = `read the conversation of #${pr.number}`;
  const refusals = refusalsOf(error);
  const known = refusals.length === 0 ? githubError(act, error) : undefined;
  if (refusals.some(isForbidden) || (known instanceof PermanentError && isAboutAccess(messageOf(error)))) {
    const text = `GitHub does not let the App ${act}: in the App's settings give it read access to pull requests and issues, and accept that for its installation.`;
    return new PermanentError(text, { cause: error });
  }
  if (known !== undefined) return known;
  const [first] = refusals;
  const text = `GitHub could not ${act}: ${String(first?.message ?? 'it did not say why').slice(0, MAX_WORDS)}`;
  // What lies in the pull request may be gone a moment later, without the whole being so.
  if (refusals.some(isPullRequestGone)) return new PermanentError(text, { cause: error });
  return new TransientError(text, { cause: error });
}

/** Whether GitHub said of a read that it took too long; it may do so each time. */
export function isTimeout(error: unknown): boolean {
  if (!(error instanceof TransientError)) return false;
  const status = statusOf(error.cause);
  if (status === 502 || status === 504) return true;
  return refusalsOf(error.cause).some(({ message }) =>
    /\btimeout\b|\btimed out\b|\bin time\b/i.test(String(message)),
  );
}

/** Of Octokit's error for answers with `errors`, which it makes also of those with data. */
function refusalsOf(error: unknown): readonly Refusal[] {
  if (!(error instanceof Error) || error.name !== 'GraphqlResponseError' || !('errors' in error)) return [];
  const { errors } = error;
  return Array.isArray(errors) ? errors.filter((entry) => typeof entry === 'object' && entry !== null) : [];
}

function isForbidden({ type }: Refusal): boolean {
  return type === 'FORBIDDEN' || type === 'INSUFFICIENT_SCOPES';
}

function isAboutAccess(message: string): boolean {
  return /not accessible by integration/i.test(message);
}

function isPullRequestGone({ type, path }: Refusal): boolean {
  if (type !== 'NOT_FOUND' || !Array.isArray(path)) return false;
  return ['repository', 'repository.pullRequest'].includes(path.join('.'));
}
