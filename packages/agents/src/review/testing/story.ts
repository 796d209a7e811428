/**
 * Lives of pull requests, made up: for properties of the state machine.
 *
 * @module
 */
import fc from 'fast-check';
import { ASPECTS } from '../../ids.ts';
import { shaOf, World } from './shepherd-world.ts';

const act = fc.oneof(
  fc.record({ kind: fc.constant('push' as const) }),
  fc.record({
    kind: fc.constant('label' as const),
    name: fc.constantFrom('shepherd', 'pause-shepherd'),
    on: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('draft' as const), on: fc.boolean() }),
  fc.record({ kind: fc.constant('open' as const), on: fc.boolean() }),
  fc.record({ kind: fc.constant('retarget' as const), name: fc.constantFrom('main', 'next') }),
  fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 400_000 }) }),
  fc.record({ kind: fc.constant('answer' as const), aspects: fc.subarray([...ASPECTS]) }),
  fc.record({ kind: fc.constant('fail' as const), times: fc.integer({ min: 1, max: 40 }) }),
  fc.record({
    kind: fc.constant('refuse' as const),
    at: fc.constantFrom('read-pr' as const, 'round' as const),
  }),
  fc.record({ kind: fc.constant('stop' as const) }),
  fc.record({ kind: fc.constant('echo' as const) }),
  fc.record({
    kind: fc.constant('ask' as const),
    by: fc.constantFrom('mia', 'ada', 'eve'),
    ask: fc.constantFrom('review' as const, 'review-full' as const, 'status' as const),
    node: fc.nat({ max: 5 }),
  }),
  fc.record({ kind: fc.constant('delete' as const), told: fc.boolean() }),
  fc.record({ kind: fc.constant('edit' as const) }),
  fc.record({ kind: fc.constant('say' as const) }),
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

function play(world: World, step: Act): void {
  switch (step.kind) {
    case 'push':
      world.change({ headSha: shaOf(Number.parseInt(world.pr.headSha, 16) + 1) }, true);
      break;
    case 'label': {
      const others = world.pr.labels.filter((name) => name !== step.name);
      world.change({ labels: step.on ? [...others, step.name] : others });
      break;
    }
    case 'draft':
      world.change({ draft: step.on });
      break;
    case 'open':
      world.change({ open: step.on });
      break;
    case 'retarget':
      world.change({ baseRef: step.name });
      break;
    case 'pass':
      world.pass(step.ms);
      break;
    case 'answer':
      world.answer(step.aspects);
      break;
    case 'fail':
      world.failures = step.times;
      break;
    case 'refuse':
      world.deliver({ type: 'failed', at: step.at, retryable: false, what: 'refused' });
      break;
    case 'stop':
      // The wake-up message was lost, or came early: another one has to be sent.
      world.deliver({ type: 'woken' });
      break;
    case 'echo':
      world.deliver({ type: 'pr-changed', push: false });
      break;
    case 'ask':
      world.ask(step.by, { kind: step.ask }, `node-${step.node}`);
      break;
    case 'delete':
      world.deleteComment(step.told);
      break;
    case 'say':
      world.say();
      break;
    case 'edit':
      world.deliver({ type: 'comment-edited', commentId: world.commentId ?? 0, by: 'eve' });
      break;
  }
}

/** A PR's life, as acts of people, GitHub and the clock. */
export const story = fc.record({
  team: fc.boolean(),
  instant: fc.boolean(),
  acts: fc.array(act, { maxLength: 30 }),
});

/** Plays a life through a Shepherd's state machine. */
export function tell({ team, instant, acts }: typeof story extends fc.Arbitrary<infer T> ? T : never): World {
  const world = new World();
  world.team = team;
  world.instant = instant;
  world.deliver({ type: 'pr-changed', push: false });
  for (const step of acts) play(world, step);
  return world;
}
