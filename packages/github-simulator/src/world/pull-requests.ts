import { RefusedActError } from '../errors.ts';
import { moveRef } from '../git/index.ts';
import type { HeadRecord, PullRequestRecord } from './records.ts';
import { ensureLabel, type World } from './world.ts';

export interface NewPullRequest {
  /** Head branch. */
  readonly head: string;
  /** Base branch. */
  readonly base: string;
  readonly title: string;
  readonly body: string | null;
  readonly author: string;
  readonly draft: boolean;
  readonly labels: readonly string[];
  readonly from: HeadRecord['from'];
}

/** @throws RefusedActError when a branch is missing or there is nothing to merge. */
export async function createPullRequest(world: World, wanted: NewPullRequest): Promise<PullRequestRecord> {
  const [headSha, baseSha] = await Promise.all([
    branchTip(world, wanted.head),
    branchTip(world, wanted.base),
  ]);
  const { totalCommits } = await world.comparisons.get(baseSha, headSha);
  if (totalCommits === 0) throw new RefusedActError(`No commits between ${wanted.base} and ${wanted.head}`);
  const pr = register(world, wanted, headSha, baseSha);
  await keepHeadRef(world, pr);
  return pr;
}

/** Takes the next number. Nothing is awaited in here, so that two at once get two numbers. */
function register(world: World, wanted: NewPullRequest, headSha: string, baseSha: string): PullRequestRecord {
  const at = world.now();
  for (const name of wanted.labels) ensureLabel(world, name);
  world.accounts.ensure(wanted.author);
  const pr: PullRequestRecord = {
    number: Math.max(0, ...world.pullRequests.keys()) + 1,
    id: world.nextId(),
    title: wanted.title,
    body: wanted.body,
    author: wanted.author,
    head: { ref: wanted.head, sha: headSha, from: wanted.from },
    baseRef: wanted.base,
    baseSha,
    state: 'open',
    draft: wanted.draft,
    locked: false,
    labels: wanted.labels,
    createdAt: at,
    updatedAt: at,
    closedAt: undefined,
    merge: undefined,
  };
  world.pullRequests.set(pr.number, pr);
  return pr;
}

/** @throws RefusedActError when there is no such pull request. */
export function requirePullRequest(world: World, number: number): PullRequestRecord {
  const pr = world.pullRequests.get(number);
  if (pr === undefined) throw new RefusedActError(`There is no pull request #${number}`);
  return pr;
}

/** Replaces fields of a pull request and sets its time of update. */
export function updatePullRequest(
  world: World,
  number: number,
  fields: Partial<PullRequestRecord>,
): PullRequestRecord {
  const next = { ...requirePullRequest(world, number), updatedAt: world.now(), ...fields };
  world.pullRequests.set(number, next);
  return next;
}

/** `refs/pull/N/head`, under which GitHub keeps the newest head of every pull request. */
export function keepHeadRef(world: World, pr: PullRequestRecord): Promise<void> {
  return moveRef(world.git.gitDir, `refs/pull/${pr.number}/head`, pr.head.sha);
}

/** @throws RefusedActError when there is no such branch. */
export async function branchTip(world: World, branch: string): Promise<string> {
  const sha = await world.git.resolve(`refs/heads/${branch}`);
  if (sha === undefined) throw new RefusedActError(`There is no branch ${branch}`);
  return sha;
}

/** Puts a label on a pull request. Tells whether it was not there before. */
export function putLabel(world: World, number: number, name: string): boolean {
  const pr = requirePullRequest(world, number);
  const { name: defined } = ensureLabel(world, name);
  if (pr.labels.includes(defined)) return false;
  updatePullRequest(world, number, { labels: [...pr.labels, defined] });
  return true;
}

/** Takes a label off a pull request. Tells whether it was there. */
export function takeLabel(world: World, number: number, name: string): boolean {
  const pr = requirePullRequest(world, number);
  const labels = pr.labels.filter((label) => label.toLowerCase() !== name.toLowerCase());
  if (labels.length === pr.labels.length) return false;
  updatePullRequest(world, number, { labels });
  return true;
}
