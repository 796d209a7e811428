/**
 * Builds what the six workers of a round see, from GitHub alone: after a crash it is simply built again.
 *
 * @module
 */
import type { Octokit } from '@octokit/rest';
import { PermanentError } from '../errors.ts';
import type { PrRef, RepoRef, Sha, WakeId } from '../ids.ts';
import { assembleRound } from '../review/assemble-round.ts';
import type { ChangedFile } from '../review/changed-file.ts';
import { indexFile } from '../review/diff-index.ts';
import type { RoundInput } from '../review/round.ts';
import { readRuleFiles } from '../review/rule-files.ts';
import type { GitHubAccess } from './access.ts';
import { compare, filesAtHead, filesAtReview } from './pr-files.ts';
import { type PullRequestRead, readFileSizes, readPullRequest } from './pull-request.ts';

/** Which round: the words of a `review` message, and the PR. */
export interface RoundSpec {
  readonly pr: PrRef;
  readonly wakeId: WakeId;
  /** What was reviewed last; in a first round the merge base or the base tip. */
  readonly baseSha: Sha;
  readonly headSha: Sha;
}

/** How rounds are read on this host. */
export interface RoundOptions {
  /** Whether every round judges the whole PR; else only what changed since the last published review. */
  readonly wholePr: boolean;
  /** Which files the reviewers will open, as far as that is known beforehand: they are read with one request. */
  readonly pathsToRead?: (files: readonly ChangedFile[]) => readonly string[];
  /** Reads the PR, where somebody has read it a moment ago. Default: asks GitHub. */
  readonly readPr?: () => Promise<PullRequestRead>;
}

/** A round's input, and how its reader opens files. */
export interface LoadedRound {
  readonly input: RoundInput;
  /** Text of a file at the head; `undefined` where there is none. */
  readonly readFile: (path: string) => Promise<string | undefined>;
}

/**
 * The input of a round: built once for all who ask, and again where it is no longer remembered.
 * @throws TransientError or PermanentError
 */
export function loadRound(
  access: GitHubAccess,
  octokit: Octokit,
  spec: RoundSpec,
  options: RoundOptions,
): Promise<LoadedRound> {
  const { owner, repo, number } = spec.pr;
  const key = `round ${owner}/${repo}#${number} ${spec.wakeId} ${spec.headSha}`;
  return access.reads.get(key, async () => {
    const files = filesAt(access, octokit, spec.pr, spec.headSha);
    return { input: await buildRoundInput(access, octokit, spec, options, files), readFile: files.read };
  });
}

/**
 * Compares what a round will compare, before anybody waits for it. What is read is remembered; what fails is
 * asked for again by whoever needs it.
 */
export function prefetchRound(
  access: GitHubAccess,
  octokit: Octokit,
  pr: PrRef,
  commits: { readonly baseSha: Sha; readonly headSha: Sha },
): void {
  compare({ octokit, reads: access.reads }, pr, commits.baseSha, commits.headSha).catch(() => {});
}

/** Files of the head that are read ahead; of more, each is read when it is asked for (S9). */
const MAX_READ_AHEAD = 600;

/** How files of a commit are read. */
interface FilesAt {
  readonly read: (path: string) => Promise<string | undefined>;
  /** Reads what will probably be asked for, with as few requests as can be; not all of it need exist. */
  readonly readAhead: (paths: readonly string[]) => void;
}

function filesAt(access: GitHubAccess, octokit: Octokit, repo: RepoRef, ref: Sha): FilesAt {
  const sizes = () =>
    access.reads.get(`sizes ${repo.owner}/${repo.repo} ${ref}`, () => readFileSizes(octokit, repo, ref));
  return {
    readAhead: (paths) => {
      for (const path of paths.slice(0, MAX_READ_AHEAD)) {
        readFileOnce(access, octokit, repo, path, ref).catch(() => {});
      }
    },
    read: async (path) => {
      if (access.reads.has(fileKey(repo, path, ref))) return readFileOnce(access, octokit, repo, path, ref);
      // Rules ask for files that may not exist; one listing answers that for all of them.
      const known = await sizes();
      const isThere = known === undefined || known.has(path);
      return isThere ? readFileOnce(access, octokit, repo, path, ref) : undefined;
    },
  };
}

async function buildRoundInput(
  access: GitHubAccess,
  octokit: Octokit,
  spec: RoundSpec,
  options: RoundOptions,
  files: FilesAt,
): Promise<RoundInput> {
  const { wholePr, pathsToRead, readPr } = options;
  const read = await (readPr ?? (() => readPullRequest(octokit, spec.pr)))();
  if (!read.found) throw new PermanentError(`Pull request #${spec.pr.number} is not there any more.`);
  const { pr } = read;
  const source = { octokit, reads: access.reads };
  const now = await filesAtHead(source, read, spec.headSha);
  const isFirst = spec.baseSha === pr.baseSha || spec.baseSha === now.mergeBaseSha;
  // In one turn with the rules, so that they are one request.
  if (pathsToRead !== undefined) files.readAhead(pathsToRead(now.files.map((file) => indexFile(file))));
  const [before, rules] = await Promise.all([
    isFirst ? undefined : filesAtReview(source, pr, spec.baseSha, { ...now, headSha: spec.headSha }),
    readRuleFiles((path) => readFileOnce(access, octokit, spec.pr, path, pr.baseSha)),
  ]);
  return assembleRound({
    pr,
    headSha: spec.headSha,
    baseSha: before === undefined ? now.mergeBaseSha : spec.baseSha,
    before,
    now: now.files,
    totalFiles: now.totalFiles,
    listComplete: now.complete,
    behindBy: now.behindBy,
    rules,
    wholePr,
  });
}

function fileKey(repo: RepoRef, path: string, ref: Sha): string {
  return `file ${repo.owner}/${repo.repo} ${ref} ${path}`;
}

function readFileOnce(
  access: GitHubAccess,
  octokit: Octokit,
  repo: RepoRef,
  path: string,
  ref: Sha,
): Promise<string | undefined> {
  return access.reads.get(fileKey(repo, path, ref), () => access.files.read(octokit, { repo, path, ref }));
}
