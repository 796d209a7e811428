/**
 * What a Shepherd is doing, and if it does not review, why not: for the command `status`, and for people who
 * ask on the PR. Pure; plain data in JSON's own types, so that it can be printed as it is.
 *
 * @module
 */
import { type Aspect, type PrRef, type Sha, shortSha } from '../ids.ts';
import { type Gate, gateOf, isStranded } from './gating.ts';
import type { Failure, Owed, Round, ShepherdState } from './state.ts';

/** Times are ISO 8601. */
export interface ShepherdStatus extends PrRef {
  readonly state: Gate;
  /** Why it reviews, or why not; a clause. */
  readonly reason: string;
  readonly headSha: Sha | null;
  readonly lastReviewed: {
    readonly sha: Sha;
    readonly iteration: number;
    readonly at: string;
    /** Whether all six aspects read everything. */
    readonly complete: boolean;
    readonly commentId: number | null;
  } | null;
  readonly round: {
    readonly wakeId: string;
    readonly phase: Round['phase'];
    readonly headSha: Sha;
    /** Aspects that have not answered yet. */
    readonly pending: readonly Aspect[];
    readonly startedAt: string;
    readonly deadlineAt: string;
    readonly attempts: number;
    readonly requested: boolean;
  } | null;
  /** Why something that is under way is not done yet. */
  readonly waitsFor: string | null;
  readonly owed: { readonly since: string; readonly due: string; readonly why: string } | null;
  /** Requests of people that are not answered yet. */
  readonly unanswered: number;
  /** What of the conversation no reviewer has been shown as it is now; `null` until it was counted. */
  readonly unsurfacedItems: number | null;
  /** Why it is not sure what reviewers were shown, or what they were not. */
  readonly memoryTrouble: string | null;
  /** Labels that stand for work that is not done yet. */
  readonly labelsNoted: readonly { readonly label: string; readonly at: string }[];
  /** How many requests were not taken because too many waited. */
  readonly requestsDropped: number;
  /** What ended the last round that was given up, or the last look. */
  readonly failure: FailureStatus | null;
  /** The same of a reply, or of a change to the standing comment. */
  readonly requestFailure: FailureStatus | null;
  /** True where a review is missing and nothing is under way that would bring it. */
  readonly stranded: boolean;
}

/** Something that was given up. */
interface FailureStatus {
  readonly what: string;
  readonly at: string;
  readonly permanent: boolean;
}

const GONE = 'GitHub does not know it any more, or the App may not see it';

const REASONS: Readonly<Record<Gate, string>> = {
  unknown: 'the pull request was not read yet',
  closed: 'the pull request is closed',
  exited: 'the label no-shepherd was set, which is for good',
  paused: 'the label pause-shepherd is set',
  draft: 'it is a draft',
  unclassified: 'GitHub has not said yet whether its author is of the team',
  community: 'its author is not of the team, and the label shepherd is not set',
  muted: 'the review comment was deleted twice',
  active: 'each push is reviewed',
};

/** Why a gate is what it is; a clause. */
export function gateReason(gate: Gate): string {
  return REASONS[gate];
}

/** Reads a status from a state. */
export function statusOf(pr: PrRef, state: ShepherdState): ShepherdStatus {
  const { seen, published, round, owed, failure, requestFailure } = state;
  const gate = gateOf(state);
  return {
    owner: pr.owner,
    repo: pr.repo,
    number: pr.number,
    state: gate,
    reason: seen?.gone === true ? GONE : REASONS[gate],
    headSha: seen?.headSha ?? null,
    lastReviewed:
      published === undefined
        ? null
        : {
            sha: published.headSha,
            iteration: published.iteration,
            at: iso(published.atMs),
            complete: published.completeSha === published.headSha,
            commentId: published.commentId ?? null,
          },
    round: round === undefined ? null : roundStatus(round),
    waitsFor: state.look?.what ?? round?.trouble ?? null,
    owed: owed === undefined ? null : owedStatus(owed),
    unanswered: state.summons.filter((summons) => summons.stage === 'owed').length,
    unsurfacedItems: state.unsurfaced?.count ?? null,
    memoryTrouble: state.memoryTrouble ?? state.violation ?? null,
    labelsNoted: state.labelsNoted.map(({ label, atMs }) => ({ label, at: iso(atMs) })),
    requestsDropped: state.requestsDropped,
    failure: failure === undefined ? null : failureStatus(failure),
    requestFailure: requestFailure === undefined ? null : failureStatus(requestFailure),
    stranded: isStranded(state),
  };
}

