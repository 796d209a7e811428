import { describe, expect, it } from 'vitest';
import { hold } from './testing/hold.ts';
import {
  answered,
  lastTold,
  openPr,
  PLAIN,
  publishedShas,
  pushTo,
  repliesOf,
  reviewsOf,
  roundsOf,
  say,
  untold,
} from './testing/scene.ts';
import { openStage, type Stage } from './testing/stage.ts';
import { openTimedStage } from './testing/timed-stage.ts';

const TEAM = { members: ['ada', 'mia'] };
const SECOND_MS = 1_000;
const EMOJI = 'Größe 🐑🏽 ẞ "tab\\t" \u2028 Ünïcode';

/** Requests that write something. */
function writes(stage: Pick<Stage, 'simulator'>): number {
  return stage.simulator.requests.filter(({ method, path }) => method !== 'GET' && /comments/.test(path))
    .length;
}

describe('a delivery', () => {
  it('T-020 of any kind that is sent again, also after a restart, has no effect', async () => {
    const stage = await openStage(TEAM);
    await openPr(stage, 'feature');
    await stage.published(1);
    const { id } = await say(stage, 1, '@horton status');
    await stage.simulator.editComment(id, '@horton status, please');
    await stage.simulator.startThread(1, {
      author: 'mia',
      path: 'feature.test.ts',
      line: 1,
      body: '@horton status',
    });
    await pushTo(stage, 'feature', { 'feature.test.ts': PLAIN });
    await stage.published(2);
    await stage.simulator.addLabel(1, 'fix-ci', { by: 'mia' });
    await stage.simulator.closePullRequest(1);
    await stage.simulator.reopenPullRequest(1);
    await stage.quiet();
    const told = [...stage.simulator.deliveries];
    const before = { asked: stage.simulator.requests.length, written: writes(stage) };
    for (const { guid } of told) await stage.simulator.redeliver(guid);
    await stage.quiet();
    expect(stage.simulator.requests).toHaveLength(before.asked);

    await stage.stopService();
    await stage.startService();
    await stage.quiet();
    for (const { guid } of told.toReversed()) await stage.simulator.redeliver(guid);
    await stage.quiet();
    expect(writes(stage)).toBe(before.written);
    expect(new Set(told.map(({ event }) => event)).size).toBe(4);
  });

  it('T-023 is answered while GitHub is silent, and served when it speaks again', async () => {
    const stage = await openStage(TEAM);
    const held = hold(stage.simulator, /./);
    // Resolves with the answer to the delivery.
    await openPr(stage, 'feature');
    await held.reached;
    await stage.simulator.comment(1, { author: 'mia', body: '@horton status' });
    expect(stage.simulator.deliveries.map(({ status }) => status)).toEqual([202, 202]);
    expect(stage.ours(1)).toEqual([]);
    held.release();
    await stage.published(1);
    await stage.quiet();
    expect(repliesOf(stage, 1)).toHaveLength(1);
  });

  it('T-024 is taken by its bytes: text of any script passes, the same JSON in other bytes does not', async () => {
    const stage = await openStage(TEAM);
    await openPr(stage, 'feature', { title: EMOJI });
    await say(stage, 1, `@horton status ${EMOJI}`);
    expect(stage.simulator.deliveries.every(({ status }) => status === 202)).toBe(true);
    expect(repliesOf(stage, 1)).toHaveLength(1);

    const last = stage.simulator.deliveries.findLast(({ event }) => event === 'issue_comment');
    const send = async (body: string): Promise<number> => {
      const url = `${stage.service().url}/webhooks/github`;
      const headers = { ...last?.headers, 'x-github-delivery': crypto.randomUUID() };
      return (await fetch(url, { method: 'POST', headers, body })).status;
    };
    const json = JSON.stringify(last?.payload);
    expect(json).toContain('🐑🏽');
    expect(await send(JSON.stringify(last?.payload, null, 1))).toBe(401);
    expect(await send(json.replaceAll(/[^\x20-\x7e]/gu, escaped))).toBe(401);
    expect(await send(json)).toBe(202);
  });

  it('T-029 that comes while we write ourselves is read, and what we write ourselves is no news', async () => {
    const stage = await openStage(TEAM);
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const writing = new Promise<void>((resolve) => {
      stage.simulator.inject({
        method: 'POST',
        path: /\/issues\/1\/comments$/,
        times: 1,
        gate,
        onRequest: resolve,
      });
    });
    await openPr(stage, 'feature');
    await writing;
    const early = await stage.simulator.comment(1, { author: 'mia', body: '@horton help' });
    release();
    // Its delivery comes before that of our own comment, whose id is the higher one.
    const late = await stage.simulator.comment(1, { author: 'mia', body: '@horton status' });
    await stage.quiet();
    expect(answered(stage, 1)).toEqual([early.nodeId, late.nodeId].toSorted());

    const asked = stage.simulator.requests.length;
    const own = stage.simulator.deliveries.filter(({ payload }) =>
      JSON.stringify(payload.sender).includes('[bot]'),
    );
    expect(own).toHaveLength(3);
    for (const { event, payload } of own) await stage.simulator.send(event, payload);
    await stage.quiet();
    expect(stage.simulator.requests).toHaveLength(asked);
  });
});

