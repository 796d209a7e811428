/**
 * What people say on a pull request, for tests of what becomes of it: a few words in threads, comments and reviews,
 * which they change, close and open again. It knows what is one version of an item and what is another, without a hash.
 *
 * @module
 */
import type { Snapshot } from '../../conversation/item.ts';
import type { Sha } from '../../ids.ts';
import { itemOf, ORDER, type Text, type Thing, type Version, versionOf } from './forum-items.ts';

/** Words that people say. Two of them are what two others are together, with a line end between them and without. */
export const WORDS = ['a', 'b', 'ab', 'a\nb', '', ORDER, `long ${'.'.repeat(280)}`] as const;
type Word = (typeof WORDS)[number];
/** Ways to write one word, which are no edits. */
export const STYLES = 3;

/** What a person does. */
export const ACTS = [
  'thread',
  'comment',
  'review',
  'reply',
  'our-reply',
  'edit',
  'edit-back',
  'edit-our-reply',
  'split',
  'join',
  'unsay',
  'remove',
  'resolve',
  'hide',
  'dismiss',
  'outdate',
] as const;
/** Where something is there already, `resolve`, `hide` and `outdate` take it back. */
export interface Act {
  readonly act: (typeof ACTS)[number];
  /** Which of all that it can be done to. */
  readonly at: number;
  readonly word: Word;
  readonly style: number;
}

const KINDS = ['thread', 'comment', 'summary'] as const;
const HALVES = [
  ['a', 'b', 'ab'],
  ['a', 'b', 'a\nb'],
] as const;

export class Forum {
  readonly #things: Thing[] = [];
  readonly #now: () => number;
  #ids = 0;

  /** @param now GitHub's clock, in milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Does it, if there is something that it can be done to. */
  perform({ act, at, word, style }: Act): void {
    switch (act) {
      case 'thread':
      case 'comment':
      case 'review':
        this.#begin(act === 'review' ? 'summary' : act, word, style);
        break;
      case 'reply':
      case 'our-reply':
        pick(this.#threads(), at)?.texts.push(this.#text(word, style, act === 'our-reply'));
        break;
      case 'split':
        this.#split(at);
        break;
      case 'join':
        this.#join(at, style);
        break;
      case 'remove':
        this.#remove(pick(this.#things, at));
        break;
      case 'resolve':
      case 'outdate':
      case 'dismiss':
        this.#judge(act, at);
        break;
      default:
        this.#change({ act, at, word, style });
        break;
    }
  }

  #judge(act: 'resolve' | 'outdate' | 'dismiss', at: number): void {
    const thread = pick(this.#threads(), at);
    const reviews = this.#things.filter(({ kind }) => kind === 'summary');
    const review = pick(reviews, at);
    if (act === 'dismiss' && review !== undefined) review.isDismissed = true;
    if (act === 'resolve' && thread !== undefined) thread.isResolved = !thread.isResolved;
    if (act === 'outdate' && thread !== undefined) thread.isOutdated = !thread.isOutdated;
  }

  #change({ act, at, word, style }: Act): void {
    const texts = this.#things.flatMap((thing) => thing.texts);
    const text = pick(
      texts.filter(({ byUs, earlier }) =>
        act === 'edit-back' ? earlier.length > 0 : byUs === (act === 'edit-our-reply'),
      ),
      at,
    );
    if (text === undefined) return;
    if (act === 'hide') text.isHidden = !text.isHidden;
    else if (act === 'unsay') this.#unsay(text);
    else this.#write(text, act === 'edit-back' ? (text.earlier.at(-1) ?? '') : word, style);
  }

  #unsay(text: Text): void {
    const thing = this.#things.find(({ texts }) => texts.includes(text));
    if (thing === undefined) return;
    thing.texts.splice(thing.texts.indexOf(text), 1);
    if (thing.texts.length === 0) this.#remove(thing);
  }

  /** All that stands there, and each item's version. */
  read(readAtMs: number): { readonly snapshot: Snapshot; readonly versions: ReadonlyMap<string, Version> } {
    const versions = this.#things.flatMap((thing) => {
      const version = versionOf(thing);
      return version.words.length === 0 ? [] : [[thing.id, version] as const];
    });
    // GitHub tells one kind after the other.
    const items = KINDS.flatMap((kind) => this.#things.filter((thing) => thing.kind === kind)).map(itemOf);
    const snapshot = { headSha: 'a'.repeat(40) as Sha, readAtMs, items };
    return { snapshot, versions: new Map(versions) };
  }

  #threads(): Thing[] {
    return this.#things.filter(({ kind }) => kind === 'thread');
  }

  #begin(kind: Thing['kind'], word: string, style: number): void {
    this.#ids += 1;
    const id = `${kind}-${this.#ids}`;
    // Some paths are as long as paths can be.
    const path = `${style === 0 ? 'src' : 'deep/'.repeat(style * 200)}${id}.ts`;
    const state = { isResolved: false, isOutdated: false, isDismissed: false };
    this.#things.push({ id, kind, path, texts: [this.#text(word, style, false)], ...state });
  }

  #text(word: string, style: number, byUs: boolean): Text {
    this.#ids += 1;
    const createdAt = this.#time();
    return { id: `text-${this.#ids}`, word, style, byUs, isHidden: false, createdAt, earlier: [] };
  }

  /** An answer of ours that a person edits is theirs from then on. */
  #write(text: Text, word: string, style: number): void {
    text.earlier.push(text.word);
    Object.assign(text, { word, style, byUs: false, editedAt: this.#time() });
  }

  /** Says the second half of a text in a reply. */
  #split(at: number): void {
    const halved = this.#threads().flatMap((thread) => {
      const last = thread.texts.at(-1);
      const half = HALVES.find((halves) => last?.byUs === false && halves[2] === last.word);
      return last === undefined || half === undefined ? [] : [{ thread, last, half }];
    });
    const found = pick(halved, at);
    if (found === undefined) return;
    this.#write(found.last, found.half[0], 0);
    found.thread.texts.push(this.#text(found.half[1], 0, false));
  }

  /** Says two texts in one. */
  #join(at: number, style: number): void {
    const whole = HALVES[style % HALVES.length] ?? HALVES[0];
    const joined = this.#threads().filter(({ texts }) => {
      const [first, second] = texts.slice(-2);
      return first?.word === whole[0] && second?.word === whole[1] && !first.byUs && !second.byUs;
    });
    const thread = pick(joined, at);
    const first = thread?.texts.at(-2);
    if (thread === undefined || first === undefined) return;
    thread.texts.pop();
    this.#write(first, whole[2], 0);
  }

  #remove(thing: Thing | undefined): void {
    if (thing !== undefined) this.#things.splice(this.#things.indexOf(thing), 1);
  }

  /** GitHub tells whole seconds. */
  #time(): string {
    return `${new Date(this.#now()).toISOString().slice(0, 19)}Z`;
  }
}

function pick<T>(all: readonly T[], at: number): T | undefined {
  return all.length === 0 ? undefined : all[at % all.length];
}
