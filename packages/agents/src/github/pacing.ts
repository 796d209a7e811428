/**
 * When a request may be sent, by GitHub's limits. Pure: state, event and time in, state out.
 *
 * A request counts from its sending until a full window after its answer, because nobody knows at which moment
 * in between GitHub counts it. So no window that GitHub may look at holds more than the limit.
 *
 * @module
 */
import {
  BUDGETS,
  type Budget,
  type Cost,
  HOUR_MS,
  MINUTE_MS,
  type PacingLimits,
  type PacingWindow,
} from './github-limits.ts';

/** A request that wants to be sent. */
export interface PacedRequest {
  /** Unique in the state. */
  readonly id: number;
  readonly cost: Cost;
  /** Goes before those that are not: what ends work goes before what begins some. */
  readonly urgent: boolean;
  /** If it had to wait for longer than this, it is refused instead. */
  readonly maxWaitMs: number;
}

/** That GitHub wants to be left alone. */
export interface LimitSign {
  readonly budgets: readonly Budget[];
  /** Absent where GitHub does not say for how long. */
  readonly waitMs?: number;
}

interface Waiting {
  readonly request: PacedRequest;
  readonly expectedAtMs: number;
}

interface Flying {
  readonly id: number;
  readonly cost: Cost;
  readonly sentAtMs: number;
}

interface Spent {
  readonly atMs: number;
  readonly cost: Cost;
}

interface Promised extends Spent {
  readonly urgent: boolean;
}

/** What is known of the requests of one host. */
export interface PacingState {
  /** In the order in which they may go. */
  readonly waiting: readonly Waiting[];
  readonly flying: readonly Flying[];
  /** Answered, in order of time, and still inside a window. */
  readonly spent: readonly Spent[];
  /** Refused ones, at the time that they were told to come back at: they keep their turn. */
  readonly promised: readonly Promised[];
  readonly pausedUntilMs: Readonly<Record<Budget, number>>;
  /** Refusals in a row for which GitHub named no time, and when the last one came. */
  readonly strikes: number;
  readonly struckAtMs: number;
}

/** Nothing was sent yet. */
export const IDLE: PacingState = {
  waiting: [],
  flying: [],
  spent: [],
  promised: [],
  pausedUntilMs: { creations: 0, graphql: 0, rest: 0 },
  strikes: 0,
  struckAtMs: Number.NEGATIVE_INFINITY,
};

/** A promised turn that nobody took by then is given up: its caller had no more need of it. */
const PROMISE_GRACE_MS = 30_000;
/** Beyond this many, those who are refused come back in no particular order (S9). */
const MAX_PROMISES = 5_000;

/** What comes of an arrival. */
export type Arrival =
  | { readonly kind: 'waits'; readonly state: PacingState }
  | { readonly kind: 'refused'; readonly state: PacingState; readonly retryAfterMs: number };

/** Takes a request in, or refuses it because it would have to wait too long. Call {@link dispatch} after it. */
export function arrive(
  before: PacingState,
  limits: PacingLimits,
  request: PacedRequest,
  nowMs: number,
): Arrival {
  const { cost, urgent } = request;
  const state = takePromise(forget(before, limits, nowMs), cost, nowMs);
  const expectedAtMs = expectedAt(state, limits, request, nowMs);
  if (expectedAtMs - nowMs > request.maxWaitMs) {
    const promise = { atMs: expectedAtMs, cost, urgent };
    const promised = state.promised.length < MAX_PROMISES ? [...state.promised, promise] : state.promised;
    return { kind: 'refused', state: { ...state, promised }, retryAfterMs: Math.ceil(expectedAtMs - nowMs) };
  }
  const own = { request, expectedAtMs };
  const isBehind = (other: Waiting): boolean => urgent && !other.request.urgent;
  const place = state.waiting.findIndex(isBehind);
  const waiting = state.waiting.toSpliced(place < 0 ? state.waiting.length : place, 0, own);
  return { kind: 'waits', state: { ...state, waiting } };
}

/** What may be sent now. */
export interface Dispatch {
  readonly state: PacingState;
  /** Ids, in order. */
  readonly started: readonly number[];
  /** When to ask again, if nothing happens before; absent where only an answer can change anything. */
  readonly nextAtMs?: number;
}

/** Sends what the limits allow, in order; who has to wait holds up only those who want the same. */
export function dispatch(before: PacingState, limits: PacingLimits, nowMs: number): Dispatch {
  let state = forget(before, limits, nowMs);
  const blocked = new Set<Budget>();
  const started: number[] = [];
  let nextAtMs = Number.POSITIVE_INFINITY;
  for (const { request } of state.waiting) {
    if (state.flying.length >= limits.maxConcurrent) break;
    const { id, cost } = request;
    const obstacle = findObstacle(state, limits, cost, blocked, nowMs);
    if (obstacle === undefined) {
      started.push(id);
      state = { ...state, flying: [...state.flying, { id, cost, sentAtMs: nowMs }] };
    } else {
      blocked.add(obstacle.budget);
      nextAtMs = Math.min(nextAtMs, obstacle.untilMs);
    }
  }
  const gone = new Set(started);
  const waiting = state.waiting.filter(({ request }) => !gone.has(request.id));
  return {
    state: { ...state, waiting },
    started,
    ...(Number.isFinite(nextAtMs) ? { nextAtMs } : {}),
  };
}

/** A request does not wait any longer. */
export function withdraw(state: PacingState, id: number): PacingState {
  return { ...state, waiting: state.waiting.filter(({ request }) => request.id !== id) };
}

