/**
 * What the comment of a round will say, as data. Nothing is written here.
 *
 * @module
 */
import { ASPECTS, type RepoRef, shortSha } from '../ids.ts';
import { askForTexts } from '../model/ask-compose.ts';
import { plainTexts, type RoundResult } from '../model/plain-texts.ts';
import { type Aggregation, aggregate } from '../review/aggregate.ts';
import type { ReviewComment, ReviewTexts } from '../review/compose.ts';
import { updateLedger } from '../review/ledger.ts';
import type { Ledger } from '../review/ledger-entry.ts';
import { followCode } from '../review/ledger-follow.ts';
import type { Reviewer, RoundInput, WorkerOutcome } from '../review/round.ts';
import type { Ctx } from './context.ts';
import type { PublishOrder } from './orders.ts';
import type { FactoryServices } from './services.ts';
import type { FindingsRow, ShepherdRows } from './shepherd-state.ts';

/** Texts are a courtesy: past this the plain ones are published (S9). */
const COMPOSE_TIMEOUT_MS = 60_000;

/** What a Shepherd remembers of all its rounds, in one row, so that it changes as a whole. */
export interface Memory {
  readonly ledger: Ledger;
  /** What the comment says: a round without changes says it again, for another commit. */
  readonly comment?: ReviewComment;
}

/** A comment that may be written. */
export interface Draft {
  readonly comment: ReviewComment;
  /** Whether all six read everything; else the next range begins where this one did (S5). */
  readonly complete: boolean;
}

/** Drafts a round's comment from what its workers said and what was said before. */
export async function draftReview(
  ctx: Ctx<ShepherdRows>,
  services: FactoryServices,
  order: PublishOrder,
  input: RoundInput,
  memory: Memory,
): Promise<Draft> {
  const { round } = order;
  const date = new Date(services.now()).toISOString().slice(0, 10);
  const { headSha, iteration } = round;
  // Only a comment about the commit that the range begins at knows all that stands there.
  if (input.changedFiles === 0 && memory.comment?.headSha === input.baseSha) {
    return saidAgain(memory.comment, input, { iteration, date });
  }
  const aggregation = aggregate(outcomesOf(ctx.state.findings.toArray, input, round.wakeId), input);
  const { ledger, changes } = updateLedger(memory.ledger, { aggregation, input, iteration });
  const texts = await textsFor(ctx, services, order, { input, aggregation, changes });
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
    },
  };
}

function isComplete({ coverage, files }: Aggregation): boolean {
  const allDone = coverage.every((covered) => covered.status === 'done');
  return allDone && !files.unread.some((file) => file.why === 'budget');
}

/** A rebase or a merge of the base changes no line of the PR: the review stands, for the new commit. */
function saidAgain(
  comment: ReviewComment,
  input: RoundInput,
  now: { readonly iteration: number; readonly date: string },
): Draft {
  const { headSha } = input;
  const note = `Nothing in this pull request changed between ${shortSha(comment.headSha)} and ${shortSha(headSha)}; the review stands.`;
  const ledger = followCode(comment.ledger, input);
  const still = ledger.filter((entry) => entry.state === 'open');
  const changes = { added: [], reopened: [], fixed: [], still };
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

/** The model's texts, or plain ones that code wrote where there is no model or it failed. */
async function textsFor(
  ctx: Ctx<ShepherdRows>,
  services: FactoryServices,
  order: PublishOrder,
  result: RoundResult,
): Promise<ReviewTexts> {
  const { model } = services;
  const failed = result.aggregation.coverage.every((covered) => covered.status === 'failed');
  if (model.kind === 'analyzers' || failed) return plainTexts(result);
  const composed = await askForTexts({
    skill: order.skill,
    result,
    choice: model,
    run: (config, input, signal) => ctx.useAgent(config).run(input, signal),
    timeoutMs: COMPOSE_TIMEOUT_MS,
    signal: ctx.signal,
    log: services.log.child({ entity: ctx.entityUrl, wakeId: order.round.wakeId }),
    onCall: services.onModelCall,
  });
  if (composed.ok) return composed.texts;
  services.log.warn('the model wrote no texts, code did', { entity: ctx.entityUrl, why: composed.why });
  return plainTexts(result);
}

function reviewerOf(services: FactoryServices): Reviewer {
  const { model } = services;
  return model.kind === 'analyzers' ? { kind: 'analyzers' } : { kind: 'model', name: model.name };
}

function repositoryUrl(webUrl: string, repo: RepoRef): string {
  return `${webUrl}/${repo.owner}/${repo.repo}`;
}
