/**
 * Steps of a round at which a service may die.
 *
 * @module
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { ASPECTS } from '../../ids.ts';
import { hang } from '../../model/testing/answers.ts';
import type { ProviderRequest } from '../../model/testing/provider-types.ts';
import type { ServiceProcess } from './service-process.ts';
import { type Installation, PATIENCE, type TalkWorld } from './talk-world.ts';

/** Who is to die, in a round of which pull request. */
export interface Scene {
  readonly world: TalkWorld;
  readonly installation: Installation;
  readonly service: ServiceProcess;
  readonly number: number;
}

/** A service on its way to a step, where it is held until it has died. */
export interface Held {
  readonly isThere: Promise<unknown>;
  /** What has to happen while it is frozen. */
  readonly beforeDeath?: () => Promise<void>;
  readonly afterDeath?: () => void;
}

/** Arranges that a service gets to a step and not beyond it. Called before the round begins. */
export type Step = (scene: Scene) => Held;

/** Module for {@link install} that {@link amongMarkers} needs. */
export function markerDeath(folder: string): string {
  const module = new URL('./die-at-marker.ts', import.meta.url);
  module.searchParams.set('order', orderFile(folder));
  return module.href;
}

function orderFile(folder: string): string {
  return join(folder, 'die-at-marker');
}

/** When so many markers of the round stand: there it dies by its own hand, so that nothing comes between. */
export function amongMarkers(count: number): Step {
  return ({ world, service }) => {
    writeFileSync(orderFile(world.folder), String(count));
    return {
      isThere: service.ended.then((signal) => expect(signal).toBe('SIGKILL')),
      afterDeath: () => rmSync(orderFile(world.folder)),
    };
  };
}

/** A request to GitHub. */
export interface Asked {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: RegExp;
}

/** When it has asked, and before that takes effect. @param answered what it asks meanwhile, and is told */
export function whenAsking(asked: Asked, answered?: Asked): Step {
  return ({ world }) => {
    const { requests } = world.simulator;
    const before = requests.length;
    const isAnswered = (): boolean =>
      answered === undefined ||
      requests
        .slice(before)
        .some(({ method, path }) => method === answered.method && answered.path.test(path));
    const { isThere, release } = holdAt(world, asked, { status: 502 });
    return {
      isThere: isThere.then(() => vi.waitFor(() => expect(isAnswered()).toBe(true), PATIENCE)),
      afterDeath: release,
    };
  };
}

/** When what it asked for has taken effect, and before it hears of that. */
export function whenTaken(asked: Asked): Step {
  return ({ world }) => {
    const { isThere, release } = holdAt(world, asked);
    const { requests } = world.simulator;
    return {
      isThere,
      beforeDeath: async () => {
        const before = requests.length;
        release();
        await vi.waitFor(() => expect(requests.length).toBeGreaterThan(before), PATIENCE);
      },
    };
  };
}

function holdAt(
  { simulator }: TalkWorld,
  asked: Asked,
  respond?: { readonly status: number },
): { readonly isThere: Promise<void>; readonly release: () => void } {
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isThere = new Promise<void>((resolve) => {
    const held = { ...asked, times: 1, gate, onRequest: resolve };
    simulator.inject(respond === undefined ? held : { ...held, respond });
  });
  return { isThere, release };
}

/** When all of its seven model calls are open. */
export const withCallsOpen: Step = ({ installation }) => {
  let open = 0;
  return answering(
    installation,
    new Promise<void>((resolve) => {
      installation.answerWith(() => {
        open += 1;
        if (open === ASPECTS.length + 1) resolve();
        return hang;
      });
    }),
  );
};

/** When it knows the comment's texts and what two of its reviewers found, and the other four calls are open. */
export const withSomeAnswered: Step = ({ installation, number }) => {
  const isOpen = ({ aspect }: ProviderRequest): boolean =>
    aspect !== undefined && aspect !== 'security' && aspect !== 'perf';
  installation.answerWith((request) => (isOpen(request) ? hang : undefined));
  return answering(
    installation,
    vi.waitFor(async () => {
      const pending = (await installation.status(number))?.round?.pending;
      expect(pending).toEqual(['correctness', 'conventions', 'tests', 'architecture']);
    }, PATIENCE),
  );
};

/** When all six reviewers have answered, and the call for the comment's texts is open. */
export const withTextsOpen: Step = ({ installation }) => {
  const reviewers: Promise<void>[] = [];
  const asked = new Promise<void>((resolve) => {
    installation.answerWith(({ aspect, closed }) => {
      if (aspect === undefined) return hang;
      reviewers.push(closed);
      if (reviewers.length === ASPECTS.length) resolve();
      return undefined;
    });
  });
  return answering(
    installation,
    asked.then(() => Promise.all(reviewers)),
  );
};

/** What is open by then stays open; whoever asks later is answered. */
function answering(installation: Installation, isThere: Promise<unknown>): Held {
  return { isThere: isThere.finally(() => installation.answerWith(undefined)) };
}
