/**
 * The service as it is run: a process of its own, configured by its environment alone.
 *
 * @module
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../agents/src/cli.ts', import.meta.url));
/** Lines of its log that are kept for the message of a failure. */
const KEPT_LINES = 20;

/** A service that listens. */
export interface ServiceProcess {
  readonly url: string;
  /** Asks it to end; resolves when it has. */
  stop(): Promise<void>;
}

/**
 * Starts the service.
 *
 * @param cwd - an empty directory, so that no `.env.local` is read
 * @param execArgv - options of Node, beside the loader of TypeScript
 * @throws Error with its last log lines when it ends before it listens
 */
export async function startServiceProcess(
  env: Readonly<Record<string, string>>,
  cwd: string,
  execArgv: readonly string[],
): Promise<ServiceProcess> {
  const args = ['--import', import.meta.resolve('tsx'), ...execArgv, CLI, 'start'];
  const process = spawn(globalThis.process.execPath, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const url = await servingUrl(process);
  return {
    url,
    async stop() {
      if (process.exitCode !== null || process.signalCode !== null) return;
      const ended = once(process, 'exit');
      process.kill('SIGTERM');
      await ended;
    },
  };
}

/** The log is read to its end, or the service would wait for a full pipe. */
function servingUrl(process: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (process.stderr === null) throw new TypeError('the process has no standard error');
    const lines: string[] = [];
    process.once('exit', (status) =>
      reject(new Error(`the service ended with status ${status}:\n${lines.join('\n')}`)),
    );
    createInterface({ input: process.stderr }).on('line', (line) => {
      lines.push(line);
      lines.splice(0, lines.length - KEPT_LINES);
      const address = /"url":"(http:[^"]+)"/.exec(line)?.[1];
      if (address !== undefined && line.includes('"serving"')) resolve(address);
    });
  });
}
