import type { ReviewRecord } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { authorOrNull } from './accounts.ts';
import { HTML_ROOT, timestamp } from './common.ts';

/** Schema `pull-request-review`. */
export function review(world: World, record: ReviewRecord, seesMembers: boolean) {
  return { ...reviewFields(world, record, seesMembers), state: record.state.toUpperCase() };
}

/** Schema `webhooks_review`: the state is in lower case there, and an empty body is null. */
export function deliveredReview(world: World, record: ReviewRecord) {
  return {
    ...reviewFields(world, record, false),
    state: record.state,
    body: record.body === '' ? null : record.body,
    updated_at: timestamp(record.updatedAt),
  };
}

/** Address of a review among the pages for people. */
export function reviewHtmlUrl(world: World, { pullRequest, id }: ReviewRecord): string {
  return `${HTML_ROOT}/${world.owner}/${world.repo}/pull/${pullRequest}#pullrequestreview-${id}`;
}

function reviewFields(world: World, record: ReviewRecord, seesMembers: boolean) {
  const html = reviewHtmlUrl(world, record);
  const pullRequest = `${world.url}/repos/${world.owner}/${world.repo}/pulls/${record.pullRequest}`;
  return {
    id: record.id,
    node_id: record.nodeId,
    user: authorOrNull(world, record.author),
    body: record.body,
    html_url: html,
    pull_request_url: pullRequest,
    author_association: world.accounts.associationOf(record.author, seesMembers),
    _links: { html: { href: html }, pull_request: { href: pullRequest } },
    submitted_at: timestamp(record.createdAt),
    commit_id: record.commitSha,
  };
}
