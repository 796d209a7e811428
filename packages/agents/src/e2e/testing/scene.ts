/**
 * What people do on a stage, and what they see of us there: shared words of the tests of cases.
 *
 * @module
 */
import type { DeliveryRecord } from '@openfactory/github-simulator';
import { parseReplyMarker } from '../../github/reply.ts';
import type { Stage } from './stage.ts';

/** A test file that the tests aspect speaks of, and one that it does not. */
export const FOCUSED = "it.only('adds', () => {});\n";
export const PLAIN = "it('adds', () => {});\n";

/** The part of a stage that is needed here. */
export type Scene = Pick<Stage, 'simulator' | 'service' | 'commit' | 'quiet' | 'ours' | 'progress'>;

/** A pull request to open; its author is of the team unless another one is named. */
export interface SceneOptions {
  readonly author?: string;
  readonly draft?: boolean;
  readonly labels?: readonly string[];
  readonly fork?: string;
  readonly title?: string;
  /** Default: one file `{head}.test.ts` that has something to find. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Commits on a new branch and opens a pull request of it. Returns its number. */
export async function openPr(stage: Scene, head: string, options: SceneOptions = {}): Promise<number> {
  const { files = { [`${head}.test.ts`]: FOCUSED }, ...pr } = options;
  await stage.commit(head, files);
  const wanted = { head, base: 'main', title: 'Add a test', author: 'ada', ...pr };
  return (await stage.simulator.openPullRequest(wanted)).number;
}

/** Commits on a branch and pushes it. Returns the new head. */
export async function pushTo(
  stage: Scene,
  branch: string,
  files: Readonly<Record<string, string | null>>,
): Promise<string> {
  const sha = await stage.commit(branch, files);
  await stage.simulator.push(branch, sha, { by: 'ada' });
  return sha;
}

/** Says something under a pull request and waits until nothing is under way any more. */
export async function say(
  stage: Scene,
  number: number,
  body: string,
  author = 'mia',
): Promise<{ readonly id: number; readonly nodeId: string }> {
  const said = await stage.simulator.comment(number, { author, body });
  await stage.quiet();
  return said;
}

/** Bodies of our review comments under a pull request; there should be one at most (S4). */
export function reviewsOf(stage: Scene, number: number): readonly string[] {
  return stage.ours(number).flatMap(({ body }) => (parseReplyMarker(body) === undefined ? [body] : []));
}

/** Bodies of our replies under a pull request. */
export function repliesOf(stage: Scene, number: number): readonly string[] {
  return stage.ours(number).flatMap(({ body }) => (parseReplyMarker(body) === undefined ? [] : [body]));
}

/** Our replies in the threads of a pull request. */
export function threadRepliesOf(stage: Scene, number: number) {
  return stage.simulator.reviewComments(number).filter(({ byApp }) => byApp);
}

/** Node ids of what we answered, under the pull request and in its threads; sorted, repeated where answered twice. */
export function answered(stage: Scene, number: number): readonly string[] {
  const ours = [...stage.ours(number), ...threadRepliesOf(stage, number)];
  return ours.flatMap(({ body }) => parseReplyMarker(body) ?? []).toSorted();
}

/** Node ids of what has our eyes on it; sorted. */
export function acknowledged(stage: Scene, number: number): readonly string[] {
  const all = [...stage.simulator.comments(number), ...stage.simulator.reviewComments(number)];
  const isSeen = ({ reactions }: (typeof all)[number]): boolean =>
    reactions.some(({ content }) => content === 'eyes');
  return all
    .filter(isSeen)
    .map(({ nodeId }) => nodeId)
    .toSorted();
}

/** Wake ids of the rounds that read a pull request. */
export function roundsOf(stage: Scene, number: number): readonly string[] {
  return stage.progress.flatMap((event) =>
    event.type === 'round' && event.state === 'started' && event.pr.number === number ? [event.wakeId] : [],
  );
}

/** The commits about which the comment of a pull request was written, in order. */
export function publishedShas(stage: Scene, number: number): readonly string[] {
  return stage.progress.flatMap((event) =>
    event.type === 'comment' && event.pr.number === number ? [event.sha] : [],
  );
}

/** Lets people act without a delivery, and returns what would have been delivered. */
export async function untold(stage: Scene, act: () => Promise<unknown>): Promise<readonly DeliveryRecord[]> {
  const { simulator } = stage;
  const before = simulator.deliveries.length;
  simulator.setWebhookUrl(undefined);
  await act();
  simulator.setWebhookUrl(`${stage.service().url}/webhooks/github`);
  return simulator.deliveries.slice(before);
}

/** Delivers what happened, each as a delivery of its own that nobody has seen. */
export async function tell(stage: Scene, deliveries: readonly DeliveryRecord[]): Promise<void> {
  for (const { event, payload } of deliveries) await stage.simulator.send(event, payload);
}

/** A pull request as GitHub's last delivery about it has it: for an answer that is behind. */
export function lastTold(stage: Scene, number: number): unknown {
  const isAbout = ({ event, payload }: DeliveryRecord): boolean =>
    event === 'pull_request' && payload.number === number;
  return stage.simulator.deliveries.findLast(isAbout)?.payload.pull_request;
}
