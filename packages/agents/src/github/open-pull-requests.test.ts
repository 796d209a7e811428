import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { createGitHubSimulator } from '@openfactory/github-simulator';
import { commitFiles, moveRef } from '@openfactory/github-simulator/git';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PermanentError } from '../errors.ts';
import { silentLog } from '../log.ts';
import { createGitHubAccess } from './access.ts';
import { createOpenPullRequestReader } from './open-pull-requests.ts';

const REPO = { owner: 'acme', repo: 'shop' };
const ENDLESS = new AbortController().signal;

/** A repository with this many open PRs, and its reader. */
async function openList(prs: number) {
  const app = { id: 7, slug: 'horton', installationId: 8, webhookSecret: ['a', 'b'].join('-') };
  const simulator = await createGitHubSimulator({ ...REPO, members: ['ada'], app });
  onTestFinished(() => simulator.close());
  const { gitDir } = simulator;
  const parent = await commitFiles(gitDir, { branch: 'main', files: { a: 'a' }, message: 'Begin' });
  const tip = await commitFiles(gitDir, { parent, files: { b: 'b' }, message: 'Add a file' });
  const openPr = async (name: string): Promise<void> => {
    await moveRef(gitDir, `refs/heads/${name}`, tip);
    await simulator.openPullRequest({ head: name, base: 'main', title: name, author: 'ada' });
  };
  for (let number = 1; number <= prs; number += 1) await openPr(`b${number}`);
  const access = createGitHubAccess({
    appId: app.id,
    installationId: app.installationId,
    privateKey: simulator.privateKeyPem,
    baseUrl: simulator.url,
    log: silentLog,
    onRequest: () => {},
  });
  const octokit = access.prepare(new Octokit({ authStrategy: createAppAuth, ...access.options }));
  const reader = createOpenPullRequestReader(octokit, REPO);
  let waits = 0;
  const list = async (): Promise<{ numbers: readonly number[]; complete: boolean; answers: unknown[] }> => {
    const before = simulator.requests.length;
    const beforePage = async (): Promise<void> => {
      waits += 1;
    };
    const { prs: listed, complete } = await reader.list(beforePage, ENDLESS);
    const answers = simulator.requests.slice(before).filter(({ path }) => path.includes('/pulls?'));
    return { numbers: listed.map(({ number }) => number), complete, answers: answers.map((a) => a.status) };
  };
  return { simulator, openPr, list, waits: () => waits };
}

const range = (last: number): readonly number[] => Array.from({ length: last }, (_, index) => index + 1);

describe('the list of open PRs', () => {
  it('costs nothing while nothing changed, page by page', async () => {
    const { simulator, openPr, list, waits } = await openList(100);
    // A full page may have one behind it.
    expect(await list()).toMatchObject({ numbers: range(100), complete: true, answers: [200, 200] });
    expect(await list()).toMatchObject({ numbers: range(100), answers: [304, 304] });
    await openPr('new');
    expect(await list()).toMatchObject({ numbers: range(101), answers: [200, 200] });
    await simulator.closePullRequest(50);
    const left = range(101).filter((number) => number !== 50);
    expect(await list()).toMatchObject({ numbers: left, answers: [200, 200] });
    await simulator.addLabel(1, 'pause-shepherd');
    expect(await list()).toMatchObject({ numbers: left, answers: [200, 304] });
    expect(waits()).toBe(5);
  });

  it('is the whole list or a failure, and is whole again afterwards', async () => {
    const { simulator, list } = await openList(1);
    const page = Array.from({ length: 100 }, (_, index) => listedPr(index + 1));
    simulator.inject({ path: /pulls\?.*&page=1\b/, times: 1, respond: { status: 200, body: page } });
    simulator.inject({ path: /pulls\?.*&page=2\b/, times: 1, respond: { status: 404, body: {} } });
    await expect(list()).rejects.toBeInstanceOf(PermanentError);
    expect(await list()).toMatchObject({ numbers: [1], complete: true });
  });
});

function listedPr(number: number): unknown {
  const head = { sha: 'f'.repeat(40) };
  return {
    number,
    head,
    base: { ref: 'main' },
    draft: false,
    labels: [],
    updated_at: '2026-01-05T10:00:00Z',
  };
}
