/**
 * A GitHub on which people talk, and services as processes of their own that look after it: for tests of what
 * becomes of a discussion when processes die or work beside each other.
 *
 * @module
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGitHubSimulator, type GitHubSimulator } from '@openfactory/github-simulator';
import { commitFiles } from '@openfactory/github-simulator/git';
import { expect, vi } from 'vitest';
import { parseReplyMarker } from '../../github/reply.ts';
import { ASPECTS } from '../../ids.ts';
import { playRound } from '../../model/testing/answers.ts';
import { MODELS, TEST_KEY } from '../../model/testing/client.ts';
import { startProviderServer } from '../../model/testing/provider-server.ts';
import type { ProviderAnswer, ProviderRequest } from '../../model/testing/provider-types.ts';
import { parseMarker } from '../../review/marker.ts';
import type { ShepherdStatus } from '../../review/shepherd-status.ts';
import { environmentFor, type ServiceProcess, startProcess } from './service-process.ts';
import { APP } from './stage.ts';
import { shownLines } from './talk-look.ts';
import { shownIn } from './talk-stage.ts';

/** For what a loaded machine does slowly. */
export const PATIENCE = { timeout: 25_000, interval: 40 };

/** A GitHub with one repository, and a folder for services. */
export interface TalkWorld {
  readonly simulator: GitHubSimulator;
  readonly folder: string;
  /** Where all services of this world remember what was shown. */
  readonly stateDir: string;
  /** Opens a pull request of a new branch, with one changed file; tells nobody. */
  readonly open: (head: string) => Promise<number>;
  /** Pushes a commit to its branch. Returns it. */
  readonly push: (number: number) => Promise<string>;
  /** Our review comments under a pull request. */
  readonly reviews: (number: number) => readonly string[];
  /** The commit of which our review speaks. */
  readonly reviewedSha: (number: number) => string | undefined;
}

/** Opens it. @param onEnd is given what has to be done in the end, in the order of making */
export async function openTalkWorld(onEnd: (end: () => unknown) => void): Promise<TalkWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'openfactory-talk-'));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  const simulator = await createGitHubSimulator({ owner: 'acme', repo: 'shop', members: ['ada'], app: APP });
  onEnd(() => simulator.close());
  const { gitDir } = simulator;
  const parent = await commitFiles(gitDir, {
    branch: 'main',
    files: { 'README.md': '# Shop\n' },
    message: 'Begin',
  });
  let commits = 0;
  const change = () => {
    commits += 1;
    return { files: { 'src/total.ts': `export const total = ${commits};\n` }, message: 'Change the total' };
  };
  const reviews: TalkWorld['reviews'] = (number) =>
    simulator
      .comments(number)
      .flatMap(({ byApp, body }) => (byApp && parseReplyMarker(body) === undefined ? [body] : []));
  return {
    simulator,
    folder,
    stateDir: join(folder, 'state'),
    open: async (head) => {
      await commitFiles(gitDir, { branch: head, parent, ...change() });
      return (await simulator.openPullRequest({ head, base: 'main', title: 'Total', author: 'ada' })).number;
    },
    push: async (number) => {
      const { ref } = simulator.pullRequest(number).head;
      const sha = await commitFiles(gitDir, { parent: ref, ...change() });
      await simulator.push(ref, sha, { by: 'ada' });
      return sha;
    },
    reviews,
    reviewedSha: (number) => parseMarker(reviews(number)[0] ?? '')?.sha,
  };
}

/** Where it has no answer, the model finds nothing. */
type Answer = (request: ProviderRequest) => ProviderAnswer | undefined | Promise<undefined>;

