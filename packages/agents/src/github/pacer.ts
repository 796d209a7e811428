/**
 * Lets requests through as `pacing.ts` says. One for all Octokits of a host, because GitHub counts the App.
 *
 * @module
 */
import { TransientError } from '../errors.ts';
import { type Cost, GITHUB_LIMITS, type PacingLimits } from './github-limits.ts';
import { arrive, dispatch, end, IDLE, type LimitSign, type PacingState, withdraw } from './pacing.ts';

/** Time as the pacer needs it. */
export interface PacerClock {
  /** Milliseconds since any moment; never runs backwards. */
  now(): number;
  /** Calls back once, at or after `atMs`. Returns what takes that back. */
  setTimer(atMs: number, callback: () => void): () => void;
}

/** Ends a request: whoever was admitted calls it once, with what GitHub said of its limits. */
export type Release = (sign: LimitSign | undefined) => void;

/** What a request asks for. */
export interface AdmissionRequest {
  readonly cost: Cost;
  readonly urgent: boolean;
  readonly maxWaitMs: number;
}

/** The pacer. */
export interface Pacer {
  /**
   * Resolves when the request may be sent.
   * @throws TransientError when it would have to wait for longer than `maxWaitMs`, or the signal fires first
   */
  admit(request: AdmissionRequest, signal?: AbortSignal): Promise<Release>;
}

interface Gate {
  readonly open: () => void;
}

/** Builds a pacer that has let nothing through yet. */
export function createPacer(clock: PacerClock, limits: PacingLimits = GITHUB_LIMITS): Pacer {
  let state: PacingState = IDLE;
  let lastId = 0;
  let cancelTimer = (): void => {};
  const gates = new Map<number, Gate>();

  function pump(): void {
    const next = dispatch(state, limits, clock.now());
    state = next.state;
    cancelTimer();
    cancelTimer = next.nextAtMs === undefined ? () => {} : clock.setTimer(next.nextAtMs, pump);
    for (const id of next.started) gates.get(id)?.open();
  }

  function releaseOf(id: number): Release {
    return (sign) => {
      state = end(state, id, sign, clock.now());
      pump();
    };
  }

  function wait(id: number, maxWaitMs: number, signal: AbortSignal | undefined): Promise<Release> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        gates.delete(id);
        cancelDeadline();
        signal?.removeEventListener('abort', onAbort);
      };
      const giveUp = (reason: TransientError): void => {
        leave();
        state = withdraw(state, id);
        reject(reason);
        // Who stood behind it need not wait for its time.
        pump();
      };
      const onAbort = (): void => giveUp(new GivenUpError(signal?.reason));
      const cancelDeadline = clock.setTimer(clock.now() + maxWaitMs, () => {
        // Its turn may have come at this very moment.
        pump();
        if (gates.has(id)) giveUp(new OverdueError());
      });
      signal?.addEventListener('abort', onAbort);
      gates.set(id, {
        open: () => {
          leave();
          resolve(releaseOf(id));
        },
      });
      pump();
    });
  }

  return {
    admit: async (request, signal) => {
      if (signal?.aborted === true) throw new GivenUpError(signal.reason);
      lastId += 1;
      const id = lastId;
      const arrival = arrive(state, limits, { id, ...request }, clock.now());
      state = arrival.state;
      if (arrival.kind === 'refused') throw new NoRoomError(arrival.retryAfterMs);
      return wait(id, request.maxWaitMs, signal);
    },
  };
}

class NoRoomError extends TransientError {
  constructor(retryAfterMs: number) {
    super(`GitHub's limits leave no room for this request for another ${Math.ceil(retryAfterMs / 1000)} s.`, {
      retryAfterMs,
    });
  }
}

class OverdueError extends TransientError {
  constructor() {
    super('The requests to GitHub before this one took too long.');
  }
}

class GivenUpError extends TransientError {
  constructor(cause: unknown) {
    super('The request to GitHub was given up before its turn came.', { cause });
  }
}
