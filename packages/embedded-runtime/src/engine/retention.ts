/**
 * Keeps streams and inboxes short over years.
 *
 * R8: what a row shows now, what no pass has seen, and the key of a delivery that may come again are never
 * removed. Everything is removed in small transactions with pauses between them, so that wakes do not wait.
 *
 * @module
 */

import { messageOf } from '../errors.ts';
import type { Mark } from '../store/retention.ts';
import type { Store } from '../store/store.ts';
import type { Core } from './core.ts';

const DAY_MS = 86_400_000;
/** GitHub delivers again for some days after the first try. */
const KEYS_KEPT_MS = 8 * DAY_MS;
/** Let a host that has just started do its work first. */
const AFTER_START_MS = 60_000;
const PAUSE_MS = 20;
const EVENTS_PER_BATCH = 300;
const STREAMS_PER_BATCH = 100;
const DELIVERIES_PER_BATCH = 100;

/** How much was removed. */
interface Tally {
  events: number;
  deliveries: number;
}

function* sweepStreams({ retention }: Store, { nextSeq }: Mark, tally: Tally): Generator<void> {
  let seenInBatch = 0;
  let lastStream = 0;
  for (;;) {
    const ids = retention.streamsAfter(lastStream, STREAMS_PER_BATCH);
    for (const id of ids) {
      for (let afterSeq = 0, isMore = true; isMore; ) {
        const batch = retention.sweepStream(id, afterSeq, nextSeq, EVENTS_PER_BATCH);
        tally.events += batch.removed;
        afterSeq = batch.lastSeq;
        isMore = batch.seen === EVENTS_PER_BATCH;
        seenInBatch += batch.seen;
        if (seenInBatch < EVENTS_PER_BATCH) continue;
        seenInBatch = 0;
        yield;
      }
    }
    lastStream = ids.at(-1) ?? lastStream;
    if (ids.length < STREAMS_PER_BATCH) return;
    yield;
  }
}

/** Deliveries go after the events that point to them. */
function* sweepDeliveries({ retention }: Store, mark: Mark, keyMark: Mark | undefined, tally: Tally) {
  const upTo = keyMark?.lastDelivery ?? 0;
  for (let removed = 1; removed > 0; tally.deliveries += removed) {
    removed = retention.removeDeliveries(upTo, DELIVERIES_PER_BATCH);
    yield;
  }
  while (retention.emptyDeliveries(mark.lastDelivery, DELIVERIES_PER_BATCH) > 0) yield;
}

function* sweep(store: Store, mark: Mark, keyMark: Mark | undefined, tally: Tally): Generator<void> {
  yield* sweepStreams(store, mark, tally);
  yield* sweepDeliveries(store, mark, keyMark, tally);
}

/** Removes what is old, from time to time. */
export interface Retention {
  start(): void;
  stop(): void;
}

/**
 * @param core - its clock tells the time
 * @param retentionMs - rows of buckets and inboxes that are older go; looked at each thirtieth of it, each day
 *   at the least
 */
export function createRetention(core: Core, retentionMs: number): Retention {
  const { store, clock, log } = core;
  const everyMs = Math.max(AFTER_START_MS, Math.min(DAY_MS, retentionMs / 30));
  let cancel = () => {};
  let stopped = false;

  function callIn(delayMs: number, callback: () => void): void {
    if (stopped) return;
    cancel = clock.setTimer(clock.now() + delayMs, () => {
      try {
        callback();
      } catch (error) {
        log.error('old rows could not be removed', { reason: messageOf(error) });
        callIn(everyMs, begin);
      }
    });
  }

  function step(batches: Generator<void>, tally: Tally): void {
    if (store.commit.write(() => batches.next().done) !== true) {
      callIn(PAUSE_MS, () => step(batches, tally));
      return;
    }
    if (tally.events + tally.deliveries > 0) log.info('old rows were removed', { ...tally });
    callIn(everyMs, begin);
  }

  function begin(): void {
    const nowMs = clock.now();
    const mark = store.retention.markAt(nowMs - retentionMs);
    const keyMark = store.retention.markAt(nowMs - Math.max(retentionMs, KEYS_KEPT_MS));
    store.commit.write(() => {
      store.retention.mark({ atMs: nowMs, nextSeq: store.streams.nextSeq() });
      if (keyMark !== undefined) store.retention.forgetMarksBefore(keyMark.atMs);
    });
    const tally: Tally = { events: 0, deliveries: 0 };
    if (mark === undefined) callIn(everyMs, begin);
    else step(sweep(store, mark, keyMark, tally), tally);
  }

  return {
    start() {
      const last = store.retention.lastMarkMs();
      const sinceMs = last === undefined ? everyMs : clock.now() - last;
      callIn(Math.max(AFTER_START_MS, everyMs - sinceMs), begin);
    },
    stop() {
      stopped = true;
      cancel();
    },
  };
}
