import { type CompareFile, changedFiles, diffText, diffWithoutContext } from './changed-files.ts';
import { type CommitInfo, readCommits } from './commits.ts';
import {
  GitCommandError,
  NoCommonAncestorError,
  NotAGitRepositoryError,
  UnknownRevisionError,
} from './errors.ts';
import { followLine } from './line-places.ts';
import { type GitObject, isBinary, readObjects } from './objects.ts';
import { runGit, runGitForLine } from './run-git.ts';
import { readBlob, readTree, readWholeTree, type TreeChild, type TreeEntry } from './tree.ts';

/** A three-dot comparison, as GitHub's compare API makes it: from the merge base of the two to `head`. */
export interface Comparison {
  readonly baseSha: string;
  readonly headSha: string;
  readonly mergeBaseSha: string;
  readonly baseCommit: CommitInfo;
  readonly mergeBaseCommit: CommitInfo;
  readonly aheadBy: number;
  readonly behindBy: number;
  readonly status: 'ahead' | 'behind' | 'diverged' | 'identical';
  readonly totalCommits: number;
  /** Commits of `head` that `base` lacks, oldest first, those that came by merges included. */
  readonly commits: readonly CommitInfo[];
  readonly files: readonly CompareFile[];
}

export interface CommitSummary {
  readonly sha: string;
  readonly subject: string;
  readonly author: string;
}

export interface FileLine {
  readonly path: string;
  /** From 1 on. */
  readonly line: number;
}

/** Reads a git repository, bare or not, and writes nothing to it. Every `ref` may be a branch, tag or sha. */
export interface GitRepository {
  readonly gitDir: string;
  /** The commit that `ref` names, 40 hex digits, or undefined. */
  resolve(ref: string): Promise<string | undefined>;
  /** The best common ancestor, undefined for unrelated histories. @throws UnknownRevisionError */
  mergeBase(a: string, b: string): Promise<string | undefined>;
  /** @throws UnknownRevisionError, NoCommonAncestorError */
  compare(base: string, head: string): Promise<Comparison>;
  /** The unified diff from the merge base to `head`. @throws UnknownRevisionError, NoCommonAncestorError */
  diff(base: string, head: string): Promise<string>;
  /** Text of a file; undefined when it is absent, binary, or not a file. @throws UnknownRevisionError */
  readFile(ref: string, path: string): Promise<string | undefined>;
  /** What stands at a path, undefined when nothing does. `''` is the root. @throws UnknownRevisionError */
  entry(ref: string, path: string): Promise<TreeEntry | undefined>;
  /** Everything that a commit holds, directories included. @throws UnknownRevisionError */
  tree(ref: string): Promise<readonly TreeChild[]>;
  /** Bytes of a blob, undefined when there is none of that sha. */
  blob(sha: string): Promise<Buffer | undefined>;
  /**
   * What expressions such as `main:src/a.ts` name, in their order, read by one process. Undefined where
   * there is nothing, and for submodules.
   */
  objects(expressions: readonly string[]): Promise<readonly (GitObject | undefined)[]>;
  /**
   * Where a line of a file stands in another commit; undefined when it was changed or removed. Both commits
   * by their shas. @throws GitCommandError for a sha that is none.
   */
  lineAfter(line: FileLine, fromSha: string, toSha: string): Promise<number | undefined>;
  /** One commit. @throws UnknownRevisionError */
  commit(ref: string): Promise<CommitInfo>;
  /** What a commit changed against its first parent. @throws UnknownRevisionError */
  commitFiles(ref: string): Promise<readonly CompareFile[]>;
  /** The first-parent line from `base` (excluded) to `head`, oldest first. @throws UnknownRevisionError */
  commitsBetween(base: string, head: string): Promise<readonly CommitSummary[]>;
  /** Whether `theirs` merges into `ours` without conflicts. @throws UnknownRevisionError */
  mergesCleanly(ours: string, theirs: string): Promise<boolean>;
  /** Short name of the branch that HEAD points to, undefined when detached. */
  currentBranch(): Promise<string | undefined>;
}

/** The tree of no files, known to every git repository. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/**
 * Opens the repository that contains `path`, for reading.
 *
 * @throws NotAGitRepositoryError with one clear sentence.
 */
export async function openGit(path: string): Promise<GitRepository> {
  const gitDir = await discover(path);
  const sha = (ref: string) => requireCommit(gitDir, ref);
  return {
    gitDir,
    resolve: (ref) => resolveCommit(gitDir, ref),
    mergeBase: async (a, b) => mergeBase(gitDir, await sha(a), await sha(b)),
    compare: (base, head) => compare(gitDir, base, head),
    diff: async (base, head) => {
      const ends = await comparedEnds(gitDir, base, head);
      return diffText(gitDir, ends.mergeBaseSha, ends.headSha);
    },
    readFile: async (ref, path) => readTextFile(gitDir, await sha(ref), path),
    entry: async (ref, path) => readTree(gitDir, await sha(ref), path),
    tree: async (ref) => readWholeTree(gitDir, await sha(ref)),
    blob: (blobSha) => readBlob(gitDir, blobSha),
    objects: (expressions) => readObjects(gitDir, expressions),
    lineAfter: async ({ path, line }, fromSha, toSha) =>
      followLine(await diffWithoutContext(gitDir, fromSha, toSha, path), line),
    commit: async (ref) => readCommit(gitDir, await sha(ref)),
    commitFiles: async (ref) => {
      const commit = await readCommit(gitDir, await sha(ref));
      return changedFiles(gitDir, commit.parents[0] ?? EMPTY_TREE, commit.sha);
    },
    commitsBetween: async (base, head) => firstParentLine(gitDir, await sha(base), await sha(head)),
    mergesCleanly: async (ours, theirs) =>
      (await mergeTree(gitDir, await sha(ours), await sha(theirs))).clean,
    currentBranch: () => currentBranch(gitDir),
  };
}

