import { describe, expect, it } from 'vitest';
import { gateOf } from './gating.ts';
import { shaOf, TIMING, World } from './testing/shepherd-world.ts';

function opened(): World {
  const world = new World();
  world.deliver({ type: 'pr-changed', push: false });
  return world;
}

function push(world: World, n: number): void {
  world.change({ headSha: shaOf(n) }, true);
  world.pass(TIMING.settleMs);
}

describe('a comment that people delete', () => {
  it.each([
    ['GitHub tells of it', true],
    ['it is found to be gone', false],
  ])('T-162 is created once more with the next review, and not a third time: %s', (_how, told) => {
    const world = opened();
    world.deleteComment(told);
    push(world, 2);
    expect(world.commentId).toBe(72);
    world.deleteComment(told);
    push(world, 3);
    expect(world.commentId).toBeUndefined();
    expect(gateOf(world.state)).toBe('muted');
    const rounds = world.modelRounds.length;
    push(world, 4);
    expect(world.modelRounds).toHaveLength(rounds);
  });

  it('twice is wanted again by who asks for a review', () => {
    const world = opened();
    world.deleteComment();
    push(world, 2);
    world.deleteComment();
    world.ask('mia', { kind: 'status' });
    expect(world.replies).toMatchObject([{ gate: 'muted' }]);
    world.ask('mia', { kind: 'review' }, 'later');
    expect(world.commentId).toBe(73);
    expect(gateOf(world.state)).toBe('active');
    push(world, 3);
    expect(world.publications.at(-1)).toMatchObject({ headSha: shaOf(3) });
  });

  it('of somebody else is none of ours', () => {
    const world = opened();
    world.deliver({ type: 'comment-deleted', commentId: 1 });
    world.deliver({ type: 'comment-edited', commentId: 1, by: 'eve' });
    expect(world.state.deletedCommentIds).toEqual([]);
    expect(world.refreshes).toEqual([]);
  });
});

describe('a comment that people edit', () => {
  it('is put back once for each edit', () => {
    const world = opened();
    world.deliver({ type: 'comment-edited', commentId: 71, by: 'eve' });
    world.deliver({ type: 'woken' });
    expect(world.refreshes).toEqual(['plain']);
    world.deliver({ type: 'comment-edited', commentId: 71, by: 'eve' });
    expect(world.refreshes).toEqual(['plain', 'plain']);
  });

  it('T-133 again and again is put back six times an hour', () => {
    const world = opened();
    for (let n = 0; n < 50; n += 1) world.deliver({ type: 'comment-edited', commentId: 71, by: 'eve' });
    expect(world.refreshes).toHaveLength(6);
    world.pass(3_600_000);
    expect(world.refreshes).toHaveLength(7);
  });

  it('is left as it is while the PR is paused', () => {
    const world = opened();
    world.change({ labels: ['pause-shepherd'] });
    world.deliver({ type: 'comment-edited', commentId: 71, by: 'eve' });
    expect(world.refreshes).toEqual([]);
  });
});

describe('a comment whose review is not the newest', () => {
  it('T-013 says once that newer commits wait, when too many rounds began within the hour', () => {
    const world = opened();
    for (let n = 2; n <= 10; n += 1) push(world, n);
    expect(world.publications).toHaveLength(8);
    expect(world.refreshes).toEqual(['capped']);
    world.pass(3_600_000);
    expect(world.publications.at(-1)).toMatchObject({ headSha: shaOf(10) });
    expect(world.state.noticeShown).toBeUndefined();
  });

  it('T-123 T-181 says once that the newest commit could not be reviewed, and takes it back', () => {
    const world = opened();
    world.instant = false;
    const fail = (): void =>
      world.deliver({ type: 'failed', at: 'round', retryable: false, what: 'the diff is refused' });
    push(world, 2);
    fail();
    expect(world.refreshes).toEqual(['failed']);
    // The sweep tries again, and it fails again.
    world.deliver({ type: 'pr-changed', push: false });
    fail();
    expect(world.refreshes).toEqual(['failed']);
    // The push is taken back: the review is of the head again.
    world.change({ headSha: shaOf(1) }, true);
    world.pass(TIMING.settleMs);
    expect(world.refreshes).toEqual(['failed', 'plain']);
  });
});

describe('a PR that closes in mid-round', () => {
  it('keeps what arrived, after the workers were stopped, and posts nothing', () => {
    const world = new World();
    world.instant = false;
    world.deliver({ type: 'pr-changed', push: false });
    world.answer(['security', 'tests']);
    world.change({ open: false });
    expect(world.publications).toEqual([]);
    expect(world.concluded).toHaveLength(1);
    const types = world.commands.map((command) => command.type);
    expect(types.indexOf('conclude')).toBeGreaterThan(types.indexOf('cancel'));
  });
});