function roundStatus(round: Round): NonNullable<ShepherdStatus['round']> {
  const { wakeId, phase, headSha, pending, attempts, request } = round;
  const startedAt = iso(round.startedAtMs);
  const deadlineAt = iso(round.deadlineAtMs);
  return {
    wakeId,
    phase,
    headSha,
    pending,
    startedAt,
    deadlineAt,
    attempts,
    requested: request !== undefined,
  };
}

function owedStatus({ sinceMs, dueAtMs, capped, request }: Owed): NonNullable<ShepherdStatus['owed']> {
  const settling = request === undefined ? 'waits for further pushes' : 'was asked for';
  const why = capped === true ? 'waits because too many rounds began within the hour' : settling;
  return { since: iso(sinceMs), due: iso(dueAtMs), why };
}

function failureStatus({ what, atMs, retryable }: Failure): FailureStatus {
  return { what, at: iso(atMs), permanent: !retryable };
}

/** A status in words, a line each. Not neutralised: a failure quotes GitHub. */
export function statusLines(status: ShepherdStatus): readonly string[] {
  const { state, reason, headSha, lastReviewed, round, owed, unanswered, requestsDropped } = status;
  const head = headSha === null ? '' : `, head ${shortSha(headSha)}`;
  return [
    `${state === 'active' ? 'active' : `not reviewing (${state})`}: ${reason}${head}`,
    lastReviewed === null ? 'not reviewed yet' : lastReviewedLine(lastReviewed, headSha),
    ...(round === null ? [] : [roundLine(round)]),
    ...(status.waitsFor === null ? [] : [`waits: ${status.waitsFor}`]),
    ...(owed === null
      ? []
      : [`a round is owed since ${minute(owed.since)} and due ${minute(owed.due)}; it ${owed.why}`]),
    ...(unanswered === 0 ? [] : [`requests that wait for an answer: ${unanswered}`]),
    ...(requestsDropped === 0 ? [] : [`requests not taken, because too many waited: ${requestsDropped}`]),
    ...unsurfacedLines(status),
    ...status.labelsNoted.map(
      ({ label, at }) => `label ${label} noted ${minute(at)}; that is not available yet`,
    ),
    ...failureLines('last failure', status.failure),
    ...failureLines('last failure of a reply', status.requestFailure),
    ...(status.stranded && lastReviewed?.sha !== headSha
      ? ['the head has no review, and none is under way']
      : []),
  ];
}

function unsurfacedLines({ unsurfacedItems, memoryTrouble, state }: ShepherdStatus): readonly string[] {
  const when = state === 'closed' ? 'kept unread when it was closed' : 'not yet surfaced to the reviewers';
  return [
    ...(unsurfacedItems === null || unsurfacedItems === 0
      ? []
      : [`items of the discussion ${when}: ${unsurfacedItems}`]),
    ...(memoryTrouble === null ? [] : [`memory of the discussion is degraded: ${memoryTrouble}`]),
  ];
}

function failureLines(name: string, failure: FailureStatus | null): readonly string[] {
  if (failure === null) return [];
  const outlook = failure.permanent ? 'not tried again by itself' : 'may pass';
  return [`${name} ${minute(failure.at)}, ${outlook}: ${failure.what}`];
}

function lastReviewedLine(
  { sha, iteration, at, complete, commentId }: NonNullable<ShepherdStatus['lastReviewed']>,
  headSha: Sha | null,
): string {
  const which = sha === headSha ? 'the head' : shortSha(sha);
  const gaps = `${complete ? '' : ', not everything was read'}${commentId === null ? ', the comment was deleted' : ''}`;
  return `reviewed ${which} at ${minute(at)}, review ${iteration}${gaps}`;
}

function roundLine({ phase, headSha, pending, deadlineAt }: NonNullable<ShepherdStatus['round']>): string {
  const waiting =
    phase === 'reviewing' ? `, waits for ${pending.join(', ')} until ${minute(deadlineAt)}` : '';
  return `a round over ${shortSha(headSha)} is ${phase}${waiting}`;
}

/** `2026-05-26 14:05 UTC`: what people read. */
export function minuteOf(timeMs: number): string {
  return minute(iso(timeMs));
}

function minute(isoTime: string): string {
  return `${isoTime.slice(0, 10)} ${isoTime.slice(11, 16)} UTC`;
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
