/**
 * From the workers' answers to the one comment: draft, fence, write, remember.
 *
 * Safe to repeat after a crash at any point: until the memory is kept, the same answers give the same
 * ledger, and a comment that was created without our knowing is found by its author and marker (S2, S4).
 *
 * @module
 */
import type { Octokit } from '@octokit/rest';
import { publishComment } from '../github/comment.ts';
import { type Identity, readIdentity } from '../github/identity.ts';
import { readPullRequest } from '../github/pull-request.ts';
import { loadRound } from '../github/round-input.ts';
import { type PrRef, shortSha, type WakeId } from '../ids.ts';
import { composeReview, type ReviewComment } from '../review/compose.ts';
import type { ShepherdEvent } from '../review/decide.ts';
import { parseMarker } from '../review/marker.ts';
import type { PrFacts, RoundInput } from '../review/round.ts';
import { gateOf, type Round, type ShepherdState } from '../review/state.ts';
import type { Ctx } from './context.ts';
import { type Draft, draftReview, type Memory } from './draft.ts';
import type { PublishOrder, ShepherdDeps } from './orders.ts';
import { seenOf } from './seen.ts';
import { type FactoryServices, roundOptions } from './services.ts';
import { readOwn, type ShepherdRows, writeOwn } from './shepherd-state.ts';

/**
 * Publishes a round, if it still fits the PR.
 * @throws TransientError or PermanentError when GitHub does not take it
 */
export async function publish(
  ctx: Ctx<ShepherdRows>,
  deps: ShepherdDeps,
  pr: PrRef,
  order: PublishOrder,
): Promise<ShepherdEvent> {
  const { services, octokit } = deps;
  const { round, state } = order;
  const { wakeId, baseSha, headSha, iteration } = round;
  const memory = readOwn<Memory>(ctx.state.own, 'memory') ?? { ledger: [] };
  const spec = { pr, wakeId, baseSha, headSha };
  const { input } = await loadRound(services.github, octokit, spec, roundOptions(services));
  const draft = await draftOnce(ctx, deps, order, input, memory);
  if ('type' in draft) return draft;
  const identity = await ownIdentity(services, octokit);

  // Nothing that takes time stands between this look and the write (S3).
  const read = await readFenced(deps, pr, order);
  if ('type' in read) return read;
  const body = composeReview(withPending(draft.comment, read.pr));
  const own = { botUserId: identity.botUserId, hasMarker: (text: string) => parseMarker(text) !== undefined };
  const written = await publishComment(octokit, pr, own, state.published?.commentId, body);

  writeOwn(ctx.state.own, 'memory', { ledger: draft.comment.ledger, comment: draft.comment });
  remember(ctx.state, round, draft.comment, written.commentId, services.now());
  services.onProgress({ type: 'comment', pr, iteration, sha: headSha, body, ...written });
  return { type: 'published', wakeId, commentId: written.commentId, complete: draft.complete };
}

/**
 * The draft of this round: kept, so that a write that is tried again says the same, and the model is asked
 * for its texts once. What the model costs is spent only while the round still fits the PR.
 */
async function draftOnce(
  ctx: Ctx<ShepherdRows>,
  deps: ShepherdDeps,
  order: PublishOrder,
  input: RoundInput,
  memory: Memory,
): Promise<Draft | ShepherdEvent> {
  const { wakeId } = order.round;
  const kept = readOwn<KeptDraft>(ctx.state.own, 'draft');
  if (kept?.wakeId === wakeId) return kept.draft;
  if (deps.services.model.kind === 'model') {
    const read = await readFenced(deps, input.pr, order);
    if ('type' in read) return read;
  }
  const draft = await draftReview(ctx, deps.services, order, input, memory);
  writeOwn(ctx.state.own, 'draft', { wakeId, draft } satisfies KeptDraft);
  return draft;
}

interface KeptDraft {
  readonly wakeId: WakeId;
  readonly draft: Draft;
}

/** The PR as it is now, or what follows where the round no longer fits it. */
async function readFenced(
  { services, octokit }: ShepherdDeps,
  pr: PrRef,
  { round, state }: PublishOrder,
): Promise<{ readonly pr: PrFacts } | ShepherdEvent> {
  const { wakeId, iteration, baseSha, headSha } = round;
  const read = await readPullRequest(octokit, pr);
  if (read.found && fits(round, state, read.pr)) return { pr: read.pr };
  services.onProgress({ type: 'round', state: 'dropped', pr, wakeId, iteration, baseSha, headSha, files: 0 });
  return read.found ? { type: 'fenced', wakeId, seen: seenOf(read.pr) } : { type: 'pr-gone' };
}

/** A review of a commit that is no longer the head is published only where the round was allowed to be late. */
function fits(round: Round, state: ShepherdState, pr: PrFacts): boolean {
  if (gateOf({ ...state, seen: seenOf(pr) }) !== 'active' || pr.baseRef !== round.baseRef) return false;
  return pr.headSha === round.headSha || round.mayBeStale;
}

function withPending(comment: ReviewComment, pr: PrFacts): ReviewComment {
  if (pr.headSha === comment.headSha) return comment;
  const note = `Reviewed at ${shortSha(comment.headSha)}; newer commits, up to ${shortSha(pr.headSha)}, are pending.`;
  return { ...comment, notes: [...comment.notes, note] };
}

/** Asked once per host: it does not change while the App lives. */
function ownIdentity(services: FactoryServices, octokit: Octokit): Promise<Identity> {
  return services.github.reads.get('identity', () => readIdentity(octokit));
}

function remember(
  rows: ShepherdRows,
  round: Round,
  comment: ReviewComment,
  commentId: number,
  nowMs: number,
): void {
  if (rows.reviews.get(round.wakeId) !== undefined) return;
  rows.reviews.insert({
    key: round.wakeId,
    sha: round.headSha,
    commentId,
    postedAt: new Date(nowMs).toISOString(),
    summary: comment.texts.summary,
  });
}
