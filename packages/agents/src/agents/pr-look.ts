/**
 * Looks at one PR within one wake, so that what was read a moment ago is not asked for again.
 *
 * @module
 */
import type { Octokit } from '@octokit/rest';
import { type PullRequestRead, readPullRequest } from '../github/pull-request.ts';
import type { PrRef } from '../ids.ts';

/** What is younger than this is as good as what GitHub would say now: an answer takes a tenth of it on its way. */
const RECENT_MS = 1_000;

/** Reads a PR. Contract: throws what {@link readPullRequest} throws. */
export interface PrLook {
  /** Asks GitHub, whatever it said before: for what must be true now (S3). */
  readonly fresh: () => Promise<PullRequestRead>;
  /** The last answer where it was asked for within the last second, else a fresh one. */
  readonly recent: () => Promise<PullRequestRead>;
}

/** Builds one that has not looked yet. */
export function createLook(octokit: Octokit, pr: PrRef, now: () => number): PrLook {
  let last: { readonly answer: Promise<PullRequestRead>; readonly atMs: number } | undefined;
  const fresh: PrLook['fresh'] = () => {
    const look = { answer: readPullRequest(octokit, pr), atMs: now() };
    last = look;
    look.answer.catch(() => {
      if (last === look) last = undefined;
    });
    return look.answer;
  };
  return {
    fresh,
    recent: () => (last !== undefined && now() - last.atMs < RECENT_MS ? last.answer : fresh()),
  };
}
