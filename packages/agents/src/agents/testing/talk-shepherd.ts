/**
 * A Shepherd for tests of what becomes of a conversation: its commands are performed as in a real one, but for what
 * asks GitHub or a model.
 *
 * @module
 */
import type { Snapshot } from '../../conversation/item.ts';
import type { MarkerStore } from '../../conversation/marker-store.ts';
import type { PackedItem } from '../../conversation/pack.ts';
import { FactoryError, TransientError } from '../../errors.ts';
import type { ModelChoice } from '../../model/choice.ts';
import { apply, type ShepherdEvent } from '../../review/decide.ts';
import { type Command, due } from '../../review/due.ts';
import { mayReview } from '../../review/gating.ts';
import { noticeKey } from '../../review/notice.ts';
import type { Round, Seen, ShepherdState } from '../../review/state.ts';
import type { Ctx } from '../context.ts';
import { hear } from '../hear.ts';
import type { ReviewMessage } from '../messages.ts';
import type { ShepherdDeps } from '../orders.ts';
import { keptDiscussion, prepareDiscussion } from '../round-discussion.ts';
import { perform } from '../shepherd-commands.ts';
import {
  type FindingsRow,
  readMachine,
  readOwn,
  type ShepherdRows,
  writeMachine,
  writeOwn,
} from '../shepherd-state.ts';
import { Crash, createFragileMarkers, createRows, Fuse } from './fragile.ts';
import type { Journal } from './talk-journal.ts';
import { createCtx, createDeps, PR, TIMING } from './talk-ports.ts';

const ARGS = { repo: 'acme/shop', prNumber: 7 };
/** Wakes in which a round ends, whatever goes wrong. */
const MAX_WAKES = 60;

/** More than any wake needs. */
const MAX_COMMANDS = 100;

/** How a round goes, as far as it is not in the Shepherd's hands. */
export interface Plan {
  /** Which of the six model calls complete; `silent` where nobody answers. */
  readonly calls: 'all' | 'one' | 'none' | 'silent';
  /** Whether the call for the comment's texts completes. */
  readonly texts: boolean;
  /** `lost`: it is written, and the process ends before it knows. */
  readonly publish: 'done' | 'late' | 'refused' | 'overtaken' | 'lost';
  /** Whether the first read of the conversation fails. */
  readonly deaf: boolean;
  /** Whether nothing of the code changed, so that nobody is asked. */
  readonly empty: boolean;
  /** Steps after which the process ends. */
  readonly crashAfter?: number;
}

/** What a process meets. */
interface Surroundings {
  readonly nowMs: number;
  readonly now: () => number;
  readonly pr: Seen;
  readonly journal: Pick<Journal, 'published' | 'markBegun'>;
  pass(ms: number): void;
  push(): void;
  readForum(): Snapshot;
  prepared(shepherd: TalkShepherd, wakeId: string, readAtMs: number): void;
  marked(shepherd: TalkShepherd, event: ShepherdEvent): Promise<void>;
}

export const HONEST: Plan = { calls: 'all', texts: true, publish: 'done', deaf: false, empty: false };

interface Incoming {
  readonly event: ShepherdEvent;
  readonly findings?: FindingsRow;
}

export class TalkShepherd {
  readonly name: string;
  model: ModelChoice;
  readonly rows: ShepherdRows;
  readonly #world: Surroundings;
  readonly #fuse = new Fuse();
  readonly #markers: MarkerStore;
  readonly #incoming: Incoming[] = [];
  /** What each worker was asked, by round and aspect. */
  readonly #asked = new Map<string, ReviewMessage>();
  /** What stood in the input of the call for the texts, by round. */
  readonly #textsInput = new Map<string, readonly PackedItem[]>();
  /** What went wrong once in the present round. */
  readonly #passed = new Set<string>();

