/**
 * A pull request on which people talk, one or two processes that review it, and the disk that both keep markers on.
 *
 * @module
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ItemId, Snapshot } from '../../conversation/item.ts';
import { markerFileName, seenFolder } from '../../conversation/marker-folder.ts';
import { createMarkerStore, type MarkerStore } from '../../conversation/marker-store.ts';
import { silentLog } from '../../log.ts';
import type { ModelChoice } from '../../model/choice.ts';
import type { ShepherdEvent } from '../../review/decide.ts';
import type { Seen } from '../../review/state.ts';
import { shaOf } from '../../review/testing/shepherd-world.ts';
import { keptDiscussion } from '../round-discussion.ts';
import { type Act, Forum } from './forum.ts';
import type { Version } from './forum-items.ts';
import { hasWaited, Journal } from './talk-journal.ts';
import { PR } from './talk-ports.ts';
import { HONEST, type Plan, TalkShepherd } from './talk-shepherd.ts';

/** How much a model has room for: some four items of a conversation, all of them, or none at all. */
export const MODELS = ['small', 'large', 'analyzers'] as const;
export type ModelSize = (typeof MODELS)[number];

export function modelOf(size: ModelSize): ModelChoice {
  if (size === 'analyzers') return { kind: 'analyzers' };
  // A model that is not known gets the smallest prompt.
  const id = size === 'small' ? 'claude-none' : 'claude-sonnet-4-5';
  return { kind: 'model', provider: 'anthropic', id, name: `anthropic/${id}`, apiKey: () => undefined };
}

/** Longer than a round may take, so that rounds do not wait for one another. */
const BETWEEN_ROUNDS_MS = 10 * 60_000;
const NOTHING = { count: 0, worthReading: 0 };
/** Longer than pushes are waited for. */
const SETTLED_MS = 60_000;

export class TalkWorld {
  nowMs = Date.parse('2026-05-26T12:00:00.250Z');
  readonly now = (): number => this.nowMs;
  readonly journal: Journal;
  readonly shepherds: readonly TalkShepherd[];
  pr: Seen = {
    open: true,
    draft: false,
    labels: [],
    headSha: shaOf(1),
    baseRef: 'main',
    baseSha: shaOf(1_000),
    author: 'ada',
    authorIsBot: false,
  };
  /** Whether somebody took a marker away. */
  isTampered = false;
  /** What was wrong with the disk when a round was last marked. */
  memoryTrouble: string | undefined;
  /** What the last check at the end of a round said. */
  violation: string | undefined;
  readonly #forum: Forum;
  readonly #stateDir: string;
  readonly #markers: MarkerStore;
  readonly #readings = new Map<number, ReadonlyMap<string, Version>>();
  readonly #ids = new Set<string>();
  #isBroken = false;
  #pushes = 1;

