/**
 * A world around the state machine for its tests: a PR as GitHub knows it, a clock, and a driver that
 * performs commands the way the Shepherd does, keeping only what a crash would leave.
 *
 * @module
 */
import { ASPECTS, type Aspect, type Sha, type WakeId } from '../../ids.ts';
import { apply, type ShepherdEvent } from '../decide.ts';
import type { SummonsCommand } from '../decide-summons.ts';
import { type Command, due } from '../due.ts';
import { type Gate, gateOf, mayReview } from '../gating.ts';
import { type Notice, noticeKey } from '../notice.ts';
import { INITIAL_STATE, type Round, type Seen, type ShepherdState } from '../state.ts';
import type { Heard, Request, RequestOutcome } from '../summons.ts';
import type { Trouble } from '../trouble.ts';

export const TIMING = { settleMs: 10_000, roundTimeoutMs: 300_000 };

export function shaOf(n: number): Sha {
  return n.toString(16).padStart(40, '0') as Sha;
}

/** What the world saw of a publication. */
export interface Publication {
  readonly headSha: Sha;
  readonly iteration: number;
  readonly atMs: number;
  readonly missing: readonly Aspect[];
  /** Whether the PR's head was this one when it was written. */
  readonly current: boolean;
  /** Whether the round before it was dropped for a push. */
  readonly dropped: boolean;
  /** How long its commits had waited for a review. */
  readonly waitedMs: number;
}

/** A reply that was given. */
export interface Reply {
  readonly key: string;
  readonly by: string;
  readonly ask: Request['kind'];
  readonly outcome: RequestOutcome['kind'] | undefined;
  readonly gate: Gate;
  readonly atMs: number;
}

type RoundCommand = Extract<Command, { type: 'prepare' | 'start' | 'compose' | 'publish' }>;

export class World {
  nowMs = 1_000_000;
  state: ShepherdState = INITIAL_STATE;
  pr: Seen = {
    open: true,
    draft: false,
    labels: [],
    headSha: shaOf(1),
    baseRef: 'main',
    baseSha: shaOf(1000),
    author: 'ada',
    authorIsBot: false,
  };
  team = true;
  /** Aspects whose workers never answer. */
  silent: readonly Aspect[] = [];
  /** Whether workers answer at once or wait for `answer()`. */
  instant = true;
  /** Whether a model is asked for the comment's texts. */
  asksTexts = true;
  /** Rounds for which it was asked. */
  readonly textsRounds: WakeId[] = [];
  /** Reads that do not know the PR before one does. */
  absent = 0;
  /** What the next fence sees instead of the truth. */
  fenceSees: Seen | undefined;
  /** Commands that fail in passing before one succeeds. */
  failures = 0;
  readonly commands: Command[] = [];
  readonly publications: Publication[] = [];
  readonly modelRounds: WakeId[] = [];
  /** The gate as the world really was when workers were asked, and whether a person had asked for it. */
  readonly asked: { readonly gate: Gate; readonly requested: boolean }[] = [];
  /** People, besides the author, who are of the team. */
  members: readonly string[] = ['mia'];
  /** What was replied, in order. */
  readonly replies: Reply[] = [];
  /** Keys of requests that got a reaction. */
  readonly acknowledged: string[] = [];
  /** What the standing comment was written again for. */
  readonly refreshes: (Notice['kind'] | 'plain')[] = [];
  /** Rounds whose findings were kept when the PR closed. */
  readonly concluded: WakeId[] = [];
  /** What people said that no reviewer was shown, and how often it was read. */
  unshown = 0;
  /** Why the conversation cannot be read. */
  cannotHear: Trouble | undefined;
  /** Whether GitHub knows none of the comments that ask. */
  absentComments = false;
  heard = 0;
  /** Rounds whose markers were written. */
  readonly marked: WakeId[] = [];
  /** Our comment on GitHub, while there is one. */
  commentId: number | undefined;
  /** When each round began. */
  readonly begunMs: number[] = [];
  /** How often it was created. */
  creations = 0;
  /** Most commands that one moment took. */
  busiest = 0;

  /** Delivers events, then does all that is due now. */
  deliver(...events: readonly ShepherdEvent[]): void {
    for (const event of events) this.fold(event);
    this.fold({ type: 'tick' });
    this.work();
  }

