import type { Comparison, GitRepository } from '../git/index.ts';
import { type AppPermissions, DEFAULT_PERMISSIONS, type SimulatorOptions } from '../options.ts';
import { type Accounts, createAccounts } from './accounts.ts';
import { createRangeCache, type RangeCache } from './range-cache.ts';
import type {
  LabelRecord,
  PullRequestRecord,
  ReviewComment,
  ReviewRecord,
  StoredComment,
  ThreadRecord,
} from './records.ts';

/** The whole state of the simulated GitHub, shared by the people, the REST routes and the webhook. */
export interface World {
  /** Root of the API, without a final slash. */
  readonly url: string;
  readonly owner: string;
  readonly repo: string;
  readonly ownerType: 'Organization' | 'User';
  readonly repositoryId: number;
  readonly defaultBranch: string;
  readonly app: {
    readonly id: number;
    readonly slug: string;
    readonly installationId: number;
    readonly permissions: AppPermissions;
  };
  readonly createdAt: Date;
  readonly git: GitRepository;
  readonly comparisons: RangeCache<Comparison>;
  /** Unified diffs from the merge base. */
  readonly diffs: RangeCache<string>;
  readonly accounts: Accounts;
  readonly pullRequests: Map<number, PullRequestRecord>;
  readonly comments: Map<number, StoredComment>;
  readonly reviews: Map<number, ReviewRecord>;
  /** By node id: a thread has no other. */
  readonly threads: Map<string, ThreadRecord>;
  readonly reviewComments: Map<number, ReviewComment>;
  /** Ids of the comments in each thread, oldest first. */
  readonly threadComments: Map<string, readonly number[]>;
  /** By lower-case name. */
  readonly labels: Map<string, LabelRecord>;
  nextId(): number;
  now(): Date;
}

export async function createWorld(
  options: SimulatorOptions,
  url: string,
  git: GitRepository,
): Promise<World> {
  const nextId = counter(1001);
  const now = options.now ?? (() => new Date());
  const ownerType = options.ownerType ?? 'Organization';
  const { id, slug, installationId, permissions = DEFAULT_PERMISSIONS } = options.app;
  return {
    url,
    owner: options.owner,
    repo: options.repo,
    ownerType,
    repositoryId: nextId(),
    defaultBranch: (await git.currentBranch()) ?? 'main',
    app: { id, slug, installationId, permissions },
    createdAt: now(),
    git,
    comparisons: createRangeCache((base, head) => git.compare(base, head)),
    diffs: createRangeCache((base, head) => git.diff(base, head)),
    accounts: createAccounts({
      owner: options.owner,
      ownerType,
      members: options.members ?? [],
      collaborators: options.collaborators ?? {},
      mannequins: options.mannequins ?? [],
      appSlug: slug,
      nextId,
    }),
    pullRequests: new Map(),
    comments: new Map(),
    reviews: new Map(),
    threads: new Map(),
    reviewComments: new Map(),
    threadComments: new Map(),
    labels: new Map(),
    nextId,
    now,
  };
}

/** What a pull request changes, as of its recorded base and head. */
export function comparisonOf(world: World, pr: PullRequestRecord): Promise<Comparison> {
  return world.comparisons.get(pr.baseSha, pr.head.sha);
}

/** The label of that name, defined on first use. */
export function ensureLabel(world: World, name: string): LabelRecord {
  const key = name.toLowerCase();
  const label = world.labels.get(key) ?? { id: world.nextId(), name, color: 'ededed' };
  world.labels.set(key, label);
  return label;
}

/** Comments of a pull request in the order of their ids. */
export function commentsOf(world: World, pullRequest: number): readonly StoredComment[] {
  return ofPullRequest(world.comments, pullRequest);
}

/** Whatever belongs to a pull request, in the order in which it was made. */
export function ofPullRequest<T extends { readonly pullRequest: number }>(
  records: ReadonlyMap<unknown, T>,
  pullRequest: number,
): readonly T[] {
  return [...records.values()].filter((record) => record.pullRequest === pullRequest);
}

function counter(first: number): () => number {
  let next = first;
  return () => {
    next += 1;
    return next - 1;
  };
}
