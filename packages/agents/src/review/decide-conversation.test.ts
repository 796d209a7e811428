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
