import { describe, expect, it } from 'vitest';
import type { FinalState } from '../agents/conclude.ts';
import { hang, playRound } from '../model/testing/answers.ts';
import { openPr, pushTo, reviewsOf, say, untold } from './testing/scene.ts';
import { markersOf, ownRow, shownLines, talkStatus } from './testing/talk-look.ts';
import { openTalk, type TalkStage } from './testing/talk-stage.ts';
import { openTimedStage } from './testing/timed-stage.ts';

type Ended = Pick<TalkStage, 'service' | 'number'>;

function finalOf(stage: Ended): FinalState {
  return ownRow(stage, stage.number, 'final') as FinalState;
}

/** Each late item in a line. */
function late(stage: Ended): readonly string[] {
  const { lateItems = [] } = finalOf(stage);
  return lateItems.map(({ kind, outcome, by, text }) => `${outcome} ${kind} by ${by}: ${text}`).toSorted();
}

const LINE = { path: 'src/total.ts', line: 1 };

describe('row 2.12 h, fault 46: what is said too late for a review', () => {
  it('of a PR that is merged is kept in its end and told by the status, and costs nothing', async () => {
    const stage = await openTalk();
    const { simulator, number, provider } = stage;
    // Untold, since a PR on which much is said is listened to less often.
    simulator.setWebhookUrl(undefined);
    const seen = await simulator.comment(number, { author: 'mia', body: 'In time' });
    const thread = await simulator.startThread(number, { author: 'mia', body: 'Solved', ...LINE });
    await simulator.resolveThread(thread.threadId, 'ada');
    simulator.setWebhookUrl(`${stage.service().url}/webhooks/github`);
    const { body } = await stage.round();
    await untold(stage, () => simulator.comment(number, { author: 'ben', body: 'Told by nobody' }));
    const asked = provider.requests.length;

    await simulator.closePullRequest(number, { merged: true });
    await stage.quiet();
    expect(late(stage)).toEqual(['new comment by ben: Told by nobody']);
    expect(talkStatus(stage, number)).toMatchObject({ state: 'closed', unsurfacedItems: 1 });

    await untold(stage, async () => {
      await simulator.editComment(seen.id, 'In time, but wrong');
      await simulator.unresolveThread(thread.threadId, 'mia');
    });
    await simulator.submitReview(number, { author: 'eve', state: 'approved', body: 'Good that it is in' });
    await stage.quiet();
    const all = [
      'edited comment by mia: In time, but wrong',
      'new comment by ben: Told by nobody',
      'new summary by eve: Good that it is in',
      'reopened thread by mia: Solved',
    ];
    expect(late(stage)).toEqual(all);
    expect(finalOf(stage).unsurfaced).toBe(4);
    expect(talkStatus(stage, number)).toMatchObject({ state: 'closed', unsurfacedItems: 4 });
    await stage.stopService();
    await stage.startService();
    await stage.quiet();
    expect(late(stage)).toEqual(all);
    expect(provider.requests).toHaveLength(asked);
    expect(reviewsOf(stage, number)).toEqual([body]);
    expect((await markersOf(stage, number)).size).toBe(2);
  });

  it('is kept also where GitHub does not tell it for longer than a round would wait', async () => {
    const stage = await openTimedStage();
    const { simulator } = stage;
    const number = await openPr(stage, 'feature');
    await say(stage, number, 'Early word');
    const body = { data: null, errors: [{ message: 'Something went wrong' }] };
    const restore = simulator.inject({ path: /^\/graphql$/, respond: { status: 200, body } });
    await simulator.comment(number, { author: 'mia', body: 'Last word' });
    await simulator.closePullRequest(number);
    for (let minutes = 0; minutes < 10; minutes += 1) await stage.pass(60_000);
    expect(talkStatus(stage, number)).toMatchObject({ state: 'closed', unsurfacedItems: 1 });
    await stage.stopService();
    await stage.startService();
    restore();
    await stage.pass(60_000);
    expect(late({ ...stage, number })).toEqual([
      'new comment by mia: Early word',
      'new comment by mia: Last word',
    ]);
    expect(talkStatus(stage, number)).toMatchObject({ state: 'closed', unsurfacedItems: 2 });
  });

  it('is shown in the next round of a PR that was opened again', async () => {
    const stage = await openTalk();
    const { simulator, number } = stage;
    await simulator.closePullRequest(number);
    await say(stage, number, 'Do not give up');
    expect(late(stage)).toEqual(['new comment by mia: Do not give up']);
    await simulator.reopenPullRequest(number);
    await stage.quiet();
    expect(talkStatus(stage, number)).toMatchObject({ state: 'active', unsurfacedItems: 1 });
    expect(shownLines((await stage.round()).shown)).toEqual(['new: comment, active: Do not give up']);
    expect((await stage.round()).shown).toBe('');
    // Closed once more, nothing is left.
    await simulator.closePullRequest(number);
    await stage.quiet();
    expect(finalOf(stage)).toMatchObject({ unsurfaced: 0, lateItems: [] });
    expect(talkStatus(stage, number)).toMatchObject({ state: 'closed', unsurfacedItems: 0 });
  });

  it('counts what stood in the round that the close ended', async () => {
    let slow = false;
    const play = playRound({});
    const stage = await openTalk((request) => (slow ? hang : play(request)));
    const { simulator, number, provider } = stage;
    await say(stage, number, 'Shown to those who never answered');
    slow = true;
    const before = provider.requests.length;
    await pushTo(stage, 'feature', { 'src/other.ts': 'export const other = 1;\n' });
    await provider.request(before + 7);
    await simulator.closePullRequest(number);
    await stage.quiet();
    expect(late(stage)).toEqual(['new comment by mia: Shown to those who never answered']);
    expect(await markersOf(stage, number)).toEqual(new Map());
  });
});
