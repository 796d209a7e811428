import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_PERMISSIONS } from '../options.ts';
import { APP, type Fixture, startFixture } from '../testing/fixture.ts';

const START = Date.parse('2026-03-01T10:00:00Z');
const SECOND = 1000;
let now = START;
let fixture: Fixture;

beforeAll(async () => {
  fixture = await startFixture({ now: () => new Date(now) });
});

afterAll(() => fixture.simulator.close());

const nowSeconds = () => Math.floor(now / SECOND);
const ask = (path: string, token?: string, init: RequestInit = {}) =>
  fetch(`${fixture.simulator.url}${path}`, {
    ...init,
    headers: { ...init.headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
  });

async function signed(
  claims: Record<string, unknown>,
  pem = fixture.simulator.privateKeyPem,
): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(createPrivateKey(pem));
}

function quietOctokit(options: {
  readonly auth: unknown;
  readonly authStrategy?: typeof createAppAuth;
}): Octokit {
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  return new Octokit({ ...options, baseUrl: fixture.simulator.url, log });
}

const goodClaims = () => ({ iss: String(APP.id), iat: nowSeconds() - 60, exp: nowSeconds() + 540 });

async function mint(permissions?: Record<string, string>): Promise<string> {
  const path = `/app/installations/${APP.installationId}/access_tokens`;
  const body = permissions === undefined ? null : JSON.stringify({ permissions });
  const response = await ask(path, await signed(goodClaims()), { method: 'POST', body });
  expect(response.status).toBe(201);
  return ((await response.json()) as { token: string }).token;
}

describe('the App by its JSON web token', () => {
  it('reads itself, its installation, and gets a token', async () => {
    const { appOctokit, names } = fixture;
    expect((await appOctokit.rest.apps.getAuthenticated()).data).toMatchObject({
      id: APP.id,
      slug: APP.slug,
    });
    const { data } = await appOctokit.rest.apps.getRepoInstallation(names);
    expect(data).toMatchObject({
      id: APP.installationId,
      permissions: DEFAULT_PERMISSIONS,
      suspended_at: null,
    });
    const id = { installation_id: APP.installationId };
    expect((await appOctokit.rest.apps.getInstallation(id)).data.id).toBe(APP.installationId);
    const token = await appOctokit.rest.apps.createInstallationAccessToken(id);
    expect(token.status).toBe(201);
    expect(token.data).toMatchObject({
      permissions: DEFAULT_PERMISSIONS,
      expires_at: '2026-03-01T11:00:00Z',
    });
    const unknown = appOctokit.rest.apps.getInstallation({ installation_id: 1 });
    await expect(unknown).rejects.toMatchObject({ status: 404 });
  });

  it.each([
    ['too far', { exp: START / SECOND + 700 }, 401, /too far in the future/],
    ['expired', { exp: START / SECOND - 1 }, 401, /must be a numeric value representing the future/],
    ['issued later', { iat: START / SECOND + 30 }, 401, /'Issued at' claim/],
    ['of another App', { iss: '12' }, 404, /Integration not found/],
    ['without issuer', { iss: undefined }, 401, /could not be decoded/],
  ])('is refused when %s', async (_, claims, status, message) => {
    const response = await ask('/app', await signed({ ...goodClaims(), ...claims }));
    expect(response.status).toBe(status);
    expect(((await response.json()) as { message: string }).message).toMatch(message);
  });

  it('is refused when signed with another key, or not by RS256', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
    const unsigned = await new SignJWT(goodClaims())
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode('0'.repeat(32)));
    for (const token of [await signed(goodClaims(), pem), unsigned]) {
      expect((await ask('/app', token)).status).toBe(401);
    }
  });

  it('recovers through auth-app from a clock that is ahead, by the Date of the answer', async () => {
    // auth-app signs with the system's clock, which is far from the simulator's here.
    const auth = { appId: APP.id, privateKey: fixture.simulator.privateKeyPem };
    const octokit = quietOctokit({ authStrategy: createAppAuth, auth });
    const answer = await octokit.rest.apps.getAuthenticated();
    expect(answer.data?.id).toBe(APP.id);
    expect(
      fixture.simulator.requests.some((request) => request.path === '/app' && request.status === 401),
    ).toBe(true);
  });

  it('opens nothing that an installation token opens, nor the other way round', async () => {
    expect((await ask('/repos/acme/widgets', await signed(goodClaims()))).status).toBe(403);
    expect((await ask('/app', await mint())).status).toBe(401);
  });
});

