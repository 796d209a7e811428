import { RefusedActError } from '../errors.ts';
import { type DiffSide, placeInPatch } from '../git/index.ts';
import { nodeId } from './node-id.ts';
import type { Anchor, LineAnchor, PullRequestRecord, ReviewComment, ThreadRecord } from './records.ts';
import { comparisonOf, ofPullRequest, type World } from './world.ts';

/** What a thread is about. Without a line it is about the file. */
export interface ThreadSubject {
  readonly path: string;
  readonly line?: number;
  /** Default: RIGHT, the file as it is at the head. */
  readonly side?: DiffSide;
}

/** @throws RefusedActError when the diff of the pull request does not show it. */
export async function anchorFor(
  world: World,
  pr: PullRequestRecord,
  { path, line, side = 'RIGHT' }: ThreadSubject,
): Promise<Anchor> {
  const { files, mergeBaseSha } = await comparisonOf(world, pr);
  const file = files.find(({ filename }) => filename === path);
  if (file === undefined) throw new RefusedActError(`${path} is not part of the diff of #${pr.number}`);
  if (line === undefined) return { kind: 'file', headSha: pr.head.sha };
  const place = placeInPatch(file.patch ?? '', line, side);
  if (place === undefined) {
    throw new RefusedActError(`Line ${line} of ${path} is not part of the diff of #${pr.number}`);
  }
  const lineSha = side === 'RIGHT' ? pr.head.sha : mergeBaseSha;
  return { kind: 'line', headSha: pr.head.sha, lineSha, line, side, ...place };
}

/** Opens a thread that has no comment yet. */
export function createThread(world: World, pr: number, path: string, original: Anchor): ThreadRecord {
  const id = world.nextId();
  const thread = {
    id,
    nodeId: nodeId('PRRT', id),
    pullRequest: pr,
    path,
    original,
    current: original,
    resolvedBy: undefined,
  };
  world.threads.set(thread.nodeId, thread);
  return thread;
}

/** Comments of a thread, oldest first. */
export function commentsInThread(world: World, thread: string): readonly ReviewComment[] {
  const ids = world.threadComments.get(thread) ?? [];
  return ids.flatMap((id) => world.reviewComments.get(id) ?? []);
}

/** @throws RefusedActError when there is no such thread. */
export function requireThread(world: World, thread: string): ThreadRecord {
  const found = world.threads.get(thread);
  if (found === undefined) throw new RefusedActError(`There is no thread ${thread}`);
  return found;
}

/** Finds every thread of a pull request again after its head or base moved. */
export async function followThreads(world: World, pr: PullRequestRecord): Promise<void> {
  for (const { nodeId: id, original, path } of ofPullRequest(world.threads, pr.number)) {
    const current = await follow(world, pr, path, original);
    // Meanwhile somebody may have resolved it.
    const thread = world.threads.get(id);
    if (thread !== undefined) world.threads.set(id, { ...thread, current });
  }
}

async function follow(
  world: World,
  pr: PullRequestRecord,
  path: string,
  original: Anchor,
): Promise<Anchor | undefined> {
  const { files, mergeBaseSha } = await comparisonOf(world, pr);
  const file = files.find(({ filename }) => filename === path);
  if (file === undefined) return undefined;
  if (original.kind === 'file') return { kind: 'file', headSha: pr.head.sha };
  const { side, lineSha } = original;
  const target = side === 'RIGHT' ? pr.head.sha : mergeBaseSha;
  const formerPath = side === 'RIGHT' ? path : (file.previousFilename ?? path);
  const line = await world.git.lineAfter({ path: formerPath, line: original.line }, lineSha, target);
  const place = line === undefined ? undefined : placeInPatch(file.patch ?? '', line, side);
  if (line === undefined || place === undefined) return undefined;
  const anchor: LineAnchor = {
    lineSha: target,
    line,
    side,
    position: place.position,
    diffHunk: original.diffHunk,
  };
  return { kind: 'line', headSha: pr.head.sha, ...anchor };
}
