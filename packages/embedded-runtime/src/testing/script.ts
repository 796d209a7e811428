import { createEntityRegistry, type EntityRegistry } from '../registry.ts';
import type { HandlerContext, WakeEvent } from '../types.ts';

/** A handler of no particular type. */
export type Script = (ctx: HandlerContext, wake: WakeEvent) => void | Promise<void>;

/** Handlers by type name; a handler that a test needs nothing of more. */
export function scripted(scripts: Readonly<Record<string, Script>>): EntityRegistry {
  const registry = createEntityRegistry();
  for (const [name, handler] of Object.entries(scripts)) {
    registry.define(name, { handler: (ctx, wake) => handler(ctx as unknown as HandlerContext, wake) });
  }
  return registry;
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
