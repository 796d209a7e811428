/**
 * The timers of cron ticks: one for each expression and time zone, however many observe it.
 *
 * @module
 */

import { cronSpecOfPath, nextTickMs } from '../cron-spec.ts';
import type { Core } from './core.ts';

/**
 * Sets the timer of a stream's next tick, unless it is set. Ticks that were missed meanwhile are not made up
 * for: the next one is the first after now.
 *
 * @throws RequestError 400 when the path does not name a valid expression
 */
export function armTicks(core: Core, path: string): void {
  const { timers, commit } = core.store;
  if (timers.find(`cron:${path}`, 'cron') !== undefined) return;
  const nextMs = nextTickMs(cronSpecOfPath(path), core.clock.now());
  if (nextMs === undefined) return;
  timers.add(nextMs, { kind: 'cron', path });
  commit.afterCommit(core.onTimer);
}
