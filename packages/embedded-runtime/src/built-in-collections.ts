/**
 * The collections that every entity has.
 *
 * @module
 */

import type { BuiltInCollections } from './types/collections.ts';
import type { EntityStateDefinition } from './types/schema.ts';

/** Event type of each built-in collection. */
export const BUILT_IN_TYPES: Readonly<Record<keyof BuiltInCollections, string>> = {
  runs: 'run',
  steps: 'step',
  texts: 'text',
  textDeltas: 'text_delta',
  toolCalls: 'tool_call',
  reasoning: 'reasoning',
  reasoningDeltas: 'reasoning_delta',
  errors: 'error',
  inbox: 'inbox',
  wakes: 'wake',
  entityCreated: 'entity_created',
  entityStopped: 'entity_stopped',
  signals: 'signal',
  childStatus: 'child_status',
  tags: 'tags',
  slashCommands: 'slash_command',
  manifests: 'manifest',
  contextInserted: 'context_inserted',
  contextRemoved: 'context_removed',
  replayWatermarks: 'replay_watermark',
};

/** Whether a collection name is taken. */
export function isBuiltInCollection(name: string): name is keyof BuiltInCollections {
  return Object.hasOwn(BUILT_IN_TYPES, name);
}

/** The event type of a custom collection. */
export function eventTypeOf(name: string, state: EntityStateDefinition): string {
  return state[name]?.type ?? `state:${name}`;
}
