import { RefusedActError } from '../errors.ts';
import { commitMerge, moveRef } from '../git/index.ts';
import type { Hook } from '../webhooks/hook.ts';
import { labelField, type Payload, pullRequestPayload } from '../webhooks/payloads.ts';
import {
  branchTip,
  createPullRequest,
  keepHeadRef,
  putLabel,
  requirePullRequest,
  takeLabel,
  updatePullRequest,
} from '../world/pull-requests.ts';
import type { PullRequestRecord } from '../world/records.ts';
import { followThreads } from '../world/threads.ts';
import type { World } from '../world/world.ts';

export interface OpenPullRequest {
  /** Head branch. */
  readonly head: string;
  /** Base branch. */
  readonly base: string;
  readonly title: string;
  readonly body?: string | null;
  /** Login. Default: `octocat`, who is neither member nor collaborator unless you say so. */
  readonly author?: string;
  readonly draft?: boolean;
  readonly labels?: readonly string[];
  /** Owner of the fork that the head branch counts as. Default: the branch is in the repository itself. */
  readonly fork?: string;
}

/** Who acts. Default: the author of the pull request. */
export interface Actor {
  readonly by?: string;
}

/**
 * What people do with pull requests. Every act resolves when its deliveries were answered, well or badly.
 * All throw RefusedActError for what GitHub would refuse, such as an unknown number or branch.
 */
export interface PullRequestActs {
  /** Deliveries: `opened`, then `labeled` for each label. */
  openPullRequest(wanted: OpenPullRequest): Promise<{ number: number; headSha: string; baseSha: string }>;
  /** Creates the branch or moves it, forwards or not. Delivery: `synchronize` for each of its open PRs. */
  push(branch: string, sha: string, actor?: Actor): Promise<void>;
  /** `merged` merges in git, with a merge commit. @throws MergeConflictError */
  closePullRequest(number: number, how?: Actor & { readonly merged?: boolean }): Promise<void>;
  /** Takes in what was pushed while it was closed. */
  reopenPullRequest(number: number, actor?: Actor): Promise<void>;
  setDraft(number: number, draft: boolean, actor?: Actor): Promise<void>;
  /** Delivery: one `edited` with all changes. */
  editPullRequest(
    number: number,
    change: Actor & { readonly title?: string; readonly body?: string | null; readonly base?: string },
  ): Promise<void>;
  addLabel(number: number, name: string, actor?: Actor): Promise<void>;
  removeLabel(number: number, name: string, actor?: Actor): Promise<void>;
  lock(number: number, actor?: Actor): Promise<void>;
  unlock(number: number, actor?: Actor): Promise<void>;
  /** Deletes the fork of a pull request: its `head.repo` is null from now on. GitHub sends nothing. */
  deleteFork(number: number): void;
}

