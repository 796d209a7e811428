/**
 * The part of the state machine that is about requests: who may ask, what it starts, when it is answered. See
 * `decide.ts` for how it is used.
 *
 * Every request that is acknowledged gets exactly one answer, by a reply: with a round's result, a status, or
 * the reason why there is no review.
 *
 * @module
 */
import { hearNow } from './decide-conversation.ts';
import { gateOf, isOfHead, isOver, mayReview } from './gating.ts';
import { noteLabels } from './note-labels.ts';
import { type Round, type RoundRequest, type ShepherdState, without } from './state.ts';
import {
  changeSummons,
  type Heard,
  isKnown,
  MAX_HEARD,
  MAX_SUMMONS,
  type Request,
  type RequestOutcome,
  type Summons,
  settleSummons,
  wantsRound,
} from './summons.ts';
import { failureOf, HOUR_MS, type Trouble, waitFor, withinHour } from './trouble.ts';

/** Requests within an hour of an author who is not of the team. */
const AUTHOR_REQUESTS_PER_HOUR = 2;
/** Replies to one PR within an hour: whatever loops, ends here (T-131). */
const REPLIES_PER_HOUR = 12;
/** Attempts for one request: about an hour. */
const MAX_ATTEMPTS = 60;

/** A comment asks something of us. */
export function onSummoned(state: ShepherdState, heard: Heard, nowMs: number): ShepherdState {
  if (isKnown(state, heard.key) || state.heard.includes(unsaidKey(heard.to))) return state;
  if (state.summons.length >= MAX_SUMMONS) return { ...state, requestsDropped: state.requestsDropped + 1 };
  const summons: Summons = {
    ...heard,
    // An answer is looked for since then.
    atMs: heard.saidAtMs ?? nowMs,
    stage: 'judging',
    acknowledged: heard.reactTo === undefined,
    attempts: 0,
    notBeforeMs: 0,
  };
  // What is true of the PR now is read before anything is decided; pushes keep their window.
  const look = state.look ?? { settle: true, attempts: 0, notBeforeMs: 0 };
  return { ...state, summons: [...state.summons, summons], look };
}

/** The comment is gone before it was answered, or before it was heard: nobody waits any more. */
export function onUnsaid(state: ShepherdState, to: string): ShepherdState {
  const gone = state.summons.filter((summons) => summons.to === to);
  const settled = gone.reduce((next, { key }) => settleSummons(next, key), state);
  const next = { ...settled, heard: [...settled.heard, unsaidKey(to)].slice(-MAX_HEARD) };
  const isAskedFor = next.summons.some(({ stage, ask }) => stage === 'owed' && wantsRound(ask));
  const wasWanted = gone.some(({ ask }) => wantsRound(ask));
  return next.owed?.request === undefined || isAskedFor || !wasWanted ? next : withdrawRequest(next);
}

function unsaidKey(to: string): string {
  return `unsaid ${to}`;
}

/** What is owed only because it was asked for is owed no more. */
function withdrawRequest(state: ShepherdState): ShepherdState {
  const { owed, seen, published } = state;
  if (owed === undefined) return state;
  const { request: _withdrawn, ...rest } = owed;
  return isOfHead(published, seen) || !mayReview(state, false)
    ? without(state, 'owed')
    : { ...state, owed: rest };
}

/** GitHub said whether they are of the team. */
export function onAuthorized(
  state: ShepherdState,
  event: { readonly key: string; readonly may: boolean },
  nowMs: number,
): ShepherdState {
  const summons = state.summons.find(({ key }) => key === event.key);
  if (summons === undefined) return state;
  return event.may ? admit(state, summons, nowMs) : settleSummons(state, event.key);
}

/** The answer stands on GitHub. */
export function onAnswered(
  state: ShepherdState,
  { key, commentId }: { readonly key: string; readonly commentId: number },
  nowMs: number,
): ShepherdState {
  const gate = gateOf(state);
  const summons = state.summons.find((candidate) => candidate.key === key);
  const waits = summons !== undefined && isPending(state, summons) && state.owed?.capped === true;
  return {
    ...(waits ? changeSummons(state, key, { toldWait: true }) : settleSummons(state, key)),
    repliesMs: [...withinHour(state.repliesMs, nowMs), nowMs],
    ourReplyIds: [...state.ourReplyIds, commentId].slice(-MAX_HEARD),
    ...(isOver(gate) ? { told: gate } : {}),
  };
}

