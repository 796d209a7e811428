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
import { expect, onTestFinished, vi } from 'vitest';
import type { Progress } from '../../agents/services.ts';
import type { ServiceConfig } from '../../config.ts';
import { Secret } from '../../config-secret.ts';
import { type Service, startService } from '../../host/serve.ts';
import { shepherdState } from '../../host/shepherds.ts';
import { silentLog } from '../../log.ts';
import type { ModelChoice } from '../../model/choice.ts';
import { isStranded } from '../../review/gating.ts';

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
  /** People who were let in with some permission; not of the team by that. */
  readonly collaborators?: Readonly<Record<string, 'read' | 'write'>>;
  readonly settleMs?: number;
  readonly roundTimeoutMs?: number;
  /** False: the service is started later. */
  readonly serve?: boolean;
}

type CommentEvent = Extract<Progress, { type: 'comment' }>;

/** A running stage. */
export interface Stage {
  readonly simulator: GitHubSimulator;
  /** The service that runs now. */
  readonly service: () => Service;
  readonly stopService: () => Promise<void>;
  /** Starts it on the data that is there, with another model where one is named. */
  readonly startService: (model?: ModelChoice) => Promise<void>;
  /** Where the service remembers what was shown of conversations. */
  readonly stateDir: string;
  readonly progress: readonly Progress[];
  readonly modelCalls: () => number;
  /** Resolves when the comment of an iteration was written; of the first PR unless another is named. */
  readonly published: (iteration: number, pr?: number) => Promise<CommentEvent>;
  /** Resolves when a round was given up, for good or for now. */
  readonly failed: () => Promise<void>;
  /** Resolves when nothing is under way: no delivery, no handler. Timers that wait do not count. */
  readonly quiet: () => Promise<void>;
  /** Resolves when something has become true. */
  readonly waitFor: (holds: () => boolean) => Promise<void>;
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
    collaborators: options.collaborators ?? {},
    app: APP,
  });
  onTestFinished(() => simulator.close());
  const commit: Stage['commit'] = async (branch, files, message = 'Change files') => {
    const git = await openGit(simulator.gitDir);
    const tip = await git.resolve(`refs/heads/${branch}`);
    // A branch that is there moves by a push, which is what GitHub tells of.
    if (tip !== undefined) return commitFiles(simulator.gitDir, { parent: tip, files, message });
    const parent = await git.resolve('refs/heads/main');
    return commitFiles(simulator.gitDir, {
      branch,
      files,
      message,
      ...(parent === undefined ? {} : { parent }),
    });
  };
  await commit('main', { 'README.md': '# Shop\n', 'src/price.ts': 'export const price = 1;\n' }, 'Begin');
  const watcher = createWatcher();
  let service: Service | undefined;
  const stopService: Stage['stopService'] = async () => {
    simulator.setWebhookUrl(undefined);
    await service?.close();
    service = undefined;
  };
  const startIt: Stage['startService'] = async (model = options.model ?? { kind: 'analyzers' }) => {
    service = await startService(configFor(simulator, folder, options), model, silentLog, watcher.hooks);
    simulator.setWebhookUrl(`${service.url}/webhooks/github`);
  };
  const running = (): Service => {
    if (service === undefined) throw new TypeError('the service does not run');
    return service;
  };
  onTestFinished(stopService);
  if (options.serve !== false) await startIt();
  return {
    simulator,
    service: running,
    stopService,
    startService: startIt,
    stateDir: join(folder, 'state'),
    progress: watcher.progress,
    modelCalls: watcher.modelCalls,
    published: watcher.published,
    waitFor: (holds) => vi.waitFor(() => expect(holds()).toBe(true), { timeout: 20_000 }),
    failed: () => vi.waitFor(() => expect(stranded(running())).toBe(true), { timeout: 20_000 }),
    quiet: async () => {
      await simulator.delivered();
      await running().factory.host.settled();
      // Our own writes make deliveries, too.
      await simulator.delivered();
      await running().factory.host.settled();
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

/** Whether the first PR's Shepherd has given its round up. */
function stranded(service: Service): boolean {
  const state = shepherdState(service.factory, { owner: 'acme', repo: 'shop', number: 1 });
  return state !== undefined && isStranded(state);
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
    analyzers: true,
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
  const waiting: (() => void)[] = [];
  let modelCalls = 0;
  const find = (iteration: number, pr: number): CommentEvent | undefined =>
    progress.find(
      (event): event is CommentEvent =>
        event.type === 'comment' && event.iteration === iteration && event.pr.number === pr,
    );
  return {
    progress,
    modelCalls: () => modelCalls,
    hooks: {
      onProgress: (event: Progress) => {
        progress.push(event);
        for (const look of waiting) look();
      },
      onModelCall: () => {
        modelCalls += 1;
      },
    },
    published: (iteration: number, pr = 1): Promise<CommentEvent> =>
      new Promise((resolve) => {
        const look = (): void => {
          const event = find(iteration, pr);
          if (event !== undefined) resolve(event);
        };
        waiting.push(look);
        look();
      }),
  };
}
