/**
 * A GitHub of its own process, whose people open and change pull requests when they are told to. Argument: a
 * {@link GitHubHostSetup} as JSON.
 *
 * @module
 */

import { createGitHubSimulator } from '../../../github-simulator/src/index.ts';
import { recordHttp } from '../http-recorder.ts';
import { createTeam, type GitHubHostSetup } from '../review/team.ts';
import { serveCommands } from './serve-commands.ts';

const setup = JSON.parse(process.argv[2] ?? '{}') as GitHubHostSetup;
const recorder = recordHttp();
const github = await createGitHubSimulator({
  ...setup.repo,
  app: setup.app,
  members: Array.from({ length: setup.members }, (_, index) => `dev-${index + 1}`),
});
if (setup.latencyMs > 0) github.inject({ path: /./, delayMs: setup.latencyMs });
const commands = await createTeam(github, recorder, setup);

/** What this process serves. */
export type GitHubHostCommands = typeof commands;

serveCommands({ port: Number(new URL(github.url).port), commands, close: () => github.close() });
