/**
 * GitHub, a model provider and the service, each a process of its own; the service is warm.
 *
 * @module
 */

import type { Child } from '../child.ts';
import type { GitHubHostCommands } from '../hosts/github-host.ts';
import type { ModelHostCommands, ModelHostSetup } from '../hosts/model-host.ts';
import type { Workbench } from '../workbench.ts';
import type { RoundRecord, TimedRequest } from './round-record.ts';
import { CHANGED_LINE, sourcePath } from './sample-source.ts';
import type { GitHubHostSetup } from './team.ts';

/** Who reviews: a model that takes so long to begin with each answer, or the built-in analyzers alone. */
export type Reviewer =
  | {
      readonly kind: 'model';
      readonly thinkMs: number;
      /** Whether the analyzers' hits are its leads. */
      readonly analyzers: boolean;
    }
  | { readonly kind: 'analyzers' };

/** Settings of {@link openStage}. */
export interface StageOptions {
  readonly reviewer: Reviewer;
  readonly filesPerPr: number;
  /** Of each request to GitHub. Default: 0, as on loopback. */
  readonly latencyMs?: number;
}

/** What can be done with a warm service. */
export interface Stage {
  /** Opens a pull request and waits for its comment. */
  firstRound(): Promise<ObservedRound>;
  /** Pushes to the pull request of the last first round, and waits for its comment. */
  laterRound(): Promise<ObservedRound>;
  /** Opens so many at once and waits for all comments. */
  burst(count: number): Promise<RoundRecord>;
  /** Ends the three processes, before the workbench does. */
  close(): Promise<void>;
}

/** A round, and what the model was asked in it. */
export interface ObservedRound extends RoundRecord {
  readonly modelRequests: readonly TimedRequest[];
}

const REPO = { owner: 'acme', repo: 'shop' };
/** Credentials of the simulated App; they mean nothing anywhere else. */
const APP = {
  id: 77,
  slug: 'horton',
  installationId: 99,
  webhookSecret: ['bench', 'secret'].join('-').repeat(3),
};
const MODEL_KEY = ['bench', 'key'].join('-');
/** More than any measurement opens. */
const MEMBERS = 500;
/** Pull requests that are reviewed before anything counts. */
const WARM_UP_PRS = 8;

const MODEL_SAYS = 'An order that is heavy and free of charge is counted twice';
const ANALYZERS_SAY = 'does not wait for its async callback';

function findingAt(index: number, message: string) {
  return {
    severity: 'important' as const,
    file: sourcePath(index),
    line: CHANGED_LINE,
    message,
    impact: 'Customers pay more than they were told.',
    suggestedFix: 'Add the price of shipping in one place.',
  };
}

const FINDINGS: ModelHostSetup['findings'] = {
  correctness: [
    findingAt(0, `${MODEL_SAYS}.`),
    findingAt(3, 'The sum of no lines is rounded to minus zero.'),
  ],
  security: [findingAt(1, 'The name of the owner gets into the subject as it is.')],
  perf: [findingAt(2, 'All weights are kept, although only their sum is used.')],
};

function startGitHub(bench: Workbench, { reviewer, filesPerPr, latencyMs = 0 }: StageOptions) {
  const setup: GitHubHostSetup = {
    repo: REPO,
    app: APP,
    members: MEMBERS,
    filesPerPr,
    latencyMs,
    expectedText: reviewer.kind === 'model' ? MODEL_SAYS : ANALYZERS_SAY,
  };
  return bench.start<GitHubHostCommands>('github-host.ts', [JSON.stringify(setup)]);
}

function startModel(bench: Workbench, reviewer: Reviewer) {
  const setup: ModelHostSetup = {
    thinkMs: reviewer.kind === 'model' ? reviewer.thinkMs : 0,
    findings: FINDINGS,
  };
  return bench.start<ModelHostCommands>('model-host.ts', [JSON.stringify(setup)]);
}

async function environment(
  github: Child<GitHubHostCommands>,
  model: Child<ModelHostCommands>,
  reviewer: Reviewer,
): Promise<Readonly<Record<string, string>>> {
  const choice = {
    SHEPHERD_MODEL: 'anthropic/claude-sonnet-4-6',
    SHEPHERD_MODEL_BASE_URL: `http://127.0.0.1:${model.port}`,
    ANTHROPIC_API_KEY: MODEL_KEY,
    SHEPHERD_ANALYZERS: reviewer.kind === 'model' && !reviewer.analyzers ? 'off' : 'on',
  };
  return {
    GH_APP_ID: String(APP.id),
    GH_APP_INSTALLATION_ID: String(APP.installationId),
    GH_APP_PRIVATE_KEY: await github.call('privateKeyPem'),
    GITHUB_WEBHOOK_SECRET: APP.webhookSecret,
    GITHUB_API_URL: `http://127.0.0.1:${github.port}`,
    SHEPHERD_REPO: `${REPO.owner}/${REPO.repo}`,
    SHEPHERD_SETTLE_MS: '0',
    SHEPHERD_SWEEP_MS: '0',
    PORT: '0',
    ...(reviewer.kind === 'model' ? choice : { SHEPHERD_MODEL: 'analyzers' }),
  };
}

/** Starts the three, and has some pull requests reviewed. */
export async function openStage(bench: Workbench, options: StageOptions): Promise<Stage> {
  const { reviewer } = options;
  const [github, model] = await Promise.all([startGitHub(bench, options), startModel(bench, reviewer)]);
  const service = await bench.startService(await environment(github, model, reviewer));
  await github.call('tellTo', `${service.url}/webhooks/github`);
  let last: readonly number[] = [];

  async function observe(round: () => Promise<RoundRecord>): Promise<ObservedRound> {
    await model.call('rewind');
    const record = await round();
    return { ...record, modelRequests: await model.call('requests') };
  }

  async function open(count: number): Promise<RoundRecord> {
    last = await github.call('openUnseen', count);
    return github.call('firstRounds', last);
  }

  // With a model that thinks, one after another would take long.
  await open(WARM_UP_PRS);
  return {
    firstRound: () => observe(() => open(1)),
    laterRound: () => observe(() => github.call('laterRound', last[0] ?? 0)),
    burst: open,
    async close() {
      await Promise.all([service.stop(), github.stop(), model.stop()]);
    },
  };
}
