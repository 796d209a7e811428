/**
 * A review of a local range, without GitHub: the same six passes and the same comment.
 *
 * @module
 */
import { ASPECTS, type Aspect } from '../ids.ts';
import type { Log } from '../log.ts';
import { askForTexts } from '../model/ask-compose.ts';
import type { ModelChoice } from '../model/choice.ts';
import { hasDiff } from '../model/diffs-part.ts';
import { judgedTexts, plainTexts } from '../model/plain-texts.ts';
import { loadAspectPrompts } from '../model/prompts.ts';
import { reviewAspect } from '../model/review-aspect.ts';
import { createRoundMemo } from '../model/round-memo.ts';
import { runDirect } from '../model/run.ts';
import { aggregate } from '../review/aggregate.ts';
import { composeReview, type ReviewTexts } from '../review/compose.ts';
import { updateLedger } from '../review/ledger.ts';
import type { RoundInput, WorkerOutcome } from '../review/round.ts';
import type { LocalRange } from './local-range.ts';
import { localRound } from './local-round.ts';

/** As in the service: past these the review goes on without. */
const PASS_TIMEOUT_MS = 300_000;
const TEXTS_TIMEOUT_MS = 60_000;

/** What is reviewed, and how. */
export interface LocalReview {
  readonly range: LocalRange;
  readonly model: ModelChoice;
  /** Text of the playbook for the summary. */
  readonly skill: string;
  /** `YYYY-MM-DD`, as the comment prints it. */
  readonly date: string;
  /** Takes a line of progress. */
  readonly say: (line: string) => void;
  readonly log: Log;
}

/** Reviews a range and returns the Markdown. Writes nothing anywhere. */
export async function reviewLocalRange(review: LocalReview): Promise<string> {
  const { range, model, say } = review;
  const input = await localRound(range);
  say(`Reviewing ${input.files.length} ${input.files.length === 1 ? 'file' : 'files'}.`);
  const [outcomes, written] = await Promise.all([passes(review, input), askTexts(review, input)]);
  const aggregation = aggregate(outcomes, input);
  const { ledger, changes } = updateLedger([], { aggregation, input, iteration: 1 });
  const result = { input, aggregation, changes };
  return composeReview({
    pr: input.pr,
    webUrl: '',
    reviewer: model.kind === 'analyzers' ? model : { kind: 'model', name: model.name },
    texts: written === undefined ? plainTexts(result) : judgedTexts(written, result),
    ledger,
    changes,
    coverage: aggregation,
    headSha: input.headSha,
    baseSha: input.baseSha,
    incremental: false,
    iteration: 1,
    date: review.date,
    notes: [],
  });
}

async function passes(review: LocalReview, input: RoundInput): Promise<readonly WorkerOutcome[]> {
  const { range, model, say, log } = review;
  const prompts = await loadAspectPrompts();
  const memo = createRoundMemo();
  const round = { input, readFile: (path: string) => range.git.readFile(range.headSha, path) };
  const pass = async (aspect: Aspect): Promise<WorkerOutcome> => {
    const outcome = await reviewAspect({
      aspect,
      aspectPrompt: prompts[aspect],
      round,
      analyzers: true,
      memo,
      earlier: [],
      discussion: [],
      choice: model,
      run: runDirect,
      timeoutMs: PASS_TIMEOUT_MS,
      signal: new AbortController().signal,
      log,
      onCall: () => {},
    });
    say(`  ${describe(outcome)}`);
    return outcome;
  };
  return Promise.all(ASPECTS.map(pass));
}

function describe(outcome: WorkerOutcome): string {
  if (outcome.status === 'failed') return `${outcome.aspect}: failed, ${outcome.why}`;
  const found = `${outcome.findings.length} ${outcome.findings.length === 1 ? 'finding' : 'findings'}`;
  return `${outcome.aspect}: ${found}${outcome.status === 'partial' ? `, partial: ${outcome.why}` : ''}`;
}

/** The model's texts, which it writes while the six read; `undefined` where code is to write them. */
async function askTexts(review: LocalReview, input: RoundInput): Promise<ReviewTexts | undefined> {
  const { model, skill, say, log } = review;
  if (model.kind === 'analyzers' || !input.files.some(hasDiff)) return undefined;
  const composed = await askForTexts({
    skill,
    input,
    open: [],
    discussion: [],
    choice: model,
    run: runDirect,
    timeoutMs: TEXTS_TIMEOUT_MS,
    log,
  });
  if (composed.ok) return composed.texts;
  say(`The model wrote no summary: ${composed.why}.`);
  return undefined;
}
