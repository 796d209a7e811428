import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Act } from './testing/forum.ts';
import { HONEST } from './testing/talk-shepherd.ts';
import { type ModelSize, TalkWorld } from './testing/talk-world.ts';

const COMMENT: Act = { act: 'comment', at: 0, word: 'a', style: 0 };
const EDIT: Act = { act: 'edit', at: 0, word: 'b', style: 0 };
const UNREAD = { ...HONEST, calls: 'none', texts: false } as const;

function open(...models: readonly ModelSize[]): TalkWorld {
  const folder = mkdtempSync(join(tmpdir(), 'pr-shepherd-discussion-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return new TalkWorld(folder, models, 0);
}

function first({ shepherds }: TalkWorld) {
  const [shepherd] = shepherds;
  if (shepherd === undefined) throw new RangeError('there is no process');
  return shepherd;
}

describe('the end of a round', () => {
  it('tells of a disk that cannot be read, and does not say that items were missed', async () => {
    const world = open('small');
    const shepherd = first(world);
    world.say(COMMENT);
    await world.round(shepherd, HONEST);
    await world.begin(shepherd, HONEST);
    world.breakDisk();
    await shepherd.wake(HONEST);
    expect(shepherd.state.memoryTrouble).toMatch(/cannot be read \(ENOTDIR\)/);
    expect(shepherd.state.violation).toBeUndefined();
  });

  it.each(['small', 'analyzers'] as const)(
    'goes on telling of a broken disk where nothing is to be written: %s',
    async (model) => {
      const world = open(model);
      const shepherd = first(world);
      world.say(COMMENT);
      world.breakDisk();
      for (let count = 0; count < 2; count += 1) {
        await world.round(shepherd, UNREAD);
        expect(shepherd.state.memoryTrouble).toMatch(/ENOTDIR/);
      }
      world.mendDisk();
      await world.round(shepherd, UNREAD);
      expect(shepherd.state.memoryTrouble).toBeUndefined();
    },
  );

  it('takes what a second process delivered meanwhile for delivered', async () => {
    const world = open('small', 'small');
    const [shepherd, other] = world.shepherds;
    if (shepherd === undefined || other === undefined) throw new RangeError('there are no two processes');
    world.say(COMMENT);
    await world.round(shepherd, HONEST);
    await world.begin(shepherd, HONEST);
    world.say(EDIT);
    await world.round(other, HONEST);
    expect(world.journal.last(other.name)?.due).toEqual(['comment-1']);
    await shepherd.settle(HONEST);
    expect(shepherd.state.violation).toBeUndefined();
  });

  it('S6 says which item was neither shown nor delivered before', async () => {
    const world = open('small');
    const shepherd = first(world);
    world.say(COMMENT);
    await world.round(shepherd, HONEST);
    await world.begin(shepherd, HONEST);
    world.removeMarker('comment-1');
    await shepherd.wake(HONEST);
    expect(shepherd.state.violation).toMatch(/^1 item/);
  });
});
