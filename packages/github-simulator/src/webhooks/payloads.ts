import { organization, simpleUser } from '../shapes/accounts.ts';
import { issueComment } from '../shapes/comment.ts';
import { issue } from '../shapes/issue.ts';
import { label } from '../shapes/label.ts';
import { fullPullRequest } from '../shapes/pull-request.ts';
import { repository } from '../shapes/repository.ts';
import type { PullRequestRecord, StoredComment } from '../world/records.ts';
import type { World } from '../world/world.ts';

/** A webhook payload: JSON that GitHub would send. */
export type Payload = Readonly<Record<string, unknown>>;

/** A `pull_request` payload of any action. `extra` are the fields that only this action has. */
export async function pullRequestPayload(
  world: World,
  pr: PullRequestRecord,
  action: string,
  sender: string,
  extra: Payload = {},
): Promise<Payload> {
  return {
    action,
    number: pr.number,
    // A webhook is computed for nobody: it sees no private membership, and no mergeability yet.
    pull_request: await fullPullRequest(world, pr, { seesMembers: false, mergeable: null }),
    ...extra,
    ...common(world, sender),
  };
}

/** The `label` field of `labeled` and `unlabeled`. */
export function labelField(world: World, name: string): Payload {
  return { label: label(world, name) };
}

/** An `issue_comment` payload. `previousBody` only for edits. */
export function issueCommentPayload(
  world: World,
  pr: PullRequestRecord,
  comment: StoredComment,
  action: 'created' | 'edited' | 'deleted',
  sender: string,
  previousBody?: string,
): Payload {
  return {
    action,
    ...(previousBody === undefined ? {} : { changes: { body: { from: previousBody } } }),
    issue: issue(world, pr, false),
    comment: issueComment(world, comment, false),
    ...common(world, sender),
  };
}

/** What every payload tells of its surroundings. */
export function common(world: World, sender: string): Payload {
  return {
    repository: repository(world),
    ...(world.ownerType === 'Organization' ? { organization: organization(world) } : {}),
    sender: simpleUser(world, world.accounts.ensure(sender)),
    installation: {
      id: world.app.installationId,
      node_id: Buffer.from(`023:IntegrationInstallation${world.app.installationId}`).toString('base64'),
    },
  };
}
