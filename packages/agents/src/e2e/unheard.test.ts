import { describe, expect, it } from 'vitest';
import { shepherdState } from '../host/shepherds.ts';
import { gateOf } from '../review/gating.ts';
import { answered, openPr, repliesOf, say } from './testing/scene.ts';
import { openTimedStage, type TimedStage } from './testing/timed-stage.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const FORBIDDEN = { status: 403, body: { message: 'This installation has been suspended' } };

/** A stage where GitHub does not say who we are until `restore` is called. */
async function openUnnamed() {
  const stage = await openTimedStage({ members: ['ada', 'mia'] });
  const restore = stage.simulator.inject({ path: /^\/app$/, respond: FORBIDDEN });
  await openPr(stage, 'feature', { draft: true });
  await stage.quiet();
  return { stage, restore };
}

function gate(stage: TimedStage): string | undefined {
  const state = shepherdState(stage.service().factory, { owner: 'acme', repo: 'shop', number: 1 });
  return state && gateOf(state);
}

function timesAsked(stage: TimedStage): number {
  return stage.simulator.requests.filter(({ path }) => path === '/app').length;
}

async function restart(stage: TimedStage): Promise<void> {
  await stage.stopService();
  await stage.startService();
}

describe('while GitHub does not say who we are', () => {
  it.each([
    ['', false],
    [', also over restarts', true],
  ])('a close is heard, and what was asked is answered later, once%s', async (_name, restarts) => {
    const { stage, restore } = await openUnnamed();
    const { nodeId } = await say(stage, 1, '@horton status');
    if (restarts) await restart(stage);
    await stage.simulator.closePullRequest(1);
    await stage.quiet();
    expect(gate(stage)).toBe('closed');
    restore();
    if (restarts) await restart(stage);
    expect(answered(stage, 1)).toEqual([]);
    await stage.pass(MINUTE_MS);
    expect(answered(stage, 1)).toEqual([nodeId]);
    // What GitHub sends again was processed already.
    const comment = stage.simulator.deliveries.find(({ event }) => event === 'issue_comment');
    await stage.simulator.redeliver(comment?.guid ?? '');
    if (restarts) await restart(stage);
    await stage.pass(HOUR_MS);
    expect(answered(stage, 1)).toEqual([nodeId]);
  });

  it('what is taken back before we know is not answered, and the rest is, in its order', async () => {
    const { stage, restore } = await openUnnamed();
    const first = await say(stage, 1, '@horton status');
    const second = await say(stage, 1, '@horton status, please');
    const third = await say(stage, 1, '@pr-shepherd help');
    await stage.simulator.deleteComment(second.id);
    await stage.quiet();
    restore();
    await stage.pass(MINUTE_MS);
    expect(answered(stage, 1)).toEqual([first.nodeId, third.nodeId].toSorted());
  });

  it('it is asked with growing waits, whatever comes in, and no more after a day (S9)', async () => {
    const { stage, restore } = await openUnnamed();
    await say(stage, 1, '@horton status');
    expect(timesAsked(stage)).toBe(1);
    for (const _ of [1, 2, 3]) await say(stage, 1, 'ping @horton');
    expect(timesAsked(stage)).toBe(1);
    for (const seconds of [15, 30, 60]) await stage.pass(seconds * 1_000);
    expect(timesAsked(stage)).toBe(4);
    for (let hour = 0; hour < 25; hour += 1) await stage.pass(HOUR_MS);
    const asked = timesAsked(stage);
    restore();
    await stage.pass(HOUR_MS);
    expect(timesAsked(stage)).toBe(asked);
    expect(repliesOf(stage, 1)).toEqual([]);
    // What comes after that is heard.
    const { nodeId } = await say(stage, 1, '@horton status');
    expect(answered(stage, 1)).toEqual([nodeId]);
  });
});
