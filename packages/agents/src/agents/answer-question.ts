/**
 * One answer to a question, by the model, with the review and the conversation before it. Without a model, or
 * where it does not answer, the status is the answer: nobody who was acknowledged is left without one (T-137).
 *
 * @module
 */
import { PermanentError, TransientError } from '../errors.ts';
import { readQuestionContext } from '../github/conversation-context.ts';
import type { PrRef } from '../ids.ts';
import { askForAnswer } from '../model/ask-answer.ts';
import { composeReview } from '../review/compose.ts';
import { type Gate, gateOf } from '../review/gating.ts';
import { neutraliseBlocks } from '../review/neutralise.ts';
import type { Question } from '../review/question.ts';
import { noModelText, type ReplyFrame, replyText, unansweredText } from '../review/reply-text.ts';
import type { ShepherdState } from '../review/state.ts';
import type { Summons } from '../review/summons.ts';
import type { Ctx } from './context.ts';
import type { Memory } from './memory.ts';
import type { ShepherdDeps } from './orders.ts';
import type { ShepherdRows } from './shepherd-state.ts';

/** Past this the status is the answer (S9). */
const ANSWER_TIMEOUT_MS = 60_000;
const ANSWER_MAX_CHARS = 4_000;
/** A question that was broken off so often is answered whatever happens meanwhile. */
const PATIENT_FROM_ATTEMPT = 3;
/** Where nothing is to be spent, the model is not asked either (S8). */
const SILENT: ReadonlySet<Gate> = new Set<Gate>(['closed', 'exited', 'paused']);

/** A question and what is known. */
export interface QuestionOrder {
  readonly pr: PrRef;
  readonly summons: Summons;
  /** Untrusted (S7). */
  readonly text: string;
  readonly botUserId: number;
  readonly frame: ReplyFrame;
  readonly memory: Memory | undefined;
}

/**
 * Writes the answer, as Markdown that does nothing (S7).
 * @throws TransientError when GitHub does not answer, or something is told that goes before an answer
 */
export async function answerQuestion(
  ctx: Ctx<ShepherdRows>,
  { services, octokit }: ShepherdDeps,
  order: QuestionOrder,
): Promise<string> {
  const { pr, summons, frame, memory, botUserId } = order;
  const { model } = services;
  if (SILENT.has(gateOf(frame.state))) return replyText(summons, frame);
  if (model.kind === 'analyzers') return noModelText(frame);
  const source = { octokit, reads: services.github.reads };
  const asked = { to: summons.to, place: summons.place, botUserId };
  const context = await readQuestionContext(source, pr, asked).catch(contextProblem);
  if (typeof context === 'string') return unansweredText(frame, context);
  const read = new Set(ctx.state.deliveries.toArray.map(({ key }) => key));
  const interrupt = services.interrupts.signalFor(pr, read);
  const answered = await askForAnswer({
    question: questionOf(order, frame.state),
    context,
    ...(memory?.comment === undefined ? {} : { review: composeReview(memory.comment) }),
    choice: model,
    run: (config, input, signal) => ctx.useAgent(config).run(input, signal),
    timeoutMs: ANSWER_TIMEOUT_MS,
    signal:
      summons.attempts < PATIENT_FROM_ATTEMPT ? AbortSignal.any([ctx.signal, interrupt.signal]) : ctx.signal,
    log: services.log.child({ entity: ctx.entityUrl, to: summons.to }),
    onCall: services.onModelCall,
  });
  interrupt.release();
  if (answered.ok) return neutraliseBlocks(answered.text, ANSWER_MAX_CHARS);
  // A push or a close is heard first; the question is asked again then.
  if (interrupt.signal.aborted && summons.attempts < PATIENT_FROM_ATTEMPT)
    throw new TransientError('Something happened that goes before an answer.');
  services.log.warn('the model did not answer a question', { entity: ctx.entityUrl, why: answered.why });
  return unansweredText(frame, `The model did not answer: ${answered.why}.`);
}

/** What passes is tried again; what does not is told. */
function contextProblem(error: unknown): string {
  if (error instanceof PermanentError) return `The conversation cannot be read: ${error.message}`;
  throw error;
}

function questionOf({ summons, text }: QuestionOrder, state: ShepherdState): Question {
  const isOutsider = summons.by === state.seen?.author && state.authorClass !== 'team';
  return { text, author: summons.by, authorClass: isOutsider ? 'community' : 'team' };
}
