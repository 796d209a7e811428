/**
 * Stories of people who talk and of rounds that go well and badly.
 *
 * @module
 */
import fc from 'fast-check';
import { ACTS, type Act, STYLES, WORDS } from './forum.ts';
import { HONEST, type Plan } from './talk-shepherd.ts';
import { MODELS, type ModelSize, modelOf, TalkWorld } from './talk-world.ts';

/** What happens around the processes. */
type Happening =
  | { readonly do: 'disk'; readonly isBroken: boolean }
  | { readonly do: 'open'; readonly open: boolean };

/** What one process does. */
type Deed = { readonly by: number } & (
  | { readonly do: 'round'; readonly plan: Plan }
  /** A push, and so many commands of what it brings; the round is left where it is. */
  | { readonly do: 'begin'; readonly plan: Plan; readonly commands: number }
  | { readonly do: 'restart'; readonly model: ModelSize }
  | { readonly do: 'count' }
);

export interface Story {
  readonly models: readonly ModelSize[];
  readonly skewMs: number;
  readonly steps: readonly (Act | Happening | Deed)[];
  /** What people go on doing while all that waits has its turn. */
  readonly epilogue: readonly Act[];
}

const anAct: fc.Arbitrary<Act> = fc.record({
  act: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('thread' as const, 'comment' as const, 'review' as const) },
    { weight: 4, arbitrary: fc.constantFrom(...ACTS) },
  ),
  at: fc.nat(20),
  word: fc.constantFrom(...WORDS),
  style: fc.nat(STYLES - 1),
});

const aPlan: fc.Arbitrary<Plan> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(HONEST) },
  {
    weight: 3,
    arbitrary: fc.record(
      {
        calls: fc.constantFrom('all', 'one', 'none', 'silent'),
        texts: fc.boolean(),
        publish: fc.constantFrom('done', 'done', 'late', 'refused', 'overtaken', 'lost'),
        deaf: fc.boolean(),
        empty: fc.integer({ min: 0, max: 5 }).map((n) => n === 5),
        crashAfter: fc.nat(40),
      },
      { requiredKeys: ['calls', 'texts', 'publish', 'deaf', 'empty'] },
    ),
  },
);

const by = fc.nat(1);

const aStep: fc.Arbitrary<Story['steps'][number]> = fc.oneof(
  { weight: 10, arbitrary: anAct },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('round' as const), by, plan: aPlan }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('begin' as const),
      by,
      plan: aPlan,
      commands: fc.integer({ min: 1, max: 8 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('restart' as const), by, model: fc.constantFrom(...MODELS) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('disk' as const), isBroken: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('open' as const), open: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('count' as const), by }) },
);

/** Any story. */
export const aStory: fc.Arbitrary<Story> = fc.record({
  models: fc.array(fc.constantFrom(...MODELS), { minLength: 1, maxLength: 2 }),
  skewMs: fc.constantFrom(0, -90_000, 90_000),
  steps: fc.array(aStep, { minLength: 5, maxLength: 40 }),
  epilogue: fc.array(anAct, { maxLength: 6 }),
});

/** Tells a story, with all that must be true at each of its steps. */
export async function tell(folder: string, { models, skewMs, steps }: Story): Promise<TalkWorld> {
  const world = new TalkWorld(folder, models, skewMs);
  for (const step of steps) await perform(world, step);
  return world;
}

async function perform(world: TalkWorld, step: Story['steps'][number]): Promise<void> {
  if ('act' in step) world.say(step);
  else if ('by' in step) await work(world, step);
  else if (step.do === 'open') world.setOpen(step.open);
  else if (step.isBroken) world.breakDisk();
  else world.mendDisk();
}

async function work(world: TalkWorld, deed: Deed): Promise<void> {
  const shepherd = world.shepherds[deed.by % world.shepherds.length];
  if (shepherd === undefined) throw new RangeError('there is no process');
  switch (deed.do) {
    case 'round':
      return world.round(shepherd, deed.plan);
    case 'begin':
      return world.begin(shepherd, deed.plan, deed.commands);
    case 'restart':
      shepherd.model = modelOf(deed.model);
      return;
    case 'count':
      return world.checkCount(shepherd);
  }
}
