import { describe, expect, it, onTestFinished } from 'vitest';
import { shepherdState } from '../host/shepherds.ts';
import { playRound } from '../model/testing/answers.ts';
import { chooseAt } from '../model/testing/client.ts';
import { startProviderServer } from '../model/testing/provider-server.ts';
import { gateOf } from '../review/gating.ts';
import {
  openPr,
  PLAIN,
  publishedShas,
  pushTo,
  reviewsOf,
  roundsOf,
  type Scene,
  say,
  tell,
  untold,
} from './testing/scene.ts';
import { openStage } from './testing/stage.ts';
import { openTimedStage } from './testing/timed-stage.ts';

const TEAM = { members: ['ada', 'mia'] };
const MINUTE_MS = 60_000;

/** Why the PR is reviewed or not, as its Shepherd sees it. */
function gate(stage: Scene, number: number): string | undefined {
  const state = shepherdState(stage.service().factory, { owner: 'acme', repo: 'shop', number });
  return state === undefined ? undefined : gateOf(state);
}

describe('drafts', () => {
  it('T-140 wait, whether opened or made so, and whatever is pushed; ready they are reviewed', async () => {
    const stage = await openStage(TEAM);
    const opened = await openPr(stage, 'opened', { draft: true, labels: ['shepherd'] });
    await pushTo(stage, 'opened', { 'b.ts': 'export const b = 1;\n' });
    const made = await openPr(stage, 'made');
    await stage.published(1, made);
    await stage.simulator.setDraft(made, true);
    await pushTo(stage, 'made', { 'made.test.ts': PLAIN });
    await stage.simulator.editPullRequest(made, { title: 'Another title' });
    await stage.quiet();
    expect(stage.ours(opened)).toEqual([]);
    expect(publishedShas(stage, made)).toHaveLength(1);
    expect([gate(stage, opened), gate(stage, made)]).toEqual(['draft', 'draft']);

    await stage.simulator.setDraft(opened, false);
    await stage.simulator.setDraft(made, false);
    await stage.published(1, opened);
    await stage.published(2, made);
    expect(publishedShas(stage, made)[1]).toBe(stage.simulator.pullRequest(made).head.sha);
  });

  it('T-141 T-041 a commit that was seen while nobody reviewed it is reviewed as soon as somebody may', async () => {
    const stage = await openStage(TEAM);
    const draft = await openPr(stage, 'draft', { draft: true });
    const paused = await openPr(stage, 'paused', { labels: ['pause-shepherd'] });
    const stranger = await openPr(stage, 'stranger', { author: 'eve' });
    const closed = await openPr(stage, 'closed', { draft: true });
    await stage.simulator.closePullRequest(closed);
    await stage.simulator.setDraft(closed, false);
    await stage.quiet();
    const all = [draft, paused, stranger, closed];
    expect(all.flatMap((number) => stage.ours(number))).toEqual([]);
    expect(all.map((number) => gate(stage, number))).toEqual(['draft', 'paused', 'community', 'closed']);

    await stage.simulator.setDraft(draft, false);
    await stage.simulator.removeLabel(paused, 'pause-shepherd');
    await stage.simulator.addLabel(stranger, 'shepherd');
    await stage.simulator.reopenPullRequest(closed);
    for (const number of all) {
      const { sha } = await stage.published(1, number);
      expect(sha).toBe(stage.simulator.pullRequest(number).head.sha);
    }

    // Reviewed on request while it was a draft, it is not reviewed again for having become ready.
    const asked = await openPr(stage, 'asked', { draft: true });
    await say(stage, asked, '@horton review');
    await stage.simulator.setDraft(asked, false);
    await stage.simulator.setDraft(asked, true);
    await stage.simulator.setDraft(asked, false);
    await stage.quiet();
    expect(roundsOf(stage, asked)).toHaveLength(1);
    expect(gate(stage, asked)).toBe('active');
  });
});

