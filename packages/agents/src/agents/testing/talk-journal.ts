/**
 * What really happened in the rounds of a story, and what must be true of it: the property of at least once, told
 * without markers (S6).
 *
 * @module
 */
import { expect } from 'vitest';
import type { Marker } from '../../conversation/gate.ts';
import type { PackedItem } from '../../conversation/pack.ts';
import { isAbout, type Version } from './forum-items.ts';

/** A round, from the moment in which its conversation was read. */
export interface RoundRecord {
  readonly by: string;
  readonly wakeId: string;
  readonly readAtMs: number;
  readonly versions: ReadonlyMap<string, Version>;
  /** Ids of what it was to show, and of what it left for later. */
  readonly due: readonly string[];
  readonly deferred: readonly string[];
  /** Whether there was a model, which has room for some items at least. */
  readonly hasRoom: boolean;
  /** Whether everything that was kept of earlier rounds could be read. */
  readonly isSure: boolean;
  /** Number of the step in which it was prepared. */
  readonly preparedAt: number;
  /** What stood in the inputs of model calls that completed. */
  inputs: readonly (readonly PackedItem[])[];
  /** Number of the step in which its comment was written. */
  publishedAt?: number;
  isMarkBegun?: boolean;
  /** Number of the step in which all of its marks stood. */
  markedAt?: number;
}

const NOW = { readAtMs: Infinity, preparedAt: Infinity };

export class Journal {
  readonly #rounds: RoundRecord[] = [];
  readonly #hashes = new Map<string, string>();
  readonly #areClocksEqual: boolean;
  #steps = 0;

  /** @param areClocksEqual whether GitHub's clock is ours, so that it is known exactly who spoke after what */
  constructor(areClocksEqual: boolean) {
    this.#areClocksEqual = areClocksEqual;
  }

  prepared(record: Omit<RoundRecord, 'preparedAt' | 'inputs'>): void {
    const round = { ...record, preparedAt: this.#step(), inputs: [] };
    this.#checkOnce(round);
    this.#checkOrder(round);
    this.#rounds.push(round);
  }

  /** The comment was written; `inputs` are those of the model calls that had completed by then. */
  published(by: string, wakeId: string, inputs: RoundRecord['inputs']): void {
    const round = this.#round(by, wakeId);
    if (round === undefined || round.publishedAt !== undefined) return;
    round.publishedAt = this.#step();
    round.inputs = inputs;
    const different = new Set(inputs.map((items) => JSON.stringify(items)));
    expect(different.size, 'all were shown the same').toBeLessThanOrEqual(1);
    if (isRead(round)) this.#checkAtLeastOnce(round);
  }

  markBegun(by: string, wakeId: string): void {
    const round = this.#round(by, wakeId);
    if (round !== undefined) round.isMarkBegun = isRead(round);
  }

  /** `isClean` where every mark stands. */
  marked(by: string, wakeId: string, isClean: boolean): void {
    const round = this.#round(by, wakeId);
    if (round !== undefined && isClean && isRead(round)) round.markedAt = this.#step();
  }

  /** The last round that was read by anybody, of one process. */
  last(by: string): RoundRecord | undefined {
    return this.#rounds.findLast((round) => round.by === by && isRead(round));
  }

  /**
   * Whether this version was shown. What a mark was lost of may have been forgotten, but nothing from before the last
   * that stands counts.
   */
  isShown(id: string, version: Version, as = isSame, { readAtMs, preparedAt } = NOW): boolean {
    const shown = this.#deliveries(id).filter((round) => round.readAtMs < readAtMs);
    const kept = shown.findLastIndex(({ markedAt = Infinity }) => markedAt < preparedAt);
    return shown.slice(Math.max(kept, 0)).some(({ versions }) => as(versions.get(id), version));
  }

  /** No marker is there for anything but what stood in the input of a published round's completed model call. */
  checkMarkers(markers: Iterable<Marker>): void {
    expect([...markers].flatMap((marker) => this.#faultsOf(marker))).toEqual([]);
  }

  /** Counts what happens. */
  #step(): number {
    this.#steps += 1;
    return this.#steps;
  }

  #faultsOf({ id, bodyHash, closed = [], readAtMs }: Marker): readonly string[] {
    // One reading may serve several rounds.
    const rounds = this.#rounds.filter((candidate) => candidate.readAtMs === readAtMs);
    const version = rounds[0]?.versions.get(id);
    if (version === undefined) return [`${id} is marked by a reading that never was`];
    const isShown = rounds.some((round) => isRead(round) && stoodIn(round, id));
    const isClosed = sameTexts([...closed].toSorted(), version.closed);
    return [
      ...(isShown ? [] : [`${id} is marked, and nobody was shown it`]),
      ...(isClosed ? [] : [`${id} is marked with closed parts that it did not have`]),
      ...(this.#isHashOf(bodyHash, id, version) ? [] : [`${id} is marked with the hash of another text`]),
    ];
  }

  /** One text has one hash, and no other text has it. */
  #isHashOf(bodyHash: string, id: string, { words }: Version): boolean {
    const text = JSON.stringify([id.startsWith('thread'), words]);
    if (!this.#hashes.has(bodyHash) && !this.#hashes.has(text)) {
      this.#hashes.set(bodyHash, text);
      this.#hashes.set(text, bodyHash);
    }
    return this.#hashes.get(bodyHash) === text && this.#hashes.get(text) === bodyHash;
  }

  /** Nothing that was said after something else was put off is shown before it, while nothing is shown in vain. */
  #checkOrder(round: RoundRecord): void {
    const isInVain = (one: RoundRecord): boolean =>
      !one.isSure || (isRead(one) && one.due.length > 0 && one.markedAt === undefined);
    if (!this.#areClocksEqual || !round.isSure || this.#rounds.some(isInVain)) return;
    const before = this.#rounds.findLast(
      ({ by, publishedAt }) => by === round.by && publishedAt !== undefined,
    );
    if (before === undefined) return;
    const isWaiting = (id: string): boolean => {
      const last = this.#deliveries(id).at(-1);
      // A second process may have shown it meanwhile, and it is something else of it that waits.
      return hasWaited(id, before, round) && (last === undefined || last.readAtMs < before.readAtMs);
    };
    if (!round.deferred.some(isWaiting)) return;
    const younger = round.due.filter((id) => this.#isYounger(id, before, round));
    expect(younger, `what is older waits in ${round.wakeId} of ${round.by}`).toEqual([]);
  }

  /** Whether all that is new of it was said since an earlier round. */
  #isYounger(id: string, before: RoundRecord, round: RoundRecord): boolean {
    const [was, is] = [before.versions.get(id), round.versions.get(id)];
    if (was === undefined || is === undefined) return true;
    if (before.due.includes(id) || before.deferred.includes(id)) return false;
    const shown = this.#deliveries(id)
      .findLast(({ readAtMs }) => readAtMs < before.readAtMs)
      ?.versions.get(id);
    // An edit that changes nothing is no news, but what is said after it waits since then.
    if (shown === undefined || !sameTexts(shown.times, was.times)) return false;
    return is.words.length >= was.words.length && !sameTexts(is.words, was.words);
  }

