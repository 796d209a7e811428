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
export type PullRequestRead =
  | {
      readonly found: true;
      readonly pr: PrFacts;
      /** How many files it changes, also where no list shows all of them. */
      readonly changedFiles: number;
      /** How many comments stand under it, ours included; not those at lines. */
      readonly comments: number;
    }
  | { readonly found: false };

/** A comparison against the merge base of its two ends. */
export interface Comparison {
  readonly mergeBaseSha: Sha;
  /** How many commits of the base the head lacks. */
  readonly behindBy: number;
  readonly files: readonly RawFile[];
  /** False where GitHub's cap of 300 files may have cut the list (T-076). */
  readonly complete: boolean;
}

/** What GitHub answers to a comparison of two commits. */
export type ComparisonRead =
  | { readonly kind: 'compared'; readonly comparison: Comparison }
  /** One of the commits is not known: not yet, or no longer. */
  | { readonly kind: 'unknown' }
  /** The two have no common ancestor, so that there is nothing to compare against. */
  | { readonly kind: 'unrelated' }
  /** 406: too large. The same question gets the same answer, so it is not asked again (T-075). */
  | { readonly kind: 'refused' };

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
      changedFiles: data.changed_files,
      comments: data.comments,
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
        updatedAt: data.updated_at,
      },
    };
  } catch (error) {
    if (statusOf(error) === 404) return { found: false };
    throw githubError(`read pull request #${ref.number}`, error);
  }
}

/**
 * The files that differ between `head` and its merge base with `base`: both ends by id, so that the answer
 * never changes, and in the repository that the PR wants to change, which knows the commits of its forks (T-039).
 * @throws TransientError or PermanentError
 */
export async function readComparison(
  octokit: Octokit,
  repo: RepoRef,
  base: Sha,
  head: Sha,
): Promise<ComparisonRead> {
  try {
    const { data } = await octokit.rest.repos.compareCommitsWithBasehead({
      owner: repo.owner,
      repo: repo.repo,
      basehead: `${base}...${head}`,
      per_page: 1,
    });
    const files = (data.files ?? []).map(rawFile);
    return {
      kind: 'compared',
      comparison: {
        mergeBaseSha: sha(data.merge_base_commit.sha),
        behindBy: data.behind_by,
        files,
        complete: files.length < COMPARE_MAX_FILES,
      },
    };
  } catch (error) {
    const status = statusOf(error);
    if (status === 406) return { kind: 'refused' };
    // Both are a 404; only the words tell a passing state from one that stays.
    if (status === 404)
      return { kind: /no common ancestor/i.test(messageOf(error)) ? 'unrelated' : 'unknown' };
    throw githubError(`compare ${base.slice(0, 7)} with ${head.slice(0, 7)}`, error);
  }
}

/**
 * The files of a PR at its present head, whichever that is: 3,000 at most (T-077). `undefined` where GitHub
 * refuses to list them.
 * @throws TransientError or PermanentError
 */
export async function readPullRequestFiles(
  octokit: Octokit,
  ref: PrRef,
): Promise<readonly RawFile[] | undefined> {
  try {
    const files = await octokit.paginate(octokit.rest.pulls.listFiles, {
      owner: ref.owner,
      repo: ref.repo,
      pull_number: ref.number,
      per_page: 100,
    });
    return files.map(rawFile);
  } catch (error) {
    const status = statusOf(error);
    if (status === 406 || status === 422) return undefined;
    throw githubError(`list the files of pull request #${ref.number}`, error);
  }
}

interface FileEntry {
  readonly filename: string;
  readonly previous_filename?: string;
  readonly status: FileStatus;
  readonly additions: number;
  readonly deletions: number;
  readonly sha: string | null;
  readonly patch?: string;
}

function rawFile(entry: FileEntry): RawFile {
  return {
    path: entry.filename,
    status: entry.status,
    additions: entry.additions,
    deletions: entry.deletions,
    ...(entry.sha === null ? {} : { blobSha: entry.sha }),
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
