/**
 * Work that waits for its time.
 *
 * R4: a timer is deleted in the transaction that does its work, so it works once, however often the process
 * dies.
 *
 * @module
 */

import { messageOf, RequestError } from '../errors.ts';
import type { DelayedSend, StoredTimer } from '../store/timers.ts';
import type { Core } from './core.ts';
import { tick } from './cron-tick.ts';
import { wakeByTimer } from './observers.ts';
import { fireSchedule } from './schedules.ts';
import { sendMessage } from './send.ts';

function fireSend(core: Core, timerId: number, send: DelayedSend): void {
  try {
    sendMessage(core, { ...send, key: `scheduled-task-${timerId}` });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    core.log.warn('a delayed message was dropped', { targetUrl: send.targetUrl, reason: messageOf(error) });
  }
}

function fire(core: Core, timer: StoredTimer): void {
  core.store.timers.remove(timer.id);
  const { work } = timer;
  switch (work.kind) {
    case 'send':
      fireSend(core, timer.id, work.send);
      break;
    case 'cron':
      tick(core, work.path);
      break;
    case 'schedule':
      fireSchedule(core, work.entityId, work.scheduleId);
      break;
    case 'wake-timeout':
    case 'debounce':
      wakeByTimer(core, timer.id, work);
      break;
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
/** How many timers fire in one transaction: after a long pause there may be very many. */
const MOST_AT_ONCE = 200;

/** @param core - its clock tells the time */
export function createTimerService(core: Core): TimerService {
  let cancel = () => {};
  let stopped = false;

  /** @returns whether more may be due */
  function runDue(): boolean {
    const { timers, commit } = core.store;
    const due = timers.due(core.clock.now(), MOST_AT_ONCE);
    if (due.length === 0) return false;
    commit.write(() => {
      for (const timer of due) fire(core, timer);
    });
    return due.length === MOST_AT_ONCE;
  }

  function waitUntil(atMs: number | undefined): void {
    cancel();
    if (atMs !== undefined && !stopped) cancel = core.clock.setTimer(atMs, arm);
  }

  function retry(error: unknown): void {
    if (stopped) return;
    core.log.error('timers could not be run', { reason: messageOf(error) });
    waitUntil(core.clock.now() + RETRY_MS);
  }

  function arm(): void {
    if (stopped) return;
    const { timers, commit } = core.store;
    let isMore: boolean;
    try {
      isMore = runDue();
      waitUntil(isMore ? undefined : timers.nextAtMs());
    } catch (error) {
      retry(error);
      return;
    }
    // What was read of this turn may be undone, and with it the removal of the timers that have just run.
    if (commit.isOpen()) void commit.committed().then(isMore ? arm : () => {}, retry);
  }

  return {
    arm,
    stop() {
      stopped = true;
      cancel();
    },
  };
}
