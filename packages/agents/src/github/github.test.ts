import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import {
  createGitHubSimulator,
  type GitHubSimulator,
  type SimulatorOptions,
} from '@openfactory/github-simulator';
import { commitFiles } from '@openfactory/github-simulator/git';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PermanentError, TransientError } from '../errors.ts';
import { parseSha, type Sha } from '../ids.ts';
import { silentLog } from '../log.ts';
import { createGitHubAccess } from './access.ts';
import { publishComment } from './comment.ts';
import { readIdentity } from './identity.ts';
import { createMemberships } from './membership.ts';
import { readComparison, readFileAt, readFileSizes, readPullRequest } from './pull-request.ts';

const REPO = { owner: 'acme', repo: 'shop' };
const PR = { ...REPO, number: 1 };

interface World {
  readonly simulator: GitHubSimulator;
  readonly octokit: Octokit;
  readonly head: Sha;
  readonly base: Sha;
}

async function openWorld(options: Partial<SimulatorOptions> = {}): Promise<World> {
  const app = { id: 7, slug: 'horton', installationId: 8, webhookSecret: ['a', 'b'].join('-') };
  const simulator = await createGitHubSimulator({ ...REPO, members: ['ada'], app, ...options });
  onTestFinished(() => simulator.close());
  const { gitDir } = simulator;
  const base = await commitFiles(gitDir, { branch: 'main', files: { 'a.txt': 'a\n' }, message: 'Begin' });
  const head = await commitFiles(gitDir, {
    branch: 'feature',
    parent: base,
    files: { 'dir/ü #1.txt': 'b\n' },
    message: 'Add a file',
  });
  await simulator.openPullRequest({ head: 'feature', base: 'main', title: 'Add a file', author: 'ada' });
  const access = createGitHubAccess({
    appId: app.id,
    installationId: app.installationId,
    privateKey: simulator.privateKeyPem,
    baseUrl: simulator.url,
    log: silentLog,
    onRequest: () => {},
  });
  const octokit = access.prepare(new Octokit({ authStrategy: createAppAuth, ...access.options }));
  return { simulator, octokit, head: sha(head), base: sha(base) };
}

function sha(text: string): Sha {
  const parsed = parseSha(text);
  if (parsed === undefined) throw new TypeError(text);
  return parsed;
}

function count(simulator: GitHubSimulator, path: RegExp): number {
  return simulator.requests.filter((request) => path.test(request.path)).length;
}

