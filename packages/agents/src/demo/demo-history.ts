/**
 * The history that the demo reviews, in a bare repository of its own: the first version of the change, and
 * the follow-up that is pushed later. A given repository is only read.
 *
 * @module
 */
import { basename, resolve } from 'node:path';
import {
  commitFiles,
  createBareMirror,
  GitCommandError,
  initBare,
  moveRef,
  openGit,
} from '@openfactory/github-simulator/git';
import { InputError } from '../errors.ts';
import { type LocalRange, openLocalRange, type RangeRequest } from '../local/local-range.ts';
import { createSampleHistory } from './sample-history.ts';

/** Names of the two branches in the demo's repository. */
export const BASE_BRANCH = 'main';
export const HEAD_BRANCH = 'change';

/** What the demo opens and pushes. */
export interface DemoHistory {
  readonly owner: string;
  readonly repo: string;
  readonly title: string;
  readonly body: string;
  /** Pushed after the first review. */
  readonly followUpSha: string;
  /** One sentence about the follow-up. */
  readonly followUp: string;
}

/**
 * Fills `gitDir` with a range of a local repository, or with the sample. Afterwards the base branch stands at
 * the base, and the head branch at the first version of the change.
 * @throws InputError as {@link openLocalRange}
 */
export async function prepareHistory(
  gitDir: string,
  request: RangeRequest | undefined,
): Promise<DemoHistory> {
  return request === undefined ? prepareSample(gitDir) : prepareRange(gitDir, request);
}

async function prepareSample(gitDir: string): Promise<DemoHistory> {
  await initBare(gitDir, BASE_BRANCH);
  const [first, ...changes] = createSampleHistory();
  if (first === undefined || changes.length < 2) throw new TypeError('the sample history is too short');
  let parent = await commitFiles(gitDir, { ...first, branch: BASE_BRANCH });
  const shas: string[] = [];
  for (const change of changes) {
    parent = await commitFiles(gitDir, { ...change, parent });
    shas.push(parent);
  }
  const [followUpSha, opened] = [shas.at(-1), shas.at(-2)];
  if (followUpSha === undefined || opened === undefined)
    throw new TypeError('the sample history is too short');
  await moveRef(gitDir, `refs/heads/${HEAD_BRANCH}`, opened);
  const [title, ...body] = (changes.at(-2)?.message ?? '').split('\n');
  return {
    owner: 'acme',
    repo: 'parcels',
    title: title ?? '',
    body: body.join('\n').trim(),
    followUpSha,
    followUp: changes.at(-1)?.message.split('\n')[0] ?? '',
  };
}

async function prepareRange(gitDir: string, request: RangeRequest): Promise<DemoHistory> {
  const range = await openLocalRange(request);
  await copyHistory(request.repo, gitDir, range);
  await moveRef(gitDir, `refs/heads/${BASE_BRANCH}`, range.baseSha);
  const split = (await splitLastCommit(gitDir, range)) ?? (await addEdit(gitDir, range));
  await moveRef(gitDir, `refs/heads/${HEAD_BRANCH}`, split.openedSha);
  const head = await range.git.commit(split.openedSha === range.headSha ? range.headSha : split.openedSha);
  const [title, ...body] = head.message.split('\n');
  return {
    ...repositoryName(request.repo),
    title: title ?? '',
    body: body.join('\n').trim(),
    followUpSha: split.followUpSha,
    followUp: split.followUp,
  };
}

/** The demo copies the whole history, where a review only needs the two ends. */
async function copyHistory(repo: string, gitDir: string, range: LocalRange): Promise<void> {
  try {
    await createBareMirror(repo, gitDir, [range.baseSha, range.headSha]);
  } catch (error) {
    if (!(error instanceof GitCommandError)) throw error;
    throw new InputError(
      `The history of ${repo} cannot be copied, objects may be missing: complete it with "git fetch --refetch", or use the review command, which copies nothing.`,
      { cause: error },
    );
  }
}

interface Split {
  readonly openedSha: string;
  readonly followUpSha: string;
  readonly followUp: string;
}

/** The last commit of the range is the follow-up, where something is left to open without it. */
async function splitLastCommit(gitDir: string, range: LocalRange): Promise<Split | undefined> {
  const git = await openGit(gitDir);
  const commits = await git.commitsBetween(range.baseSha, range.headSha);
  const [opened, last] = commits.slice(-2);
  if (opened === undefined || last === undefined) return undefined;
  const { files } = await git.compare(range.baseSha, opened.sha);
  if (files.length === 0) return undefined;
  return { openedSha: opened.sha, followUpSha: last.sha, followUp: last.subject };
}

/**
 * A range of one commit gets a small edit of one of its files, in the demo's own repository; where it has no
 * text that could be edited, a file of its own.
 */
async function addEdit(gitDir: string, range: LocalRange): Promise<Split> {
  const git = await openGit(gitDir);
  for (const file of range.comparison.files) {
    const text = file.status === 'removed' ? undefined : await git.readFile(range.headSha, file.filename);
    if (text === undefined) continue;
    const message = `Add a blank line to ${file.filename}`;
    const followUpSha = await commitFiles(gitDir, {
      parent: range.headSha,
      files: { [file.filename]: `${text.replace(/\n*$/, '\n')}\n` },
      message,
    });
    return { openedSha: range.headSha, followUpSha, followUp: message };
  }
  const followUpSha = await commitFiles(gitDir, {
    parent: range.headSha,
    files: { 'FOLLOW-UP.md': 'A file that the demo added, since the range has no text to edit.\n' },
    message: 'Add a note',
  });
  return { openedSha: range.headSha, followUpSha, followUp: 'Add a note' };
}

/** A name that GitHub would accept, from the folder's. */
function repositoryName(path: string): { readonly owner: string; readonly repo: string } {
  const repo = basename(resolve(path)).replace(/[^A-Za-z0-9._-]+/g, '-');
  return { owner: 'local', repo: /^\.*$/.test(repo) ? 'repository' : repo };
}
