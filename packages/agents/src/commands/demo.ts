/**
 * `demo`: options and output of the demo.
 *
 * @module
 */
import { loadCommonConfig } from '../config.ts';
import type { Environment } from '../config-values.ts';
import { liveReporter } from '../demo/live-reporter.ts';
import { jsonReporter, type Reporter, storyReporter } from '../demo/reporter.ts';
import { runDemo } from '../demo/run-demo.ts';
import { createLog } from '../host/pino-log.ts';
import type { RangeRequest } from '../local/local-range.ts';
import { MODEL_ENV_NAMES } from '../model/providers.ts';
import { interruption } from './interruption.ts';
import { fromHere } from './paths.ts';
import { describeReviewer, onlyIfAsked, reviewerOf } from './reviewer.ts';

/** Options as commander gives them. */
export interface DemoCommandOptions {
  readonly repo?: string;
  readonly base?: string;
  readonly head?: string;
  readonly json?: boolean;
  readonly keep?: boolean;
}

/**
 * Runs the demo.
 * @throws InputError when the range cannot be reviewed
 * @throws ConfigError when the model that is asked for is not there
 */
export async function runDemoCommand(options: DemoCommandOptions, env: Environment): Promise<void> {
  const config = loadCommonConfig(env, process.cwd(), MODEL_ENV_NAMES);
  for (const warning of config.warnings) process.stderr.write(`${warning}\n`);
  const model = await reviewerOf(onlyIfAsked(config.model));
  const reporter = createReporter(options);
  const interrupted = interruption();
  const demo = await runDemo({
    range: rangeOf(options, env),
    model,
    introduction: describeReviewer(model),
    reporter,
    // The story is told; of the log only what went wrong matters.
    interrupted,
    log: createLog({ level: 'warn', pretty: process.stderr.isTTY }),
  });
  await reporter.finished();
  if (options.keep) {
    process.stderr.write(
      `GitHub at ${demo.simulatorUrl}, service at ${demo.serviceUrl}, data in ${demo.dataDir}; Ctrl-C ends it.\n`,
    );
    await interrupted;
  }
  await demo.close();
}

function createReporter(options: DemoCommandOptions): Reporter {
  const write = (line: string): void => void process.stdout.write(`${line}\n`);
  if (options.json) return jsonReporter(write);
  return process.stdout.isTTY ? liveReporter(write) : storyReporter(write);
}

function rangeOf(options: DemoCommandOptions, env: Environment): RangeRequest | undefined {
  const { repo, base, head } = options;
  if (repo === undefined && base === undefined && head === undefined) return undefined;
  const tip = head ?? 'HEAD';
  return { repo: fromHere(repo ?? '.', env), base: base ?? `${tip}~1`, head: tip };
}
