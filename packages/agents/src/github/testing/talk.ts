/**
 * A pull request that people talk about, and the App that reads it.
 *
 * @module
 */
import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import {
  createGitHubSimulator,
  type Fault,
  type FormerThread,
  type GitHubSimulator,
  type SimulatorOptions,
} from '@openfactory/github-simulator';
import { commitFiles } from '@openfactory/github-simulator/git';
import { onTestFinished } from 'vitest';
import type { Item, Snapshot } from '../../conversation/item.ts';
import type { PrRef } from '../../ids.ts';
import { silentLog } from '../../log.ts';
import { createJumpClock } from '../../testing/jump-clock.ts';
import { createPacer } from '../pacer.ts';
import { applyPolicy } from '../policy.ts';
import { readSnapshot } from '../snapshot.ts';

const REPO = { owner: 'acme', repo: 'shop' };
/** When the conversation is read, in milliseconds since the epoch. */
export const READ_AT_MS = Date.parse('2026-05-26T14:05:00Z');

/** A running one. */
export interface Talk {
  readonly simulator: GitHubSimulator;
  /** Acts as the App, with the policy of all requests, which never waits here. */
  readonly octokit: Octokit;
  readonly pr: PrRef;
  read(): Promise<Snapshot>;
  /** Reads, and finds the item of that id. */
  find(id: string): Promise<Item | undefined>;
  /** Lets a minute pass. */
  tick(): void;
  /** Pushes another commit to the branch. */
  push(): Promise<void>;
  /** Threads at lines of `a.ts`, each of one comment by `eve`. */
  addThreads(count: number, replies?: FormerThread['replies']): Promise<readonly string[]>;
  /** Requests of GraphQL so far. */
  queries(): number;
  /** Lets so many requests of GraphQL pass, and the next one fail. */
  failAfter(passing: number, fault: Omit<Fault, 'path'>): void;
}

/** Opens a pull request by `eve` that adds `a.ts` of 5 lines; `ada` is of the team. Ends with the test. */
export async function openTalk(options: Partial<SimulatorOptions> = {}): Promise<Talk> {
  const app = { id: 7, slug: 'horton', installationId: 8, webhookSecret: ['a', 'b'].join('-') };
  let nowMs = READ_AT_MS - 86_400_000;
  const now = () => new Date(nowMs);
  const simulator = await createGitHubSimulator({ ...REPO, app, members: ['ada'], now, ...options });
  onTestFinished(() => simulator.close());
  const { gitDir } = simulator;
  const parent = await commitFiles(gitDir, {
    branch: 'main',
    files: { 'README.md': 'r\n' },
    message: 'Begin',
  });
  const commit = (files: Readonly<Record<string, string>>, from: string) =>
    commitFiles(gitDir, { branch: 'next', parent: from, files, message: 'Change' });
  const first = await commit({ 'a.ts': '1\n2\n3\n4\n5\n' }, parent);
  await simulator.push('feature', first);
  const { number } = await simulator.openPullRequest({
    head: 'feature',
    base: 'main',
    title: 'A',
    author: 'eve',
  });
  const pr = { ...REPO, number };
  const octokit = openOctokit(simulator, app);
  const read = () => readSnapshot(octokit, pr, READ_AT_MS);
  return {
    simulator,
    octokit,
    pr,
    read,
    find: async (id) => (await read()).items.find((item) => item.id === id),
    tick: () => {
      nowMs += 60_000;
    },
    push: async () => simulator.push('feature', await commit({ 'a.ts': '1\nTWO\n3\n4\n5\n' }, first)),
    addThreads: async (count, replies = []) => {
      const wanted = Array.from({ length: count }, (_, index) => {
        return { author: 'eve', path: 'a.ts', line: 1 + (index % 5), body: `Thread ${index}`, replies };
      });
      return (await simulator.addThreads(number, wanted)).map(({ threadId }) => threadId);
    },
    queries: () => simulator.requests.filter(({ path }) => path === '/graphql').length,
    failAfter: (passing, fault) => {
      const path = /^\/graphql$/;
      if (passing > 0) simulator.inject({ path, times: passing });
      simulator.inject({ path, ...fault });
    },
  };
}

interface AppIds {
  readonly id: number;
  readonly installationId: number;
}

function openOctokit({ url, privateKeyPem }: GitHubSimulator, { id, installationId }: AppIds): Octokit {
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const auth = { appId: id, installationId, privateKey: privateKeyPem };
  const octokit = new Octokit({ authStrategy: createAppAuth, auth, baseUrl: url, log });
  const pacer = createPacer(createJumpClock());
  applyPolicy(octokit, { log: silentLog, pacer, wait: async () => {}, onRequest: () => {} });
  return octokit;
}
