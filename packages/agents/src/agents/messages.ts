/**
 * Every message between entities, as schemas: what the runtime checks when it is sent, and what the receiver
 * gets. The schemas keep to the JSON-schema keywords that an Electric Agents server accepts.
 *
 * @module
 */
import { z } from 'zod';
import { SECTIONS } from '../conversation/pack.ts';
import { ASPECTS } from '../ids.ts';
import { findingSchema } from '../review/finding.ts';

const packedItemSchema = z.object({
  section: z.enum(SECTIONS),
  head: z.string(),
  texts: z.array(z.object({ about: z.string(), text: z.string() })),
});

const standingSchema = z.enum(['team', 'author', 'other', 'bot']);
const answerSchema = z.object({
  findingId: z.string(),
  itemId: z.string(),
  url: z.string(),
  by: z.string(),
  standing: standingSchema,
  text: z.string(),
  isDirect: z.boolean(),
  claimsFix: z.exactOptional(z.literal(true)),
  resolvedBy: z.exactOptional(
    z.object({
      login: z.string(),
      standing: standingSchema,
      named: z.exactOptional(z.enum(['by-team', 'by-others'])),
      claimsFix: z.exactOptional(z.literal(true)),
    }),
  ),
});
const earlierFindingSchema = z.object({
  id: z.string(),
  finding: findingSchema,
  state: z.enum(['open', 'fixed', 'disputed', 'withdrawn']),
  sha: z.string(),
  answers: z.array(answerSchema),
});
/** A reviewer's word on an earlier finding. */
export const verdictSchema = z.object({
  findingId: z.string(),
  verdict: z.enum(['withdrawn', 'disputed']),
  why: z.string(),
});

/** Shepherd → worker: review this range. */
export const reviewMessageSchema = z.object({
  type: z.literal('review'),
  wakeId: z.string().min(1),
  baseSha: z.string().min(1),
  headSha: z.string().min(1),
  /** What the six are shown of the discussion: the same for all, and chosen once (S6). */
  discussion: z.exactOptional(z.array(packedItemSchema)),
  /** Findings of this aspect that people answered or settled, as the ledger knows them. */
  earlier: z.exactOptional(z.array(earlierFindingSchema)),
});
export type ReviewMessage = z.infer<typeof reviewMessageSchema>;

/** Shepherd → worker: the PR is closed; do nothing until the next review message. */
export const shutdownMessageSchema = z.object({ type: z.literal('shutdown') });

/**
 * Worker → Shepherd: what came of a pass. `status` and `why` are additions to the design's fields: without
 * them a failed pass would read like a clean one (S5).
 */
export const workerDoneMessageSchema = z.object({
  type: z.literal('worker-done'),
  wakeId: z.string().min(1),
  aspect: z.enum(ASPECTS),
  status: z.enum(['done', 'partial', 'failed']),
  findings: z.array(findingSchema),
  /** What it says of earlier findings that people answered. */
  verdicts: z.exactOptional(z.array(verdictSchema)),
  /** Present where a model call completed that had the discussion in its input (S6). */
  heard: z.exactOptional(z.literal(true)),
  why: z.exactOptional(z.string()),
});
export type WorkerDoneMessage = z.infer<typeof workerDoneMessageSchema>;

/**
 * Ingress → dispatcher → Shepherd: a delivery, for hosts and moments where the PR's bucket does not wake its
 * Shepherd. `event` is a `PrEvent`; it is checked where it was parsed, from the signed body.
 */
export const githubEventMessageSchema = z.object({
  type: z.literal('github_event'),
  event: z.looseObject({ deliveryId: z.string().min(1) }),
});

/** To itself, delayed: time to look whether something is due. */
export const tickMessageSchema = z.object({ type: z.literal('tick') });

/** Sweep → Shepherd: GitHub knows this PR with another head than you do; read it. */
export const reconcileMessageSchema = z.object({ type: z.literal('reconcile') });

/** Host → dispatcher, at every start: observe your bucket. */
export const pokeMessageSchema = z.object({ type: z.literal('poke') });
