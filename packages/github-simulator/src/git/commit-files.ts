import { randomUUID } from 'node:crypto';
import { MergeConflictError, UnknownRevisionError } from './errors.ts';
import { mergeTree, resolveCommit } from './repository.ts';
import { DEFAULT_IDENTITY, type GitIdentity, runGit, runGitForLine } from './run-git.ts';

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
  // git wants every imported commit on some ref; one of its own keeps it out of everybody's way.
  const ref = request.branch === undefined ? `refs/made/${randomUUID()}` : `refs/heads/${request.branch}`;
  const dateFormat = request.dateIso === undefined ? 'now' : 'raw';
  return runGitForLine({
    gitDir,
    args: ['fast-import', '--quiet', '--force', '--done', `--date-format=${dateFormat}`],
    input: importStream(request, ref, parent),
  });
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

/** The commit in the language of `git fast-import`: one process, however many files. */
function importStream(request: CommitRequest, ref: string, parent: string | undefined): Buffer {
  const when =
    request.dateIso === undefined ? 'now' : `${Math.floor(Date.parse(request.dateIso) / 1000)} +0000`;
  const { name, email } = request.author ?? DEFAULT_IDENTITY;
  const changes = Object.entries(request.files);
  const removals = changes.filter(([, content]) => content === null).map(([path]) => `D ${quoted(path)}\n`);
  return Buffer.concat([
    Buffer.from(`commit ${ref}\nmark :1\ncommitter ${name} <${email}> ${when}\n`),
    data(request.message),
    Buffer.from(parent === undefined ? '' : `from ${parent}\n`),
    Buffer.from(removals.join('')),
    ...changes.map(([path, content]) => fileChange(path, content)),
    Buffer.from('get-mark :1\ndone\n'),
  ]);
}

function fileChange(path: string, content: FileContent): Buffer {
  if (content === null) return Buffer.alloc(0);
  if (typeof content === 'object' && 'submodule' in content) {
    return Buffer.from(`M 160000 ${content.submodule} ${quoted(path)}\n`);
  }
  const file = typeof content === 'string' ? { content } : content;
  return Buffer.concat([
    Buffer.from(`M ${file.mode ?? '100644'} inline ${quoted(path)}\n`),
    data(file.content),
  ]);
}

function data(content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')]);
}

/** A path in C quotes, so that it may hold anything. */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}
