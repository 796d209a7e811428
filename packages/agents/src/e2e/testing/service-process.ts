/**
 * The service as people run it: a process of its own, configured by its environment, that can be killed.
 *
 * @module
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { GitHubSimulator } from '@openfactory/github-simulator';
import { onTestFinished } from 'vitest';
import { processEnvironment } from '../../config.ts';
import { APP } from './stage.ts';

const CLI = fileURLToPath(new URL('../../cli.ts', import.meta.url));

/** A running service. */
export interface ServiceProcess {
  readonly url: string;
  /** Ends it at once, as a crash would. */
  readonly kill: () => Promise<void>;
  /** Stops it where it stands: it hears and does nothing more until it is killed. */
  readonly freeze: () => void;
  /** Resolves when it has ended, by whomever, with the signal that ended it. */
  readonly ended: Promise<NodeJS.Signals | null>;
  /** Asks it to end; resolves with its exit status. */
  readonly stop: (signal: NodeJS.Signals) => Promise<number | null>;
  /** What it wrote to standard error so far. */
  readonly log: () => string;
}

/** Environment of a service for a simulator. */
export function environmentFor(simulator: GitHubSimulator, folder: string): Record<string, string> {
  return {
    // Not the tests' own: no provider key and no setting of the person who runs them gets in.
    PATH: processEnvironment().PATH ?? '',
    HOME: folder,
    GH_APP_ID: String(APP.id),
    GH_APP_INSTALLATION_ID: String(APP.installationId),
    GH_APP_PRIVATE_KEY: simulator.privateKeyPem,
    GITHUB_WEBHOOK_SECRET: APP.webhookSecret,
    GITHUB_API_URL: simulator.url,
    SHEPHERD_REPO: 'acme/shop',
    SHEPHERD_SETTLE_MS: '0',
    DATA_DIR: `${folder}/data`,
    PORT: '0',
  };
}

/** Settings of {@link startProcess}. */
export interface ProcessOptions {
  /** Address of a module that it loads before its own. */
  readonly preload?: string;
  /** Is given what ends it, in case it still runs. Default: it ends with the test. */
  readonly onEnd?: (end: () => void) => void;
}

/** Starts the service, and resolves when it serves. */
export async function startProcess(
  env: Readonly<Record<string, string>>,
  { preload, onEnd = onTestFinished }: ProcessOptions = {},
): Promise<ServiceProcess> {
  const modules = ['tsx', ...(preload === undefined ? [] : [preload])];
  const imports = modules.flatMap((name) => ['--import', name]);
  const child = spawn(process.execPath, [...imports, CLI, 'start'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => {
    child.once('exit', (_status, signal) => resolve(signal));
  });
  onEnd(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  const url = await servingUrl(child, lines);
  return {
    url,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    freeze: () => void child.kill('SIGSTOP'),
    ended,
    stop: async (signal) => {
      child.kill(signal);
      await ended;
      return child.exitCode;
    },
    log: () => lines.join('\n'),
  };
}

function servingUrl(child: ChildProcess, lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.stderr === null) throw new TypeError('the process has no standard error');
    child.once('exit', (status) => reject(new Error(`it ended with ${status}:\n${lines.join('\n')}`)));
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line);
      const url = /"url":"(http:[^"]+)"/.exec(line)?.[1];
      if (url !== undefined && line.includes('"serving"')) resolve(url);
    });
  });
}
