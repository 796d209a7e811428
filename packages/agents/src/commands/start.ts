/**
 * `start`: the service until SIGTERM or SIGINT.
 *
 * @module
 */
import { loadConfig } from '../config.ts';
import type { Environment } from '../config-values.ts';
import { ConfigError } from '../errors.ts';
import { createLog } from '../host/pino-log.ts';
import { startService } from '../host/serve.ts';
import { MODEL_ENV_NAMES } from '../model/providers.ts';
import { endSignal } from './end-signal.ts';
import { describeReviewer, reviewerOf } from './reviewer.ts';
import { startupProblem } from './startup-problem.ts';

/**
 * Runs the service; resolves when a signal has ended it.
 * @throws ConfigError with everything that is missing or malformed
 */
export async function runStartCommand(env: Environment): Promise<void> {
  const config = loadConfig(env, process.cwd(), MODEL_ENV_NAMES);
  const model = await reviewerOf(config.model);
  if (model.kind === 'analyzers' && !config.analyzers) {
    throw new ConfigError([
      'SHEPHERD_ANALYZERS is off and there is no model, so nobody would review: set one of them.',
    ]);
  }
  const log = createLog({ level: config.logLevel, pretty: process.stderr.isTTY });
  for (const warning of config.warnings) log.warn(warning);
  log.info(describeReviewer(model));
  const service = await startService(config, model, log).catch((error: unknown) => {
    throw startupProblem(error, config);
  });
  // Before this a signal ends the process at once, which loses nothing.
  const ended = endSignal();
  log.info('serving', { url: service.url, repository: `${config.repo.owner}/${config.repo.repo}` });
  log.info('ending', { signal: await ended });
  await service.close();
}
