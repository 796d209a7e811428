import { describe, expect, it } from 'vitest';
import { ASPECTS } from '../ids.ts';
import { gateOf } from './gating.ts';
import type { Seen } from './state.ts';
import { shaOf, TIMING, World } from './testing/shepherd-world.ts';

const HOUR_MS = 3_600_000;

function opened(prepare: (world: World) => void = () => {}): World {
  const world = new World();
  prepare(world);
  world.deliver({ type: 'pr-changed', push: false });
  return world;
}

function of(change: Partial<Seen>, team = true): (world: World) => void {
  return (world) => {
    world.team = team;
    world.pr = { ...world.pr, ...change };
  };
}

describe('who may ask', () => {
  it('somebody of the team gets a reaction and one answer', () => {
    const world = opened();
    world.ask('mia', { kind: 'status' });
    expect(world.acknowledged).toHaveLength(1);
    expect(world.replies).toMatchObject([{ ask: 'status', gate: 'active' }]);
  });

  it('T-137 a stranger gets neither reaction nor answer, and no round', () => {
    const world = opened(of({ draft: true }));
    world.ask('eve', { kind: 'review' });
    expect([world.acknowledged, world.replies, world.modelRounds]).toEqual([[], [], []]);
  });

  it('the author of a community PR may ask where it is reviewed, twice an hour', () => {
    const world = opened(of({ labels: ['shepherd'] }, false));
    for (let n = 0; n < 3; n += 1) world.ask('ada', { kind: 'status' }, `node-${n}`);
    expect(world.replies).toHaveLength(2);
    world.pass(HOUR_MS);
    world.ask('ada', { kind: 'status' }, 'node-later');
    expect(world.replies).toHaveLength(3);
  });

  it('the author of a community PR may not start its review', () => {
    const world = opened(of({}, false));
    world.ask('ada', { kind: 'review' });
    expect([world.replies, world.modelRounds]).toEqual([[], []]);
  });
});

describe('a review that is asked for', () => {
  it.each<[string, Partial<Seen>, boolean]>([
    ['draft', { draft: true }, true],
    ['community', {}, false],
  ])('runs once for a %s PR, whose state stays as it is', (gate, change, team) => {
    const world = opened(of(change, team));
    world.ask('mia', { kind: 'review' });
    expect(world.publications).toHaveLength(1);
    expect(world.replies).toMatchObject([{ outcome: 'reviewed' }]);
    world.change({ headSha: shaOf(2) }, true);
    world.pass(TIMING.settleMs);
    expect(world.publications).toHaveLength(1);
    expect(gateOf(world.state)).toBe(gate);
  });

  it('does not wait for the settle window', () => {
    const world = opened();
    world.change({ headSha: shaOf(2) }, true);
    world.ask('mia', { kind: 'review' });
    expect(world.publications.at(-1)).toMatchObject({ headSha: shaOf(2) });
  });

  it('a question in the settle window does not end it', () => {
    const world = opened();
    world.change({ headSha: shaOf(2) }, true);
    world.ask('mia', { kind: 'question', text: 'why?' });
    expect(world.publications).toHaveLength(1);
    expect(world.replies).toHaveLength(1);
  });

  it('of a commit that is reviewed whole is answered without a round; `full` reviews all again', () => {
    const world = opened();
    world.ask('mia', { kind: 'review' });
    expect(world.replies).toMatchObject([{ outcome: 'stands' }]);
    expect(world.publications).toHaveLength(1);
    world.ask('mia', { kind: 'review-full' });
    expect(world.replies.at(-1)).toMatchObject({ ask: 'review-full', outcome: 'reviewed' });
    expect(world.commands.findLast((command) => command.type === 'prepare')).toMatchObject({
      round: { incremental: false, iteration: 2 },
    });
  });

  it('of a commit whose review has a gap reads the gap', () => {
    const world = opened((w) => {
      w.silent = ['perf'];
    });
    world.pass(TIMING.roundTimeoutMs);
    expect(world.publications).toMatchObject([{ missing: ['perf'] }]);
    world.silent = [];
    world.ask('mia', { kind: 'review' });
    expect(world.publications.at(-1)).toMatchObject({ iteration: 2, missing: [] });
  });

  it('is answered by the round that is under way', () => {
    const world = opened((w) => {
      w.instant = false;
    });
    world.ask('mia', { kind: 'review' });
    expect(world.acknowledged).toHaveLength(1);
    expect(world.replies).toEqual([]);
    world.answer();
    expect(world.publications).toHaveLength(1);
    expect(world.replies).toMatchObject([{ outcome: 'reviewed' }]);
  });

  it('`full` is not answered by a follow-up that is under way', () => {
    const world = opened();
    world.instant = false;
    world.change({ headSha: shaOf(2) }, true);
    world.pass(TIMING.settleMs);
    world.ask('mia', { kind: 'review-full' });
    world.answer();
    expect(world.replies).toEqual([]);
    world.answer();
    expect(world.replies).toMatchObject([{ outcome: 'reviewed' }]);
    expect(world.publications.map(({ headSha }) => headSha)).toEqual([shaOf(1), shaOf(2), shaOf(2)]);
  });

  it('T-040 stays owed through a force push, and through a pause that ends', () => {
    const world = opened(of({ draft: true }));
    world.instant = false;
    world.ask('mia', { kind: 'review' });
    world.change({ headSha: shaOf(2) }, true);
    world.answer();
    expect(world.publications).toMatchObject([{ headSha: shaOf(2) }]);
    expect(world.replies).toMatchObject([{ outcome: 'reviewed' }]);
  });

  it('says so when its round is given up', () => {
    const world = opened(of({ draft: true }));
    world.instant = false;
    world.ask('mia', { kind: 'review' });
    world.deliver({ type: 'failed', at: 'round', retryable: false, what: 'the conversation is locked' });
    expect(world.replies).toMatchObject([{ outcome: 'failed' }]);
    expect(world.publications).toEqual([]);
  });

  it('coalesces with others: five people ask at once, one round, five answers', () => {
    const world = opened(of({ draft: true }));
    world.members = ['a', 'b', 'c', 'd', 'e'];
    world.instant = false;
    for (const member of world.members) world.ask(member, { kind: 'review' }, `node-${member}`);
    world.answer();
    expect(world.publications).toHaveLength(1);
    expect(world.replies).toHaveLength(5);
  });
});

