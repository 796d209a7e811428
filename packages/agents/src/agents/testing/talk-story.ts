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
  /** What people go on doing between the rounds in which all that waits has its turn. */
  readonly epilogue: readonly (readonly Act[])[];
}

/** What a story is about. One that is about everything seldom comes to the point. */
const TOPICS: readonly (readonly Act['act'][])[] = [
  ['thread', 'thread', 'review', 'comment', 'reply', 'resolve', 'resolve', 'hide', 'hide', 'dismiss'],
  ['thread', 'thread', 'comment', 'reply', 'edit', 'edit', 'edit-back', 'split', 'split', 'join', 'unsay'],
  ['thread', 'thread', 'comment', 'review', 'reply', 'reply', 'edit'],
  ACTS,
];

function actOf(topic: readonly Act['act'][]): fc.Arbitrary<Act> {
  return fc.record({
    act: fc.constantFrom(...topic),
    at: fc.nat(7),
    word: fc.constantFrom(...WORDS),
    style: fc.nat(STYLES - 1),
  });
}

const aPlan: fc.Arbitrary<Plan> = fc.record(
  {
    calls: fc.constantFrom('all', 'one', 'none', 'silent'),
    texts: fc.boolean(),
    publish: fc.constantFrom('done', 'done', 'late', 'refused', 'overtaken', 'lost'),
    deaf: fc.boolean(),
    empty: fc.integer({ min: 0, max: 5 }).map((n) => n === 5),
    crashAfter: fc.nat(40),
  },
  { requiredKeys: ['calls', 'texts', 'publish', 'deaf', 'empty'] },
);

const by = fc.nat(1);

const honest = fc.record({ do: fc.constant('round' as const), by, plan: fc.constant(HONEST) });
const count = fc.record({ do: fc.constant('count' as const), by });

const trouble: fc.Arbitrary<Happening | Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('round' as const), by, plan: aPlan }) },
  {
    weight: 3,
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
);

function storyOf(topic: readonly Act['act'][], troubles: number): fc.Arbitrary<Story> {
  const anAct = actOf(topic);
  const step: fc.Arbitrary<Story['steps'][number]> = fc.oneof(
    { weight: 10, arbitrary: anAct },
    { weight: 3, arbitrary: honest },
    { weight: 1, arbitrary: count },
    { weight: troubles, arbitrary: trouble },
  );
  return fc.record({
    models: fc.array(fc.constantFrom('small' as const, ...MODELS), { minLength: 1, maxLength: 2 }),
    skewMs: fc.constantFrom(0, 0, -90_000, 90_000),
    steps: fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }),
    epilogue: fc.array(fc.array(anAct, { maxLength: 8 }), { maxLength: 4 }),
  });
}

/** Any story. */
export const aStory: fc.Arbitrary<Story> = fc.oneof(
  ...TOPICS.flatMap((topic) => [storyOf(topic, 0), storyOf(topic, 5)]),
);

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
