/**
 * What we reply to somebody who asked something of us. Short; one reply for one request.
 *
 * @module
 */
import { type PrRef, type Sha, shortSha } from '../ids.ts';
import { type Coverage, nothingOpen, severityCounts } from './compose-status.ts';
import { gateOf, isOver } from './gating.ts';
import type { Ledger } from './ledger-entry.ts';
import { literalLine } from './neutralise.ts';
import { gateReason, minuteOf, statusLines, statusOf } from './shepherd-status.ts';
import type { ShepherdState } from './state.ts';
import type { Summons } from './summons.ts';

/** What a reply is written from. */
export interface ReplyFrame {
  readonly pr: PrRef;
  /** Web address of GitHub, without a trailing slash. */
  readonly webUrl: string;
  /** What we are called, without `@`. */
  readonly name: string;
  readonly state: ShepherdState;
  readonly ledger: Ledger;
  /** What the last review looked at; absent before the first one. */
  readonly coverage?: Coverage;
}

const STATUS_LINE_MAX_CHARS = 500;

/** The reply to a request, as Markdown. A question is answered elsewhere, and falls back to the status. */
export function replyText(summons: Summons, frame: ReplyFrame): string {
  const { ask, outcome } = summons;
  const gate = gateOf(frame.state);
  // A paused PR gets its status.
  if (isOver(gate)) return `Not reviewed: ${gateReason(gate)}.`;
  switch (ask.kind) {
    case 'help':
      return helpText(frame.name);
    case 'label':
      return `The label \`${ask.label}\` is noted. What it asks for is not available yet; reviews go on as before.`;
    case 'review':
    case 'review-full':
      return outcome === undefined ? waitingText(frame) : outcomeText(outcome, frame);
    case 'status':
    case 'question':
      return statusText(frame);
  }
}

/** The reply to a question where nobody is there to answer it. */
export function noModelText(frame: ReplyFrame): string {
  return `No model is configured, so questions are not answered; \`@${frame.name} help\` tells what can be asked. This is how the review stands:\n\n${statusText(frame)}`;
}

/** Why a question gets no answer of its own. */
export function unansweredText(frame: ReplyFrame, why: string): string {
  return `${literalLine(why, STATUS_LINE_MAX_CHARS)} This is how the review stands:\n\n${statusText(frame)}`;
}

function statusText({ pr, webUrl, state }: ReplyFrame): string {
  const lines = statusLines(statusOf(pr, forAll(state))).map(
    (line) => `- ${literalLine(line, STATUS_LINE_MAX_CHARS)}`,
  );
  const link = reviewLink({ pr, webUrl, state });
  return [...lines, ...(link === undefined ? [] : [`- ${link}`])].join('\n');
}

/** What is wrong with the memory names folders of the machine, which are the business of those who run it. */
function forAll(state: ShepherdState): ShepherdState {
  const memoryTrouble = 'parts of it may be read again';
  return state.memoryTrouble === undefined ? state : { ...state, memoryTrouble };
}

function waitingText(frame: ReplyFrame): string {
  const { owed } = frame.state;
  if (owed?.capped !== true || gateOf(frame.state) === 'paused') return statusText(frame);
  return `The review waits until ${minuteOf(owed.dueAtMs)}: as many as may began within the hour.`;
}

function outcomeText(outcome: NonNullable<Summons['outcome']>, frame: ReplyFrame): string {
  if (outcome.kind === 'failed') {
    return `The review could not be finished: ${literalLine(outcome.what, STATUS_LINE_MAX_CHARS)}`;
  }
  const { published } = frame.state;
  const at = published === undefined ? '' : ` at ${commit(published.headSha, frame)}`;
  const link = reviewLink(frame);
  const where = link === undefined ? '' : ` See ${link}.`;
  if (outcome.kind === 'stands') {
    return `The review${at} stands: nothing changed since.${where} \`@${frame.name} review full\` has the whole pull request reviewed again.`;
  }
  return `Reviewed${at}: ${resultText(frame)}${where}`;
}

function resultText({ ledger, coverage }: ReplyFrame): string {
  const open = ledger.filter((entry) => entry.state === 'open');
  if (open.length > 0) return `${severityCounts(open, 0)} open.`;
  const disputed = ledger.filter((entry) => entry.state === 'disputed');
  return coverage === undefined ? 'nothing is open.' : nothingOpen(coverage, disputed.length);
}

function reviewLink({ pr, webUrl, state }: Pick<ReplyFrame, 'pr' | 'webUrl' | 'state'>): string | undefined {
  const id = state.published?.commentId;
  return id === undefined
    ? undefined
    : `[the review](${webUrl}/${pr.owner}/${pr.repo}/pull/${pr.number}#issuecomment-${id})`;
}

function commit(sha: Sha, { pr, webUrl }: ReplyFrame): string {
  return `[\`${shortSha(sha)}\`](${webUrl}/${pr.owner}/${pr.repo}/commit/${sha})`;
}

/** Our own text holds no live mention (T-132): the name stands in code. */
function helpText(name: string): string {
  const say = (words: string): string => `\`@${name}${words}\``;
  return [
    `- ${say(' review')}: reviews what changed since the last review`,
    `- ${say(' review full')}: reviews the whole pull request again`,
    `- ${say(' status')}: says what is reviewed, what is under way, and why not`,
    `- ${say(' …')} with any other words: answers from the review and the change`,
    '- Labels: `shepherd` has a community pull request reviewed, `pause-shepherd` keeps quiet as long as it is set, `no-shepherd` ends it for good.',
  ].join('\n');
}
