import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commitFiles, createBareMirror, initBare, NotAGitRepositoryError, openGit } from './git/index.ts';
import { createGitHubSimulator } from './simulator.ts';
import { APP, HOOK_SECRET } from './testing/fixture.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simulator-test-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const options = { owner: 'acme', repo: 'widgets', app: { ...APP, webhookSecret: HOOK_SECRET } };

it('serves a range of somebody’s repository from a copy, under branches of its own', async () => {
  const source = join(folder, 'source.git');
  const gitDir = join(folder, 'copy.git');
  await initBare(source, 'trunk');
  const base = await commitFiles(source, { branch: 'trunk', files: { a: '1\n' }, message: 'One' });
  const head = await commitFiles(source, { branch: 'trunk', files: { a: '2\n' }, message: 'Two' });
  await createBareMirror(source, gitDir);
  const simulator = await createGitHubSimulator({ ...options, gitDir });
  try {
    await simulator.push('base-of-range', base);
    await simulator.push('head-of-range', head);
    const opened = await simulator.openPullRequest({
      head: 'head-of-range',
      base: 'base-of-range',
      title: 'Two',
    });
    expect(opened).toEqual({ number: 1, headSha: head, baseSha: base });
    expect(await (await openGit(source)).resolve('head-of-range')).toBeUndefined();
  } finally {
    await simulator.close();
  }
  expect(existsSync(gitDir)).toBe(true);
});

it('removes the repository that it made itself', async () => {
  const simulator = await createGitHubSimulator(options);
  expect(existsSync(simulator.gitDir)).toBe(true);
  await simulator.close();
  expect(existsSync(simulator.gitDir)).toBe(false);
  await expect(fetch(simulator.url)).rejects.toThrow();
});

it('does not start over a folder that is no repository', async () => {
  const starting = createGitHubSimulator({ ...options, gitDir: join(folder, 'nowhere') });
  await expect(starting).rejects.toBeInstanceOf(NotAGitRepositoryError);
});
