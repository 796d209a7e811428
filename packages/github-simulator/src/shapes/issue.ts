import { nodeId } from '../world/node-id.ts';
import type { PullRequestRecord } from '../world/records.ts';
import { commentsOf, type World } from '../world/world.ts';
import { simpleUser } from './accounts.ts';
import { HTML_ROOT, timestamp } from './common.ts';
import { label } from './label.ts';
import { reactionRollup } from './reaction.ts';

/** Schema `issue`: a pull request seen as the issue that carries its conversation. */
export function issue(world: World, pr: PullRequestRecord, seesMembers: boolean) {
  const repo = `${world.url}/repos/${world.owner}/${world.repo}`;
  const url = `${repo}/issues/${pr.number}`;
  const html = `${HTML_ROOT}/${world.owner}/${world.repo}/pull/${pr.number}`;
  return {
    url,
    repository_url: repo,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: html,
    id: pr.id,
    node_id: nodeId('PR', pr.id),
    number: pr.number,
    title: pr.title,
    user: simpleUser(world, world.accounts.ensure(pr.author)),
    labels: pr.labels.map((name) => label(world, name)),
    state: pr.state,
    state_reason: null,
    locked: pr.locked,
    active_lock_reason: null,
    assignee: null,
    assignees: [],
    milestone: null,
    comments: commentsOf(world, pr.number).length,
    created_at: timestamp(pr.createdAt),
    updated_at: timestamp(pr.updatedAt),
    closed_at: pr.closedAt === undefined ? null : timestamp(pr.closedAt),
    author_association: world.accounts.associationOf(pr.author, seesMembers),
    draft: pr.draft,
    pull_request: {
      url: `${repo}/pulls/${pr.number}`,
      html_url: html,
      diff_url: `${html}.diff`,
      patch_url: `${html}.patch`,
      merged_at: pr.merge === undefined ? null : timestamp(pr.merge.at),
    },
    body: pr.body,
    reactions: reactionRollup(`${url}/reactions`, []),
    timeline_url: `${url}/timeline`,
    performed_via_github_app: null,
  };
}