describe('a request on a PR that is not reviewed', () => {
  it('gets the status only while it is paused', () => {
    const world = opened(of({ labels: ['pause-shepherd'] }));
    world.ask('mia', { kind: 'review' });
    expect(world.replies).toMatchObject([{ ask: 'review', gate: 'paused', outcome: undefined }]);
    expect(world.modelRounds).toEqual([]);
  });

  it.each<[string, Partial<Seen>]>([
    ['closed', { open: false }],
    ['exited', { labels: ['no-shepherd'] }],
  ])('T-010 T-131 %s: is told why, once', (gate, change) => {
    const world = opened(of(change));
    world.ask('mia', { kind: 'review' }, 'one');
    world.ask('mia', { kind: 'question', text: 'and now?' }, 'two');
    expect(world.replies).toMatchObject([{ gate }]);
    expect(world.modelRounds).toEqual([]);
  });

  it('T-137 each of several that were acknowledged is answered when the PR closes', () => {
    const world = opened(of({ draft: true }));
    world.instant = false;
    for (const node of ['one', 'two', 'three']) world.ask('mia', { kind: 'review' }, node);
    world.change({ open: false });
    expect(world.replies.map(({ gate }) => gate)).toEqual(['closed', 'closed', 'closed']);
  });

  it('is told again after the PR was open in between', () => {
    const world = opened(of({ open: false }));
    world.ask('mia', { kind: 'status' }, 'one');
    world.change({ open: true });
    world.change({ open: false });
    world.ask('mia', { kind: 'status' }, 'two');
    expect(world.replies.map(({ gate }) => gate)).toEqual(['closed', 'closed']);
  });

  it('is answered with the reason when the PR closes before its round ends', () => {
    const world = opened(of({ draft: true }));
    world.instant = false;
    world.ask('mia', { kind: 'review' });
    world.change({ open: false });
    expect(world.publications).toEqual([]);
    expect(world.replies).toMatchObject([{ gate: 'closed' }]);
  });
});

describe('one act of a person', () => {
  it('T-014 gets one answer, however often it is told', () => {
    const world = opened();
    for (let n = 0; n < 3; n += 1) world.ask('mia', { kind: 'status' }, 'one-review');
    expect(world.replies).toHaveLength(1);
    world.ask('mia', { kind: 'status' }, 'one-review');
    expect(world.replies).toHaveLength(1);
  });

  it('is not withdrawn by the deletion of another comment', () => {
    const world = opened(of({ draft: true }));
    world.instant = false;
    world.ask('mia', { kind: 'review' }, 'node');
    world.change({ headSha: shaOf(2) }, true);
    world.deliver({ type: 'unsaid', to: 'chatter' });
    world.answer();
    expect(world.publications).toMatchObject([{ headSha: shaOf(2) }]);
  });

  it('is not answered when the comment is deleted before', () => {
    const world = opened((w) => {
      w.instant = false;
    });
    world.ask('mia', { kind: 'review' }, 'node');
    world.deliver({ type: 'unsaid', to: 'node' });
    world.answer();
    expect(world.publications).toHaveLength(1);
    expect(world.replies).toEqual([]);
  });

  it('T-131 whatever loops ends at twelve replies an hour, and nothing is forgotten', () => {
    const world = opened();
    for (let n = 0; n < 15; n += 1) world.ask('mia', { kind: 'status' }, `node-${n}`);
    expect(world.replies).toHaveLength(12);
    world.pass(HOUR_MS + 1);
    expect(world.replies).toHaveLength(15);
  });
});

