/**
 * Appending to streams.
 *
 * @module
 */

import { isLiving } from '../store/entities.ts';
import type { NewEvent } from '../store/streams.ts';
import type { Core } from './core.ts';

/**
 * Appends a message or a wake row to an entity's stream, which makes the entity due (R3). Nothing happens
 * when the entity has ended or is about to; one that is paused is due when it goes on.
 */
export function appendInput(core: Core, entityId: number, event: NewEvent): void {
  const { streams, entities, commit } = core.store;
  if (!isLiving(entities.status(entityId))) return;
  const seq = streams.append(entityId, event);
  entities.markPending(entityId, seq);
  commit.afterCommit(() => core.onDue(entityId));
}
