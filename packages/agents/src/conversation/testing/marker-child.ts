/**
 * Starts processes that mark.
 *
 * @module
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { MarkerReport, MarkerTask } from './marker-process.ts';

const PROCESS = fileURLToPath(new URL('./marker-process.ts', import.meta.url));
const TSX = import.meta.resolve('tsx');

/** A process that marks. */
export interface MarkerChild {
  /** Resolves when a process that waits knows what is there, and is about to write. */
  readonly isReady: Promise<unknown>;
  /** What it found and did. Rejects where it ended without a report. */
  readonly report: Promise<MarkerReport>;
  /** Lets a process that waits go on. */
  go(): void;
  /** Ends it at once, as a crash would; resolves when it has ended. */
  kill(): Promise<void>;
}

/** Settings of {@link startMarking}. */
export interface MarkerChildOptions {
  /** File descriptors that it may have open. Default: as many as the test. */
  readonly maxOpenFiles?: number;
}

/** Starts a process with a task. */
export function startMarking(task: MarkerTask, { maxOpenFiles }: MarkerChildOptions = {}): MarkerChild {
  const command = [process.execPath, '--import', TSX, PROCESS, JSON.stringify(task)];
  const limit = maxOpenFiles === undefined ? '' : `ulimit -n ${maxOpenFiles} && `;
  const child = spawn('/bin/sh', ['-c', `${limit}exec "$@"`, 'sh', ...command], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const { ready, report } = readLines(child);
  return {
    isReady: ready,
    report,
    go: () => void child.stdin?.end('\n'),
    async kill() {
      report.catch(() => {}); // it is not to come
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

function readLines(child: ChildProcess) {
  if (child.stdout === null) throw new TypeError('the process has no standard output');
  const lines = createInterface({ input: child.stdout });
  const ready = new Promise<void>((resolve) => {
    lines.on('line', (line) => line === 'ready' && resolve());
  });
  const report = new Promise<MarkerReport>((resolve, reject) => {
    lines.on('line', (line) => line.startsWith('{') && resolve(JSON.parse(line)));
    child.once('close', (status) => reject(new Error(`the process ended with ${status} before it reported`)));
  });
  return { ready, report };
}
