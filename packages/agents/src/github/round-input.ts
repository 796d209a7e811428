/**
 * Builds what the six workers of a round see, from GitHub alone: after a crash it is simply built again.
 *
 * @module
 */
import type { Octokit } from '@octokit/rest';
import { PermanentError } from '../errors.ts';
import type { PrRef, RepoRef, Sha, WakeId } from '../ids.ts';
import { assembleRound } from '../review/assemble-round.ts';
import type { RoundInput } from '../review/round.ts';
import { readRuleFiles } from '../review/rule-files.ts';
import type { GitHubAccess } from './access.ts';
import { filesAtHead, filesAtReview } from './pr-files.ts';
import { readFileAt, readFileSizes, readPullRequest } from './pull-request.ts';

/** Analyzers read no file that is larger. */
const MAX_FILE_BYTES = 1_000_000;

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
export async function loadRound(
  access: GitHubAccess,
  octokit: Octokit,
  spec: RoundSpec,
  options: RoundOptions,
): Promise<LoadedRound> {
  const { owner, repo, number } = spec.pr;
  const key = `round ${owner}/${repo}#${number} ${spec.wakeId} ${spec.headSha}`;
  const input = await access.reads.get(key, () => buildRoundInput(access, octokit, spec, options));
  return {
    input,
    readFile: async (path) => {
      // Rules ask for files that may not exist; one listing answers that for all of them.
      const sizes = await access.reads.get(`sizes ${owner}/${repo} ${spec.headSha}`, () =>
        readFileSizes(octokit, spec.pr, spec.headSha),
      );
      // Absent, or so large that nobody wrote it by hand (S9).
      if (sizes !== undefined && (sizes.get(path) ?? Number.POSITIVE_INFINITY) > MAX_FILE_BYTES)
        return undefined;
      return readFileOnce(access, octokit, spec.pr, path, spec.headSha);
    },
  };
}

async function buildRoundInput(
  access: GitHubAccess,
  octokit: Octokit,
  spec: RoundSpec,
  options: RoundOptions,
): Promise<RoundInput> {
  const read = await readPullRequest(octokit, spec.pr);
  if (!read.found) throw new PermanentError(`Pull request #${spec.pr.number} is not there any more.`);
  const { pr } = read;
  const source = { octokit, reads: access.reads };
  const now = await filesAtHead(source, read, spec.headSha);
  const isFirst = spec.baseSha === pr.baseSha || spec.baseSha === now.mergeBaseSha;
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
    wholePr: options.wholePr,
  });
}

function readFileOnce(
  access: GitHubAccess,
  octokit: Octokit,
  repo: RepoRef,
  path: string,
  ref: Sha,
): Promise<string | undefined> {
  return access.reads.get(`file ${repo.owner}/${repo.repo} ${ref} ${path}`, () =>
    readFileAt(octokit, repo, path, ref),
  );
}
