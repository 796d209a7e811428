/**
 * Asks the model once, where there is no second question: for the texts of the comment, and for an answer.
 *
 * @module
 */
import type { Log } from '../log.ts';
import { reviewBudget } from './ask-review.ts';
import type { ChosenModel } from './choice.ts';
import { startDeadline } from './deadline.ts';
import { callModel, type ModelCall } from './model-call.ts';
import type { RunAgent } from './run.ts';

/** Reasoning included; what is asked for is short. */
const MAX_OUTPUT_TOKENS = 8_000;

/** Whom to ask, and for how long. */
export interface AskOnceJob {
  readonly choice: ChosenModel;
  readonly run: RunAgent;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly log: Log;
  readonly onCall?: (call: ModelCall) => void;
}

/** One clause on why there is nothing. */
export interface NoAnswer {
  readonly ok: false;
  readonly why: string;
}

/**
 * Asks once; ends soon after the job's deadline or `signal`.
 *
 * @param requestFor builds the request in about so many characters
 * @param read understands the answer
 */
export async function askOnce<T>(
  job: AskOnceJob,
  requestFor: (maxChars: number) => Parameters<typeof callModel>[0],
  read: (value: unknown) => T | NoAnswer,
): Promise<T | NoAnswer> {
  const deadline = startDeadline(job.timeoutMs, job.signal);
  try {
    const { sharedChars } = await reviewBudget(job.choice);
    const { choice, run, log, onCall } = job;
    const settings = { choice, run, maxOutputTokens: MAX_OUTPUT_TOKENS, log, onCall };
    const answer = await callModel(requestFor(sharedChars), settings, deadline);
    return answer.ok ? read(answer.value) : { ok: false, why: answer.failure.why };
  } finally {
    deadline.release();
  }
}
