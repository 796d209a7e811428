import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HONEST } from './testing/talk-shepherd.ts';
import { aStory, type Story, tell } from './testing/talk-story.ts';
import { modelOf, type TalkWorld } from './testing/talk-world.ts';

/** Runs with an empty folder that is gone afterwards. */
async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pr-shepherd-discussion-'));
  try {
    await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A process that has a model, after all that went wrong. */
function reader(world: TalkWorld) {
  const [shepherd] = world.shepherds;
  if (shepherd === undefined) throw new RangeError('there is no process');
  if (shepherd.model.kind === 'analyzers') shepherd.model = modelOf('small');
  return shepherd;
}

async function checkStory(folder: string, story: Story): Promise<void> {
  const world = await tell(folder, story);
  const shepherd = reader(world);
  await world.drain(shepherd, story.epilogue);
  const [id] = world.versions().keys();
  if (id === undefined) return;
  // Nothing is new any more; the check at the end of a round finds out that something was taken away.
  await world.begin(shepherd, HONEST);
  await shepherd.wake(HONEST, 1);
  expect(shepherd.state.toMark).toBeDefined();
  world.removeMarker(id);
  await shepherd.wake(HONEST);
  expect(world.violation).toMatch(/^1 item/);
}

describe('whatever people say and whatever goes wrong', () => {
  it('S6 every version of every item is shown at least once, and what is marked is not shown again', async () => {
    await fc.assert(
      fc.asyncProperty(aStory, (story) => inFolder((folder) => checkStory(folder, story))),
      { numRuns: 40 },
    );
  }, 120_000);
});
