import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { commitFiles, initBare } from '@openfactory/github-simulator/git';
import { describe, expect, it, onTestFinished } from 'vitest';
import { processEnvironment } from '../config.ts';

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const child = spawn(process.execPath, ['--import', 'tsx', CLI, ...args], {
    cwd: ROOT,
    env: { PATH: processEnvironment().PATH ?? '', HOME: '/nonexistent', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => void child.once('exit', resolve));
  const [status, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { status, stdout, stderr };
}

async function repository(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'openfactory-cli-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const gitDir = join(folder, 'repo.git');
  await initBare(gitDir);
  await commitFiles(gitDir, { branch: 'main', files: { 'a.txt': 'a\n' }, message: 'Begin' });
  await commitFiles(gitDir, {
    branch: 'main',
    files: { 'a.test.ts': "it.only('a', () => {});\n" },
    message: 'Test',
  });
  return gitDir;
}

describe('start', () => {
  it('tells all that is missing at once, each with its remedy, and ends with 78', async () => {
    const { status, stderr, stdout } = await run(['start'], { PORT: 'high' });
    expect(status).toBe(78);
    expect(stdout).toBe('');
    for (const name of [
      'GH_APP_ID',
      'GH_APP_INSTALLATION_ID',
      'GH_APP_PRIVATE_KEY',
      'GITHUB_WEBHOOK_SECRET',
      'PORT',
    ]) {
      expect(stderr).toContain(name);
    }
  });
});

describe('demo --json', () => {
  it('reviews a local range that it only reads, in one comment with two iterations', async () => {
    const repo = await repository();
    const before = await readdir(repo, { recursive: true });
    const { status, stdout } = await run(['demo', '--repo', repo, '--json']);
    expect(status).toBe(0);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const comments = events.filter((event) => event.type === 'comment');
    expect(comments).toMatchObject([
      { action: 'created', iteration: 1 },
      { action: 'updated', iteration: 2 },
    ]);
    expect(comments[0].body).toContain('a.test.ts');
    expect(events.at(-1)).toMatchObject({ type: 'done', comments: 1, modelCalls: 0 });
    expect(await readdir(repo, { recursive: true })).toEqual(before);
  });

  it('ignores a provider key unless a model is asked for by name', async () => {
    const repo = await repository();
    const key = ['sk', 'nobody', 'pays'].join('-');
    const { stdout } = await run(['demo', '--repo', repo, '--json'], { ANTHROPIC_API_KEY: key });
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ type: 'done', modelCalls: 0 });
  });
});

describe('review', () => {
  it('writes Markdown to standard output and progress to standard error', async () => {
    const repo = await repository();
    const { status, stdout, stderr } = await run([
      'review',
      '--repo',
      repo,
      '--base',
      'HEAD~1',
      '--head',
      'HEAD',
    ]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^## PR Shepherd Review\n/);
    expect(stdout).toContain('a.test.ts:1');
    expect(stdout).not.toContain('](/');
    expect(stderr).toContain('built-in analyzers');
  });
});

describe('bad input', () => {
  it.each([
    ['a path that is no repository', ['demo', '--repo', '/nonexistent'], /not a git repository/],
    [
      'a base that does not exist',
      ['demo', '--repo', '.', '--base', 'no-such-ref'],
      /no-such-ref names no commit/,
    ],
    ['an empty range', ['review', '--repo', '.', '--base', 'HEAD', '--head', 'HEAD'], /changes no file/],
  ])('%s: one clear sentence, status 65', async (_name, args, sentence) => {
    const { status, stdout, stderr } = await run(args);
    expect(status).toBe(65);
    expect(stdout).toBe('');
    expect(stderr).toMatch(sentence);
    expect(
      stderr
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('Reviewing with')),
    ).toHaveLength(1);
  });

  it.each([
    ['an unknown flag', ['demo', '--repos', 'x'], /Did you mean --repo/],
    ['an unknown command', ['reviw'], /Did you mean review/],
    ['a missing option', ['review'], /--repo/],
  ])('%s: status 64', async (_name, args, sentence) => {
    const { status, stderr } = await run(args);
    expect(status).toBe(64);
    expect(stderr).toMatch(sentence);
  });

  it('an unknown model: status 78, with near names', async () => {
    const key = ['sk', 'x'].join('-');
    const env = { SHEPHERD_MODEL: 'anthropic/claude-sonet-4-6', ANTHROPIC_API_KEY: key };
    const { status, stderr } = await run(['demo'], env);
    expect(status).toBe(78);
    expect(stderr).toContain('claude-sonnet-4-6');
    expect(stderr).not.toContain(key);
  });
});
