/**
 * One pass: an entity's handler sees what came in since its last one.
 *
 * R7: a pass that ends acknowledges exactly what it was shown. One that throws is acknowledged, too, with an
 * `errors` row: nobody runs it again. It is not acknowledged when the database refused, or when it threw
 * because the host is closing: then it runs again.
 *
 * @module
 */

import { createHandlerContext } from '../context/handler-context.ts';
import { createPassScope, type PassScope } from '../context/pass-scope.ts';
import { messageOf, SignalHandlerError, StorageError, WakeTimeoutError } from '../errors.ts';
import type { EntityType } from '../schema/entity-type.ts';
import type { Entity, EntityStatus } from '../store/entities.ts';
import type { ChangeEvent } from '../types/wake.ts';
import { appendOwn } from './append-own.ts';
import type { Core } from './core.ts';
import type { PassOutcome } from './dispatcher.ts';
import { arrivals, promoteNext } from './inbox.ts';
import { endEntity } from './signals.ts';
import { wakeEventOf } from './wake-event.ts';

/** Passes that run. */
export interface PassRunner {
  /** Never rejects. */
  run(entityId: number): Promise<PassOutcome>;
  isRunning(entityId: number): boolean;
  /** Aborts the signal of the entity's pass, if one runs. */
  abort(entityId: number, reason: string): void;
  /** Aborts all; a pass that throws from now on runs again after the next start. */
  close(): void;
}

/** What a handler did. */
type HandlerOutcome = { readonly kind: 'returned' } | { readonly kind: 'threw'; readonly error: unknown };

function openScope(
  core: Core,
  entity: Entity,
  type: EntityType,
  events: ChangeEvent[],
  signal: AbortSignal,
): PassScope {
  const wake = wakeEventOf(entity.url, events);
  return createPassScope({ core, entity, type, events, wake, signal });
}

/** Runs the handler, no longer than the deadline. */
async function runHandler(core: Core, scope: PassScope, timeoutMs: number): Promise<HandlerOutcome> {
  let cancel = () => {};
  const deadline = new Promise<never>((_, reject) => {
    cancel = core.clock.setTimer(core.clock.now() + timeoutMs, () =>
      reject(new WakeTimeoutError(scope.entity.url, timeoutMs)),
    );
  });
  try {
    const running = scope.type.definition.handler(createHandlerContext(scope), scope.wake);
    const all = Promise.resolve(running).then(() => core.signals.settled(scope.entity.id));
    await Promise.race([all, deadline]);
    return { kind: 'returned' };
  } catch (error) {
    return { kind: 'threw', error };
  } finally {
    cancel();
  }
}

/** One that is stopping runs again when its last pass was cut off by the end of the process. */
function mayRun(status: EntityStatus): boolean {
  return status === 'idle' || status === 'stopping';
}

function codeOf(error: unknown): string {
  if (error instanceof WakeTimeoutError || error instanceof SignalHandlerError) return error.code;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('MODEL_PROVIDER_') ? code : 'HANDLER_FAILED';
}

function recordFailure(core: Core, scope: PassScope, error: unknown): void {
  const key = `error-${core.clock.now()}-${core.store.streams.nextIndex(scope.entity.id, 'error')}`;
  const value = { key, error_code: codeOf(error), message: messageOf(error) };
  appendOwn(core, scope.entity, { type: 'error', key, operation: 'insert', value });
}

/** What follows from the end of a pass. */
function afterPass(core: Core, entityId: number): void {
  const entity = core.store.entities.get(entityId);
  if (entity === undefined) return;
  if (entity.status === 'stopping') endEntity(core, entity, 'stopped');
  else promoteNext(core, entity);
}

/** Keeps what the pass staged, or drops it, and acknowledges what it saw. */
async function settle(core: Core, scope: PassScope, outcome: HandlerOutcome): Promise<void> {
  const { entity, manifest } = scope;
  const { commit, entities } = core.store;
  await scope.unfailed();
  commit.write(() => {
    if (outcome.kind === 'returned') {
      manifest.commit();
    } else {
      manifest.rollback();
      recordFailure(core, scope, outcome.error);
    }
    entities.ack(entity.id, entity.pendingSeq, core.clock.now());
    afterPass(core, entity.id);
  });
  await commit.committed();
}

/** @param timeoutMs - how long a handler may take */
export function createPassRunner(core: Core, timeoutMs: number): PassRunner {
  const { commit, entities } = core.store;
  const controllers = new Map<number, AbortController>();
  let closing = false;

  function mustRunAgain(outcome: HandlerOutcome): boolean {
    return outcome.kind === 'threw' && (closing || outcome.error instanceof StorageError);
  }

  async function runOpened(scope: PassScope, controller: AbortController): Promise<PassOutcome> {
    const { url } = scope.entity;
    core.signals.open(scope.entity.id, scope.signalHandlers);
    const outcome = await runHandler(core, scope, timeoutMs);
    scope.end(); // a handler that was cut off, or left something running, can write no more
    if (outcome.kind === 'threw') {
      const reason = messageOf(outcome.error);
      // A handler that throws because it was told to stop does as it was told.
      if (controller.signal.aborted) core.log.debug('a handler stopped', { entityUrl: url, reason });
      else core.log.warn('a handler failed', { entityUrl: url, reason });
      controller.abort(outcome.error);
    }
    if (mustRunAgain(outcome)) {
      core.store.commit.write(() => scope.manifest.rollback());
      return 'postponed';
    }
    await settle(core, scope, outcome);
    return 'done';
  }

  /** Everything that had arrived was taken back. */
  async function skip(entity: Entity): Promise<PassOutcome> {
    commit.write(() => {
      entities.ack(entity.id, entity.pendingSeq, core.clock.now());
      afterPass(core, entity.id);
    });
    await commit.committed();
    return 'done';
  }

  return {
    async run(entityId) {
      const controller = new AbortController();
      controllers.set(entityId, controller);
      try {
        const entity = core.store.entities.get(entityId);
        const type = entity && core.types.get(entity.type);
        if (entity === undefined || type === undefined || !mayRun(entity.status)) return 'done';
        const events = arrivals(core, entity);
        if (events.length === 0) return await skip(entity);
        return await runOpened(openScope(core, entity, type, events, controller.signal), controller);
      } catch (error) {
        core.log.error('a pass could not be kept', { entityId, reason: messageOf(error) });
        return 'postponed';
      } finally {
        controllers.delete(entityId);
        core.signals.end(entityId);
      }
    },
    isRunning: (entityId) => controllers.has(entityId),
    abort(entityId, reason) {
      controllers.get(entityId)?.abort(new DOMException(reason, 'AbortError'));
    },
    close() {
      closing = true;
      for (const controller of controllers.values()) {
        controller.abort(new DOMException('the host is closing', 'AbortError'));
      }
    },
  };
}
