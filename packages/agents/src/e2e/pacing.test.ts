import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createGitHubSimulator } from '@openfactory/github-simulator';
import { commitFiles, moveRef } from '@openfactory/github-simulator/git';
import { expect, it, onTestFinished } from 'vitest';
import { startService } from '../host/serve.ts';
import { silentLog } from '../log.ts';
import { createJumpClock } from '../testing/jump-clock.ts';
import { APP, configFor } from './testing/stage.ts';

const PRS = 100;
const MINUTE_MS = 60_000;
/** Without a request for this long, whoever still waits waits for the clock. */
const IDLE_MS = 400;

it('a hundred PRs opened at once get their comments within the limits of GitHub', async () => {
  // Time stands still while there is work, so that all of it falls into one minute.
  const clock = createJumpClock(Date.now());
  const now = (): Date => new Date(clock.now());
  const simulator = await createGitHubSimulator({
    owner: 'acme',
    repo: 'shop',
    members: ['ada'],
    app: APP,
    now,
  });
  onTestFinished(() => simulator.close());
  const folder = await mkdtemp(join(tmpdir(), 'openfactory-pacing-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { gitDir } = simulator;
  const parent = await commitFiles(gitDir, {
    branch: 'main',
    files: { 'a.txt': 'a\n' },
    message: 'Begin',
  });
  const tip = await commitFiles(gitDir, { parent, files: { 'b.txt': 'b\n' }, message: 'Add a file' });
  await Promise.all(Array.from({ length: PRS }, (_, index) => moveRef(gitDir, `refs/heads/b${index}`, tip)));

  const sentMs: number[] = [];
  const onRequest = (): void => void sentMs.push(clock.now());
  simulator.inject({ method: 'POST', path: /\/comments$/, onRequest });
  let events = 0;
  const count = (): void => {
    events += 1;
  };
  const config = configFor(simulator, folder, { roundTimeoutMs: 30 * MINUTE_MS });
  const hooks = { clock, onGitHubRequest: count, onProgress: count };
  const service = await startService(config, { kind: 'analyzers' }, silentLog, hooks);
  onTestFinished(() => service.close());
  simulator.setWebhookUrl(`${service.url}/webhooks/github`);
  await Promise.all(
    Array.from({ length: PRS }, (_, index) =>
      simulator.openPullRequest({ head: `b${index}`, base: 'main', title: 'Add a file', author: 'ada' }),
    ),
  );

  const numbers = Array.from({ length: PRS }, (_, index) => index + 1);
  const missing = (): boolean => numbers.some((number) => simulator.comments(number).length === 0);
  while (missing()) {
    for (let before = -1; before !== events; ) {
      before = events;
      await setTimeout(IDLE_MS);
    }
    if (missing()) clock.jump();
  }

  for (const atMs of sentMs) {
    const minute = sentMs.filter((otherMs) => otherMs >= atMs && otherMs < atMs + MINUTE_MS);
    expect(minute.length).toBeLessThanOrEqual(75);
  }
  expect(sentMs).toHaveLength(PRS);
  expect(numbers.every((number) => simulator.comments(number).length === 1)).toBe(true);
  // There is no pause between those for which there is room.
  expect(sentMs.filter((atMs) => atMs === sentMs[0]).length).toBeGreaterThan(50);
  expect(simulator.requests.filter(({ status }) => status === 403 || status === 429)).toEqual([]);
}, 120_000);
