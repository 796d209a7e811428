/**
 * `ctx.onSignal`: the handlers of passes that run.
 *
 * @module
 */

import { messageOf, SignalHandlerError } from '../errors.ts';
import type { SignalHandler } from '../types/context.ts';

/** What came of a delivery. */
export type SignalOutcome = 'delivered' | 'failed';

/** Handlers by entity. */
export interface SignalHandlers {
  /** A pass begins; its handlers are added to the list while it runs. */
  open(entityId: number, handlers: readonly SignalHandler[]): void;
  /** Calls the handlers of the entity's pass, if one runs. Never rejects. */
  deliver(entityId: number, signal: Parameters<SignalHandler>[0]): Promise<SignalOutcome>;
  /**
   * Resolves when the handlers that were called have ended.
   *
   * @throws SignalHandlerError when one of them threw
   */
  settled(entityId: number): Promise<void>;
  /** Forgets what belongs to the entity's pass. */
  end(entityId: number): void;
}

/** No handlers yet. */
export function createSignalHandlers(): SignalHandlers {
  const handlersOf = new Map<number, readonly SignalHandler[]>();
  const running = new Map<number, Promise<void>>();
  return {
    open: (entityId, handlers) => void handlersOf.set(entityId, handlers),
    async deliver(entityId, signal) {
      const handlers = handlersOf.get(entityId) ?? [];
      const before = running.get(entityId) ?? Promise.resolve();
      const call = Promise.resolve()
        .then(() => Promise.all(handlers.map((handler) => handler(signal))))
        .catch((error: unknown) => {
          throw new SignalHandlerError(signal.signal, messageOf(error), { cause: error });
        });
      const all = Promise.all([before, call]).then(() => {});
      all.catch(() => {}); // the pass sees it in `settled`
      running.set(entityId, all);
      return call.then(
        (): SignalOutcome => 'delivered',
        (): SignalOutcome => 'failed',
      );
    },
    settled: (entityId) => running.get(entityId) ?? Promise.resolve(),
    end(entityId) {
      handlersOf.delete(entityId);
      running.delete(entityId);
    },
  };
}
