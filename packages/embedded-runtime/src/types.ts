/**
 * The public types, with the names of the published runtime.
 *
 * @module
 */

export type * from './types/collections.ts';
export type * from './types/context.ts';
export type * from './types/definition.ts';
export type * from './types/llm.ts';
export type * from './types/refused.ts';
export type * from './types/rows.ts';
export type * from './types/schema.ts';
export type * from './types/sources.ts';
export type * from './types/wake.ts';
