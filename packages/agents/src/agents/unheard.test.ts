import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TransientError } from '../errors.ts';
import type { PrEvent } from '../github-event-types.ts';
import type { DeliveryId } from '../ids.ts';
import { silentLog } from '../log.ts';
import { recordingLog } from '../model/testing/client.ts';
import { apply } from '../review/decide.ts';
import type { InboxMessage } from './context.ts';
import type { RowStore } from './inbox.ts';
import { readIncoming } from './shepherd-inbox.ts';
import { readMachine, writeOwn } from './shepherd-state.ts';

const PR = { owner: 'acme', repo: 'shop', number: 1 };
const MIA = { login: 'mia', id: 1, isBot: false };
const TIMING = { settleMs: 0, roundTimeoutMs: 30_000 };
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A process that dies. */
class Crash extends Error {}

function comment(number: number, body = '@horton status'): PrEvent {
  const nodeId = `IC_${number}`;
  return {
    type: 'issue_comment',
    action: 'created',
    deliveryId: `d${number}` as DeliveryId,
    pr: PR,
    sender: MIA,
    open: true,
    comment: { id: number, nodeId, body, author: MIA },
    previousBody: null,
  };
}

/** A Shepherd whose host keeps each write by itself, in order, so that it can die between any two of them. */
function shepherd(log = silentLog) {
  const messages: InboxMessage[] = [];
  const ticksMs: number[] = [];
  let nowMs = 1_000_000;
  let writesLeft = Number.POSITIVE_INFINITY;
  let asked = 0;
  const store = <Row extends { readonly key: string }>(): RowStore<Row> => {
    const rows = new Map<string, Row>();
    const write = (act: () => void): void => {
      writesLeft -= 1;
      if (writesLeft < 0) throw new Crash();
      act();
    };
    return {
      get: (key) => rows.get(key),
      insert: (row) => write(() => rows.set(row.key, row)),
      update: (key, change) =>
        write(() => {
          const row = structuredClone(rows.get(key));
          if (row === undefined) throw new TypeError(`there is no row ${key}`);
          change(row);
          rows.set(key, row);
        }),
      delete: (key) => write(() => rows.delete(key)),
      get toArray() {
        return [...rows.values()];
      },
    };
  };
  const state = { own: store(), cursors: store(), deliveries: store() } as Parameters<
    typeof readIncoming
  >[0]['state'];
  const ctx: Parameters<typeof readIncoming>[0] = {
    entityUrl: '/pr-shepherd/acme~shop~1',
    state,
    db: {
      collections: {
        inbox: { toArray: messages },
        wakes: { toArray: [] },
        manifests: { has: () => false },
      },
    },
    observe: () => Promise.reject(new TypeError('there is no bucket here')),
    send: async (targetUrl, _message, options) => {
      ticksMs.push(options?.afterMs ?? 0);
      return { sent: true, targetUrl };
    },
  };
  const ports = { events: 'inbox', endpointKey: 'test', now: () => nowMs, log } as const;
  return {
    ticksMs,
    asked: () => asked,
    pass: (ms: number) => {
      nowMs += ms;
    },
    tell: (event: PrEvent) => {
      const order = String(messages.length).padStart(8, '0');
      const row = { key: `m${order}`, _timeline_order: order, message_type: 'github_event' };
      messages.push({ ...row, payload: { type: 'github_event', event } });
    },
    /** Requests that the state machine has, by the comment they came with. */
    requests: () => readMachine(state.own).summons.map(({ to }) => to),
    waiting: () => (state.own.get('unheard')?.data as { events: unknown[] } | undefined)?.events.length ?? 0,
    /** One wake; dies after so many writes. */
    wake: async (known: boolean | Error, writes = Number.POSITIVE_INFINITY) => {
      writesLeft = writes;
      try {
        const batch = await readIncoming(ctx, ports, PR, async () => {
          asked += 1;
          if (known === true) return ['horton'];
          throw known === false ? new TypeError('nobody knows') : known;
        });
        const next = batch.incoming.reduce(
          (machine, { event }) => apply(machine, event, nowMs, TIMING),
          readMachine(state.own),
        );
        writeOwn(state.own, 'machine', next);
        batch.done();
      } catch (error) {
        if (!(error instanceof Crash)) throw error;
      }
      writesLeft = Number.POSITIVE_INFINITY;
    },
  };
}

