import type { AppPermissions } from '../options.ts';
import { nodeId } from '../world/node-id.ts';
import type { World } from '../world/world.ts';
import { simpleUser } from './accounts.ts';
import { HTML_ROOT, timestamp } from './common.ts';

/** Events that a reviewer App subscribes to. */
const EVENTS = [
  'check_run',
  'check_suite',
  'issue_comment',
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'pull_request_review_thread',
  'status',
] as const;

/** Schema `integration`, the answer of `GET /app` and the `performed_via_github_app` of a comment. */
export function integration(world: World) {
  const since = timestamp(world.createdAt);
  return {
    id: world.app.id,
    slug: world.app.slug,
    client_id: clientId(world),
    node_id: nodeId('A', world.app.id),
    owner: simpleUser(world, world.accounts.owner),
    name: world.app.slug,
    description: '',
    external_url: 'https://example.com',
    html_url: `${HTML_ROOT}/apps/${world.app.slug}`,
    created_at: since,
    updated_at: since,
    permissions: world.app.permissions,
    events: [...EVENTS],
  };
}

/** Schema `installation`. */
export function installation(world: World) {
  const since = timestamp(world.createdAt);
  const { owner } = world.accounts;
  const settings =
    world.ownerType === 'Organization'
      ? `${HTML_ROOT}/organizations/${owner.login}/settings`
      : `${HTML_ROOT}/settings`;
  return {
    id: world.app.installationId,
    client_id: clientId(world),
    account: simpleUser(world, owner),
    repository_selection: 'selected',
    access_tokens_url: `${world.url}/app/installations/${world.app.installationId}/access_tokens`,
    repositories_url: `${world.url}/installation/repositories`,
    html_url: `${settings}/installations/${world.app.installationId}`,
    app_id: world.app.id,
    app_slug: world.app.slug,
    target_id: owner.id,
    target_type: owner.type,
    permissions: world.app.permissions,
    events: [...EVENTS],
    created_at: since,
    updated_at: since,
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: null,
    suspended_at: null,
  };
}

/** Schema `installation-token`. */
export function installationToken(token: string, expiresAt: Date, permissions: AppPermissions) {
  return { token, expires_at: timestamp(expiresAt), permissions, repository_selection: 'selected' };
}

/** The other name of the App that GitHub accepts as `iss` of its JSON web tokens. */
export function clientId(world: World): string {
  return `Iv1.${world.app.id.toString(16).padStart(16, '0')}`;
}
