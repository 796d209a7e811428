import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { startDeadline } from './deadline.ts';

describe('startDeadline', () => {
  test('fires by itself, and says so', async () => {
    const deadline = startDeadline(1);
    expect(deadline.endedBy()).toBeUndefined();
    await once(deadline.signal, 'abort');
    expect(deadline.endedBy()).toBe('deadline');
    await deadline.overdue(1);
  });

  test('fires with the outer signal, and says so', () => {
    const outer = new AbortController();
    const deadline = startDeadline(60_000, outer.signal);
    outer.abort();
    expect(deadline.signal.aborted).toBe(true);
    expect(deadline.endedBy()).toBe('abort');
    deadline.release();
  });

  test('has fired where the outer signal had', () => {
    const deadline = startDeadline(60_000, AbortSignal.abort());
    expect(deadline.endedBy()).toBe('abort');
    deadline.release();
  });

  test('listens no longer once it is released', () => {
    const outer = new AbortController();
    const deadline = startDeadline(60_000, outer.signal);
    deadline.release();
    outer.abort();
    expect(deadline.signal.aborted).toBe(false);
  });
});
