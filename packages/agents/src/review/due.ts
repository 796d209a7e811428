/**
 * What a state asks for. See `decide.ts`; this half derives commands, the other folds events.
 *
 * @module
 */
import type { WakeId } from '../ids.ts';
import { gateOf, type Round, type ShepherdState } from './state.ts';

/** What the shell performs, one at a time; each is safe to repeat, and answers with an event. */
export type Command =
  | { readonly type: 'read-pr' }
  | { readonly type: 'classify'; readonly author: string; readonly isBot: boolean }
  | { readonly type: 'cancel'; readonly wakeId: WakeId }
  | { readonly type: 'stop-workers' }
  | { readonly type: 'prepare'; readonly round: Round }
  | { readonly type: 'start'; readonly round: Round }
  | { readonly type: 'publish'; readonly round: Round }
  /** Sends itself a message for this time. */
  | { readonly type: 'arm'; readonly atMs: number };

/** The next thing to do, or `undefined` when there is nothing until something happens. */
export function due(state: ShepherdState, nowMs: number): Command | undefined {
  const { look, seen, round } = state;
  if (look !== undefined && nowMs >= look.notBeforeMs) return { type: 'read-pr' };
  if (state.toCancel !== undefined) return { type: 'cancel', wakeId: state.toCancel };
  const gate = gateOf(state);
  if (state.workersActive && (gate === 'closed' || gate === 'exited')) return { type: 'stop-workers' };
  if (seen !== undefined && gate === 'unclassified' && nowMs >= state.classifyNotBeforeMs) {
    return { type: 'classify', author: seen.author, isBot: seen.authorIsBot };
  }
  if (round !== undefined && nowMs >= round.retryAtMs) {
    const command = roundCommand(round);
    if (command !== undefined) return command;
  }
  return arm(state, nowMs);
}

function roundCommand(round: Round): Command | undefined {
  switch (round.phase) {
    case 'preparing':
      return { type: 'prepare', round };
    case 'starting':
      return { type: 'start', round };
    case 'publishing':
      return { type: 'publish', round };
    case 'reviewing':
      return undefined;
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
  const { look, round, owed } = state;
  const times: number[] = [];
  if (look !== undefined) times.push(look.notBeforeMs);
  if (gateOf(state) === 'unclassified') times.push(state.classifyNotBeforeMs);
  if (round !== undefined) {
    times.push(round.retryAtMs);
    if (round.phase === 'starting' || round.phase === 'reviewing') times.push(round.deadlineAtMs);
  } else if (owed !== undefined) times.push(owed.dueAtMs);
  const future = times.filter((timeMs) => timeMs > nowMs);
  return future.length === 0 ? undefined : Math.min(...future);
}