describe('a question', () => {
  it('waits for the review that is under way, so that neither costs the other its time', () => {
    const world = opened((w) => {
      w.instant = false;
    });
    world.ask('mia', { kind: 'question', text: 'why?' });
    expect([world.acknowledged.length, world.replies.length]).toEqual([1, 0]);
    world.answer();
    expect(world.publications).toHaveLength(1);
    expect(world.replies).toHaveLength(1);
  });

  it('T-137 that cannot be answered gets the status, once', () => {
    const world = opened();
    const node = 'node';
    world.instant = false;
    world.change({ headSha: shaOf(2) }, true);
    world.pass(TIMING.settleMs);
    world.ask('mia', { kind: 'question', text: 'why?' }, node);
    const key = `${node} question`;
    world.deliver({ type: 'failed', at: 'summons', key, retryable: false, what: 'refused' });
    expect(world.replies).toMatchObject([{ key, ask: 'status' }]);
  });
});

it('requests that are not taken because too many wait are counted', () => {
  const world = opened((w) => {
    w.instant = false;
  });
  for (let n = 0; n < 25; n += 1) world.ask('mia', { kind: 'review' }, `node-${n}`);
  expect(world.state.requestsDropped).toBe(5);
});

it('a request that would wait for the hour to end is told so at once, and the round comes all the same', () => {
  const world = opened();
  for (let n = 2; n <= 10; n += 1) {
    world.change({ headSha: shaOf(n) }, true);
    world.pass(TIMING.settleMs);
  }
  world.ask('mia', { kind: 'review' });
  expect(world.replies).toMatchObject([{ ask: 'review', outcome: undefined }]);
  world.pass(HOUR_MS);
  expect(world.publications.at(-1)).toMatchObject({ headSha: shaOf(10) });
  expect(world.replies).toHaveLength(1);
});

it('T-040 a request that was told to wait is kept through a pause, and answered once', () => {
  const world = opened();
  for (let n = 2; n <= 8; n += 1) {
    world.change({ headSha: shaOf(n) }, true);
    world.pass(TIMING.settleMs);
  }
  world.ask('mia', { kind: 'review-full' });
  expect(world.replies).toHaveLength(1);
  world.change({ labels: ['pause-shepherd'] });
  world.change({ labels: [] });
  world.pass(HOUR_MS);
  expect(world.commands.findLast((command) => command.type === 'prepare')).toMatchObject({
    round: { incremental: false, headSha: shaOf(8) },
  });
  expect(world.replies).toHaveLength(1);
  expect(world.state.summons).toEqual([]);
});

describe('labels of work that is not done yet', () => {
  it('are noted and answered once each, where the PR is reviewed', () => {
    const world = opened();
    world.change({ labels: ['fix-ci'] });
    world.change({ labels: [] });
    world.change({ labels: ['fix-ci', 'address-review'] });
    expect(world.replies.map(({ key }) => key)).toEqual(['label fix-ci', 'label address-review']);
    expect(world.state.labelsNoted).toMatchObject([{ label: 'fix-ci' }, { label: 'address-review' }]);
  });

  it('are answered also where they were set at the opening', () => {
    const world = opened(of({ labels: ['address-review'] }));
    expect(world.replies.map(({ key }) => key)).toEqual(['label address-review']);
  });

  it('are left alone elsewhere', () => {
    const world = opened(of({ draft: true, labels: ['fix-ci'] }));
    expect(world.replies).toEqual([]);
  });
});

describe('who the author is', () => {
  it('T-147 is asked again after some minutes, since people join and leave', () => {
    const world = opened(of({}, false));
    expect(gateOf(world.state)).toBe('community');
    world.team = true;
    world.pass(11 * 60_000);
    world.change({ headSha: shaOf(2) }, true);
    world.pass(TIMING.settleMs);
    expect(world.publications).toHaveLength(1);
  });

  it('keeps the round that runs while it is asked again', () => {
    const world = opened((w) => {
      w.instant = false;
    });
    world.state = { ...world.state, classifiedAtMs: world.nowMs - 11 * 60_000 };
    world.change({ labels: ['docs'] });
    world.answer(ASPECTS);
    expect(world.publications).toHaveLength(1);
  });
});
