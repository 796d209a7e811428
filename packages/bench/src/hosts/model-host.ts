/**
 * A provider of models in a process of its own. Argument: a {@link ModelHostSetup} as JSON.
 *
 * @module
 */

import { setTimeout as pause } from 'node:timers/promises';
import { playRound } from '../../../agents/src/model/testing/answers.ts';
import { startProviderServer } from '../../../agents/src/model/testing/provider-server.ts';
import type { Finding } from '../../../agents/src/review/finding.ts';
import { recordHttp } from '../http-recorder.ts';
import { serveCommands } from './serve-commands.ts';

/** How the model behaves. */
export interface ModelHostSetup {
  /** How long it takes to begin with each of its answers. */
  readonly thinkMs: number;
  /** What it finds, by aspect. */
  readonly findings: Readonly<Partial<Record<'correctness' | 'security' | 'perf', readonly Finding[]>>>;
}

const { thinkMs, findings } = JSON.parse(process.argv[2] ?? '{}') as ModelHostSetup;
const recorder = recordHttp();
const play = playRound({ findings });
const provider = await startProviderServer({
  answer: async (request) => {
    if (thinkMs > 0) await pause(thinkMs);
    return play(request);
  },
});

const commands = {
  rewind: () => recorder.rewind(),
  /** Requests since the last `rewind`. */
  requests: () => recorder.requests(),
};

/** What this process serves. */
export type ModelHostCommands = typeof commands;

serveCommands({ port: Number(new URL(provider.url).port), commands, close: () => provider.close() });
