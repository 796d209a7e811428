/**
 * Comments that may mention us while GitHub has not said what we are called. They alone wait for that, in the
 * row `unheard`; all else is understood at once.
 *
 * @module
 */
import { messageOf, TransientError } from '../errors.ts';
import type { PrEvent } from '../github-event-types.ts';
import type { ShepherdEvent } from '../review/decide.ts';
import type { Ctx } from './context.ts';
import type { FactoryServices } from './services.ts';
import { readOwn, type ShepherdRows, writeOwn } from './shepherd-state.ts';
import { mayMentionUs, understand } from './understand.ts';

/** The row; there is none while nothing waits. */
interface Unheard {
  /** In the order in which they came; at most {@link MAX_WAITING}. */
  readonly events: readonly Waiting[];
  /** How often our name was asked for in vain since something waits. */
  readonly attempts: number;
  /** It is not asked for again before this time. */
  readonly notBeforeMs: number;
}

interface Waiting {
  readonly event: PrEvent;
  readonly sinceMs: number;
}

/** What was understood, and how to keep what was not. */
interface Understood {
  readonly events: readonly ShepherdEvent[];
  /** Call it once `events` are in the state, and just before their deliveries count as processed (S2). */
  readonly keep: () => void;
}

/** Comments of one PR that may wait; beyond that the oldest are given up (S9). */
const MAX_WAITING = 50;
/** How long a comment may wait: whoever asked has found another way by then. */
const MAX_AGE_MS = 24 * 3_600_000;
const FIRST_WAIT_MS = 15_000;
const LONGEST_WAIT_MS = 15 * 60_000;

const NOTHING: Unheard = { events: [], attempts: 0, notBeforeMs: 0 };

/**
 * Understands events, after those that waited. Where our name is needed and not to be had, it sends itself one
 * `tick` for the next attempt.
 *
 * @param ourNames what people call us; asked only where a text may mention us. What it throws is logged.
 */
export async function understandAll(
  ctx: Pick<Ctx<Pick<ShepherdRows, 'own'>>, 'state' | 'entityUrl' | 'send'>,
  services: Pick<FactoryServices, 'now' | 'log'>,
  fresh: readonly PrEvent[],
  ourNames: () => Promise<readonly string[]>,
): Promise<Understood> {
  const { own } = ctx.state;
  const before = readOwn<Unheard>(own, 'unheard') ?? NOTHING;
  const kept = new Set<string>(before.events.map(({ event }) => event.deliveryId));
  // A process may have died between keeping them and remembering their deliveries.
  const added = fresh.filter((event) => !kept.has(event.deliveryId));
  const nowMs = services.now();
  const mentions = added.filter(mayMentionUs).map((event) => ({ event, sinceMs: nowMs }));
  const waiting = { ...before, events: [...before.events, ...mentions] };
  if (waiting.events.length === 0) return { events: allOf(added, []), keep: () => {} };

  const plain = added.filter((event) => !mayMentionUs(event));
  const wait = (unheard: Unheard): Understood => ({
    events: allOf(plain, []),
    keep: () => write(own, bounded(unheard, services)),
  });
  if (nowMs < before.notBeforeMs) return wait(waiting);
  const asked = await settled(ourNames);
  if (asked.ok) {
    const events = [...before.events.map(({ event }) => event), ...added];
    return { events: allOf(events, asked.names), keep: () => write(own, NOTHING) };
  }
  services.log.warn('GitHub did not say who we are', { error: messageOf(asked.error) });
  const waitMs = waitAfter(asked.error, before.attempts);
  const left = withoutOld(waiting, services);
  if (left.events.length > 0)
    await ctx.send(ctx.entityUrl, { type: 'tick' }, { type: 'tick', afterMs: waitMs });
  return wait({ ...left, attempts: before.attempts + 1, notBeforeMs: nowMs + waitMs });
}

function allOf(events: readonly PrEvent[], names: readonly string[]): readonly ShepherdEvent[] {
  return events.flatMap((event) => understand(event, names));
}

type Asked =
  | { readonly ok: true; readonly names: readonly string[] }
  | { readonly ok: false; readonly error: unknown };

/** Whatever is wrong with our name, the PR goes on without it. */
function settled(ourNames: () => Promise<readonly string[]>): Promise<Asked> {
  return ourNames().then(
    (names) => ({ ok: true, names }),
    (error: unknown) => ({ ok: false, error }),
  );
}

/** Twice as long each time, and at least as long as GitHub asked. */
function waitAfter(error: unknown, attempts: number): number {
  const waitMs = Math.min(FIRST_WAIT_MS * 2 ** attempts, LONGEST_WAIT_MS);
  return Math.max(waitMs, error instanceof TransientError ? (error.retryAfterMs ?? 0) : 0);
}

function withoutOld(unheard: Unheard, { now, log }: Pick<FactoryServices, 'now' | 'log'>): Unheard {
  const events = unheard.events.filter(({ sinceMs }) => now() < sinceMs + MAX_AGE_MS);
  const dropped = unheard.events.length - events.length;
  if (dropped > 0) log.error('comments are given up: GitHub has not said who we are for a day', { dropped });
  return { ...unheard, events };
}

function bounded(unheard: Unheard, { log }: Pick<FactoryServices, 'log'>): Unheard {
  const events = unheard.events.slice(-MAX_WAITING);
  const dropped = unheard.events.length - events.length;
  if (dropped > 0) log.warn('comments are given up: too many wait for our name', { dropped });
  return { ...unheard, events };
}

function write(own: ShepherdRows['own'], unheard: Unheard): void {
  if (unheard.events.length > 0) writeOwn(own, 'unheard', unheard);
  else if (own.get('unheard') !== undefined) own.delete('unheard');
}
