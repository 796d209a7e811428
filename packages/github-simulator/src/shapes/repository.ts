import { nodeId } from '../world/node-id.ts';
import type { World } from '../world/world.ts';
import { organization, simpleUser } from './accounts.ts';
import { HTML_ROOT, timestamp } from './common.ts';

/** Which repository: the simulated one, or somebody's fork of it. */
export interface RepositoryIdentity {
  readonly id: number;
  readonly owner: string;
  readonly fork: boolean;
}

export function ownRepository(world: World): RepositoryIdentity {
  return { id: world.repositoryId, owner: world.owner, fork: false };
}

/** Fields that `repository-webhooks` and `full-repository` share. */
export function repository(world: World, identity: RepositoryIdentity = ownRepository(world)) {
  const fullName = `${identity.owner}/${world.repo}`;
  const since = timestamp(world.createdAt);
  const open = [...world.pullRequests.values()].filter((pr) => pr.state === 'open').length;
  return {
    id: identity.id,
    node_id: nodeId('R', identity.id),
    name: world.repo,
    full_name: fullName,
    private: false,
    owner: simpleUser(world, world.accounts.ensure(identity.owner)),
    html_url: `${HTML_ROOT}/${fullName}`,
    description: null,
    fork: identity.fork,
    ...addresses(world, fullName),
    created_at: since,
    updated_at: since,
    pushed_at: since,
    homepage: null,
    size: 1,
    language: null,
    ...counts(open),
    ...features(),
    mirror_url: null,
    license: null,
    topics: [],
    visibility: 'public',
    default_branch: world.defaultBranch,
  };
}

/** Schema `full-repository`, the answer of `GET /repos/{owner}/{repo}`. */
export function fullRepository(world: World) {
  return {
    ...repository(world),
    ...(world.ownerType === 'Organization' ? { organization: organizationAccount(world) } : {}),
    subscribers_count: 0,
    network_count: 0,
  };
}

function organizationAccount(world: World) {
  return { ...simpleUser(world, world.accounts.owner), ...organization(world) };
}

function counts(openIssues: number) {
  return {
    stargazers_count: 0,
    watchers_count: 0,
    forks_count: 0,
    open_issues_count: openIssues,
    forks: 0,
    open_issues: openIssues,
    watchers: 0,
  };
}

function features() {
  return {
    has_issues: true,
    has_projects: true,
    has_downloads: true,
    has_wiki: true,
    has_pages: false,
    has_discussions: false,
    archived: false,
    disabled: false,
    allow_forking: true,
    is_template: false,
    web_commit_signoff_required: false,
  };
}

/** Where each of the `…_url` fields leads, relative to the repository. */
const PATHS = {
  forks_url: '/forks',
  keys_url: '/keys{/key_id}',
  collaborators_url: '/collaborators{/collaborator}',
  teams_url: '/teams',
  hooks_url: '/hooks',
  issue_events_url: '/issues/events{/number}',
  events_url: '/events',
  assignees_url: '/assignees{/user}',
  branches_url: '/branches{/branch}',
  tags_url: '/tags',
  blobs_url: '/git/blobs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  git_refs_url: '/git/refs{/sha}',
  trees_url: '/git/trees{/sha}',
  statuses_url: '/statuses/{sha}',
  languages_url: '/languages',
  stargazers_url: '/stargazers',
  contributors_url: '/contributors',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  commits_url: '/commits{/sha}',
  git_commits_url: '/git/commits{/sha}',
  comments_url: '/comments{/number}',
  issue_comment_url: '/issues/comments{/number}',
  contents_url: '/contents/{+path}',
  compare_url: '/compare/{base}...{head}',
  merges_url: '/merges',
  archive_url: '/{archive_format}{/ref}',
  downloads_url: '/downloads',
  issues_url: '/issues{/number}',
  pulls_url: '/pulls{/number}',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  labels_url: '/labels{/name}',
  releases_url: '/releases{/id}',
  deployments_url: '/deployments',
} as const;

function addresses(world: World, fullName: string) {
  const url = `${world.url}/repos/${fullName}`;
  const rest = Object.fromEntries(Object.entries(PATHS).map(([key, path]) => [key, `${url}${path}`]));
  return {
    url,
    ...(rest as { readonly [K in keyof typeof PATHS]: string }),
    git_url: `git://github.com/${fullName}.git`,
    ssh_url: `git@github.com:${fullName}.git`,
    clone_url: `${HTML_ROOT}/${fullName}.git`,
    svn_url: `${HTML_ROOT}/${fullName}`,
  };
}