/**
 * What may pass is tried again, for about an hour. A question that cannot be answered gets the status, once;
 * what GitHub refuses for good is recorded.
 */
export function onSummonsFailed(
  state: ShepherdState,
  event: Trouble & { readonly key: string },
  nowMs: number,
): ShepherdState {
  const summons = state.summons.find(({ key }) => key === event.key);
  if (summons === undefined) return state;
  if (event.retryable && summons.attempts < MAX_ATTEMPTS) {
    const notBeforeMs = nowMs + waitFor(event, summons.attempts);
    return changeSummons(state, event.key, { attempts: summons.attempts + 1, notBeforeMs });
  }
  if (summons.stage === 'owed' && summons.ask.kind === 'question') {
    return changeSummons(state, event.key, { ask: { kind: 'status' }, attempts: 0, notBeforeMs: 0 });
  }
  return { ...settleSummons(state, event.key), requestFailure: failureOf(event, nowMs) };
}

/** Decides what can be decided without asking GitHub, and sees that each owed round is under way. */
export function tendSummons(state: ShepherdState, nowMs: number): ShepherdState {
  if (state.seen === undefined || state.look !== undefined) return state;
  return state.summons.reduce((next, summons) => tendOne(next, summons, nowMs), noteLabels(state, nowMs));
}

function tendOne(state: ShepherdState, summons: Summons, nowMs: number): ShepherdState {
  if (summons.stage === 'judging') {
    const verdict = judgeAuthor(state, summons, nowMs);
    if (verdict === 'ask') return state;
    if (verdict === 'no') return settleSummons(state, summons.key);
    const asked = [...withinHour(state.authorAskedMs, nowMs), nowMs];
    const counted = state.authorClass === 'team' ? state : { ...state, authorAskedMs: asked };
    return admit(counted, summons, nowMs);
  }
  const isDone = summons.outcome !== undefined || isOver(gateOf(state));
  if (summons.toldWait === true && isDone) return settleSummons(state, summons.key);
  // Its round was dropped without a word, as by a pause that is over: it is owed again (T-040).
  const listens = summons.listened === true && state.hearing !== undefined;
  const underWay = state.round !== undefined || state.owed !== undefined || listens;
  return isPending(state, summons) && !underWay ? admit(state, summons, nowMs) : state;
}

/** Whether they may ask: the author of the PR in some cases, of all others GitHub knows. */
function judgeAuthor(state: ShepherdState, summons: Summons, nowMs: number): 'yes' | 'no' | 'ask' {
  if (summons.by !== state.seen?.author) return 'ask';
  if (state.authorClass === 'team') return 'yes';
  if (gateOf(state) !== 'active') return state.authorClass === 'community' ? 'no' : 'ask';
  return withinHour(state.authorAskedMs, nowMs).length < AUTHOR_REQUESTS_PER_HOUR ? 'yes' : 'no';
}

/** From here on an answer is owed. */
function admit(state: ShepherdState, summons: Summons, nowMs: number): ShepherdState {
  const { key, ask } = summons;
  const gate = gateOf(state);
  // Closed means silent, after it was said once.
  if (isOver(gate) && state.told === gate) return settleSummons(state, key);
  // What is owed already goes on waiting as it did, or a failure would be tried again without end (S9).
  const owed =
    summons.stage === 'owed'
      ? state
      : changeSummons(state, key, { stage: 'owed', attempts: 0, notBeforeMs: 0 });
  if (!wantsRound(ask) || isShut(state)) return owed;
  if (ask.kind === 'review' && stands(state)) {
    // What people said since may be worth a round; whoever asks is asking for that, too.
    if (summons.listened !== true) return hearNow(changeSummons(owed, key, { listened: true }), nowMs);
    if ((state.unsurfaced?.worthReading ?? 0) === 0) {
      return changeSummons(owed, key, { outcome: { kind: 'stands' } });
    }
  }
  return requestRound({ ...owed, deletedCommentIds: [] }, ask.kind, nowMs);
}

/** Not even a request starts a round. */
function isShut(state: ShepherdState): boolean {
  return !mayReview({ ...state, deletedCommentIds: [] }, true);
}

/** Whether the comment is a whole review of the present commit. */
function stands({ seen, published }: ShepherdState): boolean {
  return (
    published?.commentId !== undefined &&
    isOfHead(published, seen) &&
    published.completeSha === published.headSha
  );
}

