import { commitFiles } from '@openfactory/github-simulator/git';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shepherdUrl } from '../ids.ts';
import { hang, playRound, status } from '../model/testing/answers.ts';
import { chooseAt } from '../model/testing/client.ts';
import { type ProviderServerOptions, startProviderServer } from '../model/testing/provider-server.ts';
import { hold } from './testing/hold.ts';
import { FOCUSED } from './testing/scene.ts';
import { openStage, type Stage, type StageOptions } from './testing/stage.ts';

const PR = { head: 'feature', base: 'main', title: 'Add a test', author: 'ada' };
const plain = playRound({ texts: { summary: 'It adds a test.' } });

async function open(options: StageOptions = {}): Promise<Stage> {
  const stage = await openStage(options);
  await stage.commit('feature', { 'a.test.ts': FOCUSED });
  return stage;
}

async function openWithProvider(answer: ProviderServerOptions['answer'], options: StageOptions = {}) {
  const provider = await startProviderServer({ answer });
  onTestFinished(() => provider.close());
  return { provider, stage: await open({ model: chooseAt(provider.url), ...options }) };
}

function textsCalls(provider: {
  readonly requests: readonly { readonly aspect: string | undefined }[];
}): number {
  return provider.requests.filter((request) => request.aspect === undefined).length;
}

