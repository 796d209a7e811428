/**
 * What a Shepherd of these tests works with: as much of it as the commands touch that are about the conversation.
 *
 * @module
 */
import type { Snapshot } from '../../conversation/item.ts';
import type { MarkerStore } from '../../conversation/marker-store.ts';
import { createReadCache } from '../../github/read-cache.ts';
import { ASPECTS, type Aspect, type PrRef } from '../../ids.ts';
import { silentLog } from '../../log.ts';
import type { ModelChoice } from '../../model/choice.ts';
import type { Ctx } from '../context.ts';
import type { ReviewMessage } from '../messages.ts';
import type { ShepherdDeps } from '../orders.ts';
import { createLook } from '../pr-look.ts';
import type { FactoryServices } from '../services.ts';
import type { ShepherdRows } from '../shepherd-state.ts';

export const PR: PrRef = { owner: 'acme', repo: 'shop', number: 7 };
export const TIMING = { settleMs: 10_000, roundTimeoutMs: 300_000 };

interface Ports {
  readonly model: ModelChoice;
  readonly markers: MarkerStore;
  readonly now: () => number;
  /** Reads the conversation. */
  readonly read: () => Promise<Snapshot>;
}

export function createDeps({ model, markers, now, read }: Ports): ShepherdDeps {
  const reads = createReadCache();
  void reads.get('identity', async () => ({ slug: 'pr-shepherd', botUserId: 1 }));
  const services = {
    model,
    markers,
    now,
    github: { reads },
    log: silentLog,
    timing: TIMING,
    onProgress: () => {},
    runtimeClient: { signalEntity: async () => {} },
  } as unknown as FactoryServices;
  return { services, conversation: createLook(read, now) } as ShepherdDeps;
}

/** @param ask gets what a worker is asked */
export function createCtx(
  state: ShepherdRows,
  ask: (aspect: Aspect, message: ReviewMessage) => void,
): Ctx<ShepherdRows> {
  const send = async (url: string, message: unknown, options?: { readonly type?: string }): Promise<void> => {
    const aspect = ASPECTS.find((name) => url.endsWith(`~${name}`));
    if (options?.type === 'review' && aspect !== undefined) ask(aspect, message as ReviewMessage);
  };
  const db = { collections: { manifests: { has: () => true } } };
  return { state, entityUrl: '/pr-shepherd/acme~shop~7', send, db } as unknown as Ctx<ShepherdRows>;
}
