/**
 * Bodies of requests.
 *
 * @module
 */

import { z } from 'zod';

/** A schema that reads a body. */
export type BodySchema<T> = z.ZodType<T>;

const anyObject = z.record(z.string(), z.unknown());

/** What each route takes; further fields are ignored. */
export const bodies = {
  spawn: z.object({
    args: anyObject.optional(),
    parent: z.string().optional(),
    initialMessage: z.unknown().optional(),
    initialMessageType: z.string().optional(),
    tags: z.record(z.string(), z.string()).optional(),
  }),
  send: z.object({
    payload: z.unknown(),
    type: z.string().optional(),
    key: z.string().min(1).optional(),
    afterMs: z.number().optional(),
    from: z.string().optional(),
    from_agent: z.string().optional(),
  }),
  signal: z.object({
    signal: z.string(),
    reason: z.string().optional(),
    payload: z.unknown().optional(),
  }),
  tag: z.object({ value: z.string() }),
};
