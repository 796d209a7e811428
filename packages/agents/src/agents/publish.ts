/**
 * From the workers' answers to the one comment: draft, fence, write, remember.
 *
 * Safe to repeat after a crash at any point: until the memory is kept, the same answers give the same
 * ledger, and a comment that was created without our knowing is found by its author and marker (S2, S4).
 *
 * @module
 */
import { publishComment } from '../github/comment.ts';
import { knownIdentity } from '../github/identity.ts';
import { loadRound } from '../github/round-input.ts';
import { type PrRef, shortSha, type WakeId } from '../ids.ts';
import { composeReview, type ReviewComment } from '../review/compose.ts';
import type { ShepherdEvent } from '../review/decide.ts';
import { parseMarker } from '../review/marker.ts';
import { memoryNotice } from '../review/notice.ts';
import type { PrFacts, RoundInput } from '../review/round.ts';
import type { Round, ShepherdState } from '../review/state.ts';
import type { Ctx } from './context.ts';
import { type Draft, draftReview } from './draft.ts';
import { fenceRound } from './fence.ts';
import type { Memory } from './memory.ts';
import type { RoundOrder, ShepherdDeps } from './orders.ts';
import { extraNotes } from './refresh.ts';
import { keptDiscussion } from './round-discussion.ts';
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
  order: RoundOrder,
): Promise<ShepherdEvent> {
  const { services, octokit } = deps;
  const { round, state } = order;
  const { wakeId, baseSha, headSha, iteration } = round;
  const before = readOwn<Memory>(ctx.state.own, 'memory') ?? { ledger: [] };
  const spec = { pr, wakeId, baseSha, headSha };
  const { input } = await loadRound(services.github, octokit, spec, roundOptions(services));
  const { draft, isNew } = draftOnce(ctx.state, services, round, input, before);
  const [identity, memory] = await Promise.all([
    knownIdentity(services.github, octokit),
    memoryState(ctx.state.own, services, pr, wakeId),
  ]);

  // Nothing that takes time stands between this look and the write (S3).
  const read = fenceRound(services, pr, order, await deps.look.fresh());
  if ('type' in read) return read;
  const body = composeReview(withNotes(draft.comment, read.pr, state, memory));
  const own = { botUserId: identity.botUserId, hasMarker: (text: string) => parseMarker(text) !== undefined };
  const knownId = state.published?.commentId;
  const known = {
    commentId: knownId,
    // A comment that people deleted is created once more (T-162); deleted again, it is not wanted.
    mayRecreate: state.deletedCommentIds.length === 0,
    // Nobody has said anything, and this round has not tried to write: there is nothing to be found.
    isFirst: read.comments === 0 && isNew,
  };
  const again: { refused?: ShepherdEvent } = {};
  const written = await publishComment(octokit, pr, own, known, body, async () => {
    const last = fenceRound(services, pr, order, await deps.look.fresh());
    if ('type' in last) again.refused = last;
    return again.refused === undefined;
  });
  if (again.refused !== undefined) return again.refused;
  if (!('commentId' in written)) return { type: 'comment-deleted', commentId: knownId ?? 0 };

  const { commentId } = written;
  writeOwn(ctx.state.own, 'memory', { ledger: draft.comment.ledger, comment: draft.comment });
  remember(ctx.state, round, draft.comment, commentId, services.now());
  services.onProgress({ type: 'comment', pr, iteration, sha: headSha, body, ...written });
  const replaced = knownId !== undefined && knownId !== commentId ? { deletedCommentId: knownId } : {};
  return {
    type: 'published',
    wakeId,
    commentId,
    complete: draft.complete,
    hasItems: (keptDiscussion(ctx.state.own, wakeId)?.versions.length ?? 0) > 0,
    ...memory,
    ...replaced,
  };
}

/** The draft of this round: kept, so that a write that is tried again says the same, and is known as such. */
function draftOnce(
  rows: ShepherdRows,
  services: FactoryServices,
  round: Round,
  input: RoundInput,
  memory: Memory,
): { readonly draft: Draft; readonly isNew: boolean } {
  const { wakeId } = round;
  const kept = readOwn<KeptDraft>(rows.own, 'draft');
  if (kept?.wakeId === wakeId) return { draft: kept.draft, isNew: false };
  const draft = draftReview(rows, services, round, input, memory);
  writeOwn(rows.own, 'draft', { wakeId, draft } satisfies KeptDraft);
  return { draft, isNew: true };
}

interface KeptDraft {
  readonly wakeId: WakeId;
  readonly draft: Draft;
}

/** Whether the markers can be relied on. */
type MemoryState = { readonly memoryTrouble?: string };

/** Looked at before the write, so that the comment says it at once; what fails after it is added later. */
async function memoryState(
  own: ShepherdRows['own'],
  { markers }: FactoryServices,
  pr: PrRef,
  wakeId: WakeId,
): Promise<MemoryState> {
  const kept = keptDiscussion(own, wakeId);
  const probed = kept === undefined || kept.marks.length === 0 ? undefined : await markers.probe(pr);
  const memoryTrouble = kept?.memoryTrouble ?? probed;
  return memoryTrouble === undefined ? {} : { memoryTrouble };
}

/** What a reader should know besides: newer commits, and hands that changed the comment. */
function withNotes(
  comment: ReviewComment,
  pr: PrFacts,
  state: ShepherdState,
  memory: MemoryState,
): ReviewComment {
  const pending = `Reviewed at ${shortSha(comment.headSha)}; newer commits, up to ${shortSha(pr.headSha)}, are pending.`;
  const notes = [
    ...comment.notes,
    ...(pr.headSha === comment.headSha ? [] : [pending]),
    ...extraNotes(memoryNotice(memory), state.editedBy),
  ];
  return { ...comment, notes };
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