/** Merges two commits in memory. The tree holds conflict markers when it is not clean. */
export async function mergeTree(
  gitDir: string,
  ours: string,
  theirs: string,
): Promise<{ readonly clean: boolean; readonly treeSha: string }> {
  const args = ['merge-tree', '--write-tree', '--no-messages', '-z', ours, theirs];
  const { exitCode, stdout } = await runGit({ gitDir, args, acceptExitCodes: [0, 1] });
  return { clean: exitCode === 0, treeSha: stdout.toString('utf8').slice(0, 40) };
}

export async function resolveCommit(gitDir: string, ref: string): Promise<string | undefined> {
  if (ref === '' || ref.includes('\0')) return undefined;
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const { exitCode, stdout } = await runGit({ gitDir, args, acceptExitCodes: [0, 1, 128] });
  const sha = stdout.toString('utf8').trim();
  return exitCode === 0 && /^[0-9a-f]{40}$/.test(sha) ? sha : undefined;
}

async function requireCommit(gitDir: string, ref: string): Promise<string> {
  const sha = await resolveCommit(gitDir, ref);
  if (sha === undefined) throw new UnknownRevisionError(ref);
  return sha;
}

async function discover(path: string): Promise<string> {
  try {
    return await runGitForLine({ args: ['-C', path, 'rev-parse', '--absolute-git-dir'] });
  } catch (cause) {
    if (cause instanceof GitCommandError && cause.exitCode === 128) {
      throw new NotAGitRepositoryError(path, { cause });
    }
    throw cause;
  }
}

async function mergeBase(gitDir: string, a: string, b: string): Promise<string | undefined> {
  const { exitCode, stdout } = await runGit({ gitDir, args: ['merge-base', a, b], acceptExitCodes: [0, 1] });
  return exitCode === 0 ? stdout.toString('utf8').trim() : undefined;
}

async function comparedEnds(gitDir: string, base: string, head: string) {
  const [baseSha, headSha] = await Promise.all([requireCommit(gitDir, base), requireCommit(gitDir, head)]);
  const mergeBaseSha = await mergeBase(gitDir, baseSha, headSha);
  if (mergeBaseSha === undefined) throw new NoCommonAncestorError(base, head);
  return { baseSha, headSha, mergeBaseSha };
}

async function compare(gitDir: string, base: string, head: string): Promise<Comparison> {
  const ends = await comparedEnds(gitDir, base, head);
  const { baseSha, headSha, mergeBaseSha } = ends;
  const [ancestors, behindBy, commits, files] = await Promise.all([
    readCommits(gitDir, ['--no-walk', baseSha, mergeBaseSha]),
    baseSha === mergeBaseSha ? 0 : countCommits(gitDir, headSha, baseSha),
    readCommits(gitDir, [`${baseSha}..${headSha}`]),
    changedFiles(gitDir, mergeBaseSha, headSha),
  ]);
  const aheadBy = commits.length;
  return {
    ...ends,
    baseCommit: ofSha(ancestors, baseSha),
    mergeBaseCommit: ofSha(ancestors, mergeBaseSha),
    aheadBy,
    behindBy,
    status: statusOf(aheadBy, behindBy),
    totalCommits: aheadBy,
    commits,
    files,
  };
}

async function countCommits(gitDir: string, from: string, to: string): Promise<number> {
  return Number(await runGitForLine({ gitDir, args: ['rev-list', '--count', `${from}..${to}`] }));
}

function statusOf(aheadBy: number, behindBy: number): Comparison['status'] {
  if (aheadBy > 0) return behindBy > 0 ? 'diverged' : 'ahead';
  return behindBy > 0 ? 'behind' : 'identical';
}

async function readTextFile(gitDir: string, sha: string, path: string): Promise<string | undefined> {
  const entry = await readTree(gitDir, sha, path);
  if (entry?.type !== 'file') return undefined;
  const bytes = await readBlob(gitDir, entry.sha);
  return bytes === undefined || isBinary(bytes) ? undefined : bytes.toString('utf8');
}

async function readCommit(gitDir: string, sha: string): Promise<CommitInfo> {
  return ofSha(await readCommits(gitDir, ['--no-walk', sha]), sha);
}

function ofSha(commits: readonly CommitInfo[], sha: string): CommitInfo {
  const found = commits.find((commit) => commit.sha === sha);
  if (found === undefined) throw new UnknownRevisionError(sha);
  return found;
}

async function firstParentLine(
  gitDir: string,
  base: string,
  head: string,
): Promise<readonly CommitSummary[]> {
  const commits = await readCommits(gitDir, ['--first-parent', `${base}..${head}`]);
  return commits.map(({ sha, message, author }) => ({
    sha,
    subject: message.split('\n', 1)[0] ?? '',
    author: author.name,
  }));
}

async function currentBranch(gitDir: string): Promise<string | undefined> {
  const args = ['symbolic-ref', '--quiet', '--short', 'HEAD'];
  const { exitCode, stdout } = await runGit({ gitDir, args, acceptExitCodes: [0, 1] });
  return exitCode === 0 ? stdout.toString('utf8').trim() : undefined;
}