describe('a service that is stopped in the ordinary way (S2)', () => {
  it.each([
    ['while it reads the PR', /\/pulls\/1$/],
    ['while it compares', /\/compare\//],
    ['while it reads files', /\/graphql$/],
    ['while it writes its comment', /\/issues\/1\/comments/],
  ])('%s reviews after its next start', async (_name, path) => {
    const stage = await open();
    const held = hold(stage.simulator, path);
    await stage.simulator.openPullRequest(PR);
    await held.reached;
    const stopped = stage.stopService();
    held.release();
    await stopped;
    await stage.startService();
    expect((await stage.published(1)).body).toContain('a.test.ts');
    await stage.quiet();
    expect(stage.ours(1)).toHaveLength(1);
  });

  it('while a model thinks has the aspect reviewed after its next start', async () => {
    let slow = true;
    const { stage, provider } = await openWithProvider((request) =>
      slow && request.aspect === 'perf' ? hang : plain(request),
    );
    await stage.simulator.openPullRequest(PR);
    while (!provider.requests.some((request) => request.aspect === 'perf'))
      await provider.request(provider.requests.length + 1);
    await stage.stopService();
    slow = false;
    await stage.startService();
    const { body } = await stage.published(1);
    expect(body).not.toMatch(/failed|incomplete/);
  });

  it.each([
    ['asks for them again, once', false],
    ['does not ask again where the PR was closed meanwhile (S8)', true],
  ])('while a model writes the texts %s', async (_name, isClosed) => {
    let slow = true;
    const { stage, provider } = await openWithProvider((request) =>
      slow && request.aspect === undefined ? hang : plain(request),
    );
    await stage.simulator.openPullRequest(PR);
    await provider.request(7);
    await stage.stopService();
    slow = false;
    if (isClosed) await stage.simulator.closePullRequest(1);
    await stage.startService();
    if (!isClosed) await stage.published(1);
    await stage.quiet();
    expect(textsCalls(provider)).toBe(isClosed ? 1 : 2);
    expect(stage.ours(1)).toMatchObject(
      isClosed ? [] : [{ body: expect.stringContaining('It adds a test.') }],
    );
  });

  it('spends nothing on a PR that was closed meanwhile (S8)', async () => {
    const { stage, provider } = await openWithProvider(plain);
    const held = hold(stage.simulator, /\/compare\//);
    await stage.simulator.openPullRequest(PR);
    await held.reached;
    const stopped = stage.stopService();
    held.release();
    await stopped;
    await stage.simulator.closePullRequest(1);
    await stage.startService();
    await stage.quiet();
    expect(provider.requests).toEqual([]);
    expect(stage.ours(1)).toEqual([]);
  });
});

describe('rounds that were given up', () => {
  it('for an outage are begun again by the next sweep', async () => {
    const stage = await open({ roundTimeoutMs: 1_500 });
    const restore = stage.simulator.inject({
      path: /\/compare\//,
      respond: { status: 502, body: { message: 'Bad gateway' } },
    });
    await stage.simulator.openPullRequest(PR);
    await stage.failed();
    await stage.quiet();
    restore();
    await stage.stopService();
    await stage.startService();
    expect((await stage.published(1)).body).toContain('a.test.ts');
  });

  it('T-118 a texts call is made once, however often the comment has to be tried', async () => {
    const { stage, provider } = await openWithProvider(plain);
    stage.simulator.inject({
      method: 'POST',
      path: /\/issues\/1\/comments/,
      times: 2,
      respond: { status: 502, body: { message: 'Bad gateway' } },
    });
    await stage.simulator.openPullRequest(PR);
    await stage.published(1);
    expect(textsCalls(provider)).toBe(1);
  });

  it('an answer that broke off is asked for again', async () => {
    const stage = await open();
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    stage.simulator.inject({
      path: /\/compare\//,
      times: 1,
      respond: { status: 200, body: '{"files":[', headers },
    });
    await stage.simulator.openPullRequest(PR);
    expect((await stage.published(1)).body).toContain('a.test.ts');
  });

  it('one Shepherd that cannot be reached does not keep events from the others', async () => {
    const stage = await open();
    await stage.commit('other', { 'b.test.ts': FOCUSED });
    await stage.simulator.openPullRequest(PR);
    await stage.published(1);
    await stage.quiet();
    const { client } = stage.service().factory.host;
    await client.signalEntity({
      entityUrl: shepherdUrl({ owner: 'acme', repo: 'shop', number: 1 }),
      signal: 'SIGKILL',
    });
    const opened = stage.simulator.deliveries.find((delivery) => delivery.action === 'opened');
    await stage.simulator.send('pull_request', opened?.payload ?? {});
    await stage.simulator.openPullRequest({ ...PR, head: 'other' });
    expect((await stage.published(1, 2)).body).toContain('b.test.ts');
  });
});

describe('pushes at bad moments', () => {
  it('T-012 a busy PR is published after one dropped round', async () => {
    let pushes = 0;
    const { stage, provider } = await openWithProvider(async (request) => {
      if (request.aspect === undefined && pushes < 4) {
        pushes += 1;
        const sha = await stage.commit('feature', { [`file-${pushes}.ts`]: 'export {};\n' });
        await stage.simulator.push('feature', sha, { by: 'ada' });
      }
      return plain(request);
    });
    await stage.simulator.openPullRequest(PR);
    const { body } = await stage.published(1);
    expect(body).toContain('are pending');
    expect(textsCalls(provider)).toBe(2);
  });
});

describe('what an earlier round could not read (S5)', () => {
  it('T-116 is named again after a push that did not touch it', async () => {
    const { stage } = await openWithProvider(plain);
    const logo = String.fromCharCode(0, 1, 2);
    await stage.simulator.push('feature', await stage.commit('feature', { 'logo.png': logo }), { by: 'ada' });
    await stage.simulator.openPullRequest(PR);
    expect((await stage.published(1)).body).toContain('logo.png');
    await stage.simulator.push('feature', await stage.commit('feature', { 'b.ts': 'export {};\n' }), {
      by: 'ada',
    });
    const { body } = await stage.published(2);
    expect(body).toContain('logo.png');
    expect(body).not.toContain('**No issues found.**');
  });

  it('what a rewritten base branch leaves to the PR is read, although the PR itself did not change', async () => {
    const { stage } = await openWithProvider(plain);
    const { gitDir } = stage.simulator;
    const add = (parent: string, branch: string, files: Readonly<Record<string, string>>) =>
      commitFiles(gitDir, { parent, branch, files, message: 'Change' });
    const lower = await add('main', 'lower', { 'lower.test.ts': FOCUSED });
    await add(lower, 'upper', { 'upper.ts': 'export {};\n' });
    const pr = { ...PR, head: 'upper', base: 'lower' };
    const { number } = await stage.simulator.openPullRequest(pr);
    expect((await stage.published(1, number)).body).toContain('1 of 1 file read');
    // The lower one is rebased and loses its file, which is the upper one's from now on.
    await stage.simulator.push('lower', await add('main', 'scratch', { 'other.ts': 'export {};\n' }));
    const tip = await stage.commit('upper', { 'more.ts': 'export {};\n' });
    await stage.simulator.push('upper', tip, { by: 'ada' });
    expect((await stage.published(2, number)).body).toContain('3 of 3 files read');
  });

  it('a commit that undoes what only a round with a gap saw is not called unchanged', async () => {
    let broken = false;
    const { stage } = await openWithProvider((request) => {
      if (broken && request.aspect === 'tests') return status(400);
      if (!broken || request.aspect !== 'security') return plain(request);
      return playRound({
        findings: {
          security: [{ severity: 'critical', file: 'evil.ts', line: 1, message: 'It runs anything.' }],
        },
      })(request);
    });
    await stage.simulator.openPullRequest(PR);
    await stage.published(1);
    broken = true;
    const evil = await stage.commit('feature', { 'evil.ts': 'eval(input);\n' });
    await stage.simulator.push('feature', evil, { by: 'ada' });
    expect((await stage.published(2)).body).toContain('It runs anything');
    broken = false;
    await stage.simulator.push('feature', await stage.commit('feature', { 'evil.ts': null }), { by: 'ada' });
    const { body } = await stage.published(3);
    expect(body).not.toContain('the review stands');
    expect(body).toMatch(/Fixed: It runs anything/);
  });
});
