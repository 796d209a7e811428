/**
 * A GitHub on loopback and the service, in one process, for end-to-end tests. Nothing in between is
 * replaced: deliveries are signed and sent over HTTP, Octokit talks to the simulator over HTTP.
 *
 * @module
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGitHubSimulator, type GitHubSimulator } from '@openfactory/github-simulator';
import { commitFiles, commitMerge, moveRef, openGit } from '@openfactory/github-simulator/git';
import { onTestFinished } from 'vitest';
import type { Progress } from '../../agents/services.ts';
import type { ServiceConfig } from '../../config.ts';
import { Secret } from '../../config-secret.ts';
import { type Service, startService } from '../../host/serve.ts';
import { silentLog } from '../../log.ts';
import type { ModelChoice } from '../../model/choice.ts';

/** Credentials of the simulated App; they mean nothing anywhere else. */
export const APP = {
  id: 77,
  slug: 'horton',
  installationId: 99,
  webhookSecret: ['stage', 'secret'].join('-'),
};

/** What a stage may be given. */
export interface StageOptions {
  readonly model?: ModelChoice;
  readonly members?: readonly string[];
  readonly settleMs?: number;
  readonly roundTimeoutMs?: number;
}

/** A running stage. */
export interface Stage {
  readonly simulator: GitHubSimulator;
  readonly service: Service;
  readonly progress: readonly Progress[];
  readonly modelCalls: () => number;
  /** Resolves when the comment of an iteration was written. */
  readonly published: (iteration: number) => Promise<Extract<Progress, { type: 'comment' }>>;
  /** Resolves when nothing is under way: no delivery, no handler. Timers that wait do not count. */
  readonly quiet: () => Promise<void>;
  /** Commits on top of a branch for a later push; a branch that is not there is made from `main`. */
  readonly commit: (
    branch: string,
    files: Readonly<Record<string, string | null>>,
    message?: string,
  ) => Promise<string>;
  /** Merges `from` into the tip of a branch, for a later push. */
  readonly merge: (branch: string, from: string) => Promise<string>;
  /** Every byte that the service keeps, as text. */
  readonly databaseText: () => Promise<string>;
  /** Our comments on a PR. */
  readonly ours: (pr: number) => readonly { readonly id: number; readonly body: string }[];
}

/** Starts a simulator with a first commit on `main`, and the service; both end with the test. */
export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'openfactory-e2e-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const simulator = await createGitHubSimulator({
    owner: 'acme',
    repo: 'shop',
    members: options.members ?? ['ada'],
    app: APP,
  });
  onTestFinished(() => simulator.close());
  const commit: Stage['commit'] = async (branch, files, message = 'Change files') => {
    const git = await openGit(simulator.gitDir);
    const parent = (await git.resolve(`refs/heads/${branch}`)) ?? (await git.resolve('refs/heads/main'));
    return commitFiles(simulator.gitDir, {
      branch,
      files,
      message,
      ...(parent === undefined ? {} : { parent }),
    });
  };
  await commit('main', { 'README.md': '# Shop\n', 'src/price.ts': 'export const price = 1;\n' }, 'Begin');
  const watcher = createWatcher();
  const service = await startService(
    configFor(simulator, folder, options),
    options.model ?? { kind: 'analyzers' },
    silentLog,
    watcher.hooks,
  );
  onTestFinished(() => service.close());
  simulator.setWebhookUrl(`${service.url}/webhooks/github`);
  return {
    simulator,
    service,
    progress: watcher.progress,
    modelCalls: watcher.modelCalls,
    published: watcher.published,
    quiet: async () => {
      await simulator.delivered();
      await service.factory.host.settled();
      // Our own writes make deliveries, too.
      await simulator.delivered();
      await service.factory.host.settled();
    },
    commit,
    merge: async (branch, from) => {
      await moveRef(simulator.gitDir, 'refs/heads/merge-scratch', branch);
      return commitMerge(simulator.gitDir, { branch: 'merge-scratch', from });
    },
    databaseText: async () => {
      const dataDir = join(folder, 'data');
      const names = await readdir(dataDir, { recursive: true, withFileTypes: true });
      const files = names.filter((entry) => entry.isFile());
      const texts = await Promise.all(
        files.map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')),
      );
      return texts.join('\n');
    },
    ours: (pr) => simulator.comments(pr).filter((comment) => comment.byApp),
  };
}

/** The service's configuration for a simulator. */
export function configFor(
  simulator: GitHubSimulator,
  folder: string,
  options: StageOptions = {},
): ServiceConfig {
  return {
    app: { id: APP.id, installationId: APP.installationId, privateKey: new Secret(simulator.privateKeyPem) },
    webhookSecret: new Secret(APP.webhookSecret),
    github: { apiUrl: simulator.url, webUrl: 'https://github.example' },
    endpointKey: 'github-test',
    repo: { owner: 'acme', repo: 'shop' },
    windows: {
      settleMs: options.settleMs ?? 0,
      roundTimeoutMs: options.roundTimeoutMs ?? 30_000,
      sweepMs: 0,
    },
    listen: { host: '127.0.0.1', port: 0 },
    dataDir: join(folder, 'data'),
    stateDir: join(folder, 'state'),
    logLevel: 'silent',
    model: { setting: undefined, baseUrl: undefined, keys: new Secret({}) },
    warnings: [],
  };
}

function createWatcher() {
  const progress: Progress[] = [];
  const waiting: { iteration: number; resolve: (event: Extract<Progress, { type: 'comment' }>) => void }[] =
    [];
  let modelCalls = 0;
  const find = (iteration: number) =>
    progress.find((event) => event.type === 'comment' && event.iteration === iteration) as
      | Extract<Progress, { type: 'comment' }>
      | undefined;
  return {
    progress,
    modelCalls: () => modelCalls,
    hooks: {
      onProgress: (event: Progress) => {
        progress.push(event);
        if (event.type !== 'comment') return;
        for (const wait of waiting) if (wait.iteration === event.iteration) wait.resolve(event);
      },
      onModelCall: () => {
        modelCalls += 1;
      },
    },
    published: (iteration: number): Promise<Extract<Progress, { type: 'comment' }>> => {
      const known = find(iteration);
      if (known !== undefined) return Promise.resolve(known);
      return new Promise((resolve) => waiting.push({ iteration, resolve }));
    },
  };
}
