/**
 * Writes the standing comment again: with a notice, without one, or because somebody edited it. What it says
 * of the code stays as it was.
 *
 * @module
 */
import { updateComment } from '../github/comment.ts';
import { type PrRef, shortSha } from '../ids.ts';
import { composeReview, type ReviewComment } from '../review/compose.ts';
import type { ShepherdEvent } from '../review/decide.ts';
import type { Command } from '../review/due.ts';
import { mayReview } from '../review/gating.ts';
import { type Notice, noticeKey } from '../review/notice.ts';
import type { ShepherdState } from '../review/state.ts';
import type { Ctx } from './context.ts';
import type { Memory } from './memory.ts';
import type { ShepherdDeps } from './orders.ts';
import { seenOf } from './seen.ts';
import { readOwn, type ShepherdRows } from './shepherd-state.ts';

type RefreshCommand = Extract<Command, { type: 'refresh' }>;

/**
 * Writes it, if the PR is still looked after.
 * @throws TransientError or PermanentError when GitHub does not take it
 */
export async function refresh(
  ctx: Ctx<ShepherdRows>,
  { octokit, look }: ShepherdDeps,
  pr: PrRef,
  state: ShepherdState,
  { notice, editedBy }: RefreshCommand,
): Promise<ShepherdEvent> {
  const comment = readOwn<Memory>(ctx.state.own, 'memory')?.comment;
  const commentId = state.published?.commentId;
  const refreshed = {
    type: 'refreshed' as const,
    ...(notice === undefined ? {} : { notice: noticeKey(notice) }),
  };
  if (comment === undefined || commentId === undefined) return refreshed;
  const read = await look.recent();
  if (!read.found) return { type: 'pr-gone' };
  const seen = seenOf(read.pr);
  // Closed or paused meanwhile: then nothing is written (S3, S8).
  if (!mayReview({ ...state, seen }, false)) return { type: 'pr-read', seen };
  const body = composeReview(withExtras(comment, notice, editedBy));
  const written = await updateComment(octokit, pr, commentId, body);
  return written ? refreshed : { type: 'comment-deleted', commentId };
}

function withExtras(
  comment: ReviewComment,
  notice: Notice | undefined,
  editedBy: string | undefined,
): ReviewComment {
  const { receipt } = comment;
  if (notice?.kind !== 'missed' || receipt === undefined) {
    return { ...comment, notes: [...comment.notes, ...extraNotes(notice, editedBy)] };
  }
  const notes = [...comment.notes, ...extraNotes(undefined, editedBy)];
  return { ...comment, notes, receipt: { ...receipt, trouble: [...receipt.trouble, notice.what] } };
}

/** What a comment says besides the review, a sentence each. */
export function extraNotes(notice: Notice | undefined, editedBy: string | undefined): readonly string[] {
  return [
    ...(editedBy === undefined ? [] : [`${editedBy} edited this comment; the review was put back.`]),
    ...(notice === undefined ? [] : [noticeText(notice)]),
  ];
}

function noticeText(notice: Notice): string {
  switch (notice.kind) {
    case 'failed':
      return `${shortSha(notice.headSha)} could not be reviewed: ${notice.what}`;
    case 'memory':
      // What exactly is wrong names folders of the machine, which are nobody's business here.
      return 'The memory of this discussion is degraded, so that parts of it may be read again. `pnpm shepherd status`, where the service runs, says why.';
    case 'missed':
      return notice.what;
    case 'capped': {
      const until = new Date(notice.untilMs).toISOString().slice(11, 16);
      const what = notice.newCommits ? 'Newer commits wait' : 'A review that was asked for waits';
      return `${what} until ${until} UTC: this pull request had as many reviews within an hour as it may have.`;
    }
  }
}
