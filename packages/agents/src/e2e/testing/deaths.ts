/**
 * Ways in which a service dies at a certain step of a round.
 *
 * @module
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { ASPECTS } from '../../ids.ts';
import { hang } from '../../model/testing/answers.ts';
import type { ProviderRequest } from '../../model/testing/provider-types.ts';
import type { ServiceProcess } from './service-process.ts';
import { type Installation, PATIENCE, type TalkWorld } from './talk-world.ts';

/** Who dies, and where. */
export interface Scene {
  readonly world: TalkWorld;
  readonly installation: Installation;
  readonly service: ServiceProcess;
  readonly number: number;
}

/** Called before the round begins; resolves when the service has died of it. */
export type Death = (scene: Scene) => Promise<void>;

/** Module for {@link install} that {@link amongMarkers} needs. */
export function markerDeath(folder: string): string {
  const module = new URL('./die-at-marker.ts', import.meta.url);
  module.searchParams.set('order', orderFile(folder));
  return module.href;
}

/** File that orders a service to die; it has to be removed before the next service starts. */
export function orderFile(folder: string): string {
  return join(folder, 'die-at-marker');
}

/** When so many markers of the round stand, by its own hand, so that nothing comes between. */
export function amongMarkers(count: number): Death {
  return async ({ world, service }) => {
    await writeFile(orderFile(world.folder), String(count));
    expect(await service.ended).toBe('SIGKILL');
  };
}

/** A request to GitHub. */
export interface Asked {
  readonly method: 'POST' | 'PATCH';
  readonly path: RegExp;
  /** Such requests that are let through before. Default: none. */
  readonly after?: number;
}

/** When it has asked, and before that takes effect. */
export function whenAsking(asked: Asked): Death {
  return async ({ world, service }) => {
    const { isThere, release } = holdAt(world, asked, { respond: { status: 502 } });
    await isThere;
    await service.kill();
    release();
  };
}

/** When what it asked for has taken effect, and before it hears of that. */
export function whenTaken(asked: Asked): Death {
  return async ({ world, service }) => {
    const { isThere, release } = holdAt(world, asked, { onRequest: service.freeze });
    await isThere;
    const before = world.simulator.requests.length;
    release();
    await vi.waitFor(() => expect(world.simulator.requests.length).toBeGreaterThan(before), PATIENCE);
    await service.kill();
  };
}

function holdAt(
  { simulator }: TalkWorld,
  { after = 0, ...asked }: Asked,
  held: { readonly onRequest?: () => void; readonly respond?: { readonly status: number } },
) {
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Faults are taken in their order: the first one lets the requests before pass.
  if (after > 0) simulator.inject({ ...asked, times: after });
  const isThere = new Promise<void>((resolve) => {
    const onRequest = (): void => {
      held.onRequest?.();
      resolve();
    };
    simulator.inject({ ...asked, ...held, times: 1, gate, onRequest });
  });
  return { isThere, release };
}

/** When all of its seven model calls are open. */
export const withCallsOpen: Death = async ({ installation, service }) => {
  let open = 0;
  await new Promise<void>((resolve) => {
    installation.answerWith(() => {
      open += 1;
      if (open === 7) resolve();
      return hang;
    });
  });
  await service.kill();
  installation.answerWith(undefined);
};

/** When it knows the comment's texts and what two of its reviewers found, and the other four calls are open. */
export const withSomeAnswered: Death = async ({ installation, service, number }) => {
  const isOpen = ({ aspect }: ProviderRequest): boolean =>
    aspect !== undefined && aspect !== 'security' && aspect !== 'perf';
  installation.answerWith((request) => (isOpen(request) ? hang : undefined));
  await vi.waitFor(async () => {
    const pending = (await installation.status(number))?.round?.pending;
    expect(pending).toEqual(['correctness', 'conventions', 'tests', 'architecture']);
  }, PATIENCE);
  await service.kill();
  installation.answerWith(undefined);
};

/** When all six reviewers have answered, and the call for the comment's texts is open. */
export const withTextsOpen: Death = async ({ installation, service }) => {
  const reviewers: Promise<void>[] = [];
  await new Promise<void>((resolve) => {
    installation.answerWith(({ aspect, closed }) => {
      if (aspect === undefined) return hang;
      reviewers.push(closed);
      if (reviewers.length === ASPECTS.length) resolve();
      return undefined;
    });
  });
  await Promise.all(reviewers);
  await service.kill();
  installation.answerWith(undefined);
};
