import { nodeId } from '../world/node-id.ts';
import type { HeadRecord, PullRequestRecord } from '../world/records.ts';
import { commentsOf, comparisonOf, ofPullRequest, type World } from '../world/world.ts';
import { simpleUser } from './accounts.ts';
import { HTML_ROOT, timestamp } from './common.ts';
import { label } from './label.ts';
import { ownRepository, type RepositoryIdentity, repository } from './repository.ts';

/** Whether GitHub has found out if the branches merge; null while it is still at it. */
export type Mergeability = boolean | null;

/** Schema `pull-request-simple`, the entries of `GET …/pulls`. */
export function simplePullRequest(world: World, pr: PullRequestRecord, seesMembers: boolean) {
  return {
    ...addresses(world, pr),
    id: pr.id,
    node_id: nodeId('PR', pr.id),
    number: pr.number,
    state: pr.state,
    locked: pr.locked,
    active_lock_reason: null,
    title: pr.title,
    user: simpleUser(world, world.accounts.ensure(pr.author)),
    body: pr.body,
    labels: pr.labels.map((name) => label(world, name)),
    milestone: null,
    created_at: timestamp(pr.createdAt),
    updated_at: timestamp(pr.updatedAt),
    closed_at: pr.closedAt === undefined ? null : timestamp(pr.closedAt),
    merged_at: pr.merge === undefined ? null : timestamp(pr.merge.at),
    merge_commit_sha: pr.merge?.sha ?? null,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    draft: pr.draft,
    head: headSide(world, pr.head),
    base: side(world, ownRepository(world), pr.baseRef, pr.baseSha),
    author_association: world.accounts.associationOf(pr.author, seesMembers),
    auto_merge: null,
  };
}

/** Schema `pull-request`, with the counts that git makes of its range. */
export async function fullPullRequest(
  world: World,
  pr: PullRequestRecord,
  view: { readonly seesMembers: boolean; readonly mergeable: Mergeability },
) {
  const { files, totalCommits } = await comparisonOf(world, pr);
  const merged = pr.merge !== undefined;
  const mergeable = merged ? null : view.mergeable;
  return {
    ...simplePullRequest(world, pr, view.seesMembers),
    merged,
    mergeable,
    rebaseable: mergeable,
    mergeable_state: mergeableState(pr, mergeable),
    merged_by: pr.merge === undefined ? null : simpleUser(world, world.accounts.ensure(pr.merge.by)),
    comments: commentsOf(world, pr.number).length,
    review_comments: ofPullRequest(world.reviewComments, pr.number).length,
    maintainer_can_modify: pr.head.from !== 'same',
    commits: totalCommits,
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changed_files: files.length,
  };
}

function mergeableState(pr: PullRequestRecord, mergeable: Mergeability): string {
  if (mergeable === null) return 'unknown';
  if (!mergeable) return 'dirty';
  return pr.draft ? 'draft' : 'clean';
}

function headSide(world: World, head: HeadRecord) {
  if (head.from === 'same') return side(world, ownRepository(world), head.ref, head.sha);
  const owner = world.accounts.ensure(head.from.fork);
  // One fork per person, so the fork's id can be told from the person's.
  const fork = { id: 1_000_000 + owner.id, owner: owner.login, fork: true };
  const found = side(world, fork, head.ref, head.sha);
  return head.from.deleted ? { ...found, repo: null } : found;
}

function side(world: World, identity: RepositoryIdentity, ref: string, sha: string) {
  return {
    label: `${identity.owner}:${ref}`,
    ref,
    sha,
    user: simpleUser(world, world.accounts.ensure(identity.owner)),
    repo: repository(world, identity),
  };
}

function addresses(world: World, pr: PullRequestRecord) {
  const repo = `${world.url}/repos/${world.owner}/${world.repo}`;
  const url = `${repo}/pulls/${pr.number}`;
  const html = `${HTML_ROOT}/${world.owner}/${world.repo}/pull/${pr.number}`;
  const issue = `${repo}/issues/${pr.number}`;
  const own = {
    commits: `${url}/commits`,
    review_comments: `${url}/comments`,
    review_comment: `${repo}/pulls/comments{/number}`,
    comments: `${issue}/comments`,
    statuses: `${repo}/statuses/${pr.head.sha}`,
  };
  return {
    url,
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: issue,
    commits_url: own.commits,
    review_comments_url: own.review_comments,
    review_comment_url: own.review_comment,
    comments_url: own.comments,
    statuses_url: own.statuses,
    _links: {
      self: { href: url },
      html: { href: html },
      issue: { href: issue },
      comments: { href: own.comments },
      review_comments: { href: own.review_comments },
      review_comment: { href: own.review_comment },
      commits: { href: own.commits },
      statuses: { href: own.statuses },
    },
  };
}
