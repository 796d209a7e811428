import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gateOf, isStranded } from './gating.ts';
import type { World } from './testing/shepherd-world.ts';
import { story, tell } from './testing/story.ts';

/** Everybody answers, GitHub works, and the sweep sees what was given up or left unknown. */
function settle(world: World): void {
  world.instant = true;
  world.failures = 0;
  world.answer();
  const isUnknown = JSON.stringify(world.state.seen) !== JSON.stringify(world.pr);
  if (isStranded(world.state) || isUnknown) world.deliver({ type: 'pr-changed', push: false });
  // Longer than any deadline, any backoff and the hour that the caps count.
  for (let hour = 0; hour < 3; hour += 1) world.pass(3_700_000);
}

const ON_REQUEST = ['draft', 'community', 'unclassified'];

describe('whatever happens', () => {
  it('S8 workers are asked only while the PR is active, or where somebody who may asked for it', () => {
    fc.assert(
      fc.property(story, (told) => {
        for (const { gate, requested } of tell(told).asked) {
          expect(['active', ...(requested ? ON_REQUEST : [])]).toContain(gate);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('S1 S3 S9 rounds come one after another, a stale one is never shown as current, and nothing spins', () => {
    fc.assert(
      fc.property(story, (told) => {
        const world = tell(told);
        expect(new Set(world.modelRounds).size).toBe(world.modelRounds.length);
        expect(new Set(world.textsRounds).size).toBe(world.textsRounds.length);
        expect(world.busiest).toBeLessThan(30);
        // A review of a replaced commit is published only after one round was dropped for it, or ten minutes.
        for (const { current, dropped, waitedMs } of world.publications) {
          expect(current || dropped || waitedMs > 600_000).toBe(true);
        }
        const iterations = world.publications.map((p) => p.iteration);
        expect(iterations).toEqual(iterations.map((_, index) => index + 1));
        for (const [index, startMs] of world.begunMs.entries()) {
          const eighthMs = world.begunMs[index - 8] ?? Number.NEGATIVE_INFINITY;
          expect(startMs - eighthMs).toBeGreaterThanOrEqual(3_600_000);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('S4 the comment is created once, once more after a deletion, and then only on request', () => {
    fc.assert(
      fc.property(story, (told) => {
        const world = tell(told);
        const requests = world.replies.filter(({ ask }) => ask !== 'status').length;
        expect(world.creations).toBeLessThanOrEqual(2 + 2 * requests + world.summonsUnderWay());
      }),
      { numRuns: 300 },
    );
  });

  it('S2 T-137 every request that was acknowledged has one answer in the end, and a stranger none', () => {
    fc.assert(
      fc.property(story, (told) => {
        const world = tell(told);
        settle(world);
        const answered = world.replies.map(({ key }) => key);
        expect(new Set(answered).size).toBe(answered.length);
        expect(answered.toSorted()).toEqual(world.acknowledged.toSorted());
        expect(world.replies.filter(({ by }) => by === 'eve')).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('S2 in the end the last commit of an active PR has its review', () => {
    fc.assert(
      fc.property(story, (told) => {
        const world = tell(told);
        settle(world);
        if (gateOf(world.state) !== 'active') return;
        expect(world.publications.at(-1)).toMatchObject({ headSha: world.pr.headSha });
        expect(world.state.round).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });
});
