/**
 * The people of a simulated GitHub: they prepare pull requests unseen, and show them when it is time.
 *
 * @module
 */

import { commitFiles } from '../../../github-simulator/src/git/index.ts';
import type { GitHubSimulator } from '../../../github-simulator/src/index.ts';
import type { HttpRecorder } from '../http-recorder.ts';
import { isCommentWrite, type RoundRecord, type TimedRequest } from './round-record.ts';
import { SOURCE_FILES, sourcePath, sourceText, surroundings } from './sample-source.ts';

/** Argument of the process that plays GitHub. */
export interface GitHubHostSetup {
  readonly repo: { readonly owner: string; readonly repo: string };
  readonly app: {
    readonly id: number;
    readonly slug: string;
    readonly installationId: number;
    readonly webhookSecret: string;
  };
  /** So many people belong to the team; pull request `n` is by the `n`th. */
  readonly members: number;
  /** Files that a pull request changes. */
  readonly filesPerPr: number;
  /** How long each request takes on top of its own time, as on a way through the net. */
  readonly latencyMs: number;
  /** What every comment has to say: a review that fails is no measure of one that does not. */
  readonly expectedText: string;
}

/** A round is given up after five minutes: what has not come by then does not come. */
const TIMEOUT_MS = 300_000;
/** A host that sends nothing for so long has ended its round. */
const QUIET_MS = 200;
/** Files of a later push. */
const FILES_OF_A_PUSH = 3;
/** Beyond every number of a pull request. */
const PUSHED = 100_000;

type FileTexts = Readonly<Record<string, string>>;

function filesAt(count: number, revision: 'base' | number): FileTexts {
  const indexes = Array.from({ length: count }, (_, index) => index);
  return Object.fromEntries(indexes.map((index) => [sourcePath(index), sourceText(index, revision)]));
}

/** What the people of the process have at hand. */
interface Office {
  readonly github: GitHubSimulator;
  readonly recorder: HttpRecorder;
  readonly setup: GitHubHostSetup;
}

async function openOne({ github, setup }: Office, order: number): Promise<number> {
  const head = `topic-${order}`;
  const files = filesAt(setup.filesPerPr, order);
  await commitFiles(github.gitDir, { branch: head, parent: 'main', files, message: 'Count by weight' });
  const title = `Count by weight, part ${order}`;
  const { number } = await github.openPullRequest({ head, base: 'main', title, author: `dev-${order}` });
  return number;
}

function tellOpened({ github }: Office, number: number): Promise<unknown> {
  const delivery = github.deliveries.find(
    ({ event, action, payload }) =>
      event === 'pull_request' && action === 'opened' && payload.number === number,
  );
  if (delivery === undefined) throw new RangeError(`#${number} was never opened`);
  return github.redeliver(delivery.guid);
}

function isSweep({ method, path }: Pick<TimedRequest, 'method' | 'path'>): boolean {
  return method === 'GET' && /\/pulls\?/.test(path);
}

function checkComment({ github, setup }: Office, number: number): void {
  const ours = github.comments(number).filter((comment) => comment.byApp);
  const [body = ''] = ours.map((comment) => comment.body);
  if (ours.length === 1 && body.includes(setup.expectedText)) return;
  throw new Error(`#${number} has ${ours.length} comments and not the expected review:\n${body}`);
}

async function recordRounds(
  office: Office,
  numbers: readonly number[],
  tell: () => Promise<unknown>,
): Promise<RoundRecord> {
  const { github, recorder } = office;
  recorder.rewind();
  await Promise.all([recorder.began(numbers.length, isCommentWrite, TIMEOUT_MS), tell()]);
  await github.delivered();
  await recorder.quiet(QUIET_MS);
  for (const number of numbers) checkComment(office, number);
  return { sentAtMs: recorder.firstSentAtMs() ?? 0, requests: recorder.requests() };
}

/** Makes a first commit. @returns what people do, as commands of a process */
export async function createTeam(github: GitHubSimulator, recorder: HttpRecorder, setup: GitHubHostSetup) {
  const office: Office = { github, recorder, setup };
  let webhookUrl: string | undefined;
  let opened = 0;
  await commitFiles(github.gitDir, {
    branch: 'main',
    files: { ...surroundings(), ...filesAt(SOURCE_FILES, 'base') },
    message: 'Begin',
  });
  return {
    /** What a host needs to act as the App. */
    privateKeyPem: () => github.privateKeyPem,

    /**
     * Deliveries go there from now on. Waits until the host has looked for what it missed before it started: a
     * pull request that is opened meanwhile would be reviewed before it is told of.
     */
    async tellTo(url: string): Promise<void> {
      webhookUrl = url;
      github.setWebhookUrl(url);
      await recorder.began(1, isSweep, TIMEOUT_MS);
      await recorder.quiet(QUIET_MS);
    },

    /** Opens pull requests, and keeps back what GitHub would tell of it. @returns their numbers */
    async openUnseen(count: number): Promise<readonly number[]> {
      github.setWebhookUrl(undefined);
      const numbers: number[] = [];
      for (let index = 0; index < count; index += 1) {
        opened += 1;
        numbers.push(await openOne(office, opened));
      }
      github.setWebhookUrl(webhookUrl);
      return numbers;
    },

    /** Tells of pull requests, all at once, and waits until each has its comment and the host is quiet. */
    firstRounds: (numbers: readonly number[]): Promise<RoundRecord> =>
      recordRounds(office, numbers, () => Promise.all(numbers.map((number) => tellOpened(office, number)))),

    /** Pushes a small commit to a pull request that has its comment, and waits as before. */
    async laterRound(number: number): Promise<RoundRecord> {
      const { head } = github.pullRequest(number);
      const files = filesAt(FILES_OF_A_PUSH, PUSHED + number);
      const sha = await commitFiles(github.gitDir, { parent: head.sha, files, message: 'Weigh anew' });
      return recordRounds(office, [number], () => github.push(head.ref, sha));
    },
  };
}