function requestRound(state: ShepherdState, request: RoundRequest, nowMs: number): ShepherdState {
  const { round, owed, seen } = state;
  const serves = round !== undefined && isOfHead(round, seen) && (request === 'review' || !round.incremental);
  if (serves) return state;
  return {
    ...state,
    owed: {
      sinceMs: owed?.sinceMs ?? nowMs,
      dueAtMs: owed?.capped === true ? owed.dueAtMs : nowMs,
      request: owed?.request === 'review-full' ? 'review-full' : request,
      ...(owed?.capped === true ? { capped: true } : {}),
    },
  };
}

/** A published round answers those who waited for it. */
export function serveRequests(state: ShepherdState, round: Round): ShepherdState {
  const serves = isOfHead(round, state.seen) || round.request !== undefined;
  return withOutcome(
    state,
    { kind: 'reviewed' },
    (ask) => serves && (ask.kind === 'review' || !round.incremental),
  );
}

/** What was said since cannot be read, so that nobody knows whether the review stands: that is the answer. */
export function failListening(state: ShepherdState, trouble: Trouble, nowMs: number): ShepherdState {
  const waits = state.summons.filter(
    ({ listened, stage, outcome }) => listened === true && stage === 'owed' && outcome === undefined,
  );
  if (waits.length === 0 || state.round !== undefined || state.owed !== undefined) return state;
  const outcome: RequestOutcome = { kind: 'failed', what: trouble.what };
  const failed = waits.reduce((next, { key }) => changeSummons(next, key, { outcome }), state);
  return { ...failed, requestFailure: failureOf(trouble, nowMs) };
}

/** A round that was given up answers, too: with the reason. */
export function failRequests(state: ShepherdState, what: string): ShepherdState {
  return withOutcome(state, { kind: 'failed', what }, () => true);
}

function withOutcome(
  state: ShepherdState,
  outcome: RequestOutcome,
  served: (ask: Request) => boolean,
): ShepherdState {
  const waits = (summons: Summons): boolean =>
    summons.stage === 'owed' && wantsRound(summons.ask) && summons.outcome === undefined;
  return {
    ...state,
    summons: state.summons.map((summons) =>
      waits(summons) && served(summons.ask) ? { ...summons, outcome } : summons,
    ),
  };
}

/** What requests ask for now. */
export type SummonsCommand =
  /** Is this person of the team? */
  | { readonly type: 'authorize'; readonly summons: Summons }
  | { readonly type: 'acknowledge'; readonly summons: Summons }
  | { readonly type: 'answer'; readonly summons: Summons };

/** The next thing to do about requests. */
export function summonsDue(state: ShepherdState, nowMs: number): SummonsCommand | undefined {
  if (state.seen === undefined || state.look !== undefined) return undefined;
  for (const summons of state.summons) {
    const command = nowMs < summons.notBeforeMs ? undefined : commandFor(state, summons, nowMs);
    if (command !== undefined) return command;
  }
  return undefined;
}

function commandFor(state: ShepherdState, summons: Summons, nowMs: number): SummonsCommand | undefined {
  if (summons.stage === 'judging') return { type: 'authorize', summons };
  // Nobody is told to wait for nothing: an answer is owed from here on (T-137).
  if (!summons.acknowledged) return { type: 'acknowledge', summons };
  // A model may take its time for a question; the review under way goes first.
  if (summons.ask.kind === 'question' && state.round !== undefined) return undefined;
  if (summons.toldWait === true) return undefined;
  // Who would have to wait for the hour to end is told so now; the round comes all the same.
  const waits = isPending(state, summons) && state.owed?.capped !== true;
  return waits || nowMs < repliesFromMs(state, nowMs) ? undefined : { type: 'answer', summons };
}

/** Whether a round is still to answer a request. */
function isPending(state: ShepherdState, { ask, outcome }: Summons): boolean {
  return wantsRound(ask) && outcome === undefined && !isShut(state);
}

/** When requests want to be looked at again. */
export function summonsTimesMs(state: ShepherdState, nowMs: number): readonly number[] {
  if (state.summons.length === 0) return [];
  return [...state.summons.map((summons) => summons.notBeforeMs), repliesFromMs(state, nowMs)];
}

/** From when on the number of replies within an hour allows for another one. */
function repliesFromMs(state: ShepherdState, nowMs: number): number {
  const recent = withinHour(state.repliesMs, nowMs);
  const oldest = recent.at(-REPLIES_PER_HOUR);
  return oldest === undefined ? 0 : oldest + HOUR_MS;
}
