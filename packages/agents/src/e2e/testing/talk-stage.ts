/**
 * A stage with a model, on which people talk: for tests of what reviewers are shown of a discussion.
 *
 * @module
 */
import { onTestFinished } from 'vitest';
import { playRound } from '../../model/testing/answers.ts';
import { chooseAt } from '../../model/testing/client.ts';
import { type ProviderServer, startProviderServer } from '../../model/testing/provider-server.ts';
import type { ProviderAnswer, ProviderRequest } from '../../model/testing/provider-types.ts';
import { openPr, publishedShas, pushTo, type SceneOptions } from './scene.ts';
import { openStage, type Stage, type StageOptions } from './stage.ts';

/** A stage, its model, and one open pull request that was reviewed once. */
export interface TalkStage extends Stage {
  readonly provider: ProviderServer;
  readonly number: number;
  /** Pushes a commit, does what is to be done then, and waits until its review stands. */
  readonly round: (afterPush?: () => Promise<unknown>) => Promise<TalkRound>;
}

/** What the model was asked in one round. */
export interface TalkRound {
  readonly requests: readonly ProviderRequest[];
  /** The comment as it stands. */
  readonly body: string;
  /** The discussion, as the six were shown it; empty where they were shown none. */
  readonly shown: string;
}

/** How the model answers. Default: it finds nothing. */
export type TalkAnswer = (
  request: ProviderRequest,
  number: number,
) => ProviderAnswer | Promise<ProviderAnswer>;

/** What a stage may be given, and its pull request. */
export interface TalkOptions extends Omit<StageOptions, 'model'> {
  /** Its files come besides the one that each round changes. */
  readonly pr?: SceneOptions;
  /** Files that are on its base branch before it is opened. */
  readonly main?: Readonly<Record<string, string>>;
}

/** Opens it; its first review stands when it resolves. */
export async function openTalk(
  answer: TalkAnswer = playRound({}),
  { pr, main, ...options }: TalkOptions = {},
): Promise<TalkStage> {
  const provider = await startProviderServer({ answer });
  onTestFinished(() => provider.close());
  const stage = await openStage({ ...options, model: chooseAt(provider.url) });
  if (main !== undefined) await stage.simulator.push('main', await stage.commit('main', main), { by: 'ada' });
  const files = { 'src/total.ts': source(0), ...pr?.files };
  const number = await openPr(stage, 'feature', { ...pr, files });
  await stage.published(1);
  await stage.quiet();
  let pushes = 0;
  const round: TalkStage['round'] = async (afterPush) => {
    const before = provider.requests.length;
    const iteration = publishedShas(stage, number).length + 1;
    pushes += 1;
    await pushTo(stage, 'feature', { 'src/total.ts': source(pushes) });
    await afterPush?.();
    const { body } = await stage.published(iteration);
    await stage.quiet();
    const requests = provider.requests.slice(before);
    return { requests, body, shown: shownIn(requests) };
  };
  return { ...stage, provider, number, round };
}

function source(version: number): string {
  return `export const total = (prices: number[]) => prices[0] + ${version};\n`;
}

const HEADING = '# Discussion on the pull request that you have not seen';

/** What the reviewers of a round were shown of the discussion. */
export function shownIn(requests: readonly ProviderRequest[]): string {
  const reviewer = requests.find(({ aspect }) => aspect !== undefined);
  const text = reviewer?.userText ?? '';
  const from = text.indexOf(HEADING);
  // The last such line: people may write one, too.
  return from < 0 ? '' : text.slice(from, text.lastIndexOf('\n# Changed files'));
}