/** An installation of the service: its own data and its own model, and the state directory of its world. */
export interface Installation {
  readonly start: () => Promise<ServiceProcess>;
  /** How its model answers from now on; where `undefined`, it finds nothing. */
  readonly answerWith: (answer: Answer | undefined) => void;
  /** What the running service says of a pull request. */
  readonly status: (number: number) => Promise<ShepherdStatus | undefined>;
  /** Resolves when a commit was reviewed and nothing is under way. */
  readonly settled: (number: number, sha: string) => Promise<void>;
  /** How many reviewers' calls of a round, by its commit, completed so far. */
  readonly reviewersDone: (number: number, sha: string) => number;
  /**
   * The commits, short, at which reviewers of all six aspects completed a call that showed this, as often as the
   * lines of the discussion in which it stood differed. See {@link shownLines}.
   */
  readonly sightings: (number: number, line: RegExp) => readonly string[];
}

/** Sets it up; it does not run yet. @param preload as for `startProcess` */
export async function install(
  { simulator, folder, stateDir }: TalkWorld,
  name: string,
  onEnd: (end: () => unknown) => void,
  preload?: string,
): Promise<Installation> {
  const nothing = playRound({});
  let answer: Answer | undefined;
  const completed: ProviderRequest[] = [];
  const provider = await startProviderServer({
    answer: async (request) => {
      const said = (await answer?.(request)) ?? nothing(request);
      if (said.kind === 'speak') completed.push(request);
      return said;
    },
  });
  onEnd(() => provider.close());
  const dataDir = join(folder, name);
  const env = {
    ...environmentFor(simulator, folder),
    DATA_DIR: dataDir,
    PR_SHEPHERD_STATE_DIR: stateDir,
    SHEPHERD_MODEL: MODELS[0],
    SHEPHERD_MODEL_BASE_URL: provider.url,
    ANTHROPIC_API_KEY: TEST_KEY,
  };
  const status: Installation['status'] = async (number) => {
    const { url, token } = JSON.parse(await readFile(join(dataDir, 'service.json'), 'utf8'));
    const headers = { authorization: `Bearer ${token}` };
    const answered = await fetch(`${url}/status/acme/shop/${number}`, { headers });
    return answered.ok ? ((await answered.json()) as ShepherdStatus) : undefined;
  };
  return {
    start: () => startProcess(env, { onEnd, ...(preload === undefined ? {} : { preload }) }),
    answerWith: (next) => {
      answer = next;
    },
    status,
    settled: async (number, sha) => {
      const last = await vi.waitFor(async () => {
        const now = await status(number);
        const isOver = now?.stranded === true || (now?.lastReviewed?.sha === sha && now.round === null);
        expect(now, 'what is under way').toSatisfy(() => isOver && now?.owed === null);
        return now;
      }, PATIENCE);
      expect(last, last?.failure?.what).toMatchObject({ lastReviewed: { sha }, stranded: false });
    },
    reviewersDone: (number, sha) =>
      completed.filter((request) => {
        const round = roundOf(request);
        return request.aspect !== undefined && round.of === number && sha.startsWith(round.sha);
      }).length,
    sightings: (number, line) => sightings(completed, number, line),
  };
}

const ROUND = /pull request #(\d+) of acme\/shop at commit ([0-9a-f]+)/;

function roundOf({ userText }: ProviderRequest): { readonly of: number; readonly sha: string } {
  const [, of, sha = ''] = ROUND.exec(userText) ?? [];
  return { of: Number(of), sha };
}

function sightings(requests: readonly ProviderRequest[], number: number, wanted: RegExp): readonly string[] {
  const aspectsBy = new Map<string, Set<string>>();
  for (const request of requests) {
    const { of, sha } = roundOf(request);
    if (of !== number || request.aspect === undefined) continue;
    for (const line of shownLines(shownIn([request])).filter((candidate) => wanted.test(candidate))) {
      const key = `${sha} ${line}`;
      aspectsBy.set(key, (aspectsBy.get(key) ?? new Set()).add(request.aspect));
    }
  }
  return [...aspectsBy].flatMap(([key, aspects]) =>
    aspects.size === ASPECTS.length ? [key.slice(0, key.indexOf(' '))] : [],
  );
}
