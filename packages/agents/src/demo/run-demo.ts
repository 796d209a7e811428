/**
 * The demo: a GitHub on loopback, the real service, a signed webhook, and what comes of it. Nothing is
 * mocked but GitHub itself.
 *
 * @module
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGitHubSimulator, type GitHubSimulator } from '@openfactory/github-simulator';
import type { Progress } from '../agents/services.ts';
import type { ServiceConfig } from '../config.ts';
import { Secret } from '../config-secret.ts';
import { TransientError } from '../errors.ts';
import { type Service, startService } from '../host/serve.ts';
import type { RangeRequest } from '../local/local-range.ts';
import type { Log } from '../log.ts';
import type { ModelChoice } from '../model/choice.ts';
import { BASE_BRANCH, type DemoHistory, HEAD_BRANCH, prepareHistory } from './demo-history.ts';
import type { Reporter } from './reporter.ts';

const APP = { id: 4711, slug: 'horton', installationId: 815 };
/** Long enough to fold pushes that belong together, short enough for somebody who watches. */
const SETTLE_MS = 200;
const ROUND_TIMEOUT_MS = 300_000;
/** Beyond a round's own deadline something is broken. */
const COMMENT_TIMEOUT_MS = ROUND_TIMEOUT_MS + 60_000;
const AUTHOR = 'ada';

/** Settings of {@link runDemo}. */
export interface DemoOptions {
  /** Absent: the sample history. */
  readonly range: RangeRequest | undefined;
  readonly model: ModelChoice;
  /** Who reviews, in a sentence; said before anything is sent. */
  readonly introduction: string;
  readonly reporter: Reporter;
  readonly log: Log;
  /** Resolves with an error when the demo is to end early; it cleans up and throws it. */
  readonly interrupted: Promise<Error>;
}

/** A demo that was played and still runs. */
export interface Demo {
  readonly simulatorUrl: string;
  readonly serviceUrl: string;
  readonly dataDir: string;
  readonly close: () => Promise<void>;
}

/**
 * Plays the demo to its end and leaves it running; `close` ends it and removes what it made.
 * @throws InputError when the range cannot be reviewed
 * @throws TransientError when no comment came in time
 */
export async function runDemo(options: DemoOptions): Promise<Demo> {
  const startedMs = Date.now();
  const folder = await mkdtemp(join(tmpdir(), 'openfactory-demo-'));
  const undo: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const history = await prepareHistory(join(folder, 'repository.git'), options.range);
    options.reporter.say(options.introduction);
    const simulator = await startSimulator(folder, history);
    undo.push(() => simulator.close());
    const stage = createStage(options.reporter);
    const service = await startReviewer(folder, history, simulator, options, stage);
    undo.push(() => service.close());
    await Promise.race([play({ simulator, service, history, options, stage }), interruption(options)]);
    options.reporter.tell({
      type: 'done',
      comments: simulator.comments(1).filter((comment) => comment.byApp).length,
      githubCalls: simulator.requests.length,
      modelCalls: stage.modelCalls(),
      ms: Date.now() - startedMs,
    });
    return { simulatorUrl: simulator.url, serviceUrl: service.url, dataDir: join(folder, 'data'), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function interruption({ interrupted }: DemoOptions): Promise<never> {
  throw await interrupted;
}

function startSimulator(folder: string, history: DemoHistory): Promise<GitHubSimulator> {
  return createGitHubSimulator({
    owner: history.owner,
    repo: history.repo,
    members: [AUTHOR],
    app: { ...APP, webhookSecret: webhookSecret() },
    gitDir: join(folder, 'repository.git'),
  });
}

/** Loopback alone sees it; it is needed because there is no unsigned mode. */
function webhookSecret(): string {
  return ['demo', 'webhook', String(APP.id)].join('-');
}

function startReviewer(
  folder: string,
  history: DemoHistory,
  simulator: GitHubSimulator,
  options: DemoOptions,
  stage: Stage,
): Promise<Service> {
  const config: ServiceConfig = {
    app: {
      id: APP.id,
      installationId: APP.installationId,
      privateKey: new Secret(simulator.privateKeyPem),
    },
    webhookSecret: new Secret(webhookSecret()),
    github: { apiUrl: simulator.url, webUrl: simulator.url },
    endpointKey: 'github-demo',
    analyzers: true,
    repo: { owner: history.owner, repo: history.repo },
    windows: { settleMs: SETTLE_MS, roundTimeoutMs: ROUND_TIMEOUT_MS, sweepMs: 0 },
    listen: { host: '127.0.0.1', port: 0 },
    dataDir: join(folder, 'data'),
    stateDir: join(folder, 'state'),
    logLevel: 'warn',
    model: { setting: undefined, baseUrl: undefined, keys: new Secret({}) },
    warnings: [],
  };
  return startService(config, options.model, options.log, {
    onProgress: stage.onProgress,
    onModelCall: stage.onModelCall,
  });
}

interface Play {
  readonly simulator: GitHubSimulator;
  readonly service: Service;
  readonly history: DemoHistory;
  readonly options: DemoOptions;
  readonly stage: Stage;
}

async function play({ simulator, service, history, options, stage }: Play): Promise<void> {
  const { reporter } = options;
  simulator.setWebhookUrl(`${service.url}/webhooks/github`);
  reporter.say(`${AUTHOR} opens a pull request in ${history.owner}/${history.repo}: ${history.title}`);
  const first = stage.comment(1);
  await simulator.openPullRequest({
    head: HEAD_BRANCH,
    base: BASE_BRANCH,
    title: history.title,
    body: history.body,
    author: AUTHOR,
  });
  reportDeliveries(simulator, reporter, 0);
  await first;
  const before = simulator.deliveries.length;
  reporter.say(`${AUTHOR} pushes a follow-up: ${history.followUp}`);
  const second = stage.comment(2);
  await simulator.push(HEAD_BRANCH, history.followUpSha, { by: AUTHOR });
  reportDeliveries(simulator, reporter, before);
  await second;
}

/** Our own comments cause deliveries, too; only what people did is told. */
function reportDeliveries(simulator: GitHubSimulator, reporter: Reporter, from: number): void {
  for (const delivery of simulator.deliveries.slice(from)) {
    if (delivery.event !== 'pull_request') continue;
    reporter.tell({
      type: 'delivery',
      event: delivery.event,
      action: delivery.action ?? '',
      id: delivery.guid,
      status: delivery.status ?? null,
    });
  }
}

interface Stage {
  readonly onProgress: (progress: Progress) => void;
  readonly onModelCall: () => void;
  readonly modelCalls: () => number;
  /** Resolves when the comment of an iteration stands. */
  readonly comment: (iteration: number) => Promise<void>;
}

function createStage(reporter: Reporter): Stage {
  const waiting = new Map<number, () => void>();
  let modelCalls = 0;
  return {
    onProgress: (progress) => {
      reporter.tell(progress);
      if (progress.type === 'comment') waiting.get(progress.iteration)?.();
    },
    onModelCall: () => {
      modelCalls += 1;
    },
    modelCalls: () => modelCalls,
    comment: (iteration) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new TransientError(`No comment came within ${COMMENT_TIMEOUT_MS / 1000} s.`));
        }, COMMENT_TIMEOUT_MS);
        // A demo that ended early must not wait for it.
        timer.unref();
        waiting.set(iteration, () => {
          clearTimeout(timer);
          resolve();
        });
      }),
  };
}
