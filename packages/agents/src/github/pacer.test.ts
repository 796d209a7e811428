import { describe, expect, it } from 'vitest';
import { TransientError } from '../errors.ts';
import { createJumpClock } from '../testing/jump-clock.ts';
import type { PacingLimits } from './github-limits.ts';
import { type AdmissionRequest, createPacer, type Release } from './pacer.ts';

const LIMITS: PacingLimits = { windows: [{ of: 'rest', max: 3, perMs: 10_000 }], maxConcurrent: 2 };
const READ: AdmissionRequest = { cost: { rest: 1 }, urgent: false, maxWaitMs: 30_000 };

function open() {
  const clock = createJumpClock(1_000);
  const pacer = createPacer(clock, LIMITS);
  const order: string[] = [];
  const ask = (name: string, request = READ, signal?: AbortSignal): Promise<Release> =>
    pacer.admit(request, signal).then((release) => {
      order.push(name);
      return release;
    });
  return { clock, order, ask };
}

/** Uses up the window. */
async function spend(ask: () => Promise<Release>): Promise<void> {
  for (let count = 0; count < 3; count += 1) (await ask())(undefined);
}

describe('a request', () => {
  it('goes at once while there is room, and when its time has come otherwise', async () => {
    const { clock, order, ask } = open();
    await spend(() => ask('first'));
    const late = ask('late');
    await Promise.resolve();
    expect(order).toEqual(['first', 'first', 'first']);
    clock.jump();
    await late;
    expect(clock.now()).toBe(11_000);
  });

  it('that may wait for exactly as long as it takes is not refused', async () => {
    const { clock, ask } = open();
    await spend(() => ask('first'));
    const late = ask('late', { ...READ, maxWaitMs: 10_000 });
    clock.jump();
    await late;
  });

  it('waits for an answer where too many are under way, behind what is urgent', async () => {
    const { clock, order, ask } = open();
    const first = await ask('first');
    await ask('second');
    const waiting = [ask('read'), ask('write', { ...READ, urgent: true })];
    first(undefined);
    await waiting[1];
    expect(order).toEqual(['first', 'second', 'write']);
    expect(clock.now()).toBe(1_000);
    clock.jump();
    await expect(waiting[0]).rejects.toBeInstanceOf(TransientError);
  });

  it('that would wait for longer than it may is refused with the time that it takes', async () => {
    const { ask } = open();
    await spend(() => ask('first'));
    const refused = ask('late', { ...READ, maxWaitMs: 9_999 });
    await expect(refused).rejects.toMatchObject({ retryable: true, retryAfterMs: 10_000 });
  });

  it('ends its wait when its caller gives up, and lets those behind it go on', async () => {
    const { clock, order, ask } = open();
    await spend(() => ask('first'));
    const caller = new AbortController();
    const abandoned = ask('abandoned', { ...READ, cost: { rest: 3 } }, caller.signal);
    const behind = ask('behind');
    caller.abort(new RangeError('enough'));
    await expect(abandoned).rejects.toMatchObject({ retryable: true, cause: new RangeError('enough') });
    clock.jump();
    await behind;
    expect(order).not.toContain('abandoned');
    await expect(ask('too late', READ, caller.signal)).rejects.toBeInstanceOf(TransientError);
  });
});

it('what GitHub said to one holds for all, and lasts as long as it said', async () => {
  const { clock, order, ask } = open();
  (await ask('first'))({ budgets: ['rest'], waitMs: 7_000 });
  const others = [ask('second'), ask('third')];
  await Promise.resolve();
  expect(order).toEqual(['first']);
  clock.jump();
  await Promise.all(others);
  expect(clock.now()).toBe(8_000);
});