  constructor(world: Surroundings, name: string, model: ModelChoice, markers: MarkerStore) {
    this.#world = world;
    this.name = name;
    this.model = model;
    this.rows = createRows(this.#fuse);
    this.#markers = createFragileMarkers(markers, this.#fuse);
  }

  get state(): ShepherdState {
    return readMachine(this.rows.own);
  }

  tell(event: ShepherdEvent): void {
    this.#incoming.push({ event });
  }

  /** Goes on until nothing is to be done any more. */
  async settle(plan: Plan): Promise<void> {
    this.#passed.clear();
    this.#fuse.light(plan.crashAfter);
    for (let wake = 0; wake < MAX_WAKES; wake += 1) {
      await this.wake(plan);
      const { round, owed, toMark, look, armedAtMs } = this.state;
      if (this.answer(plan)) continue;
      if ([round, owed, toMark, look].every((open) => open === undefined)) break;
      this.#world.pass(Math.max(0, (armedAtMs ?? 0) - this.#world.nowMs));
    }
    this.#fuse.light(undefined);
  }

  /** One wake, of so many commands at most; a crash ends it, too. */
  async wake(plan: Plan, maxCommands = MAX_COMMANDS): Promise<void> {
    try {
      await this.#tend(plan, maxCommands);
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
  }

  /** Lets the workers answer. @returns whether there was anything to answer */
  answer({ calls }: Plan): boolean {
    const { round } = this.state;
    if (round?.phase !== 'reviewing' || calls === 'silent') return false;
    for (const aspect of round.pending) {
      const isHeard =
        this.model.kind === 'model' && (calls === 'all' || (calls === 'one' && aspect === 'perf'));
      const status = isHeard || aspect === 'tests' ? ('done' as const) : ('failed' as const);
      const key = `${round.wakeId}~${aspect}`;
      const row: FindingsRow = { key, wakeId: round.wakeId, aspect, status, findings: [] };
      const findings = isHeard ? { ...row, heard: true as const } : row;
      this.#incoming.push({ event: { type: 'worker-done', wakeId: round.wakeId, aspect }, findings });
    }
    return round.pending.length > 0;
  }

  /** What stood in the inputs of those model calls of a round whose answers are kept. */
  inputsOf({ wakeId }: Round): readonly (readonly PackedItem[])[] {
    const inputs = this.rows.findings.toArray
      .filter((row) => row.wakeId === wakeId && row.heard === true)
      .map(({ key }) => this.#asked.get(key)?.discussion ?? []);
    const texts = readOwn<{ wakeId: string }>(this.rows.own, 'texts');
    return texts?.wakeId === wakeId ? [...inputs, this.#textsInput.get(wakeId) ?? []] : inputs;
  }

  /** What it counts of the conversation, and what a round would do with it that began now. */
  async look() {
    const deps = this.#deps(HONEST);
    const heard = await hear(this.#ctx(), deps, PR, this.state);
    const wakeId = 'r0-0000000' as Round['wakeId'];
    const { discussion, kept } = await prepareDiscussion(this.rows.own, deps, PR, wakeId, this.state);
    return { heard, judged: discussion.judged, kept };
  }

  async #tend(plan: Plan, maxCommands: number): Promise<void> {
    const deps = this.#deps(plan);
    let state = this.state;
    const fold = (event: ShepherdEvent): void => {
      state = apply(state, event, this.#world.nowMs, TIMING);
    };
    const batch = [...this.#incoming];
    for (const { event, findings } of batch) {
      if (findings !== undefined && findings.wakeId === state.round?.wakeId) this.#keepFindings(findings);
      fold(event);
    }
    if (state.armedAtMs !== undefined && state.armedAtMs <= this.#world.nowMs) fold({ type: 'woken' });
    if (state.round?.phase === 'starting') fold({ type: 'pr-changed', push: false });
    fold({ type: 'tick' });
    this.#keep(state);
    this.#incoming.splice(0, batch.length);
    for (let count = 0; count < maxCommands; count += 1) {
      const command = due(state, this.#world.nowMs);
      if (command === undefined) return;
      fold(await this.#perform(deps, command, state, plan));
      fold({ type: 'tick' });
      this.#keep(state);
      this.#world.pass(1);
    }
    if (maxCommands === MAX_COMMANDS) throw new Error('the Shepherd spins');
  }

  #keep(state: ShepherdState): void {
    writeMachine(this.rows, ARGS, state);
  }

  #keepFindings(row: FindingsRow): void {
    if (this.rows.findings.get(row.key) === undefined) this.rows.findings.insert(row);
  }

  async #perform(
    deps: ShepherdDeps,
    command: Command,
    state: ShepherdState,
    plan: Plan,
  ): Promise<ShepherdEvent> {
    switch (command.type) {
      case 'read-pr':
        return { type: 'pr-read', seen: this.#world.pr };
      case 'classify':
        return { type: 'classified', authorClass: 'team' };
      case 'prepare':
        return this.#prepare(deps, command.round, state, plan);
      case 'compose':
        return this.#compose(command.round, plan);
      case 'publish':
        return this.#publish(command.round, state, plan);
      case 'mark':
        return this.#mark(deps, command, state);
      case 'refresh':
        return { type: 'refreshed', ...(command.notice && { notice: noticeKey(command.notice) }) };
      case 'conclude':
        return { type: 'concluded' };
      default:
        return perform(this.#ctx(), deps, PR, { command, state, skill: '' });
    }
  }

  async #prepare(deps: ShepherdDeps, round: Round, state: ShepherdState, plan: Plan): Promise<ShepherdEvent> {
    const { wakeId } = round;
    try {
      const { discussion, kept } = await prepareDiscussion(this.rows.own, deps, PR, wakeId, state);
      writeOwn(this.rows.own, 'discussion', kept);
      const heardAtMs = discussion.snapshot.readAtMs;
      const unsurfaced = kept.unsurfaced.before;
      if (this.#isStale(round, state)) return { type: 'fenced', wakeId, seen: this.#world.pr };
      this.#world.prepared(this, wakeId, heardAtMs);
      const { baseSha } = round;
      return { type: 'prepared', wakeId, baseSha, empty: plan.empty, heardAtMs, unsurfaced, asked: [] };
    } catch (error) {
      if (!(error instanceof FactoryError)) throw error;
      return { type: 'failed', at: 'round', retryable: error.retryable, what: error.message };
    }
  }

  #compose({ wakeId }: Round, { texts }: Plan): ShepherdEvent {
    if (texts && this.model.kind === 'model') {
      this.#textsInput.set(wakeId, keptDiscussion(this.rows.own, wakeId)?.items ?? []);
      writeOwn(this.rows.own, 'texts', { wakeId, texts: { summary: 'It adds a limit.' } });
    }
    return { type: 'composed', wakeId };
  }

  #publish(round: Round, state: ShepherdState, { publish }: Plan): ShepherdEvent {
    const { wakeId, pending } = round;
    const isFirst = !this.#passed.has(publish);
    this.#passed.add(publish);
    if (publish === 'overtaken' && isFirst) this.#world.push();
    if (this.#isStale(round, state)) return { type: 'fenced', wakeId, seen: this.#world.pr };
    if (publish === 'refused' || (publish === 'late' && isFirst)) {
      return { type: 'failed', at: 'round', retryable: publish === 'late', what: 'GitHub took no comment' };
    }
    this.#world.journal.published(this.name, wakeId, this.inputsOf(round));
    if (publish === 'lost' && isFirst) throw new Crash();
    const hasItems = (keptDiscussion(this.rows.own, wakeId)?.versions.length ?? 0) > 0;
    return { type: 'published', wakeId, commentId: 70, complete: pending.length === 0, hasItems };
  }

  /** Whether the round no longer fits the PR, just before something is written. */
  #isStale(round: Round, state: ShepherdState): boolean {
    const seen: Seen = this.#world.pr;
    const isOfHead = seen.headSha === round.headSha || round.mayBeStale === true;
    return !isOfHead || !mayReview({ ...state, seen }, false);
  }

  async #mark(
    deps: ShepherdDeps,
    command: Extract<Command, { type: 'mark' }>,
    state: ShepherdState,
  ): Promise<ShepherdEvent> {
    this.#world.journal.markBegun(this.name, command.wakeId);
    const event = await perform(this.#ctx(), deps, PR, { command, state, skill: '' });
    await this.#world.marked(this, event);
    return event;
  }

  #deps({ deaf }: Plan): ShepherdDeps {
    const read = async (): Promise<Snapshot> => {
      if (!deaf || this.#passed.has('deaf')) return this.#world.readForum();
      this.#passed.add('deaf');
      throw new TransientError('GitHub does not answer.');
    };
    return createDeps({ model: this.model, markers: this.#markers, now: this.#world.now, read });
  }

  #ctx(): Ctx<ShepherdRows> {
    return createCtx(this.rows, (aspect, message) => {
      this.#fuse.burn();
      const key = `${message.wakeId}~${aspect}`;
      // A worker answers the first order of a round.
      if (!this.#asked.has(key)) this.#asked.set(key, message);
    });
  }
}
