import { describe, expect, it, onTestFinished } from 'vitest';
import { hang, playRound } from '../model/testing/answers.ts';
import { chooseAt } from '../model/testing/client.ts';
import { startProviderServer } from '../model/testing/provider-server.ts';
import { hold } from './testing/hold.ts';
import { holdNth } from './testing/hold-nth.ts';
import {
  lastTold,
  openPr,
  PLAIN,
  publishedShas,
  pushTo,
  roundsOf,
  say,
  tell,
  untold,
} from './testing/scene.ts';
import { openStage, type Stage } from './testing/stage.ts';

const TEAM = { members: ['ada', 'mia'] };

it('T-008 a PR that is given no-shepherd in mid-round gets no comment', async () => {
  const stage = await openStage();
  for (let at = 1; at <= 9; at += 1) {
    const number = await openPr(stage, `at-${at}`, { draft: true });
    await stage.quiet();
    const held = holdNth(stage.simulator, at);
    await stage.simulator.setDraft(number, false);
    const reached = await Promise.race([held.reached, stage.published(1, number)]);
    if (reached === 'reached') await stage.simulator.addLabel(number, 'no-shepherd');
    held.release();
    await stage.quiet();
    if (reached !== 'reached') return;
    expect(stage.ours(number), `question ${at}`).toEqual([]);
  }
});

describe('while our comment is looked for', () => {
  async function whileListing(act: (stage: Stage) => Promise<unknown>): Promise<Stage> {
    const stage = await openStage();
    await openPr(stage, 'feature', { draft: true });
    await say(stage, 1, 'Nice!');
    const held = hold(stage.simulator, /\/issues\/1\/comments/);
    await stage.simulator.setDraft(1, false);
    await held.reached;
    await act(stage);
    held.release();
    await stage.quiet();
    return stage;
  }

  it.each([
    ['closed', (stage: Stage) => stage.simulator.closePullRequest(1)],
    ['paused', (stage: Stage) => stage.simulator.addLabel(1, 'pause-shepherd')],
  ])('T-008 a PR that is %s gets none', async (_what, act) => {
    expect((await whileListing(act)).ours(1)).toEqual([]);
  });

  it('T-006 a push is not missed', async () => {
    let head = '';
    const stage = await whileListing(async (stage) => {
      head = await pushTo(stage, 'feature', { 'feature.test.ts': PLAIN });
    });
    expect(publishedShas(stage, 1)).toEqual([head]);
  });
});

it('T-005 a GitHub that stays behind for a whole round writes nothing about the older commit', async () => {
  const stage = await openStage();
  await openPr(stage, 'feature');
  await stage.published(1);
  const old = lastTold(stage, 1);
  const replaced = stage.simulator.pullRequest(1).head.sha;
  const head = await pushTo(stage, 'feature', { 'feature.test.ts': PLAIN });
  await stage.published(2);
  await stage.quiet();
  stage.simulator.inject({
    method: 'GET',
    path: /\/pulls\/1$/,
    times: 4,
    // Everything above happened within one of the seconds that GitHub counts in.
    respond: { status: 200, body: { ...(old as object), updated_at: '2020-01-01T00:00:00Z' } },
  });
  await stage.simulator.addLabel(1, 'docs');
  await stage.quiet();
  expect(publishedShas(stage, 1)).toEqual([replaced, head]);
});

it('T-137 a request whose comment was deleted before we could acknowledge it starts no round', async () => {
  const stage = await openStage(TEAM);
  await openPr(stage, 'feature', { draft: true });
  await stage.quiet();
  const told = await untold(stage, async () => {
    const { id } = await stage.simulator.comment(1, { author: 'mia', body: '@horton review' });
    await stage.simulator.deleteComment(id, 'mia');
  });
  await tell(stage, told.toReversed());
  await stage.quiet();
  expect(roundsOf(stage, 1)).toEqual([]);
  expect(stage.ours(1)).toEqual([]);
});

describe('while the Shepherd itself asks the model', () => {
  async function openSilent(
    isSilent: (request: { aspect: string | undefined; body: Readonly<Record<string, unknown>> }) => boolean,
  ) {
    const provider = await startProviderServer({
      answer: (request) => (isSilent(request) ? hang : playRound({})(request)),
    });
    onTestFinished(() => provider.close());
    const stage = await openStage({ ...TEAM, model: chooseAt(provider.url), roundTimeoutMs: 20_000 });
    await openPr(stage, 'feature');
    const silent = async () => {
      for (;;) {
        const request = provider.requests.find(isSilent);
        if (request !== undefined) return request;
        await provider.request(provider.requests.length + 1);
      }
    };
    return { stage, silent };
  }
  const SOON = { timeout: 6_000 };

  it('T-004 for the answer to a question, a push is reviewed', SOON, async () => {
    const { stage, silent } = await openSilent(({ body }) =>
      JSON.stringify(body.tools).includes('submit_answer'),
    );
    await stage.published(1);
    await stage.simulator.comment(1, { author: 'mia', body: '@horton why is this file needed?' });
    await silent();
    const head = await pushTo(stage, 'feature', { 'feature.test.ts': PLAIN });
    expect(await stage.published(2)).toMatchObject({ sha: head });
  });
});
