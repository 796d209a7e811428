/**
 * An entity's appends to its own stream.
 *
 * @module
 */

import type { Entity } from '../store/entities.ts';
import type { NewEvent } from '../store/streams.ts';
import type { Core } from './core.ts';
import { notifyObservers } from './observers.ts';

/** Appends to an entity's stream and wakes who observes it. */
export function appendOwn(core: Core, entity: Pick<Entity, 'id' | 'url'>, event: NewEvent): void {
  const seq = core.store.streams.append(entity.id, event);
  notifyObservers(core, entity.url, event, seq);
}
