import { commitFiles } from '@openfactory/github-simulator/git';
import { describe, expect, it, onTestFinished } from 'vitest';
import { playRound, status, toolCall } from '../model/testing/answers.ts';
import { chooseAt } from '../model/testing/client.ts';
import { startProviderServer } from '../model/testing/provider-server.ts';
import type { ProviderAnswer } from '../model/testing/provider-types.ts';
import { hold } from './testing/hold.ts';
import { repliesOf, reviewsOf } from './testing/scene.ts';
import { openStage, type Stage, type StageOptions } from './testing/stage.ts';

const FOCUSED = "import { it } from 'vitest';\n\nit.only('adds', () => {});\n";

interface Opened {
  readonly stage: Stage;
  readonly number: number;
}

async function open(
  options: StageOptions = {},
  pr: { readonly author?: string; readonly draft?: boolean; readonly labels?: readonly string[] } = {},
): Promise<Opened> {
  const stage = await openStage({ members: ['ada', 'mia'], ...options });
  await stage.commit('feature', { 'src/price.test.ts': FOCUSED });
  const wanted = { head: 'feature', base: 'main', title: 'Test prices', author: 'ada', ...pr };
  const { number } = await stage.simulator.openPullRequest(wanted);
  await stage.quiet();
  return { stage, number };
}

async function say({ stage, number }: Opened, body: string, author = 'mia'): Promise<number> {
  const { id } = await stage.simulator.comment(number, { author, body });
  await stage.quiet();
  return id;
}

function replies({ stage, number }: Opened): readonly string[] {
  return repliesOf(stage, number);
}

function reviews({ stage, number }: Opened): readonly string[] {
  return reviewsOf(stage, number);
}

function reactions({ stage, number }: Opened, id: number): readonly string[] {
  const comment = stage.simulator.comments(number).find((candidate) => candidate.id === id);
  return comment?.reactions.map(({ content }) => content) ?? [];
}

describe('a summons', () => {
  it('of a member is acknowledged, answered once, and found by the reply to its node id', async () => {
    const opened = await open();
    const id = await say(opened, '@horton status');
    expect(reactions(opened, id)).toEqual(['eyes']);
    const node = opened.stage.simulator.comments(opened.number).find((comment) => comment.id === id)?.nodeId;
    expect(replies(opened)).toEqual([expect.stringContaining(`<!-- pr-shepherd-reply {"to":"${node}"} -->`)]);
    expect(replies(opened)[0]).toContain('active: each push is reviewed');
  });

  it('T-137 of a stranger costs nothing, and shows nothing', async () => {
    const opened = await open({}, { draft: true });
    const id = await say(opened, '@horton review', 'eve');
    expect(reactions(opened, id)).toEqual([]);
    expect(opened.stage.ours(opened.number)).toEqual([]);
  });

  it('has a draft reviewed once, and says where', async () => {
    const opened = await open({}, { draft: true });
    expect(opened.stage.ours(opened.number)).toEqual([]);
    await say(opened, 'Could you have a look, @horton review please?');
    expect(reviews(opened)).toHaveLength(1);
    const [review] = opened.stage.ours(opened.number);
    expect(replies(opened)).toEqual([expect.stringContaining(`#issuecomment-${review?.id}`)]);
    const sha = await opened.stage.commit('feature', { 'src/b.ts': 'export const b = 1;\n' });
    await opened.stage.simulator.push('feature', sha, { by: 'ada' });
    await opened.stage.quiet();
    expect(reviews(opened)[0]).not.toContain(sha.slice(0, 7));
  });

  it('has a community PR reviewed once, by a member and not by its author', async () => {
    const opened = await open({}, { author: 'eve' });
    await say(opened, '@pr-shepherd review', 'eve');
    expect(opened.stage.ours(opened.number)).toEqual([]);
    await say(opened, '@pr-shepherd review');
    expect(reviews(opened)).toHaveLength(1);
  });

  it('T-040 stays owed through a force push, and its answer is about the new head', async () => {
    const opened = await open({}, { draft: true });
    const { stage, number } = opened;
    const held = hold(stage.simulator, /\/graphql$/);
    await stage.simulator.comment(number, { author: 'mia', body: '@horton review' });
    await held.reached;
    const files = { 'src/other.test.ts': FOCUSED };
    const rewritten = await commitFiles(stage.simulator.gitDir, {
      parent: 'main',
      files,
      message: 'Begin anew',
    });
    await stage.simulator.push('feature', rewritten, { by: 'ada' });
    held.release();
    await stage.quiet();
    expect(reviews(opened)).toEqual([expect.stringContaining('src/other.test.ts')]);
    expect(replies(opened)).toEqual([expect.stringContaining(`commit/${rewritten}`)]);
  });

  it('T-136 an edit that adds the mention asks, one that corrects a word does not', async () => {
    const opened = await open();
    const id = await say(opened, 'Please look again.');
    await opened.stage.simulator.editComment(id, 'Please look again, @horton status');
    await opened.stage.quiet();
    await opened.stage.simulator.editComment(id, 'Please, look again, @horton status');
    await opened.stage.quiet();
    expect(replies(opened)).toHaveLength(1);
  });

  it('T-010 T-131 on a merged PR is answered once with the reason', async () => {
    const opened = await open();
    await opened.stage.simulator.closePullRequest(opened.number, { merged: true });
    await say(opened, '@horton review');
    await say(opened, '@horton review full');
    expect(replies(opened)).toEqual([expect.stringContaining('Not reviewed: the pull request is closed.')]);
  });

  it('on a paused PR gets its status, and no round', async () => {
    const opened = await open({}, { labels: ['pause-shepherd'] });
    await say(opened, '@horton review');
    expect(replies(opened)).toEqual([expect.stringContaining('the label pause-shepherd is set')]);
    expect(reviews(opened)).toEqual([]);
  });

  it('T-092 T-137 whose reply was lost on the way is not answered twice', async () => {
    const opened = await open();
    opened.stage.simulator.inject({
      method: 'POST',
      path: /\/issues\/\d+\/comments/,
      times: 1,
      afterEffect: true,
      respond: { status: 502, body: { message: 'Server Error' } },
    });
    await say(opened, '@horton help');
    await opened.stage.waitFor(
      () => replies(opened).length === 1 && opened.stage.progress.some(({ type }) => type === 'reply'),
    );
    expect(replies(opened)).toHaveLength(1);
  });

  it('survives a restart of the service', async () => {
    const opened = await open();
    const { stage, number } = opened;
    await stage.stopService();
    await stage.simulator.comment(number, { author: 'mia', body: '@horton status' });
    await stage.startService();
    const missed = stage.simulator.deliveries.filter((delivery) => delivery.event === 'issue_comment').at(-1);
    await stage.simulator.redeliver(missed?.guid ?? '');
    await stage.quiet();
    expect(replies(opened)).toHaveLength(1);
  });

  it('T-132 T-133 our own replies summon nobody, also where they are quoted', async () => {
    const opened = await open();
    await say(opened, '@horton help');
    const [help] = replies(opened);
    const quoted = help
      ?.split('\n')
      .map((line) => `> ${line}`)
      .join('\n');
    await say(opened, `${quoted}\n\nThank you!`);
    expect(replies(opened)).toHaveLength(1);
  });

  it('by a label of work that is not done yet is answered once', async () => {
    const opened = await open();
    await opened.stage.simulator.addLabel(opened.number, 'fix-ci', { by: 'mia' });
    await opened.stage.quiet();
    await opened.stage.simulator.removeLabel(opened.number, 'fix-ci');
    await opened.stage.simulator.addLabel(opened.number, 'fix-ci', { by: 'mia' });
    await opened.stage.quiet();
    expect(replies(opened)).toEqual([expect.stringContaining('not available yet')]);
  });
});

