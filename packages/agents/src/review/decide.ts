/**
 * The state machine of a Shepherd. Pure: state, event and time in, state out; and from a state and a time
 * what is to be done next.
 *
 * Two functions instead of one, because of crashes (S2): {@link apply} folds what happened into the state,
 * {@link due} derives the next command from the state alone. A command that was lost with the process is
 * simply derived again, so every command must be safe to repeat.
 *
 * Events say that something may have changed; what is true is read from GitHub (`read-pr`), so duplicated,
 * reordered and redelivered events end in the same state.
 *
 * @module
 */
import type { Aspect, Sha, WakeId } from '../ids.ts';
import type { Unsurfaced } from './conversation-state.ts';
import { onCommentDeleted, onCommentEdited, onRefreshed, onRefreshFailed } from './decide-comment.ts';
import { onHeard, onHearingFailed, onMarked, onMarkFailed, onSaid } from './decide-conversation.ts';
import { FRESH_LOOK, lookAgain, onClassified, onGone, onRead, onReadFailed } from './decide-look.ts';
import {
  onComposed,
  onPrepared,
  onPublished,
  onRoundFailed,
  onStarted,
  onTick,
  onWorkerDone,
  type Timing,
} from './decide-rounds.ts';
import {
  failListening,
  onAnswered,
  onAuthorized,
  onSummoned,
  onSummonsFailed,
  onUnsaid,
  tendSummons,
} from './decide-summons.ts';
import { type Look, type Seen, type ShepherdState, without } from './state.ts';
import { changeSummons, type Heard } from './summons.ts';
import { failureOf, HOUR_MS, type Trouble, waitFor } from './trouble.ts';

/** What can happen to a Shepherd. */
export type ShepherdEvent =
  /** GitHub told of the PR; `push` names the commit that a push replaced. */
  | { readonly type: 'pr-changed'; readonly push: boolean; readonly replacedSha?: Sha }
  | { readonly type: 'pr-read'; readonly seen: Seen }
  | { readonly type: 'pr-gone' }
  | { readonly type: 'classified'; readonly authorClass: 'team' | 'community' }
  | {
      readonly type: 'prepared';
      readonly wakeId: WakeId;
      readonly baseSha: Sha;
      readonly empty: boolean;
      /** When the conversation was read for it, and what of it no reviewer had been shown. */
      readonly heardAtMs: number;
      readonly unsurfaced: Unsurfaced;
      readonly asked: readonly Heard[];
    }
  /** The workers are asked; `asksTexts` where a model is to write the comment's texts. */
  | { readonly type: 'started'; readonly wakeId: WakeId; readonly asksTexts: boolean }
  /** The texts were asked for, whether they came or not. */
  | { readonly type: 'composed'; readonly wakeId: WakeId }
  | { readonly type: 'worker-done'; readonly wakeId: WakeId; readonly aspect: Aspect }
  /** The comment stands; `complete` where all six aspects read everything (S5). */
  | {
      readonly type: 'published';
      readonly wakeId: WakeId;
      readonly commentId: number;
      readonly complete: boolean;
      /** Whether anything was said on the PR. */
      readonly hasItems: boolean;
      /** Why it is not sure what is marked; the comment says so. */
      readonly memoryTrouble?: string;
      /** The comment before it, where that was found to be gone. */
      readonly deletedCommentId?: number;
    }
  /** The PR was read just before writing, and the round no longer fits it (S3). */
  | { readonly type: 'fenced'; readonly wakeId: WakeId; readonly seen: Seen }
  | { readonly type: 'cancelled' }
  | { readonly type: 'workers-stopped' }
  | { readonly type: 'armed'; readonly atMs: number }
  | Failed
  /** Somebody said, changed, resolved or hid something; `commentId` where it is a comment under the PR. */
  | { readonly type: 'said'; readonly commentId?: number }
  /** The conversation was read. */
  | {
      readonly type: 'heard';
      readonly unsurfaced: Unsurfaced;
      readonly heardAtMs: number;
      /** What people ask of us in it, whether a delivery told of it or not. */
      readonly asked: readonly Heard[];
      readonly memoryTrouble?: string;
    }
  /** What a published round delivered is marked, as far as it could be. */
  | {
      readonly type: 'marked';
      readonly wakeId: WakeId;
      /** When the conversation was read that they are about; absent where nothing was kept of it. */
      readonly readAtMs?: number;
      readonly unsurfaced?: Unsurfaced;
      readonly memoryTrouble?: string;
      readonly violation?: string;
    }
  /** Somebody asks something of us in a comment. */
  | { readonly type: 'summoned'; readonly heard: Heard }
  /** A comment was deleted; `to` is its node id. */
  | { readonly type: 'unsaid'; readonly to: string }
  | { readonly type: 'authorized'; readonly key: string; readonly may: boolean }
  | { readonly type: 'acknowledged'; readonly key: string }
  | { readonly type: 'answered'; readonly key: string; readonly commentId: number }
  | { readonly type: 'comment-deleted'; readonly commentId: number }
  | { readonly type: 'comment-edited'; readonly commentId: number; readonly by: string }
  | { readonly type: 'refreshed'; readonly notice?: string }
  /** What a round found that ended with its PR is kept. */
  | { readonly type: 'concluded' }
  /** The wake-up message arrived, whatever the clock says: another one has to be sent. */
  | { readonly type: 'woken' }
  /** Time passed; sent at the end of each batch of events. */
  | { readonly type: 'tick' };

