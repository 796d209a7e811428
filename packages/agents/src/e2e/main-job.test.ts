import { describe, expect, it } from 'vitest';
import { shepherdUrl, workerUrl } from '../ids.ts';
import { parseMarker } from '../review/marker.ts';
import { hold } from './testing/hold.ts';
import { APP, openStage, type Stage } from './testing/stage.ts';

const FOCUSED = "import { it } from 'vitest';\n\nit.only('adds', () => {});\n";
const UNFOCUSED = FOCUSED.replace('.only', '');

interface Opened {
  readonly stage: Stage;
  readonly number: number;
}

async function openFocused(
  options: Parameters<typeof openStage>[0] = {},
  pr: { readonly author?: string; readonly draft?: boolean; readonly labels?: readonly string[] } = {},
): Promise<Opened> {
  const stage = await openStage(options);
  await stage.commit('feature', { 'src/price.test.ts': FOCUSED });
  const { number } = await stage.simulator.openPullRequest({
    head: 'feature',
    base: 'main',
    title: 'Test prices',
    author: 'ada',
    ...pr,
  });
  return { stage, number };
}

describe('a pull request of the team', () => {
  it('gets one comment by six workers, and the second iteration in the same comment', async () => {
    const { stage, number } = await openFocused();
    const first = await stage.published(1);
    expect(first.action).toBe('created');
    expect(first.body).toContain('src/price.test.ts');
    const done = stage.progress.flatMap((event) =>
      event.type === 'worker' && event.state === 'done' ? [event.aspect] : [],
    );
    expect(done.toSorted()).toEqual([
      'architecture',
      'conventions',
      'correctness',
      'perf',
      'security',
      'tests',
    ]);

    const sha = await stage.commit('feature', { 'src/price.test.ts': UNFOCUSED });
    await stage.simulator.push('feature', sha, { by: 'ada' });
    const second = await stage.published(2);
    expect(second).toMatchObject({ action: 'updated', sha, commentId: first.commentId });
    await stage.quiet();
    expect(stage.ours(number)).toEqual([expect.objectContaining({ body: second.body })]);
    expect(parseMarker(second.body)).toEqual({ sha, iteration: 2 });
  });

  it('asks GitHub nothing that it does not know', async () => {
    const { stage } = await openFocused();
    await stage.published(1);
    await stage.quiet();
    expect(stage.simulator.requests.filter((request) => !request.routed)).toEqual([]);
  });

  it('T-020 duplicated and redelivered deliveries change nothing', async () => {
    const { stage, number } = await openFocused();
    await stage.published(1);
    await stage.quiet();
    const before = stage.simulator.requests.length;
    const opened = stage.simulator.deliveries.find((delivery) => delivery.action === 'opened');
    await stage.simulator.redeliver(opened?.guid ?? '');
    await stage.simulator.redeliver(opened?.guid ?? '');
    await stage.quiet();
    expect(stage.ours(number)).toHaveLength(1);
    expect(stage.simulator.requests.slice(before)).toEqual([]);
  });

  it('the same event under another delivery id does not start a second round', async () => {
    const { stage, number } = await openFocused();
    await stage.published(1);
    const opened = stage.simulator.deliveries.find((delivery) => delivery.action === 'opened');
    await stage.simulator.send('pull_request', opened?.payload ?? {});
    await stage.quiet();
    expect(stage.progress.filter((event) => event.type === 'round')).toHaveLength(1);
    expect(stage.ours(number)).toHaveLength(1);
  });

  it('shuts its workers down when it is closed, and revives them when it is opened again', async () => {
    const { stage, number } = await openFocused();
    await stage.published(1);
    const status = (): unknown =>
      stage
        .service()
        .factory.host.readRows(workerUrl({ owner: 'acme', repo: 'shop', number }, 'perf'), 'meta')[0]?.status;
    expect(status()).toBe('active');
    await stage.simulator.closePullRequest(number);
    await stage.quiet();
    expect(status()).toBe('shutdown');

    const sha = await stage.commit('feature', { 'src/price.test.ts': UNFOCUSED });
    await stage.simulator.push('feature', sha, { by: 'ada' });
    await stage.simulator.reopenPullRequest(number);
    await stage.published(2);
    expect(status()).toBe('active');
  });

  it('T-036 a merge of main is not reviewed as work of the author', async () => {
    const { stage, number } = await openFocused();
    await stage.published(1);
    const main = await stage.commit('main', { 'src/other.test.ts': FOCUSED }, 'Break main');
    await stage.simulator.push('main', main, { by: 'bob' });
    const merged = await stage.merge('feature', 'main');
    await stage.simulator.push('feature', merged, { by: 'ada' });
    const second = await stage.published(2);
    expect(second.body).not.toContain('other.test.ts');
    expect(second.body).toContain('the review stands');
    expect(stage.ours(number)).toHaveLength(1);
  });

  it('T-162 a comment that a person deleted is written anew', async () => {
    const { stage, number } = await openFocused();
    const first = await stage.published(1);
    await stage.simulator.deleteComment(first.commentId, 'ada');
    const sha = await stage.commit('feature', { 'src/price.test.ts': UNFOCUSED });
    await stage.simulator.push('feature', sha, { by: 'ada' });
    expect(await stage.published(2)).toMatchObject({ action: 'created' });
    expect(stage.ours(number)).toHaveLength(1);
  });

  it("T-157 somebody else's comment with our heading and marker is left alone", async () => {
    const stage = await openStage();
    await stage.commit('feature', { 'src/price.test.ts': FOCUSED });
    const { number } = await stage.simulator.openPullRequest({
      head: 'feature',
      base: 'main',
      title: 'Test prices',
      author: 'ada',
      draft: true,
    });
    const marker = `<!-- pr-shepherd {"v":1,"sha":"${'a'.repeat(40)}","iteration":1} -->`;
    const fake = await stage.simulator.comment(number, {
      author: 'eve',
      body: `## PR Shepherd Review\n\n${marker}`,
    });
    await stage.simulator.setDraft(number, false);
    expect(await stage.published(1)).toMatchObject({ action: 'created' });
    expect(stage.simulator.comments(number).find((comment) => comment.id === fake.id)?.body).toContain('"a');
  });
});

