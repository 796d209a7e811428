/**
 * A range of a local git repository, checked for what people mistype. The repository is only read.
 *
 * @module
 */
import {
  type Comparison,
  type GitRepository,
  NoCommonAncestorError,
  NotAGitRepositoryError,
  openGit,
} from '@openfactory/github-simulator/git';
import { InputError } from '../errors.ts';
import { parseSha, type Sha } from '../ids.ts';

/** What a person named. */
export interface RangeRequest {
  /** A path inside the repository. */
  readonly repo: string;
  /** Branch, tag or commit that the change is compared with. */
  readonly base: string;
  /** Branch, tag or commit of the change. */
  readonly head: string;
}

/** A range that exists and is not empty. */
export interface LocalRange {
  readonly git: GitRepository;
  /** The base as the person named it. */
  readonly baseName: string;
  readonly baseSha: Sha;
  readonly headSha: Sha;
  readonly comparison: Comparison;
}

/**
 * Opens a range.
 * @throws InputError when the path is no repository, a name stands for no commit, or nothing changed
 */
export async function openLocalRange(request: RangeRequest): Promise<LocalRange> {
  const git = await openGit(request.repo).catch((error: unknown) => {
    if (!(error instanceof NotAGitRepositoryError)) throw error;
    throw new InputError(`${request.repo} is not a git repository: give the path of one with --repo.`, {
      cause: error,
    });
  });
  const [baseSha, headSha] = await Promise.all([
    commitOf(git, request.base, '--base'),
    commitOf(git, request.head, '--head'),
  ]);
  const comparison = await git.compare(baseSha, headSha).catch((error: unknown) => {
    if (!(error instanceof NoCommonAncestorError)) throw error;
    throw new InputError(
      `${request.base} and ${request.head} have no common history: choose a --base that ${request.head} grew from.`,
      { cause: error },
    );
  });
  if (comparison.files.length === 0) {
    throw new InputError(
      `The range ${request.base}..${request.head} changes no file: choose a --base before the change.`,
    );
  }
  return { git, baseName: request.base, baseSha, headSha, comparison };
}

async function commitOf(git: GitRepository, ref: string, flag: string): Promise<Sha> {
  const resolved = await git.resolve(ref);
  const sha = resolved === undefined ? undefined : parseSha(resolved);
  if (sha === undefined) {
    throw new InputError(
      `${ref} names no commit of this repository: give a branch, tag or commit with ${flag}.`,
    );
  }
  return sha;
}