/** Which command failed. */
export type FailedAt =
  | { readonly at: 'read-pr' | 'classify' | 'round' | 'conversation' | 'mark' }
  | { readonly at: 'summons'; readonly key: string }
  | { readonly at: 'refresh'; readonly notice?: string };
type Failed = { readonly type: 'failed' } & FailedAt & Trouble;

/** Folds one event into the state. */
export function apply(
  state: ShepherdState,
  event: ShepherdEvent,
  nowMs: number,
  timing: Timing,
): ShepherdState {
  switch (event.type) {
    case 'pr-changed':
      return lookAgain(state, event);
    case 'pr-read':
      return onRead(state, event.seen, nowMs, timing);
    case 'pr-gone':
      return onGone(state, nowMs);
    case 'classified':
      return onClassified(state, event.authorClass, nowMs);
    case 'fenced':
      // As if a push had been heard of: the round may be dropped once, and then finishes (see `supersede`).
      return state.round?.wakeId === event.wakeId
        ? onRead({ ...state, look: fenceLook(state, event.seen) }, event.seen, nowMs, timing)
        : state;
    case 'armed':
      return { ...state, armedAtMs: event.atMs };
    case 'failed':
      return onFailed(state, event, nowMs);
    case 'woken':
      return without(state, 'armedAtMs');
    case 'tick':
      return onTick(tendSummons(state, nowMs), nowMs, timing);
    case 'said':
      return onSaid(state, event, nowMs, timing.settleMs);
    case 'heard':
      return onAsked(onHeard(state, event, nowMs), event.asked, nowMs);
    case 'marked':
      return onMarked(state, event, nowMs);
    case 'summoned':
    case 'unsaid':
    case 'authorized':
    case 'acknowledged':
    case 'answered':
      return applySummons(state, event, nowMs);
    case 'comment-deleted':
      return onCommentDeleted(state, event.commentId);
    case 'comment-edited':
      return onCommentEdited(state, event, nowMs);
    case 'refreshed':
      return onRefreshed(state, event.notice, nowMs);
    default:
      return applyRound(state, event, nowMs);
  }
}

/** Requests that were found in the conversation, whether a delivery told of them or not. */
function onAsked(state: ShepherdState, asked: readonly Heard[], nowMs: number): ShepherdState {
  return asked.reduce((next, heard) => onSummoned(next, heard, nowMs), state);
}

/** A fence that sees the commit before the round's is more likely to see an old answer than a step back (T-025). */
function fenceLook({ published, round }: ShepherdState, seen: Seen): Look {
  const isOld = seen.headSha === published?.headSha && seen.headSha !== round?.headSha;
  return isOld ? { ...FRESH_LOOK, replacedSha: seen.headSha } : FRESH_LOOK;
}

type EventOf<T extends ShepherdEvent['type']> = Extract<ShepherdEvent, { readonly type: T }>;

function applyRound(
  state: ShepherdState,
  event: EventOf<
    | 'prepared'
    | 'started'
    | 'composed'
    | 'worker-done'
    | 'published'
    | 'cancelled'
    | 'workers-stopped'
    | 'concluded'
  >,
  nowMs: number,
): ShepherdState {
  switch (event.type) {
    case 'prepared':
      return onAsked(onPrepared(state, event), event.asked, nowMs);
    case 'started':
      return onStarted(state, event);
    case 'composed':
      return onComposed(state, event.wakeId);
    case 'worker-done':
      return onWorkerDone(state, event);
    case 'published':
      return onPublished(state, event, nowMs);
    case 'cancelled':
      return without(state, 'toCancel');
    case 'workers-stopped':
      return { ...state, workersActive: false };
    case 'concluded':
      return without(state, 'toConclude');
  }
}

function applySummons(
  state: ShepherdState,
  event: EventOf<'summoned' | 'unsaid' | 'authorized' | 'acknowledged' | 'answered'>,
  nowMs: number,
): ShepherdState {
  switch (event.type) {
    case 'summoned':
      return onSummoned(state, event.heard, nowMs);
    case 'unsaid':
      return onUnsaid(state, event.to);
    case 'authorized':
      return onAuthorized(state, event, nowMs);
    case 'acknowledged':
      return changeSummons(state, event.key, { acknowledged: true, attempts: 0 });
    case 'answered':
      return onAnswered(state, event, nowMs);
  }
}

function onFailed(state: ShepherdState, event: Failed, nowMs: number): ShepherdState {
  const isAside = event.retryable || event.at === 'conversation' || event.at === 'mark';
  const failed: ShepherdState = isAside ? state : { ...state, failure: failureOf(event, nowMs) };
  switch (event.at) {
    case 'read-pr':
      return onReadFailed(state, event, nowMs);
    case 'classify':
      // What was said last holds until it can be asked again.
      if (state.classOld === true) return without(failed, 'classOld');
      return {
        // Not classified, and no round meanwhile.
        ...without(failed, 'authorClass', 'classifiedAtMs', 'classOld'),
        classifyAttempts: state.classifyAttempts + 1,
        classifyNotBeforeMs: nowMs + (event.retryable ? waitFor(event, state.classifyAttempts) : HOUR_MS),
      };
    case 'round':
      return onRoundFailed(failed, event, nowMs);
    case 'conversation': {
      const next = onHearingFailed(state, event, nowMs);
      return next.hearing === undefined ? failListening(next, event, nowMs) : next;
    }
    case 'mark':
      return onMarkFailed(state, event);
    case 'summons':
      return onSummonsFailed(state, event, nowMs);
    case 'refresh':
      return onRefreshFailed(state, event, nowMs);
  }
}
