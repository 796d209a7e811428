/**
 * `status`: what the running service does, asked of itself.
 *
 * @module
 */
import { loadCommonConfig } from '../config.ts';
import type { Environment } from '../config-values.ts';
import { InputError, messageOf, UnavailableError } from '../errors.ts';
import { readServiceFile, type ServiceFile } from '../host/service-file.ts';
import type { ServiceStatus } from '../host/status-routes.ts';
import { type PrRef, parseRepo, type RepoRef, sameRepo } from '../ids.ts';
import { MODEL_ENV_NAMES } from '../model/providers.ts';
import { type ShepherdStatus, statusLines } from '../review/shepherd-status.ts';

/** It is on this machine, and only reads a database. */
const TIMEOUT_MS = 10_000;

/** Options as commander gives them. */
export interface StatusCommandOptions {
  readonly json?: boolean;
}

/**
 * Writes the status of one PR, or of all, to standard output.
 * @throws UnavailableError when no service runs on the data directory
 * @throws InputError when the PR is none, or nobody looks after it
 */
export async function runStatusCommand(
  which: string | undefined,
  options: StatusCommandOptions,
  env: Environment,
): Promise<void> {
  const config = loadCommonConfig(env, process.cwd(), MODEL_ENV_NAMES);
  const pr = which === undefined ? undefined : readPr(which, config.repo);
  const service = await readServiceFile(config.dataDir);
  if (service === undefined) throw noService(config.dataDir);
  const answer = await ask(service, pr, config.dataDir);
  const write = (line: string): void => void process.stdout.write(`${line}\n`);
  if (options.json === true) write(JSON.stringify(answer));
  else for (const line of describe(answer)) write(line);
}

/** `owner/repo#12`, or `12` and `#12` for the repository that is looked after. */
function readPr(text: string, repo: RepoRef): PrRef {
  const match = /^(?:([^#\s]+)#|#)?([1-9]\d{0,9})$/.exec(text);
  const named = match?.[1] === undefined ? repo : parseRepo(match[1]);
  if (match === null || named === undefined) {
    throw new InputError(
      `${text} is no pull request; write ${repo.owner}/${repo.repo}#12, or only its number.`,
    );
  }
  if (!sameRepo(named, repo)) {
    throw new InputError(
      `${named.owner}/${named.repo} is not looked after here; SHEPHERD_REPO is ${repo.owner}/${repo.repo}.`,
    );
  }
  return { ...repo, number: Number(match[2]) };
}

async function ask(
  service: ServiceFile,
  pr: PrRef | undefined,
  dataDir: string,
): Promise<ServiceStatus | ShepherdStatus> {
  const path = pr === undefined ? '/status' : `/status/${pr.owner}/${pr.repo}/${pr.number}`;
  const response = await fetch(`${service.url}${path}`, {
    headers: { authorization: `Bearer ${service.token}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    // It wrote its file and ended without taking it away.
    throw noService(dataDir, messageOf(error));
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && typeof answer === 'object' && answer !== null) {
    return answer as ServiceStatus | ShepherdStatus;
  }
  if (response.status === 404 && pr !== undefined && isError(answer)) {
    throw new InputError(
      `Nobody looks after ${pr.owner}/${pr.repo}#${pr.number}: the service has not heard of it.`,
    );
  }
  // Something else listens there by now.
  throw noService(dataDir, `${service.url} answered ${response.status}`);
}

function isError(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'error' in answer;
}

function noService(dataDir: string, why?: string): UnavailableError {
  return new UnavailableError(
    `No service runs on ${dataDir}${why === undefined ? '' : ` (${why})`}: start one with pnpm start, or set DATA_DIR to the one that it uses.`,
  );
}

function describe(answer: ServiceStatus | ShepherdStatus): readonly string[] {
  if (!('pullRequests' in answer)) return describeOne(answer);
  const { repository, pullRequests } = answer;
  const count = pullRequests.length === 1 ? '1 pull request' : `${pullRequests.length} pull requests`;
  return [`${repository}: ${count}`, ...pullRequests.flatMap(describeOne)];
}

function describeOne(status: ShepherdStatus): readonly string[] {
  const [first, ...others] = statusLines(status);
  return [`#${status.number} ${first ?? ''}`, ...others.map((line) => `   ${line}`)];
}