describe('labels', () => {
  it('T-143 pausing keeps quiet through pushes, and taking it off reviews all that was missed', async () => {
    const read: string[] = [];
    const provider = await startProviderServer({
      answer: (request) => {
        if (request.aspect === 'perf') read.push(request.userText);
        return playRound({})(request);
      },
    });
    onTestFinished(() => provider.close());
    const stage = await openStage({ ...TEAM, model: chooseAt(provider.url) });
    await openPr(stage, 'feature', { files: { 'a.ts': 'export const a = 1;\n' } });
    await stage.published(1);
    await stage.simulator.addLabel(1, 'pause-shepherd');
    await pushTo(stage, 'feature', { 'b.ts': 'export const b = 1;\n' });
    await pushTo(stage, 'feature', { 'c.ts': 'export const c = 1;\n' });
    await stage.quiet();
    expect(read).toHaveLength(1);
    await stage.simulator.removeLabel(1, 'pause-shepherd');
    await stage.published(2);
    expect(read[1]).toContain('export const b');
    expect(read[1]).toContain('export const c');
    expect(read[1]).not.toContain('export const a');
  });

  it('T-143 the label of a stranger taken off ends the reviews, and put on again goes on with them', async () => {
    const stage = await openStage(TEAM);
    await openPr(stage, 'feature', { author: 'eve', labels: ['shepherd'] });
    await stage.published(1);
    await stage.simulator.removeLabel(1, 'shepherd');
    await pushTo(stage, 'feature', { 'b.ts': 'export const b = 1;\n' });
    await stage.quiet();
    expect(publishedShas(stage, 1)).toHaveLength(1);
    await stage.simulator.addLabel(1, 'shepherd');
    await stage.published(2);
    // For good, also after it is taken off.
    await stage.simulator.addLabel(1, 'no-shepherd');
    await stage.quiet();
    await stage.simulator.removeLabel(1, 'no-shepherd');
    await stage.quiet();
    expect(gate(stage, 1)).toBe('exited');
    await pushTo(stage, 'feature', { 'feature.test.ts': PLAIN });
    await stage.quiet();
    expect(publishedShas(stage, 1)).toHaveLength(2);
  });

  it('T-144 several labels at once, at the opening or later, make one round', async () => {
    const stage = await openStage(TEAM);
    const opened = await openPr(stage, 'opened', {
      author: 'eve',
      labels: ['docs', 'shepherd', 'bug', 'p1'],
    });
    const later = await openPr(stage, 'later', { author: 'eve' });
    await stage.quiet();
    await Promise.all(
      ['a', 'shepherd', 'b', 'c', 'd'].map((name) => stage.simulator.addLabel(later, name, { by: 'mia' })),
    );
    await stage.published(1, opened);
    await stage.published(1, later);
    await stage.quiet();
    expect([roundsOf(stage, opened), roundsOf(stage, later)]).toMatchObject([{ length: 1 }, { length: 1 }]);
    expect([publishedShas(stage, opened), publishedShas(stage, later)]).toMatchObject([
      { length: 1 },
      { length: 1 },
    ]);
  });

  it('T-145 labels of an old payload decide nothing, in either direction', async () => {
    const stage = await openStage(TEAM);
    // It was paused when these were sent, and is not any more.
    const paused = await openPr(stage, 'was-paused', { draft: true });
    await stage.quiet();
    const whilePaused = await untold(stage, async () => {
      await stage.simulator.addLabel(paused, 'pause-shepherd');
      await stage.simulator.setDraft(paused, false);
      await pushTo(stage, 'was-paused', { 'was-paused.test.ts': PLAIN });
    });
    await untold(stage, () => stage.simulator.removeLabel(paused, 'pause-shepherd'));
    // It was free when these were sent, and is paused now.
    const free = await openPr(stage, 'was-free', { author: 'eve' });
    await stage.quiet();
    const whileFree = await untold(stage, async () => {
      await stage.simulator.addLabel(free, 'shepherd');
      await pushTo(stage, 'was-free', { 'b.ts': 'export const b = 1;\n' });
    });
    await untold(stage, () => stage.simulator.removeLabel(free, 'shepherd'));
    await tell(stage, [...whilePaused, ...whileFree].toReversed());
    await stage.quiet();
    expect(publishedShas(stage, paused)).toEqual([stage.simulator.pullRequest(paused).head.sha]);
    expect(stage.ours(free)).toEqual([]);
    expect([gate(stage, paused), gate(stage, free)]).toEqual(['active', 'community']);
  });

  it('T-009 a label on a PR that is closed or merged starts nothing, known or not', async () => {
    const stage = await openStage(TEAM);
    const known = await openPr(stage, 'known', { author: 'eve' });
    await stage.simulator.closePullRequest(known);
    const unknown = (
      await untold(stage, async () => {
        await openPr(stage, 'unknown', { author: 'eve' });
        await stage.simulator.closePullRequest(known + 1, { merged: true });
      })
    ).length;
    expect(unknown).toBe(2);
    for (const number of [known, known + 1]) {
      await stage.simulator.addLabel(number, 'shepherd', { by: 'mia' });
      await stage.simulator.addLabel(number, 'fix-ci', { by: 'mia' });
    }
    await stage.quiet();
    expect([...stage.ours(known), ...stage.ours(known + 1)]).toEqual([]);
    expect(stage.progress).toEqual([]);
    expect([gate(stage, known), gate(stage, known + 1)]).toEqual(['closed', 'closed']);
    await stage.simulator.reopenPullRequest(known);
    await stage.published(1, known);
  });
});

