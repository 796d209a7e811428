import { describe, expect, it } from 'vitest';
import { isUnheard } from './decide-conversation.ts';
import { noticeOf } from './notice.ts';
import { statusLines, statusOf } from './shepherd-status.ts';
import { shaOf, TIMING, World } from './testing/shepherd-world.ts';

const PR = { owner: 'acme', repo: 'shop', number: 12 };

function reviewed(): World {
  const world = new World();
  world.deliver({ type: 'pr-changed', push: false });
  return world;
}

function lines(world: World): readonly string[] {
  return statusLines(statusOf(PR, world.state));
}

describe('listening between rounds', () => {
  it('what is said starts no round, is read once for all who speak within the window, and is counted', () => {
    const world = reviewed();
    world.say();
    world.pass(TIMING.settleMs / 2);
    world.say();
    expect(world.heard).toBe(0);
    world.pass(TIMING.settleMs / 2);
    expect(world.heard).toBe(1);
    expect(world.publications).toHaveLength(1);
    expect(lines(world)).toContain('items of the discussion not yet surfaced to the reviewers: 2');
  });

  it('fault 56: whoever goes on speaking does not put the reading off', () => {
    const world = reviewed();
    for (let count = 0; count < 10; count += 1) {
      world.say();
      world.pass(TIMING.settleMs / 2);
    }
    expect(world.heard).toBeGreaterThanOrEqual(5);
  });

  it('T-029 our own comment and answers are not listened to', () => {
    const world = reviewed();
    world.ask('mia', { kind: 'status' }, 'node');
    const [replyId] = world.state.ourReplyIds;
    world.deliver(
      { type: 'said', commentId: world.commentId ?? 0 },
      { type: 'said', commentId: replyId ?? 0 },
    );
    world.pass(TIMING.settleMs);
    expect(world.heard).toBe(0);
  });

  it('S9 a conversation that GitHub does not tell is asked for again, with growing waits, and not for ever', () => {
    const world = reviewed();
    world.say();
    for (let count = 0; count < 10; count += 1) {
      world.deliver({ type: 'failed', at: 'conversation', retryable: true, what: 'GitHub is down' });
    }
    world.pass(3_600_000);
    expect(world.heard).toBe(0);
    world.say();
    world.pass(TIMING.settleMs);
    expect(world.heard).toBe(1);
  });

  it('fault 46: with the end of a PR it is read once more, and what is said after it, too', () => {
    const world = reviewed();
    world.unshown = 1;
    world.change({ open: false });
    expect(world.heard).toBe(1);
    expect(lines(world)).toContain('items of the discussion kept unread when it was closed: 1');
    world.say();
    world.pass(TIMING.settleMs);
    expect(world.heard).toBe(2);
    expect(world.state.round).toBeUndefined();
  });

  it('S9 a busy PR is read five times in five minutes at most, and no word is forgotten', () => {
    const world = reviewed();
    for (let second = 0; second < 600; second += 15) {
      world.say();
      world.pass(15_000);
    }
    expect(world.heard).toBeLessThanOrEqual(15);
    world.pass(300_000);
    expect(lines(world)).toContain('items of the discussion not yet surfaced to the reviewers: 40');
  });

  it('S8 what is said during a pause is read after it', () => {
    const world = reviewed();
    world.change({ labels: ['pause-shepherd'] });
    world.say();
    world.pass(3_600_000);
    expect(world.heard).toBe(0);
    world.change({ labels: [] });
    expect(world.heard).toBe(1);
  });

  it('trouble with the memory is over when it was looked at and is well', () => {
    const world = reviewed();
    const heard = {
      type: 'heard',
      unsurfaced: { count: 0, worthReading: 0 },
      heardAtMs: 0,
      asked: [],
    } as const;
    world.deliver({ ...heard, memoryTrouble: 'broken' });
    expect(world.refreshes).toEqual(['memory']);
    world.deliver(heard);
    expect(world.refreshes).toEqual(['memory', 'plain']);
    expect(lines(world).join()).not.toContain('degraded');
  });

  it('S8 nobody listens to a PR that is not looked after', () => {
    const world = new World();
    world.team = false;
    world.deliver({ type: 'pr-changed', push: false });
    world.say();
    world.pass(TIMING.settleMs);
    expect(world.heard).toBe(0);
  });
});

describe('what no delivery told of', () => {
  it('T-023 is suspected where something happened since the PR was listened to, but not for our own acts', () => {
    const world = reviewed();
    const atMs = world.state.published?.atMs ?? 0;
    const isUnheardAt = (ms: number): boolean => isUnheard(world.state, atMs + ms);
    expect([0, 4_000, 6_000, 60_000].map(isUnheardAt)).toEqual([false, false, true, true]);
    world.pass(50_000);
    world.say();
    expect(isUnheardAt(60_000)).toBe(false);
    world.pass(TIMING.settleMs);
    expect([59_000, 61_000].map(isUnheardAt)).toEqual([false, true]);
    world.change({ labels: ['no-shepherd'] });
    expect(isUnheardAt(61_000)).toBe(false);
  });
});

