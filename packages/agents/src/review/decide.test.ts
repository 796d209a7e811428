import { describe, expect, it } from 'vitest';
import { ASPECTS } from '../ids.ts';
import { type Gate, gateOf, isStranded } from './gating.ts';
import type { Seen } from './state.ts';
import { shaOf, TIMING, World } from './testing/shepherd-world.ts';

function opened(prepare: (world: World) => void = () => {}): World {
  const world = new World();
  prepare(world);
  world.deliver({ type: 'pr-changed', push: false });
  return world;
}

describe('an opened PR', () => {
  it('of the team is reviewed at once, by all six', () => {
    const world = opened();
    expect(world.publications).toMatchObject([{ headSha: shaOf(1), iteration: 1, missing: [] }]);
  });

  it.each<[string, Partial<Seen>, boolean, Gate]>([
    ['a draft', { draft: true }, true, 'draft'],
    ['of the community', {}, false, 'community'],
    ['with pause-shepherd', { labels: ['pause-shepherd'] }, true, 'paused'],
    ['with no-shepherd', { labels: ['no-shepherd'] }, true, 'exited'],
    ['that is closed already (T-009)', { open: false, labels: ['shepherd'] }, true, 'closed'],
  ])('%s costs no model call (S8)', (_name, seen, team, gate) => {
    const world = opened((w) => {
      w.team = team;
      w.pr = { ...w.pr, ...seen };
    });
    expect(world.modelRounds).toEqual([]);
    expect(gateOf(world.state)).toBe(gate);
  });

  it('of the community is reviewed once it has the label, without asking for membership', () => {
    const world = opened((w) => {
      w.team = false;
      w.pr = { ...w.pr, labels: ['shepherd'] };
    });
    expect(world.publications).toHaveLength(1);
    expect(world.commands.map((command) => command.type)).not.toContain('classify');
  });

  it('whose round is delivered three times is reviewed once (T-020)', () => {
    const world = opened();
    world.deliver({ type: 'pr-changed', push: false }, { type: 'pr-changed', push: false });
    expect(world.publications).toHaveLength(1);
  });
});

describe('a change of gate', () => {
  it('T-140 reviews a draft when it becomes ready, although the commit was seen (T-141)', () => {
    const world = opened((w) => {
      w.pr = { ...w.pr, draft: true };
    });
    world.change({ draft: false });
    expect(world.publications).toHaveLength(1);
  });

  it('T-143 resumes when pause-shepherd is taken off, over what was missed', () => {
    const world = opened();
    world.change({ labels: ['pause-shepherd'] });
    world.change({ headSha: shaOf(2) }, true);
    world.pass(TIMING.settleMs);
    expect(world.publications).toHaveLength(1);
    world.change({ labels: [] });
    expect(world.publications).toMatchObject([{ iteration: 1 }, { iteration: 2, headSha: shaOf(2) }]);
  });

  it('never returns from no-shepherd, also after the label is taken off', () => {
    const world = opened();
    world.change({ labels: ['no-shepherd'] });
    world.change({ labels: [], headSha: shaOf(2) }, true);
    world.pass(TIMING.settleMs);
    expect(world.publications).toHaveLength(1);
  });

  it('T-008 posts nothing when the PR closes in mid-round, and stops the workers', () => {
    const world = opened((w) => {
      w.instant = false;
    });
    world.change({ open: false });
    world.answer();
    expect(world.publications).toEqual([]);
    expect(world.commands.map((command) => command.type)).toEqual(
      expect.arrayContaining(['cancel', 'stop-workers']),
    );
  });

  it('reviews again after a reopen with new commits', () => {
    const world = opened();
    world.change({ open: false });
    world.change({ open: true, headSha: shaOf(2) });
    expect(world.publications).toMatchObject([{ iteration: 1 }, { iteration: 2 }]);
  });

  it('T-044 a new base branch makes a full round from the new base', () => {
    const world = opened();
    world.change({ baseRef: 'release', baseSha: shaOf(2000) });
    const prepared = world.commands.filter((command) => command.type === 'prepare');
    expect(prepared.at(-1)).toMatchObject({
      round: { incremental: false, baseSha: shaOf(2000), iteration: 2 },
    });
  });
});

