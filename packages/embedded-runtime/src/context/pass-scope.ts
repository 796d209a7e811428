/**
 * What the members of one pass share.
 *
 * @module
 */

import type { Core } from '../engine/core.ts';
import { PassOverError } from '../errors.ts';
import type { EntityType } from '../schema/entity-type.ts';
import type { Entity } from '../store/entities.ts';
import type { EntityTransaction } from '../types/collections.ts';
import type { SignalHandler } from '../types/context.ts';
import type { ChangeEvent, WakeEvent } from '../types/wake.ts';
import { createManifestStage, type ManifestStage } from './manifest-stage.ts';

/** One pass of one entity. */
export interface PassScope {
  readonly core: Core;
  readonly entity: Entity;
  readonly type: EntityType;
  readonly wake: WakeEvent;
  /** Messages and wake rows of this pass. */
  readonly events: ChangeEvent[];
  readonly signal: AbortSignal;
  readonly firstWake: boolean;
  readonly manifest: ManifestStage;
  /** What `ctx.onSignal` was given. */
  readonly signalHandlers: SignalHandler[];
  /**
   * Runs work that writes.
   *
   * @param member - the context's member, for the error
   * @throws PassOverError when the pass has ended
   */
  write<T>(member: string, work: () => T): T;
  /** The transaction of everything that was written so far. */
  transaction(): EntityTransaction;
  /**
   * Resolves when everything that this pass has written is committed.
   *
   * @throws StorageError when some of it was not
   */
  persisted(): Promise<void>;
  /**
   * Resolves at once, without waiting for what is not committed yet.
   *
   * @throws StorageError when something that this pass wrote was undone
   */
  unfailed(): Promise<void>;
  /** Refuses writes from now on. */
  end(): void;
}

/** What a scope is made of. */
export type PassParts = Pick<PassScope, 'core' | 'entity' | 'type' | 'wake' | 'events' | 'signal'>;

/** Opens the scope of a pass. */
export function createPassScope(parts: PassParts): PassScope {
  const { core, entity } = parts;
  const { commit } = core.store;
  const manifest = createManifestStage(core, entity);
  let isOver = false;
  let last: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;

  function track(): void {
    const committed = commit.committed();
    if (committed === last) return;
    last = committed;
    committed.catch((error: unknown) => {
      failure ??= { error };
    });
  }

  return {
    ...parts,
    manifest,
    signalHandlers: [],
    firstWake: manifest.count() === 0,
    write(member, work) {
      if (isOver) throw new PassOverError(entity.url, member);
      try {
        return commit.write(work);
      } finally {
        track();
      }
    },
    transaction: () => ({ isPersisted: { promise: commit.committed() } }),
    async persisted() {
      await commit.committed();
      if (failure !== undefined) throw failure.error;
    },
    async unfailed() {
      await Promise.resolve(); // a commit that has just failed is noticed first
      if (failure !== undefined) throw failure.error;
    },
    end() {
      isOver = true;
    },
  };
}
