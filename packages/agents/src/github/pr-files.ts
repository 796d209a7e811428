/**
 * The files of a pull request at a commit, as completely as GitHub tells them: by comparison, and where that is
 * cut by the PR's own list. Everything is named by commit ids, so that building a round again gives the same.
 *
 * @module
 */
import type { Octokit } from '@octokit/rest';
import { PermanentError, TransientError } from '../errors.ts';
import type { RepoRef, Sha } from '../ids.ts';
import type { RawFile } from '../review/changed-file.ts';
import { fillEarlier } from '../review/range.ts';
import type { PrFacts } from '../review/round.ts';
import {
  type Comparison,
  type ComparisonRead,
  readComparison,
  readPullRequest,
  readPullRequestFiles,
} from './pull-request.ts';
import type { ReadCache } from './read-cache.ts';

/** Where files are read. */
export interface FileSource {
  readonly octokit: Octokit;
  readonly reads: ReadCache;
}

/** The PR's files at a commit. */
export interface HeadFiles extends Comparison {
  /** How many files the PR changes, also where `files` are not all of them. */
  readonly totalFiles: number;
}

/**
 * The PR's files at `headSha`. The PR's own list holds up to 3,000 files but speaks of the PR's present head
 * alone, so it is taken only while that is `headSha` before and after it was read.
 * @throws TransientError where GitHub does not know the commit (yet); PermanentError where it cannot compare
 */
export async function filesAtHead(
  source: FileSource,
  { pr, changedFiles }: { readonly pr: PrFacts; readonly changedFiles: number },
  headSha: Sha,
): Promise<HeadFiles> {
  const read = await compare(source, pr, pr.baseSha, headSha);
  if (read.kind === 'unknown') {
    throw new TransientError(`GitHub does not know commit ${headSha.slice(0, 7)} yet, or no longer.`);
  }
  if (read.kind === 'unrelated') {
    throw new PermanentError(
      `Branch and base have no common history, so that GitHub cannot compare them: rebase the branch onto ${pr.baseRef}.`,
    );
  }
  const known = read.kind === 'compared' ? read.comparison : undefined;
  if (known?.complete === true) return { ...known, totalFiles: known.files.length };
  const isCurrent = headSha === pr.headSha;
  if (known !== undefined && isCurrent && known.files.length >= changedFiles) {
    return { ...known, complete: true, totalFiles: known.files.length };
  }
  const listed = isCurrent ? await listedFiles(source.octokit, pr) : undefined;
  if (listed === undefined && known === undefined) {
    throw new PermanentError('GitHub refuses to tell the files of this pull request: it is too large.');
  }
  const files = listed ?? known?.files ?? [];
  const { mergeBaseSha = pr.baseSha, behindBy = 0 } = known ?? {};
  const totalFiles = Math.max(files.length, isCurrent ? changedFiles : 0);
  return {
    mergeBaseSha,
    behindBy,
    files,
    complete: listed !== undefined && files.length >= changedFiles,
    totalFiles,
  };
}

/** `undefined` where GitHub does not give the list, or a push came in between. */
async function listedFiles(octokit: Octokit, pr: PrFacts): Promise<readonly RawFile[] | undefined> {
  const files = await readPullRequestFiles(octokit, pr);
  const after = await readPullRequest(octokit, pr);
  return after.found && after.pr.headSha === pr.headSha ? files : undefined;
}

/**
 * The PR's files as they were at `reviewedSha`, against their own merge base, so that work which came in from
 * the base branch is not shown as the author's (T-036). `undefined` where nothing was reviewed, or what was
 * cannot be known (the commit is gone, or the list was cut and cannot be filled): then the whole PR is the range,
 * and nothing is missed.
 * @throws TransientError or PermanentError
 */
export async function filesAtReview(
  source: FileSource,
  pr: PrFacts,
  reviewedSha: Sha,
  now: Comparison & { readonly headSha: Sha },
): Promise<readonly RawFile[] | undefined> {
  const read = await compare(source, pr, pr.baseSha, reviewedSha);
  if (read.kind !== 'compared') return undefined;
  const before = read.comparison;
  // A commit of the base branch: nothing of this PR stood there, so that it is no review of it.
  if (before.mergeBaseSha === reviewedSha) return undefined;
  if (before.complete) return before.files;
  // No list shows what is missing here; but what was not touched since is what it was.
  const [heads, bases] = await Promise.all([
    touchedPaths(source, pr, reviewedSha, now.headSha),
    touchedPaths(source, pr, before.mergeBaseSha, now.mergeBaseSha),
  ]);
  if (heads === undefined || bases === undefined) return undefined;
  return fillEarlier(before.files, now.files, new Set([...heads, ...bases]));
}

/**
 * Every path whose content differs between two commits; `undefined` where that is not known. A comparison
 * starts at the merge base, so it shows the difference only where `from` is an ancestor of `to`.
 */
async function touchedPaths(
  source: FileSource,
  repo: RepoRef,
  from: Sha,
  to: Sha,
): Promise<readonly string[] | undefined> {
  if (from === to) return [];
  const read = await compare(source, repo, from, to);
  if (read.kind !== 'compared') return undefined;
  const { mergeBaseSha, complete, files } = read.comparison;
  if (mergeBaseSha !== from || !complete) return undefined;
  return files.flatMap(({ path, previousPath = path }) => [path, previousPath]);
}

/**
 * Whether a branch that was at `from` came to `to` by new commits alone. Where it was rewritten, what it held is
 * no longer what an earlier comparison with it says.
 * @throws TransientError or PermanentError
 */
export async function grewFrom(source: FileSource, repo: RepoRef, from: Sha, to: Sha): Promise<boolean> {
  if (from === to) return true;
  const read = await compare(source, repo, from, to);
  // Refused means too large to be compared, which is no sign of a rewritten branch.
  return read.kind === 'refused' || (read.kind === 'compared' && read.comparison.mergeBaseSha === from);
}

/** Compares two commits, once for all who ask. */
export function compare(source: FileSource, repo: RepoRef, base: Sha, head: Sha): Promise<ComparisonRead> {
  const { octokit, reads } = source;
  return reads
    .get(`compare ${repo.owner}/${repo.repo} ${base} ${head}`, async () => {
      const read = await readComparison(octokit, repo, base, head);
      // Straight after a push GitHub may not know the commit for some seconds: that is not remembered.
      if (read.kind === 'unknown') throw new UnknownCommitError();
      return read;
    })
    .catch((error: unknown): ComparisonRead => {
      if (error instanceof UnknownCommitError) return { kind: 'unknown' };
      throw error;
    });
}

class UnknownCommitError extends Error {}
