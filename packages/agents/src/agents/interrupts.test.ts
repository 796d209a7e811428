import { describe, expect, it } from 'vitest';
import type { PrEvent } from '../github-event-types.ts';
import type { DeliveryId, PrRef, Sha } from '../ids.ts';
import { changesReview, createInterrupts } from './interrupts.ts';

const PR: PrRef = { owner: 'acme', repo: 'shop', number: 1 };
const told = (id: string, pr: PrRef = PR) => ({ pr, deliveryId: id as DeliveryId });
const nothing: ReadonlySet<string> = new Set();

describe('a wait', () => {
  it('ends with an event of its PR, however that is spelled', () => {
    const interrupts = createInterrupts();
    const { signal } = interrupts.signalFor(PR, nothing);
    interrupts.interrupt(told('a', { ...PR, number: 2 }));
    expect(signal.aborted).toBe(false);
    interrupts.interrupt(told('b', { ...PR, owner: 'Acme' }));
    expect(signal.aborted).toBe(true);
  });

  it('that begins after an event was told, and before it was read, ends at once', () => {
    const interrupts = createInterrupts();
    interrupts.interrupt(told('a'));
    expect(interrupts.signalFor(PR, nothing).signal.aborted).toBe(true);
    expect(interrupts.signalFor(PR, new Set(['a'])).signal.aborted).toBe(false);
  });

  it('does not end with an event that was read before it began', () => {
    const interrupts = createInterrupts();
    const { signal } = interrupts.signalFor(PR, new Set(['a']));
    interrupts.interrupt(told('a'));
    expect(signal.aborted).toBe(false);
    interrupts.interrupt(told('b'));
    expect(signal.aborted).toBe(true);
  });

  it('that is over is told nothing', () => {
    const interrupts = createInterrupts();
    const { signal, release } = interrupts.signalFor(PR, nothing);
    release();
    interrupts.interrupt(told('a'));
    expect(signal.aborted).toBe(false);
  });
});

describe('an event of the PR', () => {
  const actor = { login: 'ada', id: 1, isBot: false };
  const sha = 'a'.repeat(40) as Sha;
  const base = {
    type: 'pull_request',
    ...told('a'),
    sender: actor,
    author: actor,
    open: true,
    draft: false,
    headSha: sha,
    baseSha: sha,
    labels: [],
  } as const;
  const edited = { ...base, action: 'edited', titleChanged: true, bodyChanged: false } as const;

  it.each<[PrEvent, boolean]>([
    [{ ...base, action: 'opened' }, false],
    [{ ...base, action: 'reopened' }, false],
    [{ ...base, action: 'ready_for_review' }, false],
    [{ ...base, action: 'converted_to_draft' }, true],
    [{ ...base, action: 'synchronize', before: sha, after: sha }, true],
    [{ ...base, action: 'closed', merged: false }, true],
    [{ ...base, action: 'closed', merged: true }, true],
    [{ ...base, action: 'labeled', label: 'pause-shepherd' }, true],
    [{ ...base, action: 'labeled', label: 'no-shepherd' }, true],
    [{ ...base, action: 'labeled', label: 'shepherd' }, false],
    [{ ...base, action: 'unlabeled', label: 'pause-shepherd' }, false],
    [{ ...edited, previousBaseRef: null }, false],
    [{ ...edited, previousBaseRef: 'next' }, true],
  ])('%o ends or changes a review: %s', (event, changes) => {
    expect(changesReview(event)).toBe(changes);
  });

  it('of another kind never does', () => {
    const resolved: PrEvent = {
      ...told('a'),
      type: 'pull_request_review_thread',
      action: 'resolved',
      sender: actor,
      open: true,
      thread: { nodeId: 'T_1' },
    };
    expect(changesReview(resolved)).toBe(false);
  });
});
