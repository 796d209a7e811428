/**
 * Who runs next.
 *
 * R6: one pass per entity at a time; at most `limit` passes at once; whoever became due first runs first, and
 * an entity that is due again after its pass goes to the end of the line.
 *
 * @module
 */

/** How a pass ended: `done`, or nothing could be kept and it has to run again in a while. */
export type PassOutcome = 'done' | 'postponed';

/** Ports of the dispatcher. */
export interface DispatcherPorts {
  /** How many passes may run at once. */
  readonly limit: number;
  /** Whether the entity has something to see, and somebody to see it. Contract: never throws. */
  isDue(entityId: number): boolean;
  /** Contract: never rejects. */
  runPass(entityId: number): Promise<PassOutcome>;
  /** Calls back when a postponed pass may be tried again. */
  afterPause(callback: () => void): void;
}

/** The line of entities that wait for their pass. */
export interface Dispatcher {
  /** The entity may have something to see. */
  due(entityId: number): void;
  /** Whether nothing runs or waits. */
  isIdle(): boolean;
  /** Resolves when nothing runs or waits any more. */
  idle(): Promise<void>;
  /** Starts no further pass. */
  stop(): void;
}

/** @param ports - what it may ask and start */
export function createDispatcher(ports: DispatcherPorts): Dispatcher {
  const waiting = new Set<number>(); // in order of insertion
  const running = new Set<number>();
  let postponed = 0;
  let stopped = false;
  let onIdle: (() => void)[] = [];

  const isIdle = () => running.size === 0 && (stopped || (waiting.size === 0 && postponed === 0));

  function tellIdle(): void {
    if (!isIdle()) return;
    const waiters = onIdle;
    onIdle = [];
    for (const waiter of waiters) waiter();
  }

  function enqueue(entityId: number): void {
    if (stopped || running.has(entityId)) return; // a running one is looked at again when its pass ends
    waiting.add(entityId);
    startNext();
  }

  function finish(entityId: number, outcome: PassOutcome): void {
    running.delete(entityId);
    if (outcome === 'postponed' && !stopped) {
      postponed += 1;
      ports.afterPause(() => {
        postponed -= 1;
        enqueue(entityId);
        tellIdle();
      });
    } else if (!stopped && ports.isDue(entityId)) {
      waiting.add(entityId);
    }
    startNext();
    tellIdle();
  }

  function startNext(): void {
    while (!stopped && running.size < ports.limit) {
      const [entityId] = waiting;
      if (entityId === undefined) return;
      waiting.delete(entityId);
      running.add(entityId);
      void ports.runPass(entityId).then((outcome) => finish(entityId, outcome));
    }
  }

  return {
    due: enqueue,
    isIdle,
    idle: () => (isIdle() ? Promise.resolve() : new Promise((resolve) => onIdle.push(resolve))),
    stop() {
      stopped = true;
      tellIdle();
    },
  };
}
