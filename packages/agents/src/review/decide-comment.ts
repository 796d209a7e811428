/**
 * The part of the state machine that is about the one comment in other hands: deleted or edited by people,
 * or written again because of a notice. See `decide.ts` for how it is used.
 *
 * @module
 */
import { dropRound } from './decide-rounds.ts';
import { gateOf } from './gating.ts';
import { type ShepherdState, without } from './state.ts';
import { failureOf, HOUR_MS, type Trouble, waitFor, withinHour } from './trouble.ts';

/** Attempts to write the standing comment again; after that it stands as it is until the next review. */
const MAX_REFRESH_ATTEMPTS = 5;
/** How often an hour it is put back after somebody edited it. */
const RESTORES_PER_HOUR = 6;

/** Our comment is gone, by an event or because GitHub no longer knows it (T-162). */
export function onCommentDeleted(state: ShepherdState, commentId: number): ShepherdState {
  const { published } = state;
  if (published?.commentId !== commentId || state.deletedCommentIds.includes(commentId)) return state;
  const { commentId: _gone, ...rest } = published;
  const next: ShepherdState = {
    ...without(state, 'editedBy', 'noticeShown'),
    published: rest,
    deletedCommentIds: [...state.deletedCommentIds, commentId],
  };
  return gateOf(next) === 'muted' ? without(dropRound(next), 'owed') : next;
}

/**
 * Somebody wrote into our comment; it is put right, and says by whom it was changed. Where that goes on and on,
 * it waits until the hour has room for it again (S9).
 */
export function onCommentEdited(
  state: ShepherdState,
  event: { readonly commentId: number; readonly by: string },
  nowMs: number,
): ShepherdState {
  if (state.published?.commentId !== event.commentId) return state;
  const recent = withinHour(state.restoredMs, nowMs);
  const oldest = recent.at(-RESTORES_PER_HOUR);
  const refreshNotBeforeMs = oldest === undefined ? 0 : oldest + HOUR_MS;
  return { ...state, editedBy: event.by, restoredMs: recent, refreshAttempts: 0, refreshNotBeforeMs };
}

/** The comment was written with this notice, or without one. */
export function onRefreshed(state: ShepherdState, notice: string | undefined, nowMs: number): ShepherdState {
  const next: ShepherdState = {
    ...without(state, 'editedBy', 'noticeShown'),
    restoredMs: state.editedBy === undefined ? state.restoredMs : [...state.restoredMs, nowMs],
    refreshAttempts: 0,
    refreshNotBeforeMs: 0,
  };
  return notice === undefined ? next : { ...next, noticeShown: notice };
}

/** Tried a few times; then it counts as shown, so that nothing spins (S9). */
export function onRefreshFailed(
  state: ShepherdState,
  event: Trouble & { readonly notice?: string },
  nowMs: number,
): ShepherdState {
  if (event.retryable && state.refreshAttempts < MAX_REFRESH_ATTEMPTS) {
    return {
      ...state,
      refreshAttempts: state.refreshAttempts + 1,
      refreshNotBeforeMs: nowMs + waitFor(event, state.refreshAttempts),
    };
  }
  return { ...onRefreshed(state, event.notice, nowMs), requestFailure: failureOf(event, nowMs) };
}
