/**
 * What people ask of a Shepherd in comments, as long as it is not answered. Plain data, kept in the state, so
 * that an owed answer survives restarts and force pushes (S2).
 *
 * @module
 */
import type { Ask } from './mention.ts';

/** Where an answer goes: under the PR, or into the thread of a review comment. */
export type ReplyPlace =
  | { readonly kind: 'comment' }
  | { readonly kind: 'review-comment'; readonly id: number };

/** What is asked, by words or by a label that stands for work that is not done yet. */
export type Request = Ask | { readonly kind: 'label'; readonly label: string };

/** A comment that asks something of us, as it was heard. */
export interface Heard {
  /** Names the request: one act of a person that fires several events has one key (T-014). */
  readonly key: string;
  /** Node id of the comment; the reply carries it, and is found by it. */
  readonly to: string;
  /** Login of who asked. */
  readonly by: string;
  readonly ask: Request;
  /** When it was said, in milliseconds since the epoch, where that is not just now. */
  readonly saidAtMs?: number;
  readonly place: ReplyPlace;
  /** What can take a reaction; the summary of a review cannot. */
  readonly reactTo?: { readonly kind: 'comment' | 'review-comment'; readonly id: number };
}

/** How a round that was asked for came out. */
export type RequestOutcome =
  | { readonly kind: 'reviewed' }
  /** The review was of this very commit already, and whole. */
  | { readonly kind: 'stands' }
  | { readonly kind: 'failed'; readonly what: string };

/** A request that is not answered yet. */
export interface Summons extends Heard {
  readonly atMs: number;
  /** `judging`: whether they may ask is not known. `owed`: they get an answer. */
  readonly stage: 'judging' | 'owed';
  readonly acknowledged: boolean;
  readonly attempts: number;
  readonly notBeforeMs: number;
  /** Present once the conversation was ordered to be read, to see whether it asks for a round. */
  readonly listened?: true;
  readonly outcome?: RequestOutcome;
  /** That it has to wait for the hour to end was told: that was the answer, and its round still comes. */
  readonly toldWait?: true;
}

/** The part of a Shepherd's state that is about requests. */
export interface SummonsState {
  /** Oldest first; at most {@link MAX_SUMMONS}. */
  readonly summons: readonly Summons[];
  /** Keys of requests that were answered or dismissed, oldest first. */
  readonly heard: readonly string[];
  /** When the author, where not of the team, asked within the last hour. */
  readonly authorAskedMs: readonly number[];
  /** REST ids of our newest replies, by which they are told from what others say. */
  readonly ourReplyIds: readonly number[];
  /** When we replied within the last hour. */
  readonly repliesMs: readonly number[];
  /** That the PR is closed, or left alone for good, was told; it is told once (T-010, T-131). */
  readonly told?: 'closed' | 'exited';
  /** How many requests were not taken because too many waited. */
  readonly requestsDropped: number;
  /** Labels that stand for work that is not done yet, and since when. */
  readonly labelsNoted: readonly { readonly label: string; readonly atMs: number }[];
}

/** Requests of one PR that may wait at once; what comes on top is dropped (S9). */
export const MAX_SUMMONS = 20;
/** Keys that are remembered; far more than a PR has requests. */
export const MAX_HEARD = 200;

/**
 * Names a request, wherever it is heard of. One act of a person may be told several times (T-014): an order is one for
 * its whole review; each question has its own answer, in its own thread.
 */
export function requestKey(nodeId: string, kind: Request['kind'], reviewId: number | null): string {
  return kind === 'question' || reviewId === null ? `${nodeId} ${kind}` : `review ${reviewId} ${kind}`;
}

/** Whether a request wants a round. */
export function wantsRound(ask: Request): ask is { readonly kind: 'review' | 'review-full' } {
  return ask.kind === 'review' || ask.kind === 'review-full';
}

/** Whether a request is known, waiting or done with. */
export function isKnown(state: SummonsState, key: string): boolean {
  return state.heard.includes(key) || state.summons.some((summons) => summons.key === key);
}

/** The state with one request changed. */
export function changeSummons<S extends SummonsState>(state: S, key: string, change: Partial<Summons>): S {
  return {
    ...state,
    summons: state.summons.map((summons) => (summons.key === key ? { ...summons, ...change } : summons)),
  };
}

/** The state without a request, which is remembered as heard. */
export function settleSummons<S extends SummonsState>(state: S, key: string): S {
  return {
    ...state,
    summons: state.summons.filter((summons) => summons.key !== key),
    heard: [...state.heard, key].slice(-MAX_HEARD),
  };
}
