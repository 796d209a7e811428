/**
 * Lets a host that hears of an event break off what a Shepherd waits for, so that it reads the event now
 * instead of when the wait is over. A courtesy of hosts that can (S10): where nobody calls `interrupt`, every
 * wait ends by its own deadline.
 *
 * @module
 */
import { LRUCache } from 'lru-cache';
import type { PrEvent } from '../github-event-types.ts';
import { type DeliveryId, type EntityUrl, type PrRef, shepherdUrl } from '../ids.ts';

/** Between a host and the Shepherds that run on it. */
export interface Interrupts {
  /**
   * A signal that fires once an event of this PR is told that is not among `known`, or was told before.
   * @param known ids of the deliveries that the Shepherd has read: what it does already follows from those
   */
  readonly signalFor: (pr: PrRef, known: ReadonlySet<string>) => Interruptible;
  /** Tells of an event that ends or changes what is reviewed, once it is where the Shepherd will read it. */
  readonly interrupt: (event: Pick<PrEvent, 'pr' | 'deliveryId'>) => void;
}

/** Call `release` when what may be interrupted is over. */
interface Interruptible {
  readonly signal: AbortSignal;
  readonly release: () => void;
}

interface Waiting {
  readonly url: EntityUrl;
  readonly known: ReadonlySet<string>;
  readonly controller: AbortController;
}

/** PRs whose last events are remembered, and how many of each; what was read is not interrupted by (S9). */
const MAX_PRS = 1_000;
const MAX_EVENTS = 20;
/** An event that nobody has read by then was lost on its way, and must not cost a PR its texts for ever. */
const EVENT_TTL_MS = 10 * 60_000;

/** Builds one that knows of no event. */
export function createInterrupts(): Interrupts {
  // An event may come just before a wait begins, after the last look at what came in.
  const told = new LRUCache<EntityUrl, readonly DeliveryId[]>({ max: MAX_PRS, ttl: EVENT_TTL_MS });
  const waits = new Set<Waiting>();
  return {
    signalFor: (pr, known) => {
      const waiting = { url: shepherdUrl(pr), known, controller: new AbortController() };
      waits.add(waiting);
      if (told.get(waiting.url)?.some((id) => !known.has(id))) waiting.controller.abort();
      return { signal: waiting.controller.signal, release: () => void waits.delete(waiting) };
    },
    interrupt: ({ pr, deliveryId }) => {
      const url = shepherdUrl(pr);
      told.set(url, [...(told.get(url) ?? []), deliveryId].slice(-MAX_EVENTS));
      for (const { controller, ...waiting } of waits) {
        if (waiting.url === url && !waiting.known.has(deliveryId)) controller.abort();
      }
    },
  };
}

/** Whether an event ends a review that is under way, or changes what it is about. */
export function changesReview(event: PrEvent): boolean {
  if (event.type !== 'pull_request') return false;
  switch (event.action) {
    case 'closed':
    case 'synchronize':
    case 'converted_to_draft':
      return true;
    case 'labeled':
      return event.label === 'pause-shepherd' || event.label === 'no-shepherd';
    case 'edited':
      return event.previousBaseRef !== null;
    default:
      return false;
  }
}