  #round(by: string, wakeId: string): RoundRecord | undefined {
    return this.#rounds.findLast((round) => round.by === by && round.wakeId === wakeId);
  }

  /** Rounds that showed an item, in the order in which it was read. */
  #deliveries(id: string): readonly RoundRecord[] {
    return this.#rounds
      .filter((round) => isRead(round) && stoodIn(round, id))
      .toSorted((a, b) => a.readAtMs - b.readAtMs);
  }

  /** Everything that was there is shown in this round, or waits, or was shown as it is now. */
  #checkAtLeastOnce(round: RoundRecord): void {
    const others = [...round.versions].filter(([id]) => !stoodIn(round, id) && !round.deferred.includes(id));
    const missed = others
      .filter(([id, version]) => !this.isShown(id, version, covers, round))
      .map(([id]) => id);
    expect(missed, `missed when ${round.wakeId} of ${round.by} was published`).toEqual([]);
    if (round.hasRoom && round.deferred.length > 0)
      expect(round.due, 'something is shown where something waits').not.toEqual([]);
  }

  /** Nothing that is as it was when it was shown and marked is shown again. */
  #checkOnce(round: RoundRecord): void {
    if (!round.isSure) return;
    for (const id of [...round.due, ...round.deferred]) {
      const last = this.#rounds
        .filter((other) => other.isMarkBegun && stoodIn(other, id) && other.readAtMs < round.readAtMs)
        .toSorted((a, b) => a.readAtMs - b.readAtMs)
        .at(-1);
      if (last?.markedAt === undefined) continue;
      const isOld = isSame(last.versions.get(id), round.versions.get(id));
      expect(isOld, `${id} is shown again in ${round.wakeId} of ${round.by}`).toBe(false);
    }
  }
}

/** Whether the comment stands, and a model call had completed by then. */
function isRead({ publishedAt, inputs }: RoundRecord): boolean {
  return publishedAt !== undefined && inputs.length > 0;
}

/** Whether an item was put off before, and not rewritten since: what is rewritten waits anew. */
export function hasWaited(id: string, before: RoundRecord, round: RoundRecord): boolean {
  const { bodies = [] } = before.versions.get(id) ?? {};
  const now = round.versions.get(id)?.bodies ?? [];
  return (
    before.deferred.includes(id) &&
    round.deferred.includes(id) &&
    sameTexts(bodies, now.slice(0, bodies.length))
  );
}

/** Whether an item stood in the inputs of a round as it was when the round read it. */
function stoodIn({ inputs, versions }: RoundRecord, id: string): boolean {
  const item = inputs[0]?.find(({ texts }) => texts.some(({ about }) => isAbout(about, id)));
  const version = versions.get(id);
  if (item === undefined || version === undefined) return false;
  const texts = item.texts.map(({ text }) => text);
  const { bodies } = version;
  const [first = ''] = texts;
  // A reminder is the newest text alone; of what is long there are the first, one more at least, and all in order.
  if (item.section === 'closed') return isCutOf(first, bodies.at(-1));
  const places: number[] = [];
  for (const text of texts) {
    const from = (places.at(-1) ?? -1) + 1;
    places.push(bodies.findIndex((body, index) => index >= from && isCutOf(text, body)));
  }
  return places[0] === 0 && !places.includes(-1) && texts.length >= Math.min(2, bodies.length);
}

/** Whether it is the text, or the text without its middle. */
function isCutOf(shown: string, body = ''): boolean {
  const [head = '', tail = ''] = shown.split(/\n\[\d+ more characters left out here\]\n/);
  return shown === body || (shown.includes('left out here]') && body.startsWith(head) && body.endsWith(tail));
}

function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Whether who was shown the one knows the other: that something was closed since is news that can wait. */
function covers(shown: Version | undefined, version: Version | undefined): boolean {
  if (shown === undefined || version === undefined) return false;
  return sameTexts(shown.words, version.words) && shown.closed.every((part) => version.closed.includes(part));
}

/** Whether who was shown the one was shown the other: neither its text nor what of it is closed differs. */
function isSame(shown: Version | undefined, version: Version | undefined): boolean {
  if (shown === undefined || version === undefined) return false;
  return sameTexts(shown.words, version.words) && sameTexts(shown.closed, version.closed);
}
