import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createGitHubSimulator, type GitHubSimulator } from '@openfactory/github-simulator';
import { commitFiles } from '@openfactory/github-simulator/git';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseReplyMarker } from '../github/reply.ts';
import type { ShepherdStatus } from '../review/shepherd-status.ts';
import { hold } from './testing/hold.ts';
import { environmentFor, type ServiceProcess, startProcess } from './testing/service-process.ts';
import { APP } from './testing/stage.ts';

const PATIENCE = { timeout: 25_000, interval: 25 };
const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url));

type Env = Readonly<Record<string, string>>;

interface ProcessWorld {
  readonly simulator: GitHubSimulator;
  readonly env: Env;
  readonly start: () => Promise<ServiceProcess>;
  /** Opens a PR of a new branch with one finding in it. */
  readonly open: (
    head: string,
    pr?: { readonly draft?: boolean; readonly labels?: readonly string[] },
  ) => Promise<number>;
}

async function openWorld(settings: Env = {}): Promise<ProcessWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'openfactory-process-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const simulator = await createGitHubSimulator({ owner: 'acme', repo: 'shop', members: ['ada'], app: APP });
  onTestFinished(() => simulator.close());
  const { gitDir } = simulator;
  const parent = await commitFiles(gitDir, {
    branch: 'main',
    files: { 'a.md': '# Shop\n' },
    message: 'Begin',
  });
  const env = { ...environmentFor(simulator, folder), ...settings };
  return {
    simulator,
    env,
    start: async () => {
      const service = await startProcess(env);
      simulator.setWebhookUrl(`${service.url}/webhooks/github`);
      return service;
    },
    open: async (head, pr = {}) => {
      const files = { [`${head}.test.ts`]: "it.only('adds', () => {});\n" };
      await commitFiles(gitDir, { branch: head, parent, files, message: 'Add a test' });
      return (await simulator.openPullRequest({ head, base: 'main', title: 'Test', author: 'ada', ...pr }))
        .number;
    },
  };
}

function reviews(simulator: GitHubSimulator, number: number): readonly string[] {
  return simulator
    .comments(number)
    .flatMap(({ byApp, body }) => (byApp && parseReplyMarker(body) === undefined ? [body] : []));
}

function answered(simulator: GitHubSimulator, number: number): readonly string[] {
  return simulator
    .comments(number)
    .flatMap(({ byApp, body }) => (byApp ? (parseReplyMarker(body) ?? []) : []));
}

/** Where a service says how it is found. */
function serviceFile(env: Env): string {
  return `${env.DATA_DIR}/service.json`;
}

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `shepherd status`. */
async function status(env: Env, ...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, ['--import', 'tsx', CLI, 'status', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => void child.once('exit', resolve));
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { status: code, stdout, stderr };
}

describe('a host that is killed', () => {
  it('T-028 between taking messages and being done with them loses none of them, and does none twice', async () => {
    const { simulator, start, open } = await openWorld();
    const first = await start();
    await open('feature');
    await vi.waitFor(() => expect(reviews(simulator, 1)).toHaveLength(1), PATIENCE);

    // Two questions, a label and a push are taken; what they ask for has not begun when the host dies.
    const looking = hold(simulator, /\/pulls\/1$/);
    const question = await simulator.comment(1, { author: 'ada', body: '@horton status' });
    await looking.reached;
    const other = await simulator.comment(1, { author: 'ada', body: '@horton help' });
    await simulator.addLabel(1, 'fix-ci');
    const files = { 'feature.test.ts': "it('adds', () => {});\n" };
    const head = await commitFiles(simulator.gitDir, { parent: 'feature', files, message: 'Run all tests' });
    await simulator.push('feature', head, { by: 'ada' });
    await first.kill();
    looking.release();

    // And once more, after the first of the answers was taken by GitHub, and before we heard that it was.
    const reply = { method: 'POST', path: /\/issues\/1\/comments$/, times: 1 };
    const sent = new Promise<void>((resolve) => {
      simulator.inject({ ...reply, afterEffect: true, onRequest: resolve });
    });
    const second = await start();
    await sent;
    await vi.waitFor(() => expect(simulator.comments(1).length).toBeGreaterThan(3), PATIENCE);
    await second.kill();

    const third = await start();
    const all = [question.nodeId, other.nodeId, 'label:fix-ci'].toSorted();
    await vi.waitFor(() => expect(answered(simulator, 1).toSorted()).toEqual(all), PATIENCE);
    await vi.waitFor(() => expect(reviews(simulator, 1)[0]).toContain(head), PATIENCE);
    for (const { guid } of [...simulator.deliveries]) await simulator.redeliver(guid);
    expect(await third.stop('SIGTERM')).toBe(0);
    expect(answered(simulator, 1).toSorted()).toEqual(all);
    expect(reviews(simulator, 1)).toHaveLength(1);
  });
});