describe('whose PR it is', () => {
  it('T-147 who joins the team is of it some minutes later', async () => {
    const stage = await openTimedStage(TEAM);
    stage.simulator.inject({ path: /\/members\/ada$/, times: 1, respond: { status: 404, body: {} } });
    await openPr(stage, 'feature');
    await stage.quiet();
    expect(gate(stage, 1)).toBe('community');
    // What the service itself remembers goes by no clock that can be put forward.
    await stage.stopService();
    await stage.startService();
    await stage.pass(11 * MINUTE_MS);
    await pushTo(stage, 'feature', { 'b.ts': 'export const b = 1;\n' });
    await stage.quiet();
    expect(reviewsOf(stage, 1)).toHaveLength(1);
  });

  it('T-147 a refusal to tell says what is missing, starts nothing, and is asked again', async () => {
    const stage = await openTimedStage(TEAM);
    const location = `${stage.simulator.url}/orgs/acme/public_members/ada`;
    const path = /\/orgs\/acme\/members\//;
    const grant = stage.simulator.inject({ path, respond: { status: 302, headers: { location } } });
    const waits = await openPr(stage, 'waits');
    const labelled = await openPr(stage, 'labelled', { author: 'mia', labels: ['shepherd'] });
    await stage.quiet();
    expect(gate(stage, waits)).toBe('unclassified');
    expect(stage.ours(waits)).toEqual([]);
    const state = shepherdState(stage.service().factory, { owner: 'acme', repo: 'shop', number: waits });
    expect(state?.failure).toMatchObject({
      retryable: false,
      what: expect.stringContaining('Members: read'),
    });
    // With the label nobody needs to know.
    expect(reviewsOf(stage, labelled)).toHaveLength(1);
    grant();
    await stage.pass(60 * MINUTE_MS);
    expect(reviewsOf(stage, waits)).toHaveLength(1);
  });

  it('T-147 T-148 the author decides: a private member with a fork is of the team, a bot or a stranger here is not', async () => {
    const stage = await openStage(TEAM);
    const fork = await openPr(stage, 'fork', { fork: 'ada' });
    const gone = await openPr(stage, 'gone', { fork: 'mia', author: 'mia', draft: true });
    stage.simulator.deleteFork(gone);
    await stage.simulator.setDraft(gone, false);
    const bot = await openPr(stage, 'bot', { author: 'renovate[bot]' });
    const stranger = await openPr(stage, 'stranger', { author: 'eve' });
    const strange = await openPr(stage, 'strange', { author: 'eve', fork: 'eve' });
    await stage.published(1, fork);
    await stage.published(1, gone);
    await stage.quiet();
    // No event says who is of the team.
    const told = stage.simulator.deliveries.filter(({ event }) => event === 'pull_request');
    for (const { payload } of told)
      expect(payload.pull_request).toMatchObject({ author_association: 'NONE' });
    const community = [bot, stranger, strange];
    expect(community.flatMap((number) => stage.ours(number))).toEqual([]);
    for (const number of community) await stage.simulator.addLabel(number, 'shepherd', { by: 'mia' });
    for (const number of community) await stage.published(1, number);
  });
});
