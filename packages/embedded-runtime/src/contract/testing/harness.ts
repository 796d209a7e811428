/**
 * What the tests of the contract are written with. They use the public API alone, so that the same tests run on
 * the published runtime.
 *
 * Where the published server is known to be weaker, the name of a test says `(sharp edge N)`, N being the number
 * in the README's list; such a test is skipped there.
 *
 * @module
 */

import { randomUUID } from 'node:crypto';
import { describe, it, onTestFinished } from 'vitest';
import type {
  EntityActionMap,
  EntityDefinition,
  EntityRegistry,
  HandlerContext,
  StateCollectionProxy,
  WakeEvent,
} from '../../index.ts';
import type { ConformanceHost } from './conformance-host.ts';
import { startEmbedded } from './embedded-target.ts';
import { startPublished } from './published-target.ts';
import { findTarget, type SharedApi } from './target.ts';

// biome-ignore lint/style/noProcessEnv: names the server that the suite runs against
const target = await findTarget(process.env.CONFORMANCE_AGENTS_URL);

/** Whether the suite runs on the published runtime. */
export const isPublished = target.kind === 'published';

/** The exports under test. */
export const api: SharedApi = target.kind === 'missing' ? await import('../../index.ts') : target.api;

/** A section of the contract. Skipped, with the reason in its name, when the runtime to test is not there. */
export function section(name: string, tests: () => void): void {
  if (target.kind === 'missing') describe.skip(`${name}: skipped, ${target.reason}`, tests);
  else describe(name, tests);
}

/** A case in which the published server is known to be weaker. Its name must have the number of the sharp edge. */
export const itStricter = it.skipIf(isPublished);

/** A handler of no particular type. */
export type Script = (ctx: HandlerContext, wake: WakeEvent) => void | Promise<void>;

/** A type name that no other test has: entities of a real server outlive the test. */
export function typeName(role: string): string {
  return `${role}-${randomUUID().slice(0, 8)}`;
}

/** Starts a host of these types, and closes it after the test. Rejects when they are refused. */
export async function startHost(registry: EntityRegistry): Promise<ConformanceHost> {
  const host =
    target.kind === 'published'
      ? await startPublished(target.api, target.baseUrl, registry)
      : await startEmbedded(registry);
  onTestFinished(() => host.close());
  return host;
}

/** Types that have nothing but a handler. */
export function scripted(scripts: Readonly<Record<string, Script>>): EntityRegistry {
  const registry = api.createEntityRegistry();
  for (const [name, handler] of Object.entries(scripts)) {
    registry.define(name, { handler: (ctx, wake) => handler(ctx as unknown as HandlerContext, wake) });
  }
  return registry;
}

/** The type under test in {@link runPasses}, whatever its rows are. */
export type LooseDefinition = Pick<EntityDefinition, 'creationSchema' | 'inboxSchemas' | 'state'> & {
  readonly actions?: (collections: Readonly<Record<string, StateCollectionProxy>>) => EntityActionMap;
};

/** Settings of {@link runPasses}. */
export interface PassOptions {
  readonly definition?: LooseDefinition;
  /** Adds further types. */
  readonly define?: (registry: EntityRegistry) => void;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly tags?: Readonly<Record<string, string>>;
}

/**
 * Sends an entity one message for each script, one after another, and waits for the end of each pass.
 *
 * @throws what a script throws
 */
export async function runPasses(
  scripts: readonly Script[],
  { definition = {}, define, args, tags }: PassOptions = {},
): Promise<{ readonly host: ConformanceHost; readonly url: string }> {
  const rest = [...scripts];
  const failures: unknown[] = [];
  const type = typeName('e');
  const registry = api.createEntityRegistry();
  registry.define(type, {
    ...(definition as object),
    async handler(ctx, wake) {
      try {
        await rest.shift()?.(ctx as unknown as HandlerContext, wake);
      } catch (error) {
        failures.push(error);
        throw error;
      }
    },
  });
  define?.(registry);
  const host = await startHost(registry);
  await host.client.spawnEntity({ type, id: 'a', ...(args && { args }), ...(tags && { tags }) });
  const url = `/${type}/a`;
  for (const [index] of scripts.entries()) {
    await host.client.sendEntityMessage({ targetUrl: url, payload: index });
    await host.settled();
    if (failures.length > 0 && !(failures[0] instanceof ExpectedFailure)) throw failures[0];
  }
  return { host, url };
}

/** {@link runPasses} with one script. */
export function runPass(
  script: Script,
  options?: PassOptions,
): Promise<{ readonly host: ConformanceHost; readonly url: string }> {
  return runPasses([script], options);
}

/** Thrown by a script whose failure is what the test is about. */
export class ExpectedFailure extends Error {
  override readonly name = 'ExpectedFailure';
}

/** What a promise rejects with; fails when it does not. */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    () => ({ rejected: false as const }),
    (error: unknown) => ({ rejected: true as const, error }),
  );
  if (!outcome.rejected) throw new Error('expected a rejection');
  return outcome.error;
}

/** A promise and the function that resolves it. */
export function createGate<T = void>(): { readonly opened: Promise<T>; open(value: T): void } {
  let open: (value: T) => void = () => {};
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