/** What the service says of a PR, asked over HTTP as the command does; waits until it `fits`. */
async function settledStatus(
  env: Env,
  { url }: ServiceProcess,
  number: number,
  fits: (status: ShepherdStatus) => boolean,
): Promise<void> {
  const { token } = JSON.parse(await readFile(serviceFile(env), 'utf8'));
  const headers = { authorization: `Bearer ${token}` };
  await vi.waitFor(async () => {
    const answer = await fetch(`${url}/status/acme/shop/${number}`, { headers });
    expect(answer.ok && fits((await answer.json()) as ShepherdStatus)).toBe(true);
  }, PATIENCE);
}

describe('shepherd status', () => {
  it('T-123 tells what a running service does with each PR, and why not, and shows its token to nobody', async () => {
    const { simulator, env, start, open } = await openWorld({ SHEPHERD_SETTLE_MS: '60000' });
    const service = await start();
    const [reviewed, pushed, locked] = [
      await open('reviewed'),
      await open('pushed'),
      await open('locked', { draft: true }),
    ];
    const [paused, draft] = [
      await open('paused', { labels: ['pause-shepherd'] }),
      await open('draft', { draft: true }),
    ];
    await simulator.lock(locked);
    await simulator.setDraft(locked, false);
    await settledStatus(env, service, pushed, ({ lastReviewed }) => lastReviewed !== null);
    const files = { 'b.ts': 'export const b = 1;\n' };
    const head = await commitFiles(simulator.gitDir, { parent: 'pushed', files, message: 'Add b' });
    await simulator.push('pushed', head, { by: 'ada' });
    await settledStatus(env, service, pushed, ({ owed }) => owed !== null);
    await settledStatus(env, service, locked, ({ failure }) => failure !== null);
    await settledStatus(env, service, reviewed, ({ lastReviewed }) => lastReviewed !== null);
    await settledStatus(env, service, paused, ({ state }) => state === 'paused');
    await settledStatus(env, service, draft, ({ state }) => state === 'draft');

    const [all, one, ofPushed, ofLocked, unknown] = await Promise.all([
      status(env),
      status(env, `acme/shop#${reviewed}`),
      status(env, `${pushed}`, '--json'),
      status(env, `#${locked}`, '--json'),
      status(env, '99'),
    ]);
    expect(all.status).toBe(0);
    expect(all.stdout).toMatch(/^acme\/shop: 5 pull requests\n#1 active: each push is reviewed/);
    expect(all.stdout).toContain(`#${paused} not reviewing (paused): the label pause-shepherd is set`);
    expect(all.stdout).toContain(`#${draft} not reviewing (draft): it is a draft`);
    expect(one.stdout).toMatch(/^#1 active[^\n]*\n {3}reviewed the head [^\n]*\n$/);
    expect(JSON.parse(ofPushed.stdout)).toMatchObject({
      ...{ owner: 'acme', repo: 'shop', number: pushed, state: 'active', headSha: head, stranded: false },
      owed: { why: 'waits for further pushes' },
      lastReviewed: { iteration: 1, complete: true, commentId: simulator.comments(pushed)[0]?.id },
    });
    expect(JSON.parse(ofLocked.stdout)).toMatchObject({
      ...{ state: 'active', lastReviewed: null, round: null, owed: null, stranded: true },
      failure: { permanent: true, what: expect.stringMatching(/locked/i) },
    });
    expect(unknown).toMatchObject({
      status: 65,
      stdout: '',
      stderr: expect.stringContaining('acme/shop#99'),
    });

    const { token } = JSON.parse(await readFile(serviceFile(env), 'utf8'));
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect((await stat(serviceFile(env))).mode & 0o077).toBe(0);
    const printed = [all, one, ofPushed, ofLocked, unknown].map(({ stdout, stderr }) => stdout + stderr);
    expect(`${printed}${service.log()}`).not.toContain(token);
    expect((await fetch(`${service.url}/status`)).status).toBe(401);
    expect(await service.stop('SIGTERM')).toBe(0);
    expect((await status(env)).status).toBe(69);
  });

  it('says plainly that no service runs, also where one left its file behind, and what is no PR', async () => {
    const { env } = await openWorld();
    const none = await status(env);
    expect(none).toMatchObject({ status: 69, stdout: '' });
    expect(none.stderr).toMatch(/^No service runs on \S+: start one with pnpm start/);
    const token = ['left', 'behind'].join('-');
    await mkdir(`${env.DATA_DIR}`);
    await writeFile(serviceFile(env), JSON.stringify({ url: 'http://127.0.0.1:1', token, pid: 1 }));
    const [gone, typo, elsewhere] = await Promise.all([
      status(env, '1'),
      status(env, 'one'),
      status(env, 'acme/bakery#1'),
    ]);
    expect([gone.status, typo.status, elsewhere.status]).toEqual([69, 65, 65]);
    expect(gone.stderr).not.toContain(token);
    expect(typo.stderr).toBe('one is no pull request; write acme/shop#12, or only its number.\n');
    expect(elsewhere.stderr).toContain('acme/bakery is not looked after here');
    // Cut by a crash while it was written.
    await writeFile(serviceFile(env), '{"url":"http://127.0.0.1');
    expect((await status(env)).status).toBe(69);
  });
});
