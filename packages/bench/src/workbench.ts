/**
 * What measurements use and leave behind: processes, connections, directories. All of it is put away in the end,
 * also when a measurement fails.
 *
 * @module
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Child, type Commands, startChild } from './child.ts';
import { createHttpLoad, type HttpLoad } from './http-load.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';

/** Things that are used for a while. */
export interface Workbench {
  /** A new directory on the disk under test. */
  createDir(): Promise<string>;
  removeDir(path: string): Promise<void>;
  /**
   * Starts a file of `hosts/` as a process of its own.
   *
   * @throws Error when it ends before it listens
   */
  start<TCommands extends Commands>(file: string, args: readonly string[]): Promise<Child<TCommands>>;
  /**
   * Starts the service.
   *
   * @param env - all of its environment, besides where its data lies: in a new directory on the disk under test
   * @throws Error when it ends before it listens
   */
  startService(env: Readonly<Record<string, string>>): Promise<ServiceProcess>;
  /** Connections to a process; they end with the workbench, or before. */
  connect(to: Pick<Child<Commands>, 'port'>, connections: number): HttpLoad;
  /** Ends and removes everything. */
  close(): Promise<void>;
}

/** Settings of {@link createWorkbench}. */
export interface WorkbenchOptions {
  /** Where directories are made. */
  readonly dir: string;
  /** Where each process leaves a CPU profile when it ends; absent: there are none. */
  readonly profileDir?: string;
}

/** An empty workbench. */
export function createWorkbench({ dir, profileDir }: WorkbenchOptions): Workbench {
  const execArgv = profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
  const dirs = new Set<string>();
  const children: { stop(): Promise<void> }[] = [];
  const connected: HttpLoad[] = [];

  async function createDir(): Promise<string> {
    const path = await mkdtemp(join(dir, 'openfactory-bench-'));
    dirs.add(path);
    return path;
  }

  async function removeDir(path: string): Promise<void> {
    dirs.delete(path);
    await rm(path, { recursive: true, force: true });
  }

  return {
    createDir,
    removeDir,
    async start<TCommands extends Commands>(file: string, args: readonly string[]) {
      const child = await startChild<TCommands>(file, args, execArgv);
      children.push(child);
      return child;
    },
    async startService(env) {
      const home = await createDir();
      const own = { HOME: home, DATA_DIR: join(home, 'data') };
      const service = await startServiceProcess({ ...env, ...own }, home, execArgv);
      children.push(service);
      return service;
    },
    connect({ port }, connections) {
      const http = createHttpLoad(port, connections);
      connected.push(http);
      return http;
    },
    async close() {
      await Promise.all(connected.map((http) => http.close()));
      await Promise.all(children.map((child) => child.stop()));
      await Promise.all([...dirs].map(removeDir));
    },
  };
}
