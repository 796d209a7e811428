import { describe, expect, it, onTestFinished } from 'vitest';
import { hang, playRound } from '../model/testing/answers.ts';
import { chooseAt } from '../model/testing/client.ts';
import { startProviderServer } from '../model/testing/provider-server.ts';
import type { ProviderAnswer, ProviderRequest } from '../model/testing/provider-types.ts';
import { openPr, PLAIN, publishedShas, pushTo } from './testing/scene.ts';
import { openStage, type Stage } from './testing/stage.ts';

/** The six and the texts. */
const REQUESTS = 7;
const play = playRound({ texts: { summary: 'It adds a test.' } });

/** Longer than a test may take, as is half of it: a wait that is not broken off fails the test. */
const ROUND_TIMEOUT_MS = 600_000;

/** A stage whose provider leaves every request of the first round unanswered. */
async function openHanging(answer: (request: ProviderRequest) => ProviderAnswer = play) {
  const provider = await startProviderServer({
    answer: (request, number) => (number <= REQUESTS ? hang : answer(request)),
  });
  onTestFinished(() => provider.close());
  const stage = await openStage({ model: chooseAt(provider.url), roundTimeoutMs: ROUND_TIMEOUT_MS });
  await openPr(stage, 'feature');
  await provider.request(REQUESTS);
  return { stage, provider, asked: provider.requests.slice(0, REQUESTS) };
}

describe('what happens while everybody waits for the model', () => {
  it.each<[string, (stage: Stage) => Promise<unknown>]>([
    ['a close', (stage) => stage.simulator.closePullRequest(1)],
    ['the label pause-shepherd', (stage) => stage.simulator.addLabel(1, 'pause-shepherd')],
  ])('%s ends all model calls, and nothing is posted (S8)', async (_what, act) => {
    const { stage, provider, asked } = await openHanging();
    await act(stage);
    await Promise.all(asked.map((request) => request.closed));
    await stage.quiet();
    expect(provider.requests).toHaveLength(REQUESTS);
    expect(stage.ours(1)).toEqual([]);
  });

  it('T-006 a push ends all model calls, and the newer commit is reviewed, with texts', async () => {
    const { stage, provider, asked } = await openHanging();
    const head = await pushTo(stage, 'feature', { 'feature.test.ts': PLAIN });
    await Promise.all(asked.map((request) => request.closed));
    expect((await stage.published(1)).body).toContain('It adds a test.');
    await stage.quiet();
    expect(publishedShas(stage, 1)).toEqual([head]);
    expect(provider.requests).toHaveLength(2 * REQUESTS);
  });

  it('what changes nothing of the review, and what was heard before, ends no call', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const provider = await startProviderServer({
      answer: async (request) => {
        await held;
        return play(request);
      },
    });
    onTestFinished(() => provider.close());
    const stage = await openStage({ model: chooseAt(provider.url), roundTimeoutMs: ROUND_TIMEOUT_MS });
    await openPr(stage, 'feature', { draft: true });
    await pushTo(stage, 'feature', { 'feature.test.ts': PLAIN });
    await stage.quiet();
    await stage.simulator.setDraft(1, false);
    await provider.request(REQUESTS);
    await stage.simulator.addLabel(1, 'docs');
    await stage.simulator.editPullRequest(1, { title: 'Another title' });
    const push = stage.simulator.deliveries.find(({ action }) => action === 'synchronize');
    await stage.simulator.redeliver(push?.guid ?? '');
    await stage.simulator.delivered();
    release();
    expect((await stage.published(1)).body).toContain('It adds a test.');
    expect(provider.requests).toHaveLength(REQUESTS);
  });
});

it('a bug in what asks for the texts costs the texts, not the round', async () => {
  const broken = {
    ...chooseAt('http://127.0.0.1:9'),
    get provider(): never {
      throw new TypeError('a fault of ours');
    },
  };
  const stage = await openStage({ model: broken });
  await openPr(stage, 'feature');
  const { body } = await stage.published(1);
  expect(body).toContain('Changes 1 file');
});
