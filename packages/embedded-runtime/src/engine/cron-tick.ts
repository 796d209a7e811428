/**
 * Cron ticks.
 *
 * @module
 */

import { cronSpecOfPath } from '../cron-spec.ts';
import type { NewEvent } from '../store/streams.ts';
import { type Core, isoNow } from './core.ts';
import { armTicks } from './cron-timer.ts';
import { notifyObservers } from './observers.ts';

/** Appends one tick, wakes who observes the stream, and sets the next; nothing when nobody observes it. */
export function tick(core: Core, path: string): void {
  const { streams, subscriptions } = core.store;
  if (subscriptions.of(path).length === 0) return;
  const streamId = streams.ensure(path);
  const tickNumber = streams.nextIndex(streamId, 'tick');
  const key = `tick-${tickNumber}`;
  const value = { key, ...cronSpecOfPath(path), firedAt: isoNow(core), tickNumber };
  const event: NewEvent = { type: 'cron_tick', key, operation: 'insert', value };
  notifyObservers(core, path, event, streams.append(streamId, event));
  armTicks(core, path);
}