export function pullRequestActs(world: World, hook: Hook): PullRequestActs {
  const tell = async (pr: PullRequestRecord, action: string, by: string | undefined, extra?: Payload) => {
    await hook.send('pull_request', await pullRequestPayload(world, pr, action, by ?? pr.author, extra));
  };
  const change = async (
    number: number,
    fields: Partial<PullRequestRecord>,
    action: string,
    actor: Actor = {},
  ) => tell(updatePullRequest(world, number, fields), action, actor.by);

  return {
    openPullRequest: async (wanted) => {
      const pr = await createPullRequest(world, {
        ...{ body: null, author: 'octocat', draft: false, labels: [] },
        ...wanted,
        from: wanted.fork === undefined ? 'same' : { fork: wanted.fork, deleted: false },
      });
      await tell(pr, 'opened', undefined);
      for (const name of pr.labels) await tell(pr, 'labeled', undefined, labelField(world, name));
      return { number: pr.number, headSha: pr.head.sha, baseSha: pr.baseSha };
    },
    push: async (branch, sha, actor = {}) => {
      await moveRef(world.git.gitDir, `refs/heads/${branch}`, sha);
      const affected = [...world.pullRequests.values()].filter(
        (pr) => pr.state === 'open' && pr.head.ref === branch && pr.head.sha !== sha,
      );
      for (const before of affected) {
        const after = await takeInPushes(world, before);
        await tell(after, 'synchronize', actor.by, { before: before.head.sha, after: after.head.sha });
      }
    },
    closePullRequest: async (number, { merged = false, by } = {}) => {
      const pr = requirePullRequest(world, number);
      const at = world.now();
      const merge = merged ? { sha: await mergeIntoBase(world, pr), by: by ?? pr.author, at } : undefined;
      const closed = updatePullRequest(world, number, { state: 'closed', closedAt: at, merge });
      await tell(closed, 'closed', by);
    },
    reopenPullRequest: async (number, actor = {}) => {
      const open = updatePullRequest(world, number, { state: 'open', closedAt: undefined });
      await tell(await takeInPushes(world, open), 'reopened', actor.by);
    },
    setDraft: (number, draft, actor) =>
      change(number, { draft }, draft ? 'converted_to_draft' : 'ready_for_review', actor),
    editPullRequest: async (number, wanted) => {
      const before = requirePullRequest(world, number);
      const after = updatePullRequest(world, number, await editedFields(world, wanted));
      if (after.baseSha !== before.baseSha) await followThreads(world, after);
      await tell(after, 'edited', wanted.by, { changes: changesField(before, after) });
    },
    addLabel: async (number, name, actor = {}) => {
      if (!putLabel(world, number, name)) return;
      await tell(requirePullRequest(world, number), 'labeled', actor.by, labelField(world, name));
    },
    removeLabel: async (number, name, actor = {}) => {
      if (!takeLabel(world, number, name)) return;
      await tell(requirePullRequest(world, number), 'unlabeled', actor.by, labelField(world, name));
    },
    lock: (number, actor) => change(number, { locked: true }, 'locked', actor),
    unlock: (number, actor) => change(number, { locked: false }, 'unlocked', actor),
    deleteFork: (number) => {
      const { head } = requirePullRequest(world, number);
      if (head.from === 'same') throw new RefusedActError(`#${number} does not come from a fork`);
      updatePullRequest(world, number, { head: { ...head, from: { ...head.from, deleted: true } } });
    },
  };
}

async function takeInPushes(world: World, pr: PullRequestRecord): Promise<PullRequestRecord> {
  const head = { ...pr.head, sha: await branchTip(world, pr.head.ref) };
  const next = updatePullRequest(world, pr.number, { head, baseSha: await branchTip(world, pr.baseRef) });
  await keepHeadRef(world, next);
  await followThreads(world, next);
  return next;
}

function mergeIntoBase(world: World, pr: PullRequestRecord): Promise<string> {
  return commitMerge(world.git.gitDir, {
    branch: pr.baseRef,
    from: pr.head.sha,
    message: `Merge pull request #${pr.number} from ${pr.head.ref}\n\n${pr.title}`,
  });
}

async function editedFields(
  world: World,
  { title, body, base }: { readonly title?: string; readonly body?: string | null; readonly base?: string },
): Promise<Partial<PullRequestRecord>> {
  return {
    ...(title === undefined ? {} : { title }),
    ...(body === undefined ? {} : { body }),
    ...(base === undefined ? {} : { baseRef: base, baseSha: await branchTip(world, base) }),
  };
}

/** Former values of what was changed, as GitHub's `changes`. */
function changesField(before: PullRequestRecord, after: PullRequestRecord): Payload {
  const retargeted = { ref: { from: before.baseRef }, sha: { from: before.baseSha } };
  return {
    ...(before.title === after.title ? {} : { title: { from: before.title } }),
    ...(before.body === after.body ? {} : { body: { from: before.body ?? '' } }),
    ...(before.baseRef === after.baseRef ? {} : { base: retargeted }),
  };
}