describe('a pull request that is not to be reviewed (S8)', () => {
  it('T-140 waits while it is a draft', async () => {
    const { stage, number } = await openFocused({}, { draft: true });
    await stage.quiet();
    expect(stage.progress).toEqual([]);
    await stage.simulator.setDraft(number, false);
    await stage.published(1);
  });

  it('of the community waits for the label `shepherd`', async () => {
    const { stage, number } = await openFocused({}, { author: 'eve' });
    await stage.quiet();
    expect(stage.progress).toEqual([]);
    await stage.simulator.addLabel(number, 'shepherd');
    await stage.published(1);
  });

  it('T-143 waits while it has the label `pause-shepherd`, and goes on when it is taken off', async () => {
    const { stage, number } = await openFocused({}, { labels: ['pause-shepherd'] });
    await stage.quiet();
    expect(stage.progress).toEqual([]);
    await stage.simulator.removeLabel(number, 'pause-shepherd');
    await stage.published(1);
  });

  it('an event of an unknown PR reaches the dispatcher, so that its Shepherd exists at once', async () => {
    const stage = await openStage();
    stage.simulator.setWebhookUrl(undefined);
    await stage.commit('feature', { 'src/price.test.ts': FOCUSED });
    const { number } = await stage.simulator.openPullRequest({
      head: 'feature',
      base: 'main',
      title: 'Test prices',
      author: 'eve',
    });
    stage.simulator.setWebhookUrl(`${stage.service().url}/webhooks/github`);
    await stage.simulator.addLabel(number, 'shepherd');
    await stage.published(1);
    const url = shepherdUrl({ owner: 'acme', repo: 'shop', number });
    expect(await stage.service().factory.host.client.getEntity(url)).toBeDefined();
  });
});

describe('trouble with GitHub', () => {
  it('T-092 a create whose answer was lost is found again before a second one is tried', async () => {
    const { stage, number } = await openFocusedWithFault();
    expect(await stage.published(1)).toMatchObject({ action: 'updated' });
    await stage.quiet();
    expect(stage.ours(number)).toHaveLength(1);
  });

  it('T-027 a comparison that is unknown for a moment is asked for again', async () => {
    const stage = await openStage();
    await stage.commit('feature', { 'src/price.test.ts': FOCUSED });
    const respond = { status: 404, body: { message: 'Not Found' } };
    stage.simulator.inject({ path: /\/compare\//, times: 1, respond });
    await stage.simulator.openPullRequest({
      head: 'feature',
      base: 'main',
      title: 'Test prices',
      author: 'ada',
    });
    expect((await stage.published(1)).body).toContain('src/price.test.ts');
  });

  it('T-006 a round whose commit was replaced meanwhile is not published as if it were current', async () => {
    const stage = await openStage();
    await stage.commit('feature', { 'src/price.test.ts': FOCUSED });
    const { reached, release } = hold(stage.simulator, /\/graphql$/);
    const { number } = await stage.simulator.openPullRequest({
      head: 'feature',
      base: 'main',
      title: 'Test prices',
      author: 'ada',
    });
    await reached;
    const sha = await stage.commit('feature', { 'src/price.test.ts': UNFOCUSED });
    await stage.simulator.push('feature', sha, { by: 'ada' });
    release();
    expect(await stage.published(1)).toMatchObject({ sha, iteration: 1 });
    await stage.quiet();
    expect(stage.ours(number)).toHaveLength(1);
  });
});

async function openFocusedWithFault(): Promise<Opened> {
  const stage = await openStage();
  await stage.commit('feature', { 'src/price.test.ts': FOCUSED });
  stage.simulator.inject({ method: 'POST', path: /\/issues\/1\/comments/, times: 1, afterEffect: true });
  const { number } = await stage.simulator.openPullRequest({
    head: 'feature',
    base: 'main',
    title: 'Test prices',
    author: 'ada',
  });
  return { stage, number };
}

describe('secrets', () => {
  it('are in no row of the database', async () => {
    const { stage } = await openFocused();
    await stage.published(1);
    await stage.quiet();
    const text = await stage.databaseText();
    expect(text).toContain('Test prices');
    expect(text).not.toContain(APP.webhookSecret);
    expect(text).not.toContain('PRIVATE KEY');
    expect(text).not.toContain('ghs_');
  });
});