describe('GitHub behind its own events', () => {
  it('T-025 is asked again with growing waits, until it knows of the push', async () => {
    const stage = await openTimedStage({ settleMs: 0 });
    await openPr(stage, 'feature');
    await stage.quiet();
    const behind = lastTold(stage, 1);
    stage.simulator.inject({
      method: 'GET',
      path: /\/pulls\/1$/,
      times: 2,
      respond: { status: 200, body: behind },
    });
    const head = await pushTo(stage, 'feature', { 'feature.test.ts': PLAIN });
    await stage.quiet();
    expect(publishedShas(stage, 1)).toHaveLength(1);
    await stage.pass(SECOND_MS);
    expect(publishedShas(stage, 1)).toHaveLength(1);
    await stage.pass(4 * SECOND_MS);
    expect(publishedShas(stage, 1).at(-1)).toBe(head);
    expect(roundsOf(stage, 1)).toHaveLength(2);
  });

  it('T-025 for good, as after a push that was taken back at once, is believed in the end', async () => {
    const stage = await openTimedStage({ settleMs: 0 });
    await openPr(stage, 'feature');
    await stage.quiet();
    const first = stage.simulator.pullRequest(1).head.sha;
    const told = await untold(stage, async () => {
      await pushTo(stage, 'feature', { 'feature.test.ts': PLAIN });
      await stage.simulator.push('feature', first);
    });
    // The first of the two comes last: it tells that the present head was replaced.
    for (const { event, payload } of told.toReversed()) await stage.simulator.send(event, payload);
    await stage.quiet();
    for (const seconds of [1, 4, 15]) await stage.pass(seconds * SECOND_MS);
    expect(publishedShas(stage, 1)).toEqual([first]);
    await say(stage, 1, '@horton status', 'ada');
    expect(repliesOf(stage, 1)).toEqual([expect.stringContaining('reviewed the head')]);
  });

  it('T-027 that does not know a PR for a moment is asked again, at its opening and after a push', async () => {
    const stage = await openTimedStage();
    const respond = { status: 404, body: { message: 'Not Found' } };
    stage.simulator.inject({ path: /\/pulls\/1$/, times: 1, respond });
    await openPr(stage, 'feature');
    for (const seconds of [1, 4, 15]) await stage.pass(seconds * SECOND_MS);
    expect(reviewsOf(stage, 1)).toEqual([expect.stringContaining('feature.test.ts')]);

    stage.simulator.inject({ path: /\/pulls\/1$/, times: 1, respond });
    const head = await pushTo(stage, 'feature', { 'feature.test.ts': PLAIN });
    for (const seconds of [1, 4, 15]) await stage.pass(seconds * SECOND_MS);
    expect(publishedShas(stage, 1).at(-1)).toBe(head);
  });

  it('T-027 that does not know a commit yet is asked again', async () => {
    const stage = await openTimedStage();
    const respond = { status: 404, body: { message: 'Not Found' } };
    stage.simulator.inject({ path: /\/compare\//, times: 2, respond });
    await openPr(stage, 'feature');
    for (const seconds of [1, 4]) await stage.pass(seconds * SECOND_MS);
    const asked = stage.simulator.requests.filter(({ path }) => path.includes('/compare/'));
    expect(asked.map(({ status }) => status)).toEqual([404, 404, 200]);
    expect(reviewsOf(stage, 1)).toEqual([expect.stringContaining('1 of 1 file read')]);
  });
});

function escaped(text: string): string {
  return [...text]
    .flatMap((char) =>
      Array.from(
        { length: char.length },
        (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`,
      ),
    )
    .join('');
}
