import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cost, GITHUB_LIMITS } from './github-limits.ts';
import {
  arrive,
  dispatch,
  end,
  IDLE,
  type LimitSign,
  type PacedRequest,
  type PacingState,
} from './pacing.ts';

const CREATION: Cost = { creations: 1, rest: 5 };
const READ: Cost = { rest: 1 };
const MINUTE_MS = 60_000;

interface Act {
  readonly atMs: number;
  readonly tookMs: number;
  readonly cost: Cost;
}

interface Sent extends Act {
  readonly id: number;
  readonly sentMs: number;
  readonly endedMs: number;
}

/** Plays arrivals against the core, from event to event. */
function play(acts: readonly Act[], maxWaitMs = Number.POSITIVE_INFINITY): readonly Sent[] {
  const arrivals = acts.map((act, id) => ({ act, id })).toSorted((a, b) => a.act.atMs - b.act.atMs);
  const sent: Sent[] = [];
  let state = IDLE;
  let nowMs = 0;
  let wakeMs: number | undefined;
  let flying: Sent[] = [];
  while (arrivals.length > 0 || flying.length > 0 || wakeMs !== undefined) {
    nowMs = Math.min(
      ...[arrivals[0]?.act.atMs, wakeMs].map((timeMs) => timeMs ?? Number.POSITIVE_INFINITY),
      ...flying.map((request) => request.endedMs),
    );
    for (const request of flying.filter(({ endedMs }) => endedMs <= nowMs))
      state = end(state, request.id, undefined, nowMs);
    flying = flying.filter(({ endedMs }) => endedMs > nowMs);
    while (arrivals[0] !== undefined && arrivals[0].act.atMs <= nowMs) {
      const { act, id } = arrivals.shift() as { act: Act; id: number };
      const request = { id, cost: act.cost, urgent: act.cost.creations !== undefined, maxWaitMs };
      state = arrive(state, GITHUB_LIMITS, request, nowMs).state;
    }
    const next = dispatch(state, GITHUB_LIMITS, nowMs);
    state = next.state;
    wakeMs = next.nextAtMs;
    for (const id of next.started) {
      const act = acts[id] as Act;
      const request = { ...act, id, sentMs: nowMs, endedMs: nowMs + act.tookMs };
      sent.push(request);
      flying.push(request);
    }
  }
  return sent;
}

/** How much of a budget GitHub may have counted between two moments, at the worst. */
function counted(sent: readonly Sent[], of: 'creations' | 'rest', fromMs: number, toMs: number): number {
  return sent
    .filter(({ sentMs, endedMs }) => sentMs < toMs && endedMs >= fromMs)
    .reduce((sum, { cost }) => sum + (cost[of] ?? 0), 0);
}

const arbitraryActs = fc.array(
  fc.record({
    atMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 150_000 })),
    tookMs: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 70_000 })),
    cost: fc.oneof({ weight: 3, arbitrary: fc.constant(CREATION) }, fc.constant(READ)),
  }),
  { minLength: 1, maxLength: 300, size: 'max' },
);

