/**
 * Asks a model for one aspect's findings. A failure is an outcome in plain words, never an empty list (S5).
 *
 * @module
 */
import type { FindingId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Verdict } from '../review/answer.ts';
import type { WorkerOutcome } from '../review/round.ts';
import { type ChosenModel, loadModel } from './choice.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { failure } from './failure.ts';
import { type CallSettings, callModel, type ModelCall } from './model-call.ts';
import { type PromptBudget, promptBudget, type ReviewPrompt } from './prompt.ts';
import type { RunAgent } from './run.ts';
import type { UnseenFile } from './shared-prompt.ts';
import { parseSubmission, type Submission, submitFindings } from './submit-findings.ts';
import type { NumberedVerdict } from './verdict.ts';

/** Output that a review may take, reasoning included: some 60 findings. A runaway answer ends here. */
const MAX_OUTPUT_TOKENS = 24_000;

/** One review to be asked for. */
export interface ReviewJob {
  readonly prompt: ReviewPrompt;
  readonly choice: ChosenModel;
  readonly run: RunAgent;
  /** For the call and a second one together. */
  readonly timeoutMs: number;
  /** Default 24,000. */
  readonly maxOutputTokens?: number;
  /** Calls the review off. */
  readonly signal?: AbortSignal;
  readonly log: Log;
  /** Told of each call when it has ended; there are one or two. */
  readonly onCall?: (call: ModelCall) => void;
}

/** What a prompt for this model may take. A model that cannot be loaded gets a small one; the call will say why. */
export async function reviewBudget(choice: ChosenModel): Promise<PromptBudget> {
  const loaded = await loadModel(choice);
  const { contextWindow } = 'model' in loaded ? loaded.model : { contextWindow: 0 };
  return promptBudget(contextWindow, MAX_OUTPUT_TOKENS);
}

/**
 * Asks once; and once more if the answer cannot be used at all. A truncated answer with findings in it is kept
 * as a part. Contract: never rejects; ends soon after its deadline or `signal`.
 */
export async function reviewByModel(job: ReviewJob): Promise<WorkerOutcome> {
  const deadline = startDeadline(job.timeoutMs, job.signal);
  try {
    const first = await ask(job, deadline, undefined);
    const last = first.status === 'bad' ? await ask(job, deadline, first.why) : first;
    return outcomeOf(job.prompt, last);
  } finally {
    deadline.release();
  }
}

type Asked = Submission | { readonly status: 'failed'; readonly why: string };

async function ask(job: ReviewJob, deadline: Deadline, complaint: string | undefined): Promise<Asked> {
  const { prompt } = job;
  const again = complaint === undefined ? [] : [askAgain(complaint, prompt.aspect)];
  const request = {
    system: prompt.system,
    blocks: [prompt.shared, prompt.own, ...again],
    tool: submitFindings,
    label: `Review of the aspect ${prompt.aspect}${complaint === undefined ? '' : ', asked again'}`,
  };
  const answer = await callModel(request, settingsOf(job), deadline);
  if (!answer.ok) return { status: 'failed', why: answer.failure.why };
  const submission = parseSubmission(answer.value);
  if (submission.status === 'ok' || answer.cut === undefined) return submission;
  // The provider's client has repeated what it could; asking again is for answers, not for broken calls.
  if (submission.status === 'bad' && answer.trouble !== undefined) {
    return { status: 'failed', why: answer.trouble.why };
  }
  return { ...submission, why: `${submission.why}; ${answer.cut}` };
}

function settingsOf({ choice, run, maxOutputTokens, log, onCall }: ReviewJob): CallSettings {
  return { choice, run, maxOutputTokens: maxOutputTokens ?? MAX_OUTPUT_TOKENS, log, onCall };
}

function askAgain(why: string, aspect: string): string {
  return `A first answer to this could not be used: ${why}. Answer with one call of ${submitFindings.name}, short enough to be complete, with \`complete\` as its last field and no text beside it.\n\nAspect: ${aspect}`;
}

function outcomeOf({ aspect, unseen, earlierIds }: ReviewPrompt, asked: Asked): WorkerOutcome {
  switch (asked.status) {
    case 'ok':
    case 'partial': {
      const verdicts = verdictsOf(asked.verdicts, earlierIds);
      const said = verdicts.length === 0 ? {} : { verdicts };
      const looked = { aspect, findings: asked.findings, ...said, heard: true } as const;
      const why =
        asked.status === 'partial'
          ? `only a part of the model's answer could be used: ${asked.why}`
          : unseenText(unseen);
      return why === undefined ? { ...looked, status: 'done' } : { ...looked, status: 'partial', why };
    }
    case 'bad':
      return { aspect, status: 'failed', why: failure('unusable', asked.why).why };
    case 'failed':
      return { aspect, status: 'failed', why: asked.why };
  }
}

/** One verdict for each finding that has an id; where two disagree, nothing was settled. */
function verdictsOf(
  numbered: readonly NumberedVerdict[],
  earlierIds: readonly (FindingId | undefined)[],
): readonly Verdict[] {
  const verdicts = new Map<FindingId, Verdict>();
  for (const { number, verdict, why } of numbered) {
    const findingId = earlierIds[number - 1];
    if (findingId === undefined || verdicts.get(findingId)?.verdict === 'disputed') continue;
    verdicts.set(findingId, { findingId, verdict, why });
  }
  return [...verdicts.values()];
}

/** What the prompt had no room for is not reviewed, whatever the model says of the rest. */
function unseenText(unseen: readonly UnseenFile[]): string | undefined {
  if (unseen.length === 0) return undefined;
  const names = unseen.slice(0, 5).map(({ path, partly }) => (partly ? `the end of ${path}` : path));
  const more = unseen.length > names.length ? ` and ${unseen.length - names.length} more` : '';
  return `the model had no room for ${names.join(', ')}${more}`;
}
