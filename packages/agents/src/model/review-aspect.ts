/**
 * One worker's pass: the built-in analyzers, and with a model one call that has their hits as evidence.
 *
 * @module
 */
import { messageOf } from '../errors.ts';
import type { Aspect } from '../ids.ts';
import type { Log } from '../log.ts';
import type { ChangedFile } from '../review/changed-file.ts';
import type { Finding } from '../review/finding.ts';
import type { RoundInput, WorkerOutcome } from '../review/round.ts';
import { analyze } from './analyzers/index.ts';
import { reviewBudget, reviewByModel } from './ask-review.ts';
import type { ModelChoice } from './choice.ts';
import { buildReviewPrompt, type EarlierFinding } from './prompt.ts';
import type { RunAgent } from './run.ts';

/** What a pass needs. */
export interface PassRequest {
  readonly aspect: Aspect;
  readonly aspectPrompt: string;
  readonly round: {
    readonly input: RoundInput;
    readonly readFile: (path: string) => Promise<string | undefined>;
  };
  readonly earlier: readonly EarlierFinding[];
  readonly choice: ModelChoice;
  /** Runs an agent: in an entity the runtime's, in the local command a direct one. */
  readonly run: RunAgent;
  /** How long the pass may take. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Told of each model call. */
  readonly onCall: () => void;
}

/**
 * Reviews one aspect. Without a model the analyzers' hits are the findings; with one they are leads that the
 * model weighs.
 * @throws whatever `round.readFile` throws
 */
export async function reviewAspect(request: PassRequest): Promise<WorkerOutcome> {
  const { aspect, aspectPrompt, round, earlier, choice } = request;
  const { input, readFile } = round;
  if (choice.kind === 'analyzers') {
    const files = input.files.map(asNew);
    return { aspect, status: 'done', findings: await analyze(aspect, { files, readFile }) };
  }
  const evidence = await leads(request);
  const prompt = buildReviewPrompt(
    input,
    { aspect, aspectPrompt, earlier, evidence },
    await reviewBudget(choice),
  );
  // Asking six times about nothing would find nothing, and cost the same (T-043).
  if (prompt.isEmpty) return { aspect, status: 'done', findings: [] };
  return reviewByModel({
    prompt,
    choice,
    run: request.run,
    timeoutMs: request.timeoutMs,
    signal: request.signal,
    log: request.log,
    onCall: request.onCall,
  });
}

/** The analyzers are a help here: that one of them fails must not cost the review. */
async function leads({ aspect, round, log }: PassRequest): Promise<readonly Finding[]> {
  const { input, readFile } = round;
  try {
    return await analyze(aspect, { files: [...input.files, ...input.otherFiles], readFile });
  } catch (error) {
    log.warn('the built-in analyzers failed', { error: messageOf(error) });
    return [];
  }
}

/** With the analyzers alone the whole PR is judged each time, so that what still stands is said again. */
function asNew(file: ChangedFile): ChangedFile {
  return { ...file, hunks: file.hunks.map((hunk) => ({ ...hunk, isNew: true })) };
}