describe('pushes', () => {
  it('T-013 a burst within the window costs one round, from the last reviewed commit', () => {
    const world = opened();
    for (const n of [2, 3, 4]) {
      world.change({ headSha: shaOf(n) }, true);
      world.pass(2_000);
    }
    world.pass(TIMING.settleMs);
    expect(world.publications.map((p) => p.headSha)).toEqual([shaOf(1), shaOf(4)]);
    expect(world.commands.findLast((command) => command.type === 'prepare')).toMatchObject({
      round: { baseSha: shaOf(1), incremental: true },
    });
  });

  it('a stream of pushes does not put the round off for more than a minute', () => {
    const world = opened();
    for (let n = 2; n < 12; n += 1) {
      world.change({ headSha: shaOf(n) }, true);
      world.pass(8_000);
    }
    expect(world.publications.length).toBeGreaterThanOrEqual(2);
  });

  it('during a round supersedes it once, and then lets the next one finish', () => {
    const world = opened((w) => {
      w.instant = false;
    });
    world.change({ headSha: shaOf(2) }, true);
    world.pass(TIMING.settleMs);
    world.change({ headSha: shaOf(3) }, true);
    world.answer();
    expect(world.publications).toMatchObject([{ headSha: shaOf(2), current: false }]);
    world.pass(TIMING.settleMs);
    world.answer();
    expect(world.publications.at(-1)).toMatchObject({ headSha: shaOf(3), current: true });
  });

  it('does not supersede a round whose commits have waited for ten minutes', () => {
    const world = opened((w) => {
      w.instant = false;
    });
    const long = { ...world.state.round, owedSinceMs: world.nowMs - 600_001 };
    world.state = { ...world.state, round: long } as typeof world.state;
    world.change({ headSha: shaOf(2) }, true);
    world.answer();
    expect(world.publications).toMatchObject([{ headSha: shaOf(1), current: false }]);
  });

  it('T-025 reads again while GitHub still reports the commit that was replaced', () => {
    const world = opened();
    world.deliver({ type: 'pr-changed', push: true, replacedSha: shaOf(1) });
    world.pr = { ...world.pr, headSha: shaOf(2) };
    world.pass(60_000);
    expect(world.publications.at(-1)).toMatchObject({ headSha: shaOf(2), iteration: 2 });
  });

  it('T-013 no more than eight rounds begin within an hour; one is owed for its end', () => {
    const world = opened();
    for (let n = 2; n < 20; n += 1) {
      world.change({ headSha: shaOf(n) }, true);
      world.pass(TIMING.settleMs + 1);
    }
    expect(world.publications).toHaveLength(8);
    world.pass(3_600_000);
    expect(world.publications.at(-1)?.headSha).toBe(shaOf(19));
  });
});

describe('the texts of the comment', () => {
  const types = (world: World) => world.commands.map((command) => command.type);

  it('are asked for while the workers work, once', () => {
    const world = opened((w) => {
      w.instant = false;
    });
    expect(types(world).slice(-3)).toEqual(['start', 'compose', 'arm']);
    world.answer();
    expect(world.textsRounds).toHaveLength(1);
    expect(world.publications).toHaveLength(1);
  });

  it('are not asked for without a model', () => {
    const world = opened((w) => {
      w.asksTexts = false;
    });
    expect(types(world)).not.toContain('compose');
    expect(world.publications).toHaveLength(1);
  });

  it('S2 are asked for again after a crash, and waited for where all workers answered meanwhile', () => {
    const world = opened((w) => {
      w.instant = false;
    });
    const { round } = world.state;
    if (round === undefined) throw new Error('no round was open');
    world.state = { ...world.state, round: { ...round, textsDue: true } };
    world.answer();
    expect(types(world).slice(-2)).toEqual(['compose', 'publish']);
    expect(world.publications).toMatchObject([{ missing: [] }]);
  });

  it('are not wanted after the deadline (S9)', () => {
    const world = opened((w) => {
      w.instant = false;
    });
    const { round } = world.state;
    if (round === undefined) throw new Error('no round was open');
    world.state = { ...world.state, round: { ...round, textsDue: true } };
    world.nowMs = round.deadlineAtMs;
    world.deliver();
    expect(world.textsRounds).toHaveLength(1);
    expect(world.publications).toHaveLength(1);
  });
});

