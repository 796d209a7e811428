/**
 * Histories in a GitHub on loopback and the rounds that are read from it, without the service: real git, real
 * Octokit, real HTTP. One world serves all tests of a file; each test has branches and a PR of its own.
 *
 * @module
 */
import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { createGitHubSimulator, type GitHubSimulator } from '@openfactory/github-simulator';
import { commitFiles, commitMerge, type FileContent, moveRef } from '@openfactory/github-simulator/git';
import { createGitHubAccess } from '../../github/access.ts';
import { type LoadedRound, loadRound } from '../../github/round-input.ts';
import { parseSha, type Sha, type WakeId } from '../../ids.ts';
import { silentLog } from '../../log.ts';
import type { RoundInput } from '../../review/round.ts';

const REPO = { owner: 'acme', repo: 'shop' };

/** New content of some files; null removes one. */
export type Changes = Readonly<Record<string, FileContent>>;

/** A simulator with an App's Octokit. */
export interface RoundWorld {
  readonly simulator: GitHubSimulator;
  readonly octokit: Octokit;
  /** A PR of one commit with `changes` on a base branch of its own that holds `base`. */
  readonly open: (base: Changes, changes: Changes, options?: OpenOptions) => Promise<Lane>;
  readonly close: () => Promise<void>;
}

export interface OpenOptions {
  readonly fork?: string;
  readonly body?: string;
}

/** What a round is to be read about. */
export interface Commits {
  readonly baseSha: string;
  readonly headSha: string;
  /** Another PR than the lane's. */
  readonly number?: number;
}

/** A PR and its branches. */
export interface Lane {
  readonly number: number;
  readonly base: string;
  readonly head: string;
  /** The PR's head now. */
  readonly headSha: () => Sha;
  /** Makes a commit, on the head of the PR unless a parent is given. Nobody is told of it. */
  readonly commit: (changes: Changes, parent?: string) => Promise<Sha>;
  /** Moves the PR's branch, forwards or not. */
  readonly push: (sha: string) => Promise<Sha>;
  /** A commit and its push. */
  readonly pushChanges: (changes: Changes) => Promise<Sha>;
  /** Moves the base branch forward, as others do. */
  readonly advanceBase: (changes: Changes) => Promise<Sha>;
  /** Merges the base branch into the PR's and pushes it. */
  readonly mergeBase: () => Promise<Sha>;
  /** The round at the PR's head, over what changed since `since`; without it a first one. */
  readonly round: (since?: Sha) => Promise<RoundInput>;
  /** The same with other commits than the PR has, and with the files' texts. */
  readonly load: (spec: Commits) => Promise<LoadedRound>;
}

/** Starts a world; `close` it after the tests. */
export async function openRoundWorld(): Promise<RoundWorld> {
  const app = { id: 7, slug: 'horton', installationId: 8, webhookSecret: ['a', 'b'].join('-') };
  const simulator = await createGitHubSimulator({ ...REPO, members: ['ada'], app });
  // The default branch stays out of everything.
  await commitFiles(simulator.gitDir, { branch: 'main', files: { 'README.md': 'Hi\n' }, message: 'Begin' });
  const access = createGitHubAccess({
    appId: app.id,
    installationId: app.installationId,
    privateKey: simulator.privateKeyPem,
    baseUrl: simulator.url,
    log: silentLog,
    onRequest: () => {},
  });
  const octokit = access.prepare(new Octokit({ authStrategy: createAppAuth, ...access.options }));
  let lanes = 0;
  let rounds = 0;
  const { gitDir } = simulator;

  const roots = new Map<string, Promise<string>>();
  const rootOf = (files: Changes): Promise<string> => {
    const key = JSON.stringify(files);
    const root = roots.get(key) ?? commitFiles(gitDir, { files, message: 'Begin' });
    roots.set(key, root);
    return root;
  };

  const open: RoundWorld['open'] = async (base, changes, options = {}) => {
    lanes += 1;
    const names = { base: `base-${lanes}`, head: `head-${lanes}` };
    // In every message but the first, so that no two tests share a commit that is not the base.
    const message = `Change ${lanes}`;
    const root = await rootOf(base);
    await moveRef(gitDir, `refs/heads/${names.base}`, root);
    await commitFiles(gitDir, { branch: names.head, parent: root, files: changes, message });
    const { number } = await simulator.openPullRequest({
      ...names,
      ...options,
      title: 'Change files',
      author: 'ada',
    });
    const headSha = () => shaOf(simulator.pullRequest(number).head.sha);
    const load: Lane['load'] = (commits) => {
      rounds += 1;
      const spec = {
        pr: { ...REPO, number: commits.number ?? number },
        wakeId: `r${rounds}` as WakeId,
        baseSha: shaOf(commits.baseSha),
        headSha: shaOf(commits.headSha),
      };
      return loadRound(access, octokit, spec, { wholePr: false });
    };
    const commit: Lane['commit'] = async (files, parent = headSha()) =>
      shaOf(await commitFiles(gitDir, { parent, files, message }));
    const push: Lane['push'] = async (sha) => {
      await simulator.push(names.head, sha);
      return headSha();
    };
    return {
      ...names,
      number,
      headSha,
      commit,
      push,
      pushChanges: async (files) => push(await commit(files)),
      advanceBase: async (files) => {
        const sha = await commitFiles(gitDir, { parent: names.base, files, message });
        await simulator.push(names.base, sha);
        return shaOf(sha);
      },
      mergeBase: async () => {
        const scratch = `${names.head}-merge`;
        await moveRef(gitDir, `refs/heads/${scratch}`, headSha());
        return push(await commitMerge(gitDir, { branch: scratch, from: names.base }));
      },
      round: async (since) => {
        const baseSha = since ?? simulator.pullRequest(number).baseSha;
        return (await load({ baseSha, headSha: headSha() })).input;
      },
      load,
    };
  };
  return { simulator, octokit, open, close: () => simulator.close() };
}

/** A commit id. @throws TypeError for anything else */
export function shaOf(text: string): Sha {
  const sha = parseSha(text);
  if (sha === undefined) throw new TypeError(`not a commit id: ${text}`);
  return sha;
}

/** The paths that a round is about, and what became of the others. */
export function outline(input: RoundInput): {
  readonly files: readonly string[];
  readonly others: readonly string[];
  readonly gone: readonly string[];
} {
  return {
    files: input.files.map((file) => file.path).toSorted(),
    others: input.otherFiles.map((file) => file.path).toSorted(),
    gone: input.gonePaths.toSorted(),
  };
}
