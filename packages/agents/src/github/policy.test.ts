import { setImmediate } from 'node:timers/promises';
import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { createGitHubSimulator } from '@openfactory/github-simulator';
import { commitFiles } from '@openfactory/github-simulator/git';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TransientError } from '../errors.ts';
import { silentLog } from '../log.ts';
import { createJumpClock } from '../testing/jump-clock.ts';
import { createGitHubAccess } from './access.ts';
import { createPacer } from './pacer.ts';
import { applyPolicy, githubError } from './policy.ts';

const REPO = { owner: 'acme', repo: 'shop' };

/** One host with two Octokits, whose pace goes by a clock that stands still. */
async function openHost() {
  const app = { id: 7, slug: 'horton', installationId: 8, webhookSecret: ['a', 'b'].join('-') };
  const now = new Date(Math.floor(Date.now() / 1000) * 1000);
  const simulator = await createGitHubSimulator({ ...REPO, members: ['ada'], app, now: () => now });
  onTestFinished(() => simulator.close());
  const base = await commitFiles(simulator.gitDir, { branch: 'main', files: { a: 'a' }, message: 'Begin' });
  const head = { branch: 'feature', parent: base, files: { b: 'b' }, message: 'Add a file' };
  await commitFiles(simulator.gitDir, head);
  await simulator.openPullRequest({ head: 'feature', base: 'main', title: 'Add a file', author: 'ada' });
  const clock = createJumpClock();
  const access = createGitHubAccess({
    appId: app.id,
    installationId: app.installationId,
    privateKey: simulator.privateKeyPem,
    baseUrl: simulator.url,
    log: silentLog,
    onRequest: () => {},
    clock,
  });
  const client = (): Octokit =>
    access.prepare(new Octokit({ authStrategy: createAppAuth, ...access.options }));
  const read = (octokit: Octokit): Promise<unknown> =>
    octokit.rest.pulls.get({ ...REPO, pull_number: 1 }).catch((error: unknown) => {
      throw githubError('read', error);
    });
  const comment = (octokit: Octokit): Promise<unknown> =>
    octokit.rest.issues.createComment({ ...REPO, issue_number: 1, body: 'x' }).catch((error: unknown) => {
      throw githubError('comment', error);
    });
  const count = (path: RegExp): number =>
    simulator.requests.filter((request) => path.test(request.path)).length;
  return { simulator, now, clock, access, one: client(), other: client(), read, comment, count };
}

const SECONDARY = { message: 'You have exceeded a secondary rate limit.' };
const NO_CREATIONS = {
  message:
    'You have exceeded a secondary rate limit and have been temporarily blocked from content creation.',
};

describe('what GitHub says to one request', () => {
  it('holds back those of all Octokits of the host until its time', async () => {
    const { simulator, clock, one, other, read, count } = await openHost();
    const respond = { status: 403, body: SECONDARY, headers: { 'retry-after': '30' } };
    simulator.inject({ path: /pulls\/1$/, times: 1, respond });
    await expect(read(one)).rejects.toMatchObject({ retryAfterMs: 30_000 });
    const waiting = [read(one), read(other)];
    await setImmediate();
    clock.jump();
    await Promise.all(waiting);
    expect(clock.now()).toBe(30_000);
    expect(count(/pulls\/1$/)).toBe(3);
  });

  it('makes a write come back later instead of standing by while the PR changes', async () => {
    const { simulator, clock, one, other, read, comment, count } = await openHost();
    const respond = { status: 403, body: NO_CREATIONS, headers: { 'retry-after': '30' } };
    simulator.inject({ method: 'POST', path: /comments$/, times: 1, respond });
    await expect(comment(one)).rejects.toMatchObject({ retryAfterMs: 30_000 });
    await expect(comment(other)).rejects.toMatchObject({ retryable: true, retryAfterMs: 30_000 });
    expect(count(/comments$/)).toBe(1);
    // Only creations are blocked.
    await read(other);
    expect(clock.now()).toBe(0);
  });

  it('about the primary limit is heeded until it is renewed, and about GraphQL by GraphQL alone', async () => {
    const { simulator, now, clock, one, other, read, count } = await openHost();
    const headers = {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(now.getTime() / 1000 + 50),
      'x-ratelimit-resource': 'graphql',
    };
    const body = { data: null, errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] };
    simulator.inject({ path: /graphql$/, times: 1, respond: { status: 200, body, headers } });
    const ask = (octokit: Octokit): Promise<unknown> => octokit.graphql('{ viewer { login } }');
    await expect(ask(one)).rejects.toMatchObject({ retryable: true, retryAfterMs: 50_000 });
    await read(other);
    const later = ask(other);
    await setImmediate();
    clock.jump();
    await later;
    expect(clock.now()).toBe(50_000);
    expect(count(/graphql$/)).toBe(2);
  });
});

describe('the token', () => {
  it('is fetched also while as many requests as may be under way wait for it', async () => {
    const { one, other, read } = await openHost();
    await Promise.all(Array.from({ length: 120 }, (_, index) => read(index % 2 === 0 ? one : other)));
  });
});

describe('a read', () => {
  it('T-118 that keeps failing is sent three times, and by no other layer again', async () => {
    const { simulator, clock, access, count } = await openHost();
    const octokit = new Octokit({ authStrategy: createAppAuth, ...access.options });
    const waitsMs: number[] = [];
    applyPolicy(octokit, {
      log: silentLog,
      pacer: createPacer(clock),
      wait: async (ms) => void waitsMs.push(ms),
      onRequest: () => {},
    });
    simulator.inject({ path: /pulls\/1$/, respond: { status: 502, body: {} } });
    await expect(octokit.rest.pulls.get({ ...REPO, pull_number: 1 })).rejects.toMatchObject({ status: 502 });
    expect(waitsMs).toEqual([500, 2_000]);
    expect(count(/pulls\/1$/)).toBe(3);
  });
});

describe('a write', () => {
  it('is not repeated, whatever became of it', async () => {
    const { simulator, one, comment } = await openHost();
    const faults = [
      { respond: { status: 502, body: { message: 'Bad gateway' } } },
      { afterEffect: true },
      { destroySocket: true },
      { respond: { status: 201, body: '{"id": 1' } },
    ];
    let sent = 0;
    const onRequest = (): void => {
      sent += 1;
    };
    for (const fault of faults) {
      simulator.inject({ method: 'POST', path: /comments$/, times: 1, onRequest, ...fault });
      await expect(comment(one)).rejects.toBeInstanceOf(TransientError);
    }
    expect(sent).toBe(faults.length);
    expect(simulator.comments(1)).toHaveLength(1);
  });

  it('a GraphQL query is none, and is repeated after a passing fault', async () => {
    const { simulator, one, count } = await openHost();
    simulator.inject({ path: /graphql$/, times: 1, respond: { status: 502, body: {} } });
    await one.graphql('{ viewer { login } }');
    expect(count(/graphql$/)).toBe(2);
  });
});

it('the seventy-sixth comment of a minute is put off by us, not by GitHub', async () => {
  const { simulator, clock, one, other, comment, count } = await openHost();
  const all = await Promise.allSettled(
    Array.from({ length: 80 }, (_, index) => comment(index % 2 === 0 ? one : other)),
  );
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(75);
  expect(count(/comments$/)).toBe(75);
  expect(simulator.requests.every(({ status }) => status !== 403)).toBe(true);
  expect(clock.now()).toBe(0);
});
