/**
 * Reads that cost nothing while nothing changed: GitHub answers 304 to the ETag of the last answer, and does not
 * count that against the hourly limit (docs, "Best practices for using the REST API").
 *
 * @module
 */
import { statusOf } from './policy.ts';

/** A value that was read, and the ETag that it came with; without one the next read is a full one. */
export interface Known<T> {
  readonly value: T;
  readonly etag: string | undefined;
}

/** Headers of a conditional request. */
export type Conditions = Readonly<Record<string, string>>;

/**
 * Reads anew, or keeps what is known where GitHub says that it still holds.
 * @throws what `read` throws, but for 304, which Octokit takes for an error
 */
export async function readConditionally<T>(
  known: Known<T> | undefined,
  read: (conditions: Conditions) => Promise<Known<T>>,
): Promise<Known<T>> {
  if (known?.etag === undefined) return read({});
  try {
    return await read({ 'if-none-match': known.etag });
  } catch (error) {
    if (statusOf(error) === 304) return known;
    throw error;
  }
}
