/**
 * What the comment of a round will say, as data. Nothing is written here.
 *
 * @module
 */
import { ASPECTS, type FindingId, type RepoRef, shortSha, type WakeId } from '../ids.ts';
import { judgedTexts, plainTexts, type RoundResult } from '../model/plain-texts.ts';
import { type Aggregation, aggregate } from '../review/aggregate.ts';
import type { ReviewComment, ReviewTexts } from '../review/compose.ts';
import { type LedgerRound, updateLedger } from '../review/ledger.ts';
import { decisionsOf } from '../review/ledger-decide.ts';
import type { Ledger } from '../review/ledger-entry.ts';
import { followCode } from '../review/ledger-follow.ts';
import type { Reviewer, RoundInput, WorkerOutcome } from '../review/round.ts';
import type { Round } from '../review/state.ts';
import type { KeptTexts, Memory } from './memory.ts';
import { keptDiscussion, receiptOf } from './round-discussion.ts';
import type { FactoryServices } from './services.ts';
import { type FindingsRow, readOwn, type ShepherdRows } from './shepherd-state.ts';

/** A comment that may be written. */
export interface Draft {
  readonly comment: ReviewComment;
  /** Whether all six read everything; else the next range begins where this one did (S5). */
  readonly complete: boolean;
}

/** Drafts a round's comment from what its workers and the model said and what was said before. */
export function draftReview(
  rows: ShepherdRows,
  services: FactoryServices,
  round: Round,
  input: RoundInput,
  memory: Memory,
): Draft {
  const date = new Date(services.now()).toISOString().slice(0, 10);
  const { headSha, iteration } = round;
  const receipt = receiptOf(rows, round.wakeId, services.model.kind === 'model');
  const discussed = receipt === undefined ? {} : { receipt };
  // Only a comment about the commit that the range begins at knows all that stands there.
  if (round.unchanged === true && memory.comment?.headSha === input.baseSha) {
    return saidAgain(withoutReceipt(memory.comment), input, { iteration, date, ...discussed });
  }
  const aggregation = aggregate(outcomesOf(rows.findings.toArray, input, round.wakeId), input);
  const settled = settledBy(rows, round.wakeId, memory.ledger);
  const { ledger, changes } = updateLedger(memory.ledger, { aggregation, input, iteration, ...settled });
  const texts = textsFor(rows, round, { input, aggregation, changes });
  return {
    complete: isComplete(aggregation),
    comment: {
      pr: { owner: input.pr.owner, repo: input.pr.repo, number: input.pr.number },
      webUrl: repositoryUrl(services.webUrl, services.repo),
      reviewer: reviewerOf(services),
      texts,
      ledger,
      changes,
      coverage: aggregation,
      headSha,
      baseSha: input.baseSha,
      incremental: input.incremental,
      iteration,
      date,
      notes: [],
      ...discussed,
    },
  };
}

function isComplete({ coverage, files }: Aggregation): boolean {
  const allDone = coverage.every((covered) => covered.status === 'done');
  return allDone && !files.unread.some((file) => file.why === 'budget');
}

/** What was said by then is no longer all that was said. */
function withoutReceipt({ receipt: _old, ...comment }: ReviewComment): ReviewComment {
  return comment;
}

/** What people, and reviewers who read them, settled about earlier findings. */
function settledBy(
  rows: ShepherdRows,
  wakeId: WakeId,
  ledger: Ledger,
): Pick<LedgerRound, 'readAtMs' | 'decisions' | 'reopenedItems'> {
  const kept = keptDiscussion(rows.own, wakeId);
  if (kept === undefined) return {};
  const verdicts = rows.findings.toArray
    .filter((row) => row.wakeId === wakeId)
    .flatMap(({ aspect, verdicts = [] }) =>
      // Ids are text in a row.
      verdicts.map((verdict) => ({ ...verdict, findingId: verdict.findingId as FindingId, aspect })),
    );
  return {
    readAtMs: kept.readAtMs,
    decisions: decisionsOf(ledger, { answers: kept.answers, verdicts }),
    reopenedItems: new Set(kept.reopened),
  };
}

/** A rebase or a merge of the base changes no line of the PR: the review stands, for the new commit. */
function saidAgain(
  comment: ReviewComment,
  input: RoundInput,
  now: Pick<ReviewComment, 'iteration' | 'date' | 'receipt'>,
): Draft {
  const { headSha } = input;
  const note = `Nothing in this pull request changed between ${shortSha(comment.headSha)} and ${shortSha(headSha)}; the review stands.`;
  const ledger = followCode(comment.ledger, input);
  const still = ledger.filter((entry) => entry.state === 'open');
  const changes = { added: [], reopened: [], fixed: [], disputed: [], withdrawn: [], still };
  return {
    // A range begins at a complete review, and nothing changed since.
    complete: true,
    comment: { ...comment, ...now, headSha, ledger, changes, notes: [note] },
  };
}

/** What the workers of a round have said so far. */
export function outcomesOf(
  rows: readonly FindingsRow[],
  input: RoundInput,
  wakeId: string,
): readonly WorkerOutcome[] {
  // A PR without a changed file was looked at whole by looking at nothing.
  if (input.totalFiles === 0) return ASPECTS.map((aspect) => ({ aspect, status: 'done', findings: [] }));
  return rows.filter((row) => row.wakeId === wakeId).map(outcomeOf);
}

function outcomeOf({ aspect, status, findings, why = 'no reason was given' }: FindingsRow): WorkerOutcome {
  switch (status) {
    case 'done':
      return { aspect, status, findings };
    case 'partial':
      return { aspect, status, findings, why };
    case 'failed':
      return { aspect, status, why };
  }
}

/** The model's texts, or plain ones that code wrote where there is no model or it wrote none. */
function textsFor(rows: ShepherdRows, { wakeId }: Round, result: RoundResult): ReviewTexts {
  const kept = readOwn<KeptTexts>(rows.own, 'texts');
  return kept?.wakeId === wakeId ? judgedTexts(kept.texts, result) : plainTexts(result);
}

function reviewerOf(services: FactoryServices): Reviewer {
  const { model } = services;
  return model.kind === 'analyzers' ? { kind: 'analyzers' } : { kind: 'model', name: model.name };
}

function repositoryUrl(webUrl: string, repo: RepoRef): string {
  return `${webUrl}/${repo.owner}/${repo.repo}`;
}