  /** Something happened on GitHub, and it says so. */
  change(change: Partial<Seen>, push = false): void {
    const replacedSha = this.pr.headSha;
    this.pr = { ...this.pr, ...change };
    this.deliver(push ? { type: 'pr-changed', push, replacedSha } : { type: 'pr-changed', push });
  }

  /** Somebody asks in a comment; `node` names the comment. */
  ask(by: string, ask: Request, node = `node-${this.commands.length}-${this.nowMs}`): void {
    const heard: Heard = {
      key: `${node} ${ask.kind}`,
      to: node,
      by,
      ask,
      place: { kind: 'comment' },
      reactTo: { kind: 'comment', id: 1 },
    };
    this.deliver({ type: 'summoned', heard });
  }

  /** Somebody says something; it asks nothing of us. */
  say(): void {
    this.unshown += 1;
    this.deliver({ type: 'said' });
  }

  private counted() {
    return { count: this.unshown, worthReading: this.unshown };
  }

  /** A person deletes our comment. `told`: whether GitHub's event arrives. */
  deleteComment(told = true): void {
    const commentId = this.commentId;
    this.commentId = undefined;
    if (told && commentId !== undefined) this.deliver({ type: 'comment-deleted', commentId });
  }

  /** Requests that are not answered yet. */
  summonsUnderWay(): number {
    return this.state.summons.filter((summons) => summons.stage === 'owed').length;
  }

  /** Workers of the open round answer. */
  answer(aspects: readonly Aspect[] = ASPECTS): void {
    const { round } = this.state;
    if (round === undefined) return;
    const spoken = aspects.filter((aspect) => !this.silent.includes(aspect));
    this.deliver(...spoken.map((aspect) => ({ type: 'worker-done', wakeId: round.wakeId, aspect }) as const));
  }

  /** Lets time pass; a wake-up message arrives whenever one was armed. */
  pass(ms: number): void {
    const end = this.nowMs + ms;
    for (;;) {
      const armedMs = this.state.armedAtMs;
      if (armedMs === undefined || armedMs > end) break;
      this.nowMs = Math.max(this.nowMs, armedMs);
      this.deliver();
    }
    this.nowMs = end;
    this.deliver();
  }

  private fold(event: ShepherdEvent): void {
    const { roundsBegun } = this.state;
    this.state = apply(this.state, event, this.nowMs, TIMING);
    if (this.state.roundsBegun > roundsBegun) this.begunMs.push(this.nowMs);
  }

  private work(): void {
    let count = 0;
    for (let command = due(this.state, this.nowMs); command; command = due(this.state, this.nowMs)) {
      this.commands.push(command);
      this.fold(this.perform(command));
      this.fold({ type: 'tick' });
      count += 1;
      this.busiest = Math.max(this.busiest, count);
      if (count > 200) throw new Error(`the state machine spins on ${command.type}`);
    }
    if (
      this.instant &&
      this.state.round?.phase === 'reviewing' &&
      this.state.round.pending.length > this.silent.length
    ) {
      this.answer();
    }
  }

  private perform(command: Command): ShepherdEvent {
    if (
      this.failures > 0 &&
      (command.type === 'read-pr' || command.type === 'prepare' || command.type === 'publish')
    ) {
      this.failures -= 1;
      const at = command.type === 'read-pr' ? 'read-pr' : 'round';
      return { type: 'failed', at, retryable: true, what: 'GitHub is down' };
    }
    switch (command.type) {
      case 'read-pr':
        this.absent -= 1;
        return this.absent >= 0 ? { type: 'pr-gone' } : { type: 'pr-read', seen: this.pr };
      case 'classify':
        return { type: 'classified', authorClass: this.team ? 'team' : 'community' };
      case 'mark':
        this.marked.push(command.wakeId);
        this.unshown = 0;
        return { type: 'marked', wakeId: command.wakeId, unsurfaced: { count: 0, worthReading: 0 } };
      case 'hear':
        if (this.cannotHear !== undefined) return { type: 'failed', at: 'conversation', ...this.cannotHear };
        this.heard += 1;
        return {
          type: 'heard',
          unsurfaced: this.counted(),
          heardAtMs: this.nowMs,
          asked: [],
        };
      case 'cancel':
        return { type: 'cancelled' };
      case 'stop-workers':
        return { type: 'workers-stopped' };
      case 'conclude':
        this.concluded.push(command.round.wakeId);
        return { type: 'concluded' };
      case 'arm':
        return { type: 'armed', atMs: command.atMs };
      case 'refresh':
        return this.refresh(command);
      case 'authorize':
      case 'acknowledge':
      case 'answer':
        return this.serve(command);
      default:
        return this.performRound(command);
    }
  }