describe('a request for a review of a commit that is reviewed', () => {
  it('stands where nothing was said since, after a look at the conversation', () => {
    const world = reviewed();
    world.ask('mia', { kind: 'review' });
    expect(world.heard).toBe(1);
    expect(world.replies).toMatchObject([{ outcome: 'stands' }]);
    expect(world.publications).toHaveLength(1);
  });

  it('fails with the reason where the conversation cannot be read', () => {
    const world = reviewed();
    world.cannotHear = { retryable: false, what: 'the App may not read it' };
    world.ask('mia', { kind: 'review' });
    expect(world.replies).toMatchObject([{ outcome: 'failed' }]);
    expect(lines(world).join()).toContain('the App may not read it');
    expect(world.publications).toHaveLength(1);
  });

  it('S9 is acknowledged with growing waits where GitHub does not know the comment', () => {
    const world = reviewed();
    const before = world.commands.length;
    world.absentComments = true;
    world.ask('mia', { kind: 'review' });
    expect(world.commands.length - before).toBeLessThan(10);
    world.pass(3_600_000);
    expect(world.commands.length - before).toBeLessThan(200);
  });

  it('starts a round where something was said since', () => {
    const world = reviewed();
    world.say();
    world.ask('mia', { kind: 'review' });
    expect(world.publications).toHaveLength(2);
    expect(world.replies).toMatchObject([{ outcome: 'reviewed' }]);
    expect(world.marked).toHaveLength(1);
  });
});

describe('markers', () => {
  it('are written before anything else is done, also in the wake after a crash', () => {
    const world = reviewed();
    world.unshown = 1;
    world.change({ headSha: shaOf(2) }, true);
    world.pass(TIMING.settleMs);
    const types = world.commands.map(({ type }) => type);
    expect(types[types.indexOf('mark') - 1]).toBe('publish');
    const { roundsBegun } = world.state;
    world.state = { ...world.state, toMark: world.marked[0] ?? ('' as never) };
    world.change({ headSha: shaOf(3) }, true);
    expect(world.state.roundsBegun).toBe(roundsBegun);
    expect(world.commands.slice(types.length).map(({ type }) => type)[0]).toBe('mark');
  });

  it('a count of before what was said during the round is taken anew', () => {
    const world = reviewed();
    const wakeId = world.modelRounds[0] ?? ('' as never);
    world.unshown = 1;
    world.state = {
      ...world.state,
      toMark: wakeId,
      heardAtMs: world.nowMs,
      unsurfaced: { count: 1, worthReading: 1 },
    };
    const readAtMs = world.nowMs - 60_000;
    world.deliver({ type: 'marked', wakeId, readAtMs, unsurfaced: { count: 0, worthReading: 0 } });
    expect(world.heard).toBe(1);
    expect(world.state.unsurfaced?.count).toBe(1);
  });

  it('a bug in marking is said aloud, and holds nothing up', () => {
    const world = reviewed();
    world.state = { ...world.state, toMark: world.modelRounds[0] ?? ('' as never) };
    world.deliver({ type: 'failed', at: 'mark', retryable: false, what: 'x is not a function' });
    expect(world.state.toMark).toBeUndefined();
    expect(lines(world).join()).toContain('what was shown could not be marked: x is not a function');
    world.change({ headSha: shaOf(2) }, true);
    world.pass(TIMING.settleMs);
    expect(world.publications).toHaveLength(2);
  });

  it('fault 52: that could not be written are told in the comment, in the status, and not tried without end', () => {
    const world = reviewed();
    const wakeId = world.modelRounds[0] ?? ('' as never);
    world.state = { ...world.state, toMark: wakeId };
    const [what, missed] = ['cannot write to /state: ENOSPC', '1 items were missed'];
    world.deliver({ type: 'marked', wakeId, memoryTrouble: what });
    expect(world.refreshes).toEqual(['memory']);
    expect(noticeOf(world.state)).toEqual({ kind: 'memory', what });
    expect(lines(world)).toContain(`memory of the discussion is degraded: ${what}`);
    world.state = { ...world.state, toMark: wakeId };
    world.deliver({ type: 'marked', wakeId, violation: missed });
    expect(world.refreshes).toEqual(['memory', 'missed']);
    expect(lines(world)).toContain(`memory of the discussion is degraded: ${missed}`);
    world.pass(3_600_000);
    expect(world.refreshes).toHaveLength(2);
  });
});
