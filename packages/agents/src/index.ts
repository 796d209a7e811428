/**
 * The factory's agents, for any host that has the runtime's registry.
 *
 * @module
 */
import type { EntityRegistry } from '@electric-ax/agents-runtime';
import { registerDispatcher } from './agents/pr-dispatcher.ts';
import { registerWorker } from './agents/pr-review-worker.ts';
import { registerShepherd } from './agents/pr-shepherd.ts';
import type { FactoryServices } from './agents/services.ts';

export type { FactoryServices, Progress } from './agents/services.ts';

/**
 * Adds `pr-dispatcher`, `pr-shepherd` and `pr-review-worker` to a registry.
 *
 * @throws Error when the registry already has one of the types
 */
export function registerFactoryAgents(registry: EntityRegistry, services: FactoryServices): void {
  registerDispatcher(registry, services);
  registerShepherd(registry, services);
  registerWorker(registry, services);
}
