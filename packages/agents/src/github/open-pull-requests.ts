/**
 * The list of open pull requests, read again and again.
 *
 * @module
 */
import type { Octokit } from '@octokit/rest';
import type { PrRef, RepoRef } from '../ids.ts';
import { type Conditions, type Known, readConditionally } from './conditional.ts';
import { githubError } from './policy.ts';

const PER_PAGE = 100;
/** Ten thousand open PRs; beyond that nothing is concluded from a PR's absence (S9). */
const MAX_PAGES = 100;

/** What the list tells of a PR. */
export interface OpenPullRequest extends PrRef {
  readonly headSha: string;
  readonly draft: boolean;
  readonly baseRef: string;
  readonly labels: readonly string[];
  /** When something last happened to it; GitHub tells whole seconds. */
  readonly updatedAtMs: number;
}

/** All that was listed. */
export interface OpenPullRequests {
  readonly prs: readonly OpenPullRequest[];
  /** Whether every page was read, so that a PR that is not listed is not open. */
  readonly complete: boolean;
}

/** Lists the open PRs, and remembers the pages for the next time. */
export interface OpenPullRequestReader {
  /**
   * @param beforePage - awaited before each further page
   * @throws TransientError or PermanentError, also where only one page could not be read
   */
  list(beforePage: () => Promise<void>, signal: AbortSignal): Promise<OpenPullRequests>;
}

type Page = readonly OpenPullRequest[];

/** Builds a reader that knows nothing yet. */
export function createOpenPullRequestReader(octokit: Octokit, repo: RepoRef): OpenPullRequestReader {
  let pages: readonly Known<Page>[] = [];
  return {
    async list(beforePage, signal) {
      const read: Known<Page>[] = [];
      for (let number = 1; number <= MAX_PAGES; number += 1) {
        if (number > 1) await beforePage();
        const page = await readConditionally(pages[number - 1], (conditions) =>
          readPage(octokit, repo, number, conditions, signal),
        ).catch((error: unknown) => {
          throw githubError('list the open pull requests', error);
        });
        read.push(page);
        // Whether a full page is the last one its link would tell, but that is old where the page is unchanged.
        if (page.value.length < PER_PAGE) break;
      }
      pages = read;
      const complete = (read.at(-1)?.value.length ?? 0) < PER_PAGE;
      return { prs: read.flatMap((page) => page.value), complete };
    },
  };
}

/** Oldest first: a PR that is opened meanwhile does not move the others from page to page. */
async function readPage(
  octokit: Octokit,
  repo: RepoRef,
  page: number,
  headers: Conditions,
  signal: AbortSignal,
): Promise<Known<Page>> {
  const { owner } = repo;
  const order = { state: 'open', sort: 'created', direction: 'asc' } as const;
  const where = { owner, repo: repo.repo, per_page: PER_PAGE, page, headers, request: { signal } };
  const answer = await octokit.rest.pulls.list({ ...where, ...order });
  const value = answer.data.map((pull) => ({
    owner,
    repo: repo.repo,
    number: pull.number,
    headSha: pull.head.sha,
    draft: pull.draft ?? false,
    baseRef: pull.base.ref,
    labels: pull.labels.map((label) => label.name),
    updatedAtMs: Date.parse(pull.updated_at),
  }));
  return { value, etag: answer.headers.etag };
}