describe('a question', () => {
  async function openWithAnswer(answer: ProviderAnswer) {
    const round = playRound({ texts: { summary: 'It adds a test.' } });
    const provider = await startProviderServer({
      answer: (request) => (JSON.stringify(request.body).includes('submit_answer') ? answer : round(request)),
    });
    onTestFinished(() => provider.close());
    return { provider, opened: await open({ model: chooseAt(provider.url) }) };
  }

  it('T-016 is answered once by the model, with what was said, and not again by the next push', async () => {
    const answer = toolCall('submit_answer', { answer: 'It runs **one** test, @ada.', complete: true });
    const { provider, opened } = await openWithAnswer(answer);
    await say(opened, 'The suite takes minutes.', 'eve');
    await say(opened, 'Why does CI run a single test here, @horton?');
    expect(replies(opened)).toEqual([expect.stringContaining('It runs **one** test')]);
    expect(replies(opened)[0]).not.toMatch(/(?<![\w`\\])@ada/);
    const asked = provider.requests.filter(({ body }) => JSON.stringify(body).includes('submit_answer'));
    expect(asked).toHaveLength(1);
    for (const known of ['The suite takes minutes.', 'it.only', 'single test']) {
      expect(JSON.stringify(asked[0]?.body)).toContain(known);
    }
    const { stage } = opened;
    const sha = await stage.commit('feature', { 'src/b.ts': 'export const b = 1;\n' });
    await stage.simulator.push('feature', sha, { by: 'ada' });
    await stage.quiet();
    expect(replies(opened)).toHaveLength(1);
  });

  it('T-137 that the model does not answer gets the status, and why', async () => {
    const { opened } = await openWithAnswer(status(401));
    await say(opened, 'Why does CI run a single test here, @horton?');
    expect(replies(opened)).toEqual([expect.stringContaining('The model did not answer')]);
    expect(replies(opened)[0]).toContain('active: each push is reviewed');
  });
});

describe('the one comment in other hands', () => {
  it('edited by a person it is put back, and says by whom it was edited', async () => {
    const opened = await open();
    const [review] = opened.stage.ours(opened.number);
    await opened.stage.simulator.editComment(review?.id ?? 0, 'Nothing to see here.', 'eve');
    await opened.stage.quiet();
    expect(reviews(opened)).toEqual([
      expect.stringContaining('eve edited this comment; the review was put back.'),
    ]);
    expect(reviews(opened)[0]).toContain('src/price.test.ts');
  });

  it('T-162 deleted twice it stays away until a summons', async () => {
    const opened = await open();
    const { stage, number } = opened;
    const remove = async (): Promise<void> => {
      const review = stage.ours(number).find(({ body }) => !body.includes('pr-shepherd-reply'));
      await stage.simulator.deleteComment(review?.id ?? 0, 'ada');
      await stage.quiet();
    };
    const push = async (n: number): Promise<void> => {
      const sha = await stage.commit('feature', { [`src/${n}.ts`]: `export const n = ${n};\n` });
      await stage.simulator.push('feature', sha, { by: 'ada' });
      await stage.quiet();
    };
    await remove();
    await push(1);
    expect(reviews(opened)).toHaveLength(1);
    await remove();
    await push(2);
    expect(reviews(opened)).toEqual([]);
    await say(opened, '@horton review');
    expect(reviews(opened)).toHaveLength(1);
  });
});
