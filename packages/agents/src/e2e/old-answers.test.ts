import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { playRound, toolCall } from '../model/testing/answers.ts';
import { chooseAt } from '../model/testing/client.ts';
import { startProviderServer } from '../model/testing/provider-server.ts';
import { hold } from './testing/hold.ts';
import { FOCUSED, repliesOf } from './testing/scene.ts';
import { APP, openStage, type Stage, type StageOptions } from './testing/stage.ts';

const PR = { head: 'feature', base: 'main', title: 'Add a test', author: 'ada' };

async function open(options: StageOptions = {}): Promise<Stage> {
  const stage = await openStage({ members: ['ada', 'mia'], ...options });
  await stage.commit('feature', { 'a.test.ts': FOCUSED });
  return stage;
}

async function openWithAnswers() {
  const round = playRound({ texts: { summary: 'It adds a test.' } });
  const answer = toolCall('submit_answer', { answer: 'Because of `it.only`.', complete: true });
  const isQuestion = (request: { readonly body: unknown }): boolean =>
    JSON.stringify(request.body).includes('submit_answer');
  const provider = await startProviderServer({
    answer: (request) => (isQuestion(request) ? answer : round(request)),
  });
  onTestFinished(() => provider.close());
  const stage = await open({ model: chooseAt(provider.url) });
  await stage.simulator.openPullRequest(PR);
  await stage.quiet();
  return { stage, questions: () => provider.requests.filter(isQuestion).length };
}

async function readPull({ simulator }: Stage) {
  const auth = { appId: APP.id, installationId: APP.installationId, privateKey: simulator.privateKeyPem };
  const octokit = new Octokit({ authStrategy: createAppAuth, auth, baseUrl: simulator.url });
  return (await octokit.rest.pulls.get({ owner: 'acme', repo: 'shop', pull_number: 1 })).data;
}

describe('one comment (S4)', () => {
  it('T-162 also where GitHub does not know it for a moment, and where the answer to the first write was lost', async () => {
    const stage = await open();
    await stage.simulator.openPullRequest({ ...PR, labels: ['pause-shepherd'] });
    await stage.quiet();
    // The count that GitHub tells with the PR stays behind what it has.
    const respond = { status: 200, body: { ...(await readPull(stage)), labels: [], comments: 0 } };
    const restore = stage.simulator.inject({ method: 'GET', path: /\/pulls\/1$/, respond });
    const write = { method: 'POST', path: /\/issues\/1\/comments/, times: 1 };
    stage.simulator.inject({ ...write, afterEffect: true });
    await stage.simulator.removeLabel(1, 'pause-shepherd');
    await stage.published(1);
    restore();
    await stage.quiet();
    expect(stage.ours(1)).toHaveLength(1);

    stage.simulator.inject({ method: 'PATCH', path: /comments/, times: 1, respond: { status: 404 } });
    const sha = await stage.commit('feature', { 'b.ts': 'export {};\n' });
    await stage.simulator.push('feature', sha, { by: 'ada' });
    await stage.published(2);
    await stage.quiet();
    expect(stage.ours(1)).toHaveLength(1);
  });
});

describe('one answer for each request (S2)', () => {
  it('T-027 T-137 whatever GitHub does not know for a moment, and asked of the model once', async () => {
    const { stage, questions } = await openWithAnswers();
    stage.simulator.inject({ method: 'POST', path: /reactions$/, times: 1, respond: { status: 404 } });
    const write = { method: 'POST', path: /\/issues\/1\/comments/, times: 1 };
    stage.simulator.inject({ ...write, respond: { status: 502, body: { message: 'Server Error' } } });
    await stage.simulator.comment(1, { author: 'mia', body: 'Why does it run one test, @horton?' });
    await stage.waitFor(() => repliesOf(stage, 1).length > 0);
    await stage.quiet();
    expect(repliesOf(stage, 1)).toEqual([expect.stringContaining('Because of `it.only`.')]);
    expect(questions()).toBe(1);
  });

  it('T-137 also where the conversation cannot be read', async () => {
    const { stage } = await openWithAnswers();
    const respond = { status: 410, body: { message: 'Gone' } };
    stage.simulator.inject({
      method: 'GET',
      path: /\/issues\/1\/comments\?per_page=100(?!.*since)/,
      times: 1,
      respond,
    });
    await stage.simulator.comment(1, { author: 'mia', body: 'Why does it run one test, @horton?' });
    await stage.waitFor(() => repliesOf(stage, 1).length > 0);
    expect(repliesOf(stage, 1)).toHaveLength(1);
  });

  it('S8 and the model is not asked about a PR that was closed meanwhile', async () => {
    const { stage, questions } = await openWithAnswers();
    const held = hold(stage.simulator, /reactions$/);
    await stage.simulator.comment(1, { author: 'mia', body: 'Why does it run one test, @horton?' });
    await held.reached;
    const closed = stage.simulator.closePullRequest(1);
    // What was seen of the PR counts for a second.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    held.release();
    await closed;
    await stage.waitFor(() => repliesOf(stage, 1).length > 0);
    expect(questions()).toBe(0);
    expect(repliesOf(stage, 1)).toEqual([expect.stringContaining('the pull request is closed')]);
  });
});
