/**
 * One worker's pass: the built-in analyzers, and with a model one call that has their hits as evidence.
 *
 * @module
 */
import type { PackedItem } from '../conversation/pack.ts';
import { messageOf } from '../errors.ts';
import type { Aspect } from '../ids.ts';
import type { Log } from '../log.ts';
import { asNew } from '../review/changed-file.ts';
import type { Finding } from '../review/finding.ts';
import type { RoundInput, WorkerOutcome } from '../review/round.ts';
import { analyzeRange, viewRange } from './analyzers/index.ts';
import { reviewBudget, reviewByModel } from './ask-review.ts';
import type { ModelChoice } from './choice.ts';
import { buildReviewPrompt, type EarlierFinding } from './prompt.ts';
import type { RoundMemo } from './round-memo.ts';
import type { RunAgent } from './run.ts';
import { buildSharedPrompt } from './shared-prompt.ts';

/** What a pass needs. */
export interface PassRequest {
  readonly aspect: Aspect;
  readonly aspectPrompt: string;
  readonly round: {
    readonly input: RoundInput;
    readonly readFile: (path: string) => Promise<string | undefined>;
  };
  readonly earlier: readonly EarlierFinding[];
  /** What is shown of the discussion, the same for the six of a round. */
  readonly discussion: readonly PackedItem[];
  /** Whether the analyzers take part; without a model they always do. */
  readonly analyzers: boolean;
  readonly memo: RoundMemo;
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
  const { aspect, aspectPrompt, round, earlier, discussion, choice, memo } = request;
  const { input, readFile } = round;
  if (choice.kind === 'analyzers') {
    // With the analyzers alone the whole PR is judged each time, so that what still stands is said again.
    const view = memo.of(round, 'view', () => viewRange({ files: input.files.map(asNew), readFile }));
    return { aspect, status: 'done', findings: await analyzeRange(aspect, view) };
  }
  const evidence = await leads(request);
  const budget = await reviewBudget(choice);
  const common = memo.of(round, 'prompt', () => buildSharedPrompt(input, budget.sharedChars, discussion));
  const prompt = buildReviewPrompt(input, { aspect, aspectPrompt, earlier, evidence }, budget, common);
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
async function leads({ aspect, round, log, analyzers, memo }: PassRequest): Promise<readonly Finding[]> {
  if (!analyzers) return [];
  const { input, readFile } = round;
  try {
    const view = memo.of(round, 'view', () =>
      viewRange({ files: [...input.files, ...input.otherFiles], readFile }),
    );
    return await analyzeRange(aspect, view);
  } catch (error) {
    log.warn('the built-in analyzers failed', { error: messageOf(error) });
    return [];
  }
}
