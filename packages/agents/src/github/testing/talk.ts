/**
 * Pull requests that people talk about, and the App that reads them.
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
import { type Item, type Snapshot, textsOf } from '../../conversation/item.ts';
import type { PrRef } from '../../ids.ts';
import { silentLog } from '../../log.ts';
import { createJumpClock } from '../../testing/jump-clock.ts';
import { createPacer } from '../pacer.ts';
import { applyPolicy } from '../policy.ts';
import { readSnapshot } from '../snapshot.ts';

const FIVE_LINES = '1\n2\n3\n4\n5\n';
const REPO = { owner: 'acme', repo: 'shop' };
const BEGINS_AT_MS = Date.parse('2026-05-25T14:05:00Z');
/** When conversations are read, in milliseconds since the epoch. */
export const READ_AT_MS = BEGINS_AT_MS + 86_400_000;

/** A pull request by `eve` that adds `a.ts` of 5 lines. */
export interface Talk {
  readonly pr: PrRef;
  read(): Promise<Snapshot>;
  /** Reads, and finds the item of that id. */
  find(id: string): Promise<Item | undefined>;
  /** Pushes another commit, which changes the second line. */
  push(): Promise<void>;
  /** Threads at lines of `a.ts`, each of one comment by `eve`. Resolves to their ids. */
  addThreads(count: number, replies?: FormerThread['replies']): Promise<readonly string[]>;
}

/** A repository whose team is `ada`. */
export interface TalkHost {
  readonly simulator: GitHubSimulator;
  /** Acts as the App, with the policy of all requests, which never waits here. */
  readonly octokit: Octokit;
  /** Each begins at the same time, and changes the same, unless it is given another `a.ts`. */
  openTalk(text?: string): Promise<Talk>;
  /** Lets a minute pass. */
  tick(): void;
  /** Does something, and tells how many queries it sent. */
  counted<T>(act: () => Promise<T>): Promise<{ readonly result: T; readonly queries: number }>;
  /** Lets so many queries pass, and something happen to the next. */
  afterQueries(passing: number, fault: Omit<Fault, 'path'>): void;
}

/** Starts one. Close its simulator afterwards. */
export async function startTalkHost(options: Partial<SimulatorOptions> = {}): Promise<TalkHost> {
  const app = { id: 7, slug: 'horton', installationId: 8, webhookSecret: ['a', 'b'].join('-') };
  let nowMs = BEGINS_AT_MS;
  const now = () => new Date(nowMs);
  const simulator = await createGitHubSimulator({ ...REPO, app, members: ['ada'], now, ...options });
  const files = { 'README.md': 'r\n' };
  const base = await commitFiles(simulator.gitDir, { branch: 'main', files, message: 'Begin' });
  const octokit = openOctokit(simulator, app);
  const queries = () => simulator.requests.filter(({ path }) => path === '/graphql').length;
  const commits = new Map<string, Promise<string>>();
  const commitOf = (text: string): Promise<string> => {
    const change = { branch: `next-${commits.size}`, parent: base, files: { 'a.ts': text }, message: 'A' };
    const commit = commits.get(text) ?? commitFiles(simulator.gitDir, change);
    commits.set(text, commit);
    return commit;
  };
  let branches = 0;
  return {
    simulator,
    octokit,
    openTalk: async (text = FIVE_LINES) => {
      branches += 1;
      nowMs = BEGINS_AT_MS;
      const [branch, pushed] = [`branch-${branches}`, await commitOf(text)];
      await simulator.push(branch, pushed);
      const push = async () => simulator.push(branch, await commitOf(FIVE_LINES.replace('2', 'TWO')));
      return { ...(await openTalk(simulator, octokit, branch)), push };
    },
    tick: () => {
      nowMs += 60_000;
    },
    counted: async (act) => {
      const before = queries();
      const result = await act();
      return { result, queries: queries() - before };
    },
    afterQueries: (passing, fault) => {
      const path = /^\/graphql$/;
      if (passing > 0) simulator.inject({ path, times: passing });
      simulator.inject({ path, ...fault });
    },
  };
}

async function openTalk(
  simulator: GitHubSimulator,
  octokit: Octokit,
  branch: string,
): Promise<Omit<Talk, 'push'>> {
  const wanted = { head: branch, base: 'main', title: branch, author: 'eve' };
  const { number } = await simulator.openPullRequest(wanted);
  const pr = { ...REPO, number };
  const read = () => readSnapshot(octokit, pr, READ_AT_MS);
  return {
    pr,
    read,
    find: async (id) => (await read()).items.find((item) => item.id === id),
    addThreads: async (count, replies = []) => {
      const threads = Array.from({ length: count }, (_, index) => {
        return { author: 'eve', path: 'a.ts', line: 1 + (index % 5), body: `Thread ${index}`, replies };
      });
      return (await simulator.addThreads(number, threads)).map(({ threadId }) => threadId);
    },
  };
}

/** Everything that is said in items, in order. */
export function bodiesOf(items: readonly Item[]): readonly string[] {
  return items.flatMap(textsOf).map(({ body }) => body);
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