  private performRound(command: RoundCommand): ShepherdEvent {
    const { round } = command;
    const { wakeId } = round;
    switch (command.type) {
      case 'prepare':
        // Preparing reads the PR, too, and begins nothing that is no longer wanted.
        if (!mayReview({ ...this.state, seen: this.pr }, round.request !== undefined)) {
          return { type: 'fenced', wakeId, seen: this.pr };
        }
        return {
          type: 'prepared',
          wakeId,
          baseSha: round.baseSha,
          empty: false,
          heardAtMs: this.nowMs,
          unsurfaced: this.counted(),
          asked: [],
        };
      case 'start':
        this.modelRounds.push(wakeId);
        this.asked.push({
          gate: gateOf({ ...this.state, seen: this.pr }),
          requested: round.request !== undefined,
        });
        return { type: 'started', wakeId, asksTexts: this.asksTexts };
      case 'compose':
        this.textsRounds.push(wakeId);
        return { type: 'composed', wakeId };
      case 'publish':
        return this.publish(round);
    }
  }

  private serve(command: SummonsCommand): ShepherdEvent {
    const { key, by, ask, outcome } = command.summons;
    switch (command.type) {
      case 'authorize':
        return { type: 'authorized', key, may: this.isTeam(by) };
      case 'acknowledge':
        if (this.absentComments) {
          return { type: 'failed', at: 'summons', key, retryable: true, what: 'GitHub does not know it' };
        }
        this.acknowledged.push(key);
        return { type: 'acknowledged', key };
      case 'answer':
        this.replies.push({
          key,
          by,
          ask: ask.kind,
          outcome: outcome?.kind,
          gate: gateOf(this.state),
          atMs: this.nowMs,
        });
        return { type: 'answered', key, commentId: 500 + this.replies.length };
    }
  }

  private isTeam(login: string): boolean {
    return this.members.includes(login) || (this.team && login === this.pr.author);
  }

  private refresh({ notice }: Extract<Command, { type: 'refresh' }>): ShepherdEvent {
    const commentId = this.state.published?.commentId;
    if (commentId !== undefined && this.commentId !== commentId)
      return { type: 'comment-deleted', commentId };
    this.refreshes.push(notice?.kind ?? 'plain');
    return notice === undefined ? { type: 'refreshed' } : { type: 'refreshed', notice: noticeKey(notice) };
  }

  private publish(round: Round): ShepherdEvent {
    const { wakeId, headSha, iteration, pending } = round;
    const { fenceSees } = this;
    this.fenceSees = undefined;
    if (fenceSees !== undefined) return { type: 'fenced', wakeId, seen: fenceSees };
    const current = this.pr.headSha === headSha && this.pr.baseRef === round.baseRef;
    const allowed = mayReview({ ...this.state, seen: this.pr }, round.request !== undefined);
    const late = !current && (!round.mayBeStale || this.pr.baseRef !== round.baseRef);
    if (!allowed || late) return { type: 'fenced', wakeId, seen: this.pr };
    const known = this.state.published?.commentId;
    const isGone = known !== undefined && known !== this.commentId;
    if (isGone && this.state.deletedCommentIds.length > 0)
      return { type: 'comment-deleted', commentId: known };
    if (this.commentId === undefined) {
      this.creations += 1;
      this.commentId = 70 + this.creations;
    }
    const [atMs, dropped] = [this.nowMs, this.state.supersededLast];
    const waitedMs = atMs - round.owedSinceMs;
    this.publications.push({ headSha, iteration, atMs, missing: pending, current, dropped, waitedMs });
    return {
      type: 'published',
      wakeId,
      commentId: this.commentId,
      complete: pending.length === 0,
      hasItems: this.unshown > 0,
      ...(isGone ? { deletedCommentId: known } : {}),
    };
  }
}