/** A request was answered, or its answer was lost. `sign`: what GitHub said of its limits. */
export function end(state: PacingState, id: number, sign: LimitSign | undefined, nowMs: number): PacingState {
  const ended = state.flying.find((flying) => flying.id === id);
  if (ended === undefined) return state;
  const next: PacingState = {
    ...state,
    flying: state.flying.filter((flying) => flying.id !== id),
    spent: [...state.spent, { atMs: nowMs, cost: ended.cost }],
  };
  // Many are under way when GitHub has had enough: together they are one refusal.
  const isNews = ended.sentAtMs >= state.struckAtMs;
  if (sign === undefined) return isNews ? { ...next, strikes: 0 } : next;
  if (sign.waitMs !== undefined) return pause(next, sign.budgets, nowMs + sign.waitMs);
  const strikes = isNews ? state.strikes + 1 : state.strikes;
  const waitMs = Math.min(MINUTE_MS * 2 ** (strikes - 1), HOUR_MS);
  const struck = isNews ? { ...next, strikes, struckAtMs: nowMs } : next;
  return pause(struck, sign.budgets, nowMs + waitMs);
}

function pause(state: PacingState, budgets: readonly Budget[], untilMs: number): PacingState {
  const later = budgets.map((budget) => [budget, Math.max(state.pausedUntilMs[budget], untilMs)] as const);
  return { ...state, pausedUntilMs: { ...state.pausedUntilMs, ...Object.fromEntries(later) } };
}

interface Obstacle {
  readonly budget: Budget;
  /** Infinite where it is not time that removes it. */
  readonly untilMs: number;
}

function findObstacle(
  state: PacingState,
  limits: PacingLimits,
  cost: Cost,
  blocked: ReadonlySet<Budget>,
  nowMs: number,
): Obstacle | undefined {
  for (const budget of BUDGETS) {
    if (cost[budget] === undefined) continue;
    if (blocked.has(budget)) return { budget, untilMs: Number.POSITIVE_INFINITY };
    const untilMs = Math.max(
      state.pausedUntilMs[budget],
      ...limits.windows
        .filter((window) => window.of === budget)
        .map((window) => freeAt(window, cost, state.spent, sum(state.flying, budget))),
    );
    if (untilMs > nowMs) return { budget, untilMs };
  }
  return undefined;
}

/** When a request can be expected to go, were nobody else to come. */
function expectedAt(
  state: PacingState,
  limits: PacingLimits,
  { cost, urgent }: PacedRequest,
  nowMs: number,
): number {
  const ahead = state.waiting.filter(({ request }) => request.urgent || !urgent);
  const isAlone = !ahead.some(({ request }) => sharesBudget(request.cost, cost));
  if (isAlone && findObstacle(state, limits, cost, new Set(), nowMs) === undefined) return nowMs;
  const taken = [
    ...state.spent,
    ...state.flying.map((flying) => ({ atMs: nowMs, cost: flying.cost })),
    ...ahead.map(({ request, expectedAtMs }) => ({ atMs: expectedAtMs, cost: request.cost })),
    ...state.promised.filter((promise) => promise.urgent || !urgent),
  ].toSorted((a, b) => a.atMs - b.atMs);
  const own = BUDGETS.filter((budget) => cost[budget] !== undefined);
  const windows = limits.windows.filter((window) => own.includes(window.of));
  return Math.max(
    nowMs,
    ...own.map((budget) => state.pausedUntilMs[budget]),
    ...windows.map((window) => freeAt(window, cost, taken, 0)),
  );
}

function sharesBudget(a: Cost, b: Cost): boolean {
  return BUDGETS.some((budget) => a[budget] !== undefined && b[budget] !== undefined);
}

/** When a window has room for `cost` beside what is `taken`, in order of time, and `fixed`, which stays. */
function freeAt(
  { of, max, perMs }: PacingWindow,
  cost: Cost,
  taken: readonly Spent[],
  fixed: number,
): number {
  let left = max - fixed - (cost[of] ?? 0);
  if (left < 0) return Number.POSITIVE_INFINITY;
  for (let index = taken.length - 1; index >= 0; index -= 1) {
    const entry = taken[index];
    left -= entry?.cost[of] ?? 0;
    if (entry !== undefined && left < 0) return entry.atMs + perMs;
  }
  return Number.NEGATIVE_INFINITY;
}

function sum(entries: readonly { readonly cost: Cost }[], budget: Budget): number {
  return entries.reduce((total, { cost }) => total + (cost[budget] ?? 0), 0);
}

/** Whoever comes when a promise is due takes it: they come in about the order in which they were refused. */
function takePromise(state: PacingState, cost: Cost, nowMs: number): PacingState {
  const index = state.promised.findIndex(
    (promise) => promise.atMs <= nowMs && BUDGETS.every((budget) => promise.cost[budget] === cost[budget]),
  );
  return index < 0 ? state : { ...state, promised: state.promised.toSpliced(index, 1) };
}

function forget(state: PacingState, { windows }: PacingLimits, nowMs: number): PacingState {
  const counts = ({ atMs, cost }: Spent): boolean =>
    windows.some(({ of, perMs }) => cost[of] !== undefined && atMs + perMs > nowMs);
  return {
    ...state,
    spent: state.spent.filter(counts),
    promised: state.promised.filter(({ atMs }) => atMs + PROMISE_GRACE_MS > nowMs),
  };
}