describe('installation tokens', () => {
  it('end after an hour', async () => {
    const token = await mint();
    expect((await ask('/repos/acme/widgets', token)).status).toBe(200);
    now += 3600 * SECOND;
    const late = await ask('/repos/acme/widgets', token);
    expect(late.status).toBe(401);
    expect(await late.json()).toMatchObject({ message: 'Bad credentials' });
    now = START;
  });

  it('may be narrowed, not widened, and name what would have been enough', async () => {
    const token = await mint({ metadata: 'read', issues: 'read' });
    const refused = await ask('/repos/acme/widgets/pulls', token);
    expect(refused.status).toBe(403);
    expect(refused.headers.get('x-accepted-github-permissions')).toBe('pull_requests=read');
    expect(await refused.json()).toMatchObject({ message: 'Resource not accessible by integration' });
    const path = `/app/installations/${APP.installationId}/access_tokens`;
    const body = JSON.stringify({ permissions: { contents: 'write' } });
    expect((await ask(path, await signed(goodClaims()), { method: 'POST', body })).status).toBe(422);
  });

  it('are needed: 401 without one and with a wrong one', async () => {
    expect(await (await ask('/repos/acme/widgets')).json()).toMatchObject({
      message: 'Requires authentication',
    });
    const wrong = await ask('/repos/acme/widgets', ['ghs', 'wrong'].join('_'));
    expect([wrong.status, await wrong.json()]).toMatchObject([401, { message: 'Bad credentials' }]);
  });
});

describe('people', () => {
  const statusOf = async (path: string, token: string) =>
    (await ask(path, token, { redirect: 'manual' })).status;

  it('are members or not, and nobody’s business without members permission', async () => {
    const full = await mint();
    expect(await statusOf('/orgs/acme/members/Alice', full)).toBe(204);
    expect(await statusOf('/orgs/acme/members/bob', full)).toBe(404);
    expect(await statusOf('/orgs/other/members/alice', full)).toBe(404);
    const narrow = await mint({ metadata: 'read' });
    const led = await ask('/orgs/acme/members/alice', narrow, { redirect: 'manual' });
    expect(led.status).toBe(302);
    expect(led.headers.get('location')).toBe(`${fixture.simulator.url}/orgs/acme/public_members/alice`);
    expect((await ask('/orgs/acme/members/alice', narrow)).status).toBe(404);
  });

  it('have a permission on the repository', async () => {
    const octokit = quietOctokit({ auth: await mint() });
    const of = async (username: string) =>
      (await octokit.rest.repos.getCollaboratorPermissionLevel({ ...fixture.names, username })).data;
    expect(await of('bob')).toMatchObject({
      permission: 'write',
      role_name: 'maintain',
      user: { login: 'bob' },
    });
    const alice = await of('alice');
    expect(alice).toMatchObject({ permission: 'read', role_name: 'read' });
    const route = '/repos/{owner}/{repo}/collaborators/{username}/permission';
    expect(fixture.openApi.checkAnswer('GET', route, 200, alice)).toBeUndefined();
    expect(await statusOf('/repos/acme/widgets/collaborators/nobody/permission', await mint())).toBe(404);
  });

  it('are found by login, bots with their brackets', async () => {
    const octokit = quietOctokit({ auth: await mint() });
    const { data } = await octokit.rest.users.getByUsername({ username: 'horton[bot]' });
    expect(data).toMatchObject({ id: fixture.simulator.botUserId, type: 'Bot' });
    expect(fixture.openApi.checkAnswer('GET', '/users/{username}', 200, data)).toBeUndefined();
    await expect(octokit.rest.users.getByUsername({ username: 'nobody' })).rejects.toMatchObject({
      status: 404,
    });
  });
});
