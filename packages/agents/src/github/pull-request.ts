/**
 * Reads of a pull request by REST.
 *
 * @module
 */
import type { Octokit } from '@octokit/rest';
import { messageOf, TransientError } from '../errors.ts';
import type { PrRef, RepoRef, Sha } from '../ids.ts';
import { parseSha } from '../ids.ts';
import type { FileStatus, RawFile } from '../review/changed-file.ts';
import type { PrFacts } from '../review/round.ts';
import { githubError, statusOf } from './policy.ts';

/** GitHub lists at most this many files in a comparison, and further pages hold no more of them. */
const COMPARE_MAX_FILES = 300;

/** A PR as GitHub reports it now, or that it (or our access to it) is gone. */
export type PullRequestRead = { readonly found: true; readonly pr: PrFacts } | { readonly found: false };

/** A comparison against the merge base of its two ends. */
export interface Comparison {
  readonly mergeBaseSha: Sha;
  readonly files: readonly RawFile[];
  /** False where GitHub's cap of 300 files cut the list. */
  readonly complete: boolean;
}

function sha(text: string): Sha {
  const parsed = parseSha(text);
  if (parsed === undefined) throw new TransientError('GitHub answered with a commit id that is none.');
  return parsed;
}

/**
 * Reads a PR.
 * @throws TransientError or PermanentError
 */
export async function readPullRequest(octokit: Octokit, ref: PrRef): Promise<PullRequestRead> {
  try {
    const { data } = await octokit.rest.pulls.get({
      owner: ref.owner,
      repo: ref.repo,
      pull_number: ref.number,
    });
    return {
      found: true,
      pr: {
        owner: ref.owner,
        repo: ref.repo,
        number: ref.number,
        title: data.title,
        body: data.body ?? '',
        author: data.user?.login ?? 'ghost',
        authorIsBot: data.user?.type === 'Bot',
        headSha: sha(data.head.sha),
        baseRef: data.base.ref,
        baseSha: sha(data.base.sha),
        draft: data.draft ?? false,
        open: data.state === 'open',
        locked: data.locked,
        labels: data.labels.map((label) => label.name),
      },
    };
  } catch (error) {
    if (statusOf(error) === 404) return { found: false };
    throw githubError(`read pull request #${ref.number}`, error);
  }
}

/**
 * The files that differ between `head` and its merge base with `base`: both ends by id, so that the answer
 * never changes. `undefined` when GitHub knows no such comparison (a commit is gone, or has no common
 * ancestor).
 * @throws TransientError or PermanentError
 */
export async function readComparison(
  octokit: Octokit,
  repo: RepoRef,
  base: Sha,
  head: Sha,
): Promise<Comparison | undefined> {
  try {
    const { data } = await octokit.rest.repos.compareCommitsWithBasehead({
      owner: repo.owner,
      repo: repo.repo,
      basehead: `${base}...${head}`,
      per_page: 1,
    });
    const files = (data.files ?? []).map(rawFile);
    return {
      mergeBaseSha: sha(data.merge_base_commit.sha),
      files,
      complete: files.length < COMPARE_MAX_FILES,
    };
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw githubError(`compare ${base.slice(0, 7)} with ${head.slice(0, 7)}`, error);
  }
}

interface CompareEntry {
  readonly filename: string;
  readonly previous_filename?: string;
  readonly status: FileStatus;
  readonly additions: number;
  readonly deletions: number;
  readonly patch?: string;
}

function rawFile(entry: CompareEntry): RawFile {
  return {
    path: entry.filename,
    status: entry.status,
    additions: entry.additions,
    deletions: entry.deletions,
    ...(entry.previous_filename === undefined ? {} : { previousPath: entry.previous_filename }),
    ...(entry.patch === undefined ? {} : { patch: entry.patch }),
  };
}

/**
 * The text of a file at a commit; `undefined` where there is none, it is no file, or it is too large for the
 * contents API (100 MB).
 * @throws TransientError or PermanentError
 */
export async function readFileAt(
  octokit: Octokit,
  repo: RepoRef,
  path: string,
  ref: Sha,
): Promise<string | undefined> {
  try {
    const { data } = await octokit.rest.repos.getContent({
      owner: repo.owner,
      repo: repo.repo,
      path,
      ref,
      mediaType: { format: 'raw' },
    });
    // With the raw media type the answer is the text itself; a directory still answers with a list.
    const content: unknown = data;
    return typeof content === 'string' ? content : undefined;
  } catch (error) {
    const status = statusOf(error);
    // A 403 is also what a rate limit looks like: only GitHub's own word for "too large" means no text.
    if (status === 404 || (status === 403 && messageOf(error).includes('too_large'))) return undefined;
    throw githubError(`read ${path}`, error);
  }
}

/**
 * The sizes in bytes of all files of a commit, by path; `undefined` where GitHub cut the list (100,000 entries or 7 MB), so
 * that it does not show what is absent.
 * @throws TransientError or PermanentError
 */
export async function readFileSizes(
  octokit: Octokit,
  repo: RepoRef,
  ref: Sha,
): Promise<ReadonlyMap<string, number> | undefined> {
  try {
    const { data } = await octokit.rest.git.getTree({
      owner: repo.owner,
      repo: repo.repo,
      tree_sha: ref,
      recursive: 'true',
    });
    if (data.truncated) return undefined;
    const blobs = data.tree.filter((entry) => entry.type === 'blob');
    return new Map(blobs.map((entry) => [entry.path, entry.size ?? 0]));
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw githubError('list the files of the repository', error);
  }
}