describe('trouble', () => {
  it('T-112 a silent worker ends with the deadline, and is missing', () => {
    const world = opened((w) => {
      w.silent = ['perf'];
    });
    expect(world.publications).toEqual([]);
    world.pass(TIMING.roundTimeoutMs);
    expect(world.publications).toMatchObject([{ missing: ['perf'] }]);
  });

  it('S5 what a missing aspect did not read is in the next range again', () => {
    const world = opened();
    world.silent = ['perf'];
    world.change({ headSha: shaOf(2) }, true);
    world.pass(TIMING.settleMs + TIMING.roundTimeoutMs);
    world.silent = [];
    world.change({ headSha: shaOf(3) }, true);
    world.pass(TIMING.settleMs);
    expect(world.publications.map((p) => p.missing)).toEqual([[], ['perf'], []]);
    const ranges = world.commands.flatMap((c) => (c.type === 'prepare' ? [c.round.baseSha] : []));
    expect(ranges).toEqual([shaOf(1000), shaOf(1), shaOf(1)]);
  });

  it('a late answer of a dropped round changes nothing', () => {
    const world = opened((w) => {
      w.instant = false;
    });
    const old = world.state.round?.wakeId;
    world.change({ headSha: shaOf(2) }, true);
    world.pass(TIMING.settleMs);
    if (old === undefined) throw new Error('no round was open');
    world.deliver(...ASPECTS.map((aspect) => ({ type: 'worker-done', wakeId: old, aspect }) as const));
    expect(world.publications).toEqual([]);
  });

  it('T-027 what fails in passing is tried again, within the deadline', () => {
    const world = opened((w) => {
      w.failures = 3;
    });
    world.pass(60_000);
    expect(world.publications).toHaveLength(1);
  });

  it('what fails for good is recorded once and not repeated until something happens', () => {
    const world = opened((w) => {
      w.instant = false;
    });
    world.deliver({ type: 'failed', at: 'round', retryable: false, what: 'the conversation is locked' });
    world.pass(7_200_000);
    expect(world.state.failure?.what).toBe('the conversation is locked');
    expect(world.commands.filter((command) => command.type === 'prepare')).toHaveLength(1);
  });

  it.each([1, 2, 3])('T-027 a PR that GitHub does not know yet is asked for again: %i times', (times) => {
    const world = opened((w) => {
      w.absent = times;
    });
    world.pass(30_000);
    expect(world.publications).toHaveLength(1);
  });

  it('T-027 one answer that it is gone does not end a round', () => {
    const world = opened((w) => {
      w.instant = false;
    });
    world.absent = 1;
    world.change({ labels: ['docs'] });
    world.pass(2_000);
    world.answer();
    expect(world.publications).toHaveLength(1);
  });

  it('T-027 a PR that stays unknown is taken for closed', () => {
    const world = opened();
    world.absent = 100;
    world.change({ labels: ['docs'] });
    world.pass(60_000);
    expect(gateOf(world.state)).toBe('closed');
  });

  it('T-025 a fence that sees the commit before the round is looked at again, and loses no review', () => {
    const world = opened();
    world.fenceSees = world.pr;
    world.change({ headSha: shaOf(2) }, true);
    world.pass(TIMING.settleMs);
    expect(world.publications).toHaveLength(1);
    world.pass(5_000);
    expect(world.publications.at(-1)).toMatchObject({ headSha: shaOf(2), current: true });
  });

  it('T-013 pushes settle also where the author was classified long ago', () => {
    const world = opened();
    world.pass(30 * 60_000);
    for (const n of [2, 3, 4]) {
      world.change({ headSha: shaOf(n) }, true);
      world.pass(1_000);
    }
    expect(world.publications).toHaveLength(1);
    world.pass(TIMING.settleMs);
    expect(world.publications.map((p) => p.headSha)).toEqual([shaOf(1), shaOf(4)]);
  });

  it('a round that could not begin in time is given up, and the sweep can begin it anew (S5)', () => {
    const world = opened();
    world.failures = 1_000;
    world.change({ headSha: shaOf(2) }, true);
    world.pass(TIMING.settleMs + TIMING.roundTimeoutMs + 60_000);
    world.failures = 0;
    world.pass(3_600_000);
    expect(world.publications.every(({ missing }) => missing.length === 0)).toBe(true);
    if (isStranded(world.state)) world.deliver({ type: 'pr-changed', push: false });
    expect(world.publications.at(-1)).toMatchObject({ headSha: shaOf(2), missing: [] });
  });

  it('T-005 an answer from before what was seen is doubted for minutes, and believed of a server that was set back', () => {
    const world = opened((w) => {
      w.pr = { ...w.pr, updatedAt: '2026-05-26T10:00:00Z' };
    });
    world.change({ headSha: shaOf(2), updatedAt: '2026-05-26T09:00:00Z' }, true);
    world.pass(60_000);
    expect(world.publications).toHaveLength(1);
    world.pass(600_000);
    expect(world.publications.at(-1)).toMatchObject({ headSha: shaOf(2) });
  });

  it('T-027 failed looks do not count as doubts', () => {
    const world = opened();
    world.failures = 3;
    world.absent = 1;
    world.change({ labels: ['docs'] });
    world.pass(60_000);
    expect(gateOf(world.state)).toBe('active');
  });

  it('T-147 a class that cannot be asked again holds', () => {
    const world = opened((w) => {
      w.instant = false;
    });
    world.state = { ...world.state, classOld: true };
    world.deliver({ type: 'failed', at: 'classify', retryable: false, what: 'the App may not read members' });
    world.answer();
    expect(world.publications).toHaveLength(1);
    expect(world.state.failure).toBeUndefined();
  });
});