const wakes = fc.array(
  fc.record({
    comments: fc.nat(2),
    known: fc.boolean(),
    writes: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.nat(6)),
    minutes: fc.nat(20),
  }),
  { maxLength: 8 },
);

describe('comments that may mention us', () => {
  it('S2 are each heard exactly once, whenever the process dies and whenever our name is known', async () => {
    await fc.assert(
      fc.asyncProperty(wakes, async (story) => {
        const lane = shepherd();
        const said: string[] = [];
        for (const { comments, known, writes, minutes } of story) {
          for (let count = 0; count < comments; count += 1) {
            lane.tell(comment(said.length));
            said.push(`IC_${said.length}`);
          }
          await lane.wake(known, writes);
          lane.pass(minutes * MINUTE_MS);
        }
        lane.pass(15 * MINUTE_MS);
        await lane.wake(true);
        expect(lane.requests()).toEqual(said);
        expect(lane.waiting()).toBe(0);
        // Each tick belongs to a question that was not answered.
        expect(lane.ticksMs.length).toBeLessThan(Math.max(1, lane.asked()));
        await lane.wake(true);
        expect(lane.requests()).toEqual(said);
      }),
    );
  });

  it('wait twice as long each time, up to a quarter of an hour, and at least as long as GitHub asks', async () => {
    const lane = shepherd();
    lane.tell(comment(1));
    for (let count = 0; count < 8; count += 1) {
      await lane.wake(false);
      lane.pass(lane.ticksMs.at(-1) ?? 0);
    }
    expect(lane.ticksMs.map((ms) => ms / 1_000)).toEqual([15, 30, 60, 120, 240, 480, 900, 900]);
    await lane.wake(new TransientError('a limit', { retryAfterMs: 3_600_000 }));
    expect(lane.ticksMs.at(-1)).toBe(3_600_000);
  });

  it('are asked for once in a wait, whatever comes in (S9)', async () => {
    const lane = shepherd();
    for (let number = 0; number < 5; number += 1) {
      lane.tell(comment(number));
      await lane.wake(false);
    }
    expect(lane.asked()).toBe(1);
    expect(lane.ticksMs).toEqual([15_000]);
    expect(lane.waiting()).toBe(5);
  });

  it('are given up after a day, each for itself, and the log says so', async () => {
    const { log, lines } = recordingLog();
    const lane = shepherd(log);
    lane.tell(comment(1));
    await lane.wake(false);
    lane.pass(DAY_MS / 2);
    lane.tell(comment(2));
    await lane.wake(false);
    lane.pass(DAY_MS / 2);
    await lane.wake(false);
    expect(lane.waiting()).toBe(1);
    expect(lines()).toMatch(/^error .*"dropped":1/m);
    lane.pass(DAY_MS / 2);
    await lane.wake(false);
    expect(lane.waiting()).toBe(0);
    const ticks = lane.ticksMs.length;
    lane.tell(comment(3));
    await lane.wake(true);
    expect(lane.requests()).toEqual(['IC_3']);
    expect(lane.ticksMs).toHaveLength(ticks);
  });

  it('are at most fifty; the oldest are given up, and the log says so (S9)', async () => {
    const { log, lines } = recordingLog();
    const lane = shepherd(log);
    for (let number = 0; number < 52; number += 1) lane.tell(comment(number));
    await lane.wake(false);
    expect(lane.waiting()).toBe(50);
    expect(lines()).toMatch(/"dropped":2/);
    lane.pass(MINUTE_MS);
    await lane.wake(true);
    expect(lane.requests()[0]).toBe('IC_2');
  });

  it('are all that waits: nobody asks for our name where nothing may mention us', async () => {
    const lane = shepherd();
    lane.tell(comment(1, 'Looks good to me.'));
    await lane.wake(false);
    expect(lane.asked()).toBe(0);
    expect(lane.waiting()).toBe(0);
  });
});
