import { describe, expect, it } from 'vitest';
import { createDispatcher, type PassOutcome } from './dispatcher.ts';

/** A dispatcher whose passes end when the test says so. */
function setUp(limit: number, isDue: (id: number) => boolean = () => false) {
  const running = new Map<number, (outcome: PassOutcome) => void>();
  const started: number[] = [];
  const pauses: (() => void)[] = [];
  const dispatcher = createDispatcher({
    limit,
    isDue,
    runPass(id) {
      started.push(id);
      return new Promise((resolve) => running.set(id, resolve));
    },
    afterPause: (callback) => void pauses.push(callback),
  });
  async function end(id: number, outcome: PassOutcome = 'done'): Promise<void> {
    running.get(id)?.(outcome);
    running.delete(id);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { dispatcher, started, pauses, end };
}

describe('the dispatcher', () => {
  it('R6: starts up to the limit, in the order in which they became due', async () => {
    const { dispatcher, started, end } = setUp(2);
    for (const id of [3, 1, 2, 1]) dispatcher.due(id);
    expect(started).toEqual([3, 1]);
    await end(1);
    expect(started).toEqual([3, 1, 2]);
  });

  it('R6: puts an entity that is due again at the end of the line', async () => {
    const due = new Set([1]);
    const { dispatcher, started, end } = setUp(1, (id) => due.has(id));
    dispatcher.due(1);
    dispatcher.due(2);
    dispatcher.due(1); // it runs: looked at again when its pass ends
    await end(1);
    due.clear();
    await end(2);
    await end(1);
    expect(started).toEqual([1, 2, 1]);
    expect(dispatcher.isIdle()).toBe(true);
  });

  it('tries a postponed pass again after the pause, and is not idle before', async () => {
    const { dispatcher, started, pauses, end } = setUp(1);
    let idle = false;
    dispatcher.due(1);
    const waiting = dispatcher.idle().then(() => {
      idle = true;
    });
    await end(1, 'postponed');
    expect([started.length, idle]).toEqual([1, false]);
    for (const resume of pauses) resume();
    await end(1);
    await waiting;
    expect(started).toEqual([1, 1]);
  });

  it('starts nothing after its stop, and is idle when the last pass has ended', async () => {
    const { dispatcher, started, pauses, end } = setUp(1, () => true);
    dispatcher.due(1);
    dispatcher.due(2);
    dispatcher.stop();
    expect(dispatcher.isIdle()).toBe(false);
    const idle = dispatcher.idle();
    await end(1, 'postponed');
    await idle;
    dispatcher.due(3);
    expect([started, pauses]).toEqual([[1], []]);
  });
});