  /** @param skewMs how far GitHub's clock is ahead of ours */
  constructor(folder: string, models: readonly ModelSize[], skewMs: number) {
    this.journal = new Journal(skewMs === 0);
    this.#stateDir = join(folder, 'state');
    this.#forum = new Forum(() => this.nowMs + skewMs);
    this.#markers = createMarkerStore({ stateDir: this.#stateDir, now: this.now, log: silentLog });
    this.shepherds = models.map((size, index) => {
      return new TalkShepherd(this, `p${index}`, modelOf(size), this.#markers);
    });
    this.#tell({ type: 'pr-changed', push: false });
  }

  pass(ms: number): void {
    this.nowMs += ms;
  }

  say(act: Act): void {
    this.pass(1_700);
    this.#forum.perform(act);
    this.#tell({ type: 'said' });
  }

  push(): void {
    this.#pushes += 1;
    const replacedSha = this.pr.headSha;
    this.pr = { ...this.pr, headSha: shaOf(this.#pushes) };
    this.#tell({ type: 'pr-changed', push: true, replacedSha });
  }

  setOpen(open: boolean): void {
    this.pr = { ...this.pr, open };
    this.#tell({ type: 'pr-changed', push: false });
  }

  /** A push, and the round that one process makes of it. */
  async round(shepherd: TalkShepherd, plan: Plan): Promise<void> {
    const { published } = shepherd.state;
    const last = this.journal.last(shepherd.name);
    this.pass(BETWEEN_ROUNDS_MS);
    const beganMs = this.nowMs;
    this.push();
    await shepherd.settle(plan);
    if (this.#isBroken || shepherd.state.published?.iteration === published?.iteration) return;
    const round = this.journal.last(shepherd.name);
    const isRead = round !== undefined && round !== last && round.versions.size > 0;
    // Whatever went wrong meanwhile, nothing is left to be done, and it is known what is left for the next round.
    if (isRead) expect(round.markedAt, 'what was shown is marked').toBeDefined();
    const { heardAtMs = 0, unsurfaced: { count } = NOTHING } = shepherd.state;
    if (heardAtMs < beganMs) return;
    const { heard } = await shepherd.look();
    expect(heard).toMatchObject({ unsurfaced: { count } });
  }

  /** A push, and what comes of it until its reviewers have answered, or so many commands. */
  async begin(shepherd: TalkShepherd, plan: Plan, commands?: number): Promise<void> {
    this.pass(BETWEEN_ROUNDS_MS);
    this.push();
    await shepherd.wake(plan);
    this.pass(SETTLED_MS);
    await shepherd.wake(plan, commands);
    shepherd.answer(plan);
  }

  /** Puts a file where the folder of all markers should be. */
  breakDisk(): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    if (existsSync(this.#stateDir)) renameSync(this.#stateDir, `${this.#stateDir}.away`);
    writeFileSync(this.#stateDir, '');
  }

  mendDisk(): void {
    if (!this.#isBroken) return;
    this.#isBroken = false;
    rmSync(this.#stateDir);
    const away = `${this.#stateDir}.away`;
    if (existsSync(away)) renameSync(away, this.#stateDir);
    else mkdirSync(this.#stateDir);
  }

  /** Takes a marker away behind everybody's back. */
  removeMarker(id: string): void {
    this.isTampered = true;
    rmSync(join(seenFolder(this.#stateDir, PR), markerFileName(id as ItemId)));
  }

  /** All items of others, as they stand there. */
  versions(): ReadonlyMap<string, Version> {
    return this.#forum.read(this.nowMs).versions;
  }

  readForum(): Snapshot {
    this.pass(1);
    const { snapshot, versions } = this.#forum.read(this.nowMs);
    this.#readings.set(this.nowMs, versions);
    for (const id of versions.keys()) this.#ids.add(id);
    return snapshot;
  }

  /** A round's conversation is kept. */
  prepared(shepherd: TalkShepherd, wakeId: string, readAtMs: number): void {
    const kept = keptDiscussion(shepherd.rows.own, wakeId as never);
    if (kept === undefined) throw new RangeError('nothing was kept');
    const versions = this.#readings.get(readAtMs) ?? new Map();
    const [due, { deferred }] = [kept.marks.map(({ id }) => id), kept];
    const isSure = !this.#isBroken && !this.isTampered && kept.memoryTrouble === undefined;
    const hasRoom = shepherd.model.kind === 'model';
    this.journal.prepared({ by: shepherd.name, wakeId, readAtMs, versions, due, deferred, hasRoom, isSure });
  }

  /** Checks what stands on the disk when a process has marked, or says that it could not. */
  async marked({ name }: TalkShepherd, event: ShepherdEvent): Promise<void> {
    if (event.type !== 'marked') throw new TypeError(`${event.type} instead of marked`);
    this.journal.marked(name, event.wakeId, event.memoryTrouble === undefined);
    this.memoryTrouble = event.memoryTrouble;
    this.violation = event.violation;
    if (!this.isTampered) expect(event.violation).toBeUndefined();
    await this.checkMarkers();
  }

  async checkMarkers(): Promise<void> {
    const { markers } = await this.#markers.load(PR, [...this.#ids] as ItemId[]);
    this.journal.checkMarkers(markers.values());
  }

  /** What is counted is what the next round would show as unread, and what it would leave. */
  async checkCount(shepherd: TalkShepherd): Promise<void> {
    if (this.#isBroken) return;
    const { heard, judged, kept } = await shepherd.look();
    const versions = this.versions();
    const left = judged.filter(
      ({ item, outcome }) => outcome !== 'unchanged' && kept?.deferred.includes(item.id),
    );
    const shown = kept?.items.filter(({ section }) => section !== 'closed') ?? [];
    expect(heard).toMatchObject({ unsurfaced: { count: shown.length + left.length } });
    const worth = judged.filter(
      ({ item, outcome, closedSince }) =>
        closedSince || (outcome !== 'unchanged' && versions.get(item.id)?.isOrder === false),
    );
    const worthReading = shepherd.model.kind === 'analyzers' ? 0 : worth.length;
    expect(heard).toMatchObject({ unsurfaced: { worthReading } });
  }

  /** Everything works again, and rounds go on until nothing waits, whatever people say meanwhile. */
  async drain(shepherd: TalkShepherd, said: readonly (readonly Act[])[]): Promise<void> {
    this.mendDisk();
    if (!this.pr.open) this.setOpen(true);
    for (const other of this.shepherds) await other.settle(HONEST);
    await this.checkCount(shepherd);
    await this.round(shepherd, HONEST);
    await this.#turns(shepherd, said);
    for (let count = this.versions().size; count >= 0; count -= 1) {
      const { kept } = await shepherd.look();
      if (kept.items.length + kept.deferred.length === 0) break;
      await this.round(shepherd, HONEST);
    }
    for (const [id, version] of this.versions()) {
      expect(this.journal.isShown(id, version), `${id} is shown in the end`).toBe(true);
    }
    expect(shepherd.state.unsurfaced ?? NOTHING).toEqual(NOTHING);
  }

  /** Each of those that wait has its turn after those that are there already. */
  async #turns(shepherd: TalkShepherd, said: readonly (readonly Act[])[]): Promise<void> {
    const most = this.versions().size;
    let before = this.journal.last(shepherd.name);
    let waiting = before?.deferred ?? [];
    for (let count = 0; count < most && waiting.length > 0; count += 1) {
      for (const act of said[count] ?? []) this.say(act);
      await this.checkCount(shepherd);
      await this.round(shepherd, HONEST);
      const round = this.journal.last(shepherd.name);
      if (before === undefined || round === undefined) throw new RangeError('there was no round');
      const last = before;
      waiting = waiting.filter((id) => hasWaited(id, last, round));
      before = round;
    }
    expect(waiting, 'nothing waits for ever').toEqual([]);
  }

  #tell(event: ShepherdEvent): void {
    for (const shepherd of this.shepherds) shepherd.tell(event);
  }
}
