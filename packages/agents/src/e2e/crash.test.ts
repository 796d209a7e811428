import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGitHubSimulator, type GitHubSimulator } from '@openfactory/github-simulator';
import { commitFiles } from '@openfactory/github-simulator/git';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { hold } from './testing/hold.ts';
import { environmentFor, startProcess } from './testing/service-process.ts';
import { APP } from './testing/stage.ts';

const PATIENCE = { timeout: 25_000, interval: 50 };

async function openWorld(): Promise<{ simulator: GitHubSimulator; env: Record<string, string> }> {
  const folder = await mkdtemp(join(tmpdir(), 'openfactory-crash-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const simulator = await createGitHubSimulator({ owner: 'acme', repo: 'shop', members: ['ada'], app: APP });
  onTestFinished(() => simulator.close());
  const files = { 'README.md': '# Shop\n' };
  const parent = await commitFiles(simulator.gitDir, { branch: 'main', files, message: 'Begin' });
  await commitFiles(simulator.gitDir, {
    branch: 'feature',
    parent,
    files: { 'a.test.ts': "it.only('adds', () => {});\n" },
    message: 'Add a test',
  });
  return { simulator, env: environmentFor(simulator, folder) };
}

function ours(simulator: GitHubSimulator): readonly string[] {
  return simulator.comments(1).flatMap((comment) => (comment.byApp ? [comment.body] : []));
}

function open(simulator: GitHubSimulator): Promise<unknown> {
  return simulator.openPullRequest({ head: 'feature', base: 'main', title: 'Add a test', author: 'ada' });
}

describe('a host that is killed with SIGKILL', () => {
  it('in the middle of a round reviews after the restart, in exactly one comment', async () => {
    const { simulator, env } = await openWorld();
    const first = await startProcess(env);
    simulator.setWebhookUrl(`${first.url}/webhooks/github`);
    const { reached, release } = hold(simulator, /\/graphql$/);
    await open(simulator);
    await reached;
    await first.kill();
    release();
    expect(ours(simulator)).toEqual([]);

    const second = await startProcess(env);
    simulator.setWebhookUrl(`${second.url}/webhooks/github`);
    await vi.waitFor(() => expect(ours(simulator)).toHaveLength(1), PATIENCE);
    expect(ours(simulator)[0]).toContain('a.test.ts');

    // What GitHub sends again changes nothing.
    const opened = simulator.deliveries.find((delivery) => delivery.action === 'opened');
    expect((await simulator.redeliver(opened?.guid ?? '')).status).toBe(202);
    const sha = await commitFiles(simulator.gitDir, {
      parent: 'feature',
      files: { 'a.test.ts': "it('adds', () => {});\n" },
      message: 'Run all tests',
    });
    await simulator.push('feature', sha, { by: 'ada' });
    await vi.waitFor(() => expect(ours(simulator)[0]).toContain('iteration":2'), PATIENCE);
    expect(ours(simulator)).toHaveLength(1);
    expect(await second.stop('SIGTERM')).toBe(0);
  });

  it('T-092 after GitHub took the comment but before the answer finds it again instead of a second one', async () => {
    const { simulator, env } = await openWorld();
    const first = await startProcess(env);
    simulator.setWebhookUrl(`${first.url}/webhooks/github`);
    simulator.inject({ method: 'POST', path: /\/issues\/1\/comments/, times: 1, afterEffect: true });
    await open(simulator);
    await vi.waitFor(() => expect(ours(simulator)).toHaveLength(1), PATIENCE);
    await first.kill();

    const second = await startProcess(env);
    simulator.setWebhookUrl(`${second.url}/webhooks/github`);
    const updates = (): number =>
      simulator.requests.filter((request) => request.method === 'PATCH' && request.status === 200).length;
    await vi.waitFor(() => expect(updates()).toBe(1), PATIENCE);
    expect(ours(simulator)).toHaveLength(1);
    expect(await second.stop('SIGINT')).toBe(0);
  });
});
