import type { Account } from '../world/accounts.ts';
import { nodeId } from '../world/node-id.ts';
import type { World } from '../world/world.ts';
import { HTML_ROOT, timestamp } from './common.ts';

const NODE_PREFIX = { User: 'U', Bot: 'BOT', Organization: 'O', Mannequin: 'M' } as const;

/** Schema `simple-user`. */
export function simpleUser(world: World, account: Account) {
  const url = `${world.url}/users/${encodeURIComponent(account.login)}`;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId(NODE_PREFIX[account.type], account.id),
    avatar_url: `https://avatars.githubusercontent.com/u/${account.id}?v=4`,
    gravatar_id: '',
    url,
    html_url: htmlUrl(account),
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: account.type,
    user_view_type: 'public',
    site_admin: false,
  };
}

/** Who wrote a review or a comment of one: null when the account is gone, where others are the ghost's. */
export function authorOrNull(world: World, login: string) {
  return world.accounts.isRemoved(login) ? null : simpleUser(world, world.accounts.ensure(login));
}

/** Schema `public-user`. */
export function publicUser(world: World, account: Account) {
  const since = timestamp(world.createdAt);
  return {
    ...simpleUser(world, account),
    name: null,
    company: null,
    blog: '',
    location: null,
    email: null,
    hireable: null,
    bio: null,
    twitter_username: null,
    public_repos: 0,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: since,
    updated_at: since,
  };
}

/** Schema `organization-simple-webhooks`. */
export function organization(world: World) {
  const { login, id } = world.accounts.owner;
  const url = `${world.url}/orgs/${login}`;
  return {
    login,
    id,
    node_id: nodeId('O', id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `https://avatars.githubusercontent.com/u/${id}?v=4`,
    description: '',
  };
}

function htmlUrl({ login, type }: Account): string {
  return type === 'Bot' ? `${HTML_ROOT}/apps/${login.replace(/\[bot\]$/, '')}` : `${HTML_ROOT}/${login}`;
}
