import { describe, expect, it } from 'vitest';
import { statusLines, statusOf } from './shepherd-status.ts';
import type { Seen } from './state.ts';
import { shaOf, TIMING, World } from './testing/shepherd-world.ts';

const PR = { owner: 'acme', repo: 'shop', number: 1 };

function opened(prepare: (world: World) => void = () => {}): World {
  const world = new World();
  prepare(world);
  world.deliver({ type: 'pr-changed', push: false });
  return world;
}

function lines(world: World): string {
  return statusLines(statusOf(PR, world.state)).join('\n');
}

describe('the status of a PR', () => {
  it.each<[string, Partial<Seen>, boolean, string]>([
    ['active', {}, true, 'active: each push is reviewed'],
    ['closed', { open: false }, true, 'not reviewing (closed): the pull request is closed'],
    ['exited', { labels: ['no-shepherd'] }, true, 'the label no-shepherd was set'],
    ['paused', { labels: ['pause-shepherd'] }, true, 'the label pause-shepherd is set'],
    ['draft', { draft: true }, true, 'it is a draft'],
    ['community', {}, false, 'its author is not of the team'],
  ])('says why where nothing is reviewed: %s', (state, seen, team, expected) => {
    const world = opened((w) => {
      w.pr = { ...w.pr, ...seen };
      w.team = team;
    });
    expect(statusOf(PR, world.state).state).toBe(state);
    expect(lines(world)).toContain(expected);
  });

  it('tells a running round, and who has not answered', () => {
    const world = opened((w) => {
      w.instant = false;
    });
    world.answer(['correctness', 'conventions', 'security', 'perf']);
    expect(statusOf(PR, world.state).round).toMatchObject({
      phase: 'reviewing',
      pending: ['tests', 'architecture'],
      requested: false,
    });
    expect(lines(world)).toContain('a round over 0000000 is reviewing, waits for tests, architecture until');
  });

  it('tells an owed round and why it waits', () => {
    const world = opened();
    world.change({ headSha: shaOf(2) }, true);
    expect(lines(world)).toContain('it waits for further pushes');
    for (let n = 3; n <= 11; n += 1) {
      world.change({ headSha: shaOf(n) }, true);
      world.pass(TIMING.settleMs);
    }
    expect(lines(world)).toContain('because too many rounds began within the hour');
  });

  it('tells what failed for good, and that a review is missing', () => {
    const world = opened((w) => {
      w.instant = false;
    });
    world.deliver({ type: 'failed', at: 'round', retryable: false, what: 'the conversation is locked' });
    const status = statusOf(PR, world.state);
    expect(status.failure).toMatchObject({ what: 'the conversation is locked', permanent: true });
    expect(status.stranded).toBe(true);
    expect(lines(world)).toContain('not tried again by itself: the conversation is locked');
  });

  it('tells what it waits for while GitHub is down, and that a PR is not known any more', () => {
    const world = opened();
    world.failures = 1;
    world.change({ labels: ['docs'] });
    expect(lines(world)).toContain('waits: GitHub is down');
    world.pass(2_000);
    expect(lines(world)).not.toContain('waits:');
    world.absent = 100;
    world.change({ labels: [] });
    world.pass(60_000);
    expect(lines(world)).toContain('not reviewing (closed): GitHub does not know it any more');
  });

  it('is plain JSON', () => {
    const status = statusOf(PR, opened().state);
    expect(JSON.parse(JSON.stringify(status))).toEqual(status);
  });
});
