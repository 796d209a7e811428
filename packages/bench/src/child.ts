/**
 * Processes of their own, and calls to the commands that they serve.
 *
 * @module
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { monotonicMs } from './monotonic.ts';

/** What a child process serves: functions whose arguments and results are JSON. */
export type Commands = Readonly<Record<string, (...args: never[]) => unknown>>;

/** A child process that serves. */
export interface Child<TCommands extends Commands> {
  /** The port that it listens on. */
  readonly port: number;
  /** When it was started, as {@link monotonicMs} tells it. */
  readonly startedAtMs: number;
  call<TName extends keyof TCommands & string>(
    name: TName,
    ...args: Parameters<TCommands[TName]>
  ): Promise<Awaited<ReturnType<TCommands[TName]>>>;
  /** Lets it close what it has open; resolves when it has ended. */
  stop(): Promise<void>;
}

/** From the parent to its child. */
export interface CallMessage {
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

/** From the child to its parent. */
export type ChildMessage =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string };

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

function settleCalls(process: ChildProcess, file: string) {
  const waiting = new Map<number, Waiting>();
  process.on('message', (message: ChildMessage) => {
    if (message.kind === 'listening') return;
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.kind === 'result') call?.resolve(message.result);
    else call?.reject(new Error(message.reason));
  });
  process.on('exit', (code) => {
    for (const call of waiting.values()) call.reject(new Error(`${file} ended with status ${code}`));
  });
  return waiting;
}

async function listening(process: ChildProcess, file: string): Promise<number> {
  const port = new Promise<number>((resolve) => {
    process.on('message', (message: ChildMessage) => {
      if (message.kind === 'listening') resolve(message.port);
    });
  });
  const ended = once(process, 'exit').then(([code]) => {
    throw new Error(`${file} ended with status ${code} before it listened`);
  });
  ended.catch(() => {}); // ends some time, after it has listened
  return Promise.race([port, ended]);
}

/**
 * Starts a file of `hosts/` as a process of its own.
 *
 * @param file - such as `entity-host.ts`
 * @param execArgv - options of Node, beside the loader of TypeScript
 * @throws Error when it ends before it listens
 */
export async function startChild<TCommands extends Commands>(
  file: string,
  args: readonly string[],
  execArgv: readonly string[] = [],
): Promise<Child<TCommands>> {
  const startedAtMs = monotonicMs();
  const process = fork(fileURLToPath(new URL(`./hosts/${file}`, import.meta.url)), [...args], {
    execArgv: ['--import', 'tsx', ...execArgv],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const waiting = settleCalls(process, file);
  const port = await listening(process, file);
  let lastId = 0;
  return {
    port,
    startedAtMs,
    call(name, ...args) {
      lastId += 1;
      const id = lastId;
      const result = new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
      });
      const message: CallMessage = { id, name, args };
      process.send(message);
      return result as ReturnType<Child<TCommands>['call']> as never;
    },
    async stop() {
      if (process.exitCode !== null) return;
      const ended = once(process, 'exit');
      process.disconnect();
      await ended;
    },
  };
}
