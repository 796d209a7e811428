/**
 * Work that waits for its time.
 *
 * R4: a timer is deleted in the transaction that does its work, so it works once, however often the process
 * dies.
 *
 * @module
 */

import { messageOf, RequestError } from '../errors.ts';
import type { StoredTimer } from '../store/timers.ts';
import type { Core } from './core.ts';
import { wakeByTimer } from './observers.ts';
import { sendMessage } from './send.ts';

function fire(core: Core, timer: StoredTimer): void {
  core.store.timers.remove(timer.id);
  if (timer.work.kind !== 'send') {
    wakeByTimer(core, timer.id, timer.work);
    return;
  }
  const { send } = timer.work;
  try {
    sendMessage(core, { ...send, key: `scheduled-task-${timer.id}` });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    core.log.warn('a delayed message was dropped', { targetUrl: send.targetUrl, reason: messageOf(error) });
  }
}

/** Runs stored timers when their time has come. */
export interface TimerService {
  /** Looks at what is due and waits for the next. */
  arm(): void;
  stop(): void;
}

/** How long to wait after the database refused, in milliseconds. */
const RETRY_MS = 1_000;

/** @param core - its clock tells the time */
export function createTimerService(core: Core): TimerService {
  let cancel = () => {};
  let stopped = false;

  function runDue(): void {
    const { timers, commit } = core.store;
    const due = timers.due(core.clock.now());
    if (due.length === 0) return;
    commit.write(() => {
      for (const timer of due) fire(core, timer);
    });
  }

  function arm(): void {
    cancel();
    if (stopped) return;
    let nextAtMs: number | undefined;
    try {
      runDue();
      nextAtMs = core.store.timers.nextAtMs();
    } catch (error) {
      core.log.error('timers could not be run', { reason: messageOf(error) });
      nextAtMs = core.clock.now() + RETRY_MS;
    }
    if (nextAtMs !== undefined) cancel = core.clock.setTimer(nextAtMs, arm);
  }

  return {
    arm,
    stop() {
      stopped = true;
      cancel();
    },
  };
}
