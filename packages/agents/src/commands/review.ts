/**
 * `review`: a review of a local range, without GitHub, runtime or database.
 *
 * @module
 */
import { readFile } from 'node:fs/promises';
import { loadCommonConfig } from '../config.ts';
import type { Environment } from '../config-values.ts';
import { createLog } from '../host/pino-log.ts';
import { openLocalRange } from '../local/local-range.ts';
import { reviewLocalRange } from '../local/review-local.ts';
import { MODEL_ENV_NAMES } from '../model/providers.ts';
import { brokenOutput } from './interruption.ts';
import { fromHere } from './paths.ts';
import { describeReviewer, reviewerOf } from './reviewer.ts';

const PLAYBOOK = new URL('../../skills/reviewing-pull-requests.md', import.meta.url);

/** Options as commander gives them. */
export interface ReviewCommandOptions {
  readonly repo: string;
  readonly base: string;
  readonly head: string;
}

/**
 * Writes the review to standard output, and progress to standard error. Writes nothing else anywhere.
 * @throws InputError when the range cannot be reviewed
 * @throws ConfigError when the model that is asked for is not there
 */
export async function runReviewCommand(options: ReviewCommandOptions, env: Environment): Promise<void> {
  const config = loadCommonConfig(env, process.cwd(), MODEL_ENV_NAMES);
  for (const warning of config.warnings) process.stderr.write(`${warning}\n`);
  const range = await openLocalRange({ ...options, repo: fromHere(options.repo, env) });
  const model = await reviewerOf(config.model);
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  say(describeReviewer(model));
  const markdown = await reviewLocalRange({
    range,
    model,
    skill: await readFile(PLAYBOOK, 'utf8'),
    date: new Date().toISOString().slice(0, 10),
    say,
    log: createLog({ level: 'warn', pretty: process.stderr.isTTY }),
  });
  const broken = brokenOutput();
  const failed = await new Promise<boolean>((resolve) => {
    process.stdout.write(`${markdown}\n`, (error) => resolve(error !== undefined && error !== null));
  });
  if (failed) throw await broken;
}