describe('reads', () => {
  it('tell a PR, its comparison, its files and their text, odd paths included', async () => {
    const { octokit, head, base } = await openWorld();
    expect(await readPullRequest(octokit, PR)).toMatchObject({
      found: true,
      pr: { title: 'Add a file', author: 'ada', headSha: head, baseRef: 'main', open: true, draft: false },
    });
    expect(await readComparison(octokit, REPO, base, head)).toMatchObject({
      kind: 'compared',
      comparison: {
        mergeBaseSha: base,
        complete: true,
        files: [{ path: 'dir/ü #1.txt', status: 'added', additions: 1 }],
      },
    });
    expect(await readFileAt(octokit, REPO, 'dir/ü #1.txt', head)).toBe('b\n');
    expect(await readFileSizes(octokit, REPO, head)).toEqual(
      new Map([
        ['a.txt', 2],
        ['dir/ü #1.txt', 2],
      ]),
    );
  });

  it('say what is not there without an error', async () => {
    const { octokit, head, base } = await openWorld();
    const gone = sha('f'.repeat(40));
    expect(await readPullRequest(octokit, { ...REPO, number: 99 })).toEqual({ found: false });
    expect(await readComparison(octokit, REPO, base, gone)).toEqual({ kind: 'unknown' });
    expect(await readFileAt(octokit, REPO, 'nope.txt', head)).toBeUndefined();
    expect(await readFileAt(octokit, REPO, 'dir', head)).toBeUndefined();
  });

  it('are repeated after a passing fault, and after no other', async () => {
    const { simulator, octokit } = await openWorld();
    const path = /\/pulls\/1$/;
    simulator.inject({ path, times: 1, respond: { status: 502, body: { message: 'Bad gateway' } } });
    expect(await readPullRequest(octokit, PR)).toMatchObject({ found: true });
    expect(count(simulator, path)).toBe(2);
    simulator.inject({ path, respond: { status: 403, body: { message: 'Resource not accessible' } } });
    await expect(readPullRequest(octokit, PR)).rejects.toBeInstanceOf(PermanentError);
    expect(count(simulator, path)).toBe(3);
  });

  it.each([
    ['429', { status: 429, body: { message: 'Slow down' } }],
    [
      '403 with a spent limit',
      { status: 403, body: { message: 'x' }, headers: { 'x-ratelimit-remaining': '0' } },
    ],
    ['403 secondary', { status: 403, body: { message: 'You have exceeded a secondary rate limit' } }],
  ])('a rate limit (%s) passes, and is not taken for an absent file', async (_name, respond) => {
    const { simulator, octokit, head } = await openWorld();
    simulator.inject({ path: /\/contents\//, respond });
    const read = readFileAt(octokit, REPO, 'a.txt', head);
    await expect(read).rejects.toBeInstanceOf(TransientError);
    expect(count(simulator, /\/contents\//)).toBe(1);
  });
});

describe('membership (T-147)', () => {
  it.each([
    ['a member, also with private membership', 'ada', 'team'],
    ['anybody else', 'eve', 'community'],
  ])('%s', async (_name, login, expected) => {
    const { octokit } = await openWorld();
    expect(await createMemberships().classify(octokit, REPO, { login, isBot: false })).toBe(expected);
  });

  it('is asked once for a person within minutes, whoever asks, and again where GitHub failed', async () => {
    const { simulator, octokit } = await openWorld();
    const memberships = createMemberships();
    simulator.inject({ path: /\/members\//, times: 1, respond: { status: 403, body: { message: 'no' } } });
    await expect(memberships.classify(octokit, REPO, { login: 'ada', isBot: false })).rejects.toThrow();
    const asked = [1, 2, 3].map(() => memberships.classify(octokit, REPO, { login: 'Ada', isBot: false }));
    expect(await Promise.all(asked)).toEqual(['team', 'team', 'team']);
    expect(count(simulator, /\/members\//)).toBe(2);
  });

  it('a bot is community, and is not asked for', async () => {
    const { simulator, octokit } = await openWorld();
    expect(await createMemberships().classify(octokit, REPO, { login: 'renovate[bot]', isBot: true })).toBe(
      'community',
    );
    expect(simulator.requests).toEqual([]);
  });

  it("a user's own repository goes by write access", async () => {
    const { octokit } = await openWorld({ ownerType: 'User', collaborators: { bob: 'write', eve: 'read' } });
    expect(await createMemberships().classify(octokit, REPO, { login: 'bob', isBot: false })).toBe('team');
    expect(await createMemberships().classify(octokit, REPO, { login: 'eve', isBot: false })).toBe(
      'community',
    );
  });

  it('without `Members: read` it is a fault with its remedy, not an outsider', async () => {
    const app = { id: 7, slug: 'horton', installationId: 8, webhookSecret: ['a', 'b'].join('-') };
    const permissions = {
      metadata: 'read',
      contents: 'read',
      pull_requests: 'write',
      issues: 'write',
    } as const;
    const { octokit } = await openWorld({ app: { ...app, permissions } });
    const classified = createMemberships().classify(octokit, REPO, { login: 'ada', isBot: false });
    await expect(classified).rejects.toBeInstanceOf(PermanentError);
    await expect(classified).rejects.toThrow('Members: read');
  });
});

describe('the one comment (S4)', () => {
  const marked = (body: string): boolean => body.includes('MARK');

  async function publisher(world: World) {
    const { botUserId } = await readIdentity(world.octokit);
    expect(botUserId).toBe(world.simulator.botUserId);
    const fits = () => Promise.resolve(true);
    return async (commentId: number | undefined, body: string, mayRecreate = true) => {
      const own = { botUserId, hasMarker: marked };
      const written = await publishComment(world.octokit, PR, own, { commentId, mayRecreate }, body, fits);
      return 'commentId' in written ? written : { ...written, commentId: undefined };
    };
  }

  it('is found among hundreds of others by author and marker', async () => {
    const world = await openWorld();
    const publish = await publisher(world);
    const { commentId } = await publish(undefined, 'MARK 1');
    for (let n = 0; n < 101; n += 1) await world.simulator.comment(1, { author: 'eve', body: `MARK ${n}` });
    expect(await publish(undefined, 'MARK 2')).toEqual({ commentId, action: 'updated' });
  });

  it('is updated by its id alone where that is known', async () => {
    const world = await openWorld();
    const publish = await publisher(world);
    const { commentId } = await publish(undefined, 'MARK 1');
    const before = count(world.simulator, /issues\/1\/comments/);
    await publish(commentId, 'MARK 2');
    expect(count(world.simulator, /issues\/1\/comments/)).toBe(before);
    expect(world.simulator.comments(1)).toMatchObject([{ body: 'MARK 2' }]);
  });

  it('T-162 is created once more after it was deleted, and not when that was not wanted either', async () => {
    const world = await openWorld();
    const publish = await publisher(world);
    const { commentId: first } = await publish(undefined, 'MARK 1');
    await world.simulator.deleteComment(first ?? 0, 'ada');
    const { commentId: second, action } = await publish(first, 'MARK 2');
    expect(action).toBe('created');
    await world.simulator.deleteComment(second ?? 0, 'ada');
    expect(await publish(second, 'MARK 3', false)).toMatchObject({ action: 'gone' });
    expect(world.simulator.comments(1)).toEqual([]);
  });

  it('is not created a second time where GitHub lists it and yet does not know it for a moment', async () => {
    const world = await openWorld();
    const publish = await publisher(world);
    const { commentId } = await publish(undefined, 'MARK 1');
    world.simulator.inject({ method: 'PATCH', path: /comments/, times: 1, respond: { status: 404 } });
    await expect(publish(commentId, 'MARK 2')).rejects.toBeInstanceOf(TransientError);
    expect(await publish(commentId, 'MARK 2')).toEqual({ commentId, action: 'updated' });
    expect(world.simulator.comments(1)).toHaveLength(1);
  });

  it('a locked conversation is refused for good', async () => {
    const world = await openWorld();
    const publish = await publisher(world);
    await world.simulator.lock(1);
    await expect(publish(undefined, 'MARK')).rejects.toBeInstanceOf(PermanentError);
  });

  it('a write whose answer is lost is not repeated by itself', async () => {
    const world = await openWorld();
    const publish = await publisher(world);
    world.simulator.inject({ method: 'POST', path: /comments/, times: 1, afterEffect: true });
    await expect(publish(undefined, 'MARK 1')).rejects.toBeInstanceOf(TransientError);
    expect(await publish(undefined, 'MARK 2')).toMatchObject({ action: 'updated' });
    expect(world.simulator.comments(1)).toHaveLength(1);
  });
});
