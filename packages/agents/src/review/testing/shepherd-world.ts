/**
 * A world around the state machine for its tests: a PR as GitHub knows it, a clock, and a driver that
 * performs commands the way the Shepherd does, keeping only what a crash would leave.
 *
 * @module
 */
import { ASPECTS, type Aspect, type Sha, type WakeId } from '../../ids.ts';
import { apply, type ShepherdEvent } from '../decide.ts';
import { type Command, due } from '../due.ts';
import { gateOf, INITIAL_STATE, type Seen, type ShepherdState } from '../state.ts';

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
}

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
  /** Commands that fail in passing before one succeeds. */
  failures = 0;
  readonly commands: Command[] = [];
  readonly publications: Publication[] = [];
  readonly modelRounds: WakeId[] = [];
  /** Gate as the world really was when workers were asked. */
  readonly askedWhile: string[] = [];
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
    this.state = apply(this.state, event, this.nowMs, TIMING);
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
        return { type: 'pr-read', seen: this.pr };
      case 'classify':
        return { type: 'classified', authorClass: this.team ? 'team' : 'community' };
      case 'cancel':
        return { type: 'cancelled' };
      case 'stop-workers':
        return { type: 'workers-stopped' };
      case 'prepare':
        // Preparing reads the PR, too, and begins nothing that is no longer wanted.
        if (gateOf({ ...this.state, seen: this.pr }) !== 'active') {
          return { type: 'fenced', wakeId: command.round.wakeId, seen: this.pr };
        }
        return {
          type: 'prepared',
          wakeId: command.round.wakeId,
          baseSha: command.round.baseSha,
          empty: false,
        };
      case 'start':
        this.modelRounds.push(command.round.wakeId);
        this.askedWhile.push(gateOf({ ...this.state, seen: this.pr }));
        return { type: 'started', wakeId: command.round.wakeId };
      case 'arm':
        return { type: 'armed', atMs: command.atMs };
      case 'publish':
        return this.publish(command.round);
    }
  }

  private publish(round: NonNullable<ShepherdState['round']>): ShepherdEvent {
    const { wakeId, headSha, iteration, pending } = round;
    const current = this.pr.headSha === headSha && this.pr.baseRef === round.baseRef;
    const gate = gateOf({ ...this.state, seen: this.pr });
    if (gate !== 'active' || (!current && !round.mayBeStale))
      return { type: 'fenced', wakeId, seen: this.pr };
    this.publications.push({ headSha, iteration, atMs: this.nowMs, missing: pending, current });
    return { type: 'published', wakeId, commentId: 77, complete: pending.length === 0 };
  }
}
