import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MergeConflictError, UnknownRevisionError } from './errors.ts';
import { mergeTree, resolveCommit } from './repository.ts';
import { type GitIdentity, runGit, runGitForLine } from './run-git.ts';

/** New content of a path: text, bytes with a mode, a submodule's commit, or null to remove it. */
export type FileContent =
  | string
  | null
  | { readonly content: string | Uint8Array; readonly mode?: '100644' | '100755' | '120000' }
  | { readonly submodule: string };

export interface CommitRequest {
  /** Branch that is created or moved to the new commit. Without one, only the commit is made. */
  readonly branch?: string;
  /** Commit to build on. Default: the branch's tip; a root commit when there is none. */
  readonly parent?: string;
  readonly files: Readonly<Record<string, FileContent>>;
  readonly message: string;
  readonly author?: GitIdentity;
  /** ISO 8601. Default: now. */
  readonly dateIso?: string;
}

/**
 * Makes a commit in a bare repository, without a work tree.
 *
 * @returns the sha of the new commit.
 * @throws UnknownRevisionError when `parent` names no commit.
 */
export async function commitFiles(gitDir: string, request: CommitRequest): Promise<string> {
  const parent = await parentOf(gitDir, request);
  const tree = await writeTree(gitDir, parent, request.files);
  return writeCommit(gitDir, { ...request, tree, parents: parent === undefined ? [] : [parent] });
}

export interface MergeRequest {
  /** Branch that receives the merge commit. */
  readonly branch: string;
  /** What is merged into it: branch, tag or sha. */
  readonly from: string;
  readonly message?: string;
  readonly author?: GitIdentity;
  readonly dateIso?: string;
}

/**
 * Merges `from` into a branch of a bare repository, always with a merge commit.
 *
 * @returns the sha of the merge commit.
 * @throws UnknownRevisionError, MergeConflictError
 */
export async function commitMerge(gitDir: string, request: MergeRequest): Promise<string> {
  const ours = await commitOf(gitDir, `refs/heads/${request.branch}`);
  const theirs = await commitOf(gitDir, request.from);
  const merged = await mergeTree(gitDir, ours, theirs);
  if (!merged.clean) throw new MergeConflictError(request.branch, request.from);
  const message = request.message ?? `Merge ${request.from} into ${request.branch}`;
  return writeCommit(gitDir, { ...request, message, tree: merged.treeSha, parents: [ours, theirs] });
}

/** Creates a branch or moves it, forwards or not. @throws UnknownRevisionError */
export async function moveRef(gitDir: string, ref: string, sha: string): Promise<void> {
  await runGit({ gitDir, args: ['update-ref', ref, await commitOf(gitDir, sha)] });
}

/** Creates an empty bare repository whose HEAD points to `defaultBranch`. */
export async function initBare(gitDir: string, defaultBranch = 'main'): Promise<void> {
  await runGit({
    args: ['init', '--quiet', '--bare', '--template=', `--initial-branch=${defaultBranch}`, gitDir],
  });
}

async function commitOf(gitDir: string, ref: string): Promise<string> {
  const sha = await resolveCommit(gitDir, ref);
  if (sha === undefined) throw new UnknownRevisionError(ref);
  return sha;
}

async function parentOf(gitDir: string, { parent, branch }: CommitRequest): Promise<string | undefined> {
  if (parent !== undefined) return commitOf(gitDir, parent);
  return branch === undefined ? undefined : resolveCommit(gitDir, `refs/heads/${branch}`);
}

interface PreparedCommit extends Pick<CommitRequest, 'branch' | 'message' | 'author' | 'dateIso'> {
  readonly tree: string;
  readonly parents: readonly string[];
}

async function writeCommit(gitDir: string, commit: PreparedCommit): Promise<string> {
  const { author, dateIso, branch } = commit;
  const sha = await runGitForLine({
    gitDir,
    args: ['commit-tree', ...commit.parents.flatMap((parent) => ['-p', parent]), '-F', '-', commit.tree],
    input: commit.message,
    ...(author === undefined ? {} : { author }),
    ...(dateIso === undefined ? {} : { dateIso }),
  });
  if (branch !== undefined) await moveRef(gitDir, `refs/heads/${branch}`, sha);
  return sha;
}

async function writeTree(
  gitDir: string,
  parent: string | undefined,
  files: Readonly<Record<string, FileContent>>,
): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'github-simulator-index-'));
  const indexFile = join(scratch, 'index');
  try {
    await runGit({ gitDir, indexFile, args: ['read-tree', parent ?? '--empty'] });
    const records = await Promise.all(
      Object.entries(files).map(
        async ([path, content]) => `${await indexRecord(gitDir, content)}\t${path}\0`,
      ),
    );
    await runGit({
      gitDir,
      indexFile,
      args: ['update-index', '-z', '--index-info'],
      input: records.join(''),
    });
    return await runGitForLine({ gitDir, indexFile, args: ['write-tree'] });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const NO_OBJECT = '0'.repeat(40);

async function indexRecord(gitDir: string, content: FileContent): Promise<string> {
  if (content === null) return `0 ${NO_OBJECT}`;
  if (typeof content === 'object' && 'submodule' in content) return `160000 ${content.submodule}`;
  const file = typeof content === 'string' ? { content } : content;
  const sha = await runGitForLine({ gitDir, args: ['hash-object', '-w', '--stdin'], input: file.content });
  return `${file.mode ?? '100644'} ${sha}`;
}