describe('whatever comes', () => {
  it('no minute holds more than the limits, whenever GitHub counts a request', () => {
    fc.assert(
      fc.property(arbitraryActs, (acts) => {
        const sent = play(acts);
        expect(sent).toHaveLength(acts.length);
        for (const { endedMs } of sent) {
          expect(counted(sent, 'creations', endedMs, endedMs + MINUTE_MS)).toBeLessThanOrEqual(75);
          expect(counted(sent, 'rest', endedMs, endedMs + MINUTE_MS)).toBeLessThanOrEqual(900);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('equal requests keep their order, and none waits while there is room', () => {
    fc.assert(
      fc.property(arbitraryActs, (acts) => {
        const sent = play(acts);
        const creations = sent.filter(({ cost }) => cost === CREATION);
        for (const [index, request] of creations.entries()) {
          expect(request.atMs).toBeGreaterThanOrEqual(creations[index - 1]?.atMs ?? 0);
        }
        for (const request of sent.filter(({ atMs, sentMs }) => sentMs > atMs)) {
          const beforeMs = request.sentMs - 1;
          const others = sent.filter(({ sentMs }) => sentMs <= beforeMs);
          const sinceMs = request.sentMs - MINUTE_MS;
          const isFull =
            others.filter(({ endedMs }) => endedMs > beforeMs).length >= 50 ||
            counted(others, 'creations', sinceMs, request.sentMs) + (request.cost.creations ?? 0) > 75 ||
            counted(others, 'rest', sinceMs, request.sentMs) + (request.cost.rest ?? 0) > 900;
          expect(isFull).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });
});

it('a write that waits for points is not overtaken by reads that need fewer', () => {
  let state: PacingState = IDLE;
  const send = (id: number, cost: Cost, urgent: boolean, atMs: number): readonly number[] => {
    const arrival = arrive(state, GITHUB_LIMITS, { id, cost, urgent, maxWaitMs: MINUTE_MS }, atMs);
    const next = dispatch(arrival.state, GITHUB_LIMITS, atMs);
    state = next.started.reduce((before, started) => end(before, started, undefined, atMs), next.state);
    return next.started;
  };
  for (let id = 0; id < 898; id += 1) send(id, READ, false, id);
  expect(send(900, { rest: 5 }, true, 1_000)).toEqual([]);
  expect(send(901, READ, false, 1_000)).toEqual([]);
  // Three of the first reads have left the minute.
  expect(dispatch(state, GITHUB_LIMITS, MINUTE_MS + 2).started).toEqual([900]);
});

it('five hundred creations take more than an hour, since GitHub limits the hour, too', () => {
  const sent = play(Array.from({ length: 480 }, () => ({ atMs: 0, tookMs: 1, cost: CREATION })));
  expect(sent.filter(({ sentMs }) => sentMs < 3_600_000)).toHaveLength(475);
});

describe('a wait that would be too long', () => {
  const creation = (id: number): PacedRequest => ({ id, cost: CREATION, urgent: true, maxWaitMs: 5_000 });

  it('is refused at once with the time to come back at, and nobody is refused twice', () => {
    let state: PacingState = IDLE;
    const comeBack = new Map<number, number>();
    const offer = (id: number, nowMs: number): void => {
      const arrival = arrive(state, GITHUB_LIMITS, creation(id), nowMs);
      const next = dispatch(arrival.state, GITHUB_LIMITS, nowMs);
      state = next.started.reduce((before, started) => end(before, started, undefined, nowMs), next.state);
      // Fifty at once is another limit; what ended makes room for the rest.
      state = dispatch(state, GITHUB_LIMITS, nowMs).state;
      if (arrival.kind === 'refused') comeBack.set(id, nowMs + arrival.retryAfterMs);
    };
    for (let id = 0; id < 300; id += 1) offer(id, 0);
    expect([...comeBack.values()].filter((timeMs) => timeMs === MINUTE_MS)).toHaveLength(75);
    expect([...comeBack.values()].filter((timeMs) => timeMs === 2 * MINUTE_MS)).toHaveLength(75);
    expect(comeBack.size).toBe(225);
    const returns = [...comeBack].toSorted(([, a], [, b]) => a - b);
    comeBack.clear();
    for (const [id, timeMs] of returns) offer(id, timeMs);
    expect(comeBack.size).toBe(0);
  });

  it('a newcomer does not take the turn of who was promised one', () => {
    let state: PacingState = IDLE;
    for (let id = 0; id < 150; id += 1) {
      const arrival = arrive(state, GITHUB_LIMITS, creation(id), 0);
      const next = dispatch(arrival.state, GITHUB_LIMITS, 0);
      state = next.started.reduce((before, started) => end(before, started, undefined, 0), next.state);
    }
    expect(arrive(state, GITHUB_LIMITS, creation(150), 30_000)).toMatchObject({ retryAfterMs: 90_000 });
    // Nobody came for the promised turns: they are free.
    expect(arrive(state, GITHUB_LIMITS, creation(151), 95_000).kind).toBe('waits');
  });
});

describe('what GitHub says', () => {
  const request = (cost: Cost): PacedRequest => ({ id: 2, cost, urgent: false, maxWaitMs: 1e9 });

  /** After one request that was answered so: when another one may go. */
  function nextAt(sign: LimitSign | undefined, cost: Cost, before: PacingState = IDLE, atMs = 0): number {
    const state = answered(sign, before, atMs);
    const next = dispatch(arrive(state, GITHUB_LIMITS, request(cost), atMs).state, GITHUB_LIMITS, atMs);
    return next.started.length > 0 ? atMs : (next.nextAtMs ?? Number.NaN);
  }

  function answered(sign: LimitSign | undefined, before: PacingState, atMs: number): PacingState {
    const first = { id: 1, cost: READ, urgent: false, maxWaitMs: 0 };
    const sent = dispatch(arrive(before, GITHUB_LIMITS, first, atMs).state, GITHUB_LIMITS, atMs);
    return end(sent.state, 1, sign, atMs);
  }

  it('holds for everybody until the time that it named, and for nothing else', () => {
    const sign: LimitSign = { budgets: ['creations'], waitMs: 7_000 };
    expect(nextAt(sign, CREATION)).toBe(7_000);
    expect(nextAt(sign, READ)).toBe(0);
    expect(nextAt({ budgets: ['graphql', 'rest'], waitMs: 7_000 }, READ)).toBe(7_000);
    expect(nextAt(undefined, CREATION)).toBe(0);
  });

  it('without a time a minute is waited, and twice as long after each further refusal', () => {
    const sign: LimitSign = { budgets: ['rest'] };
    let state: PacingState = IDLE;
    const waits: number[] = [];
    let atMs = 0;
    for (let round = 0; round < 8; round += 1) {
      const untilMs = nextAt(sign, READ, state, atMs);
      waits.push((untilMs - atMs) / MINUTE_MS);
      state = answered(sign, state, atMs);
      atMs = untilMs;
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(nextAt(sign, READ, answered(undefined, state, atMs), atMs)).toBe(atMs + MINUTE_MS);
  });

  it('many refusals of requests that were under way together are one', () => {
    let state: PacingState = IDLE;
    for (const id of [1, 2, 3]) {
      state = arrive(state, GITHUB_LIMITS, { ...request(READ), id }, 0).state;
    }
    state = dispatch(state, GITHUB_LIMITS, 0).state;
    for (const id of [1, 2, 3]) state = end(state, id, { budgets: ['rest'] }, 10 + id);
    expect(state.pausedUntilMs.rest).toBe(13 + MINUTE_MS);
  });
});
