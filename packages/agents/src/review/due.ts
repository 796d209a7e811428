/**
 * What a state asks for. See `decide.ts`; this half derives commands, the other folds events.
 *
 * @module
 */
import type { WakeId } from '../ids.ts';
import { mayHear } from './decide-conversation.ts';
import { type SummonsCommand, summonsDue, summonsTimesMs } from './decide-summons.ts';
import { gateOf, isOver, mayReview } from './gating.ts';
import { type Notice, refreshDue } from './notice.ts';
import type { Round, ShepherdState } from './state.ts';

/** What the shell performs, one at a time; each is safe to repeat, and answers with an event. */
export type Command =
  | { readonly type: 'read-pr' }
  | { readonly type: 'classify'; readonly author: string; readonly isBot: boolean }
  /** Writes the markers of what a published round delivered. */
  | { readonly type: 'mark'; readonly wakeId: WakeId }
  /** Reads the conversation, and counts what no reviewer has been shown. */
  | { readonly type: 'hear' }
  | { readonly type: 'cancel'; readonly wakeId: WakeId }
  /** Keeps what a round found that ended with its PR; nothing is posted. */
  | { readonly type: 'conclude'; readonly round: Round }
  | { readonly type: 'stop-workers' }
  | { readonly type: 'prepare'; readonly round: Round }
  | { readonly type: 'start'; readonly round: Round }
  /** Asks for the comment's texts, while the workers work. */
  | { readonly type: 'compose'; readonly round: Round }
  | { readonly type: 'publish'; readonly round: Round }
  /** Writes the standing comment again, with a notice, or without the one that it shows. */
  | { readonly type: 'refresh'; readonly notice?: Notice; readonly editedBy?: string }
  | SummonsCommand
  /** Sends itself a message for this time. */
  | { readonly type: 'arm'; readonly atMs: number };

/** The next thing to do, or `undefined` when there is nothing until something happens. */
export function due(state: ShepherdState, nowMs: number): Command | undefined {
  return (
    markCommand(state) ??
    lookCommand(state, nowMs) ??
    endCommand(state) ??
    classifyCommand(state, nowMs) ??
    summonsDue(state, nowMs) ??
    refreshCommand(state, nowMs) ??
    roundCommand(state, nowMs) ??
    hearCommand(state, nowMs) ??
    arm(state, nowMs)
  );
}

/** A round is closed by it: before it, the next one would show the same items again. */
function markCommand({ toMark }: ShepherdState): Command | undefined {
  return toMark === undefined ? undefined : { type: 'mark', wakeId: toMark };
}

function hearCommand(state: ShepherdState, nowMs: number): Command | undefined {
  const { hearing, look } = state;
  if (hearing === undefined || look !== undefined || nowMs < hearing.notBeforeMs) return undefined;
  return mayHear(state) ? { type: 'hear' } : undefined;
}

/** Nothing is decided by what may no longer be true. */
function lookCommand({ look }: ShepherdState, nowMs: number): Command | undefined {
  return look !== undefined && nowMs >= look.notBeforeMs ? { type: 'read-pr' } : undefined;
}

/** What runs and is not wanted any more is ended before anything begins. */
function endCommand(state: ShepherdState): Command | undefined {
  if (state.toCancel !== undefined) return { type: 'cancel', wakeId: state.toCancel };
  if (state.toConclude !== undefined) return { type: 'conclude', round: state.toConclude };
  return state.workersActive && isOver(gateOf(state)) ? { type: 'stop-workers' } : undefined;
}

function classifyCommand(state: ShepherdState, nowMs: number): Command | undefined {
  const { seen } = state;
  if (seen === undefined || nowMs < state.classifyNotBeforeMs) return undefined;
  const gate = gateOf(state);
  const isOld = state.classOld === true && (gate === 'active' || gate === 'community');
  if (gate !== 'unclassified' && !isOld) return undefined;
  return { type: 'classify', author: seen.author, isBot: seen.authorIsBot };
}

function refreshCommand(state: ShepherdState, nowMs: number): Command | undefined {
  const refresh = nowMs < state.refreshNotBeforeMs ? undefined : refreshDue(state);
  if (refresh === undefined) return undefined;
  const { editedBy } = state;
  return { type: 'refresh', ...refresh, ...(editedBy === undefined ? {} : { editedBy }) };
}

function roundCommand(state: ShepherdState, nowMs: number): Command | undefined {
  const { round } = state;
  if (round === undefined || nowMs < round.retryAtMs) return undefined;
  // What is true of the PR is not known while it is to be read again.
  if (state.look !== undefined) return undefined;
  // A round waits, too, while GitHub has not said whose PR this is.
  if (!mayReview(state, round.request !== undefined)) return undefined;
  switch (round.phase) {
    case 'preparing':
      return { type: 'prepare', round };
    case 'starting':
      return { type: 'start', round };
    case 'publishing':
      return { type: 'publish', round };
    case 'reviewing':
      return round.textsDue === true ? { type: 'compose', round } : undefined;
  }
}

/** Every wait has an end, and the end is a message that survives a crash (S9, S10). */
function arm(state: ShepherdState, nowMs: number): Command | undefined {
  const atMs = nextTimeMs(state, nowMs);
  if (atMs === undefined) return undefined;
  if (state.armedAtMs !== undefined && state.armedAtMs <= atMs) return undefined;
  return { type: 'arm', atMs };
}

function nextTimeMs(state: ShepherdState, nowMs: number): number | undefined {
  const { look, round, owed, hearing } = state;
  const times: number[] = [...summonsTimesMs(state, nowMs), state.refreshNotBeforeMs];
  if (look !== undefined) times.push(look.notBeforeMs);
  if (hearing !== undefined && mayHear(state)) times.push(hearing.notBeforeMs);
  if (gateOf(state) === 'unclassified') times.push(state.classifyNotBeforeMs);
  if (round !== undefined) {
    times.push(round.retryAtMs);
    if (round.phase !== 'publishing') times.push(round.deadlineAtMs);
  } else if (owed !== undefined) times.push(owed.dueAtMs);
  const future = times.filter((timeMs) => timeMs > nowMs);
  return future.length === 0 ? undefined : Math.min(...future);
}
