/**
 * Decides for each item of a raw snapshot what of it was delivered before. Nothing is suppressed ahead of it: not
 * what is resolved, outdated or hidden, and not by the author (S6). Pure.
 *
 * @module
 */
import { hash } from 'node:crypto';
import { type Item, type ItemId, type Said, type Snapshot, textsOf } from './item.ts';

/** What a marker says: this version of the item was delivered. */
export interface Marker {
  readonly id: ItemId;
  /** Unix seconds of the first delivery; kept for ever. */
  readonly seenAt: number;
  /** See {@link bodyHashOf}. */
  readonly bodyHash: string;
  /**
   * Which parts of it were closed at the last delivery: `whole` where it was resolved or dismissed, and the ids
   * of hidden texts. Absent where that is not known; then all of it is taken to have been closed, so that whatever is open
   * now is shown once more rather than never.
   */
  readonly closed?: readonly string[];
  /** When the snapshot of the last delivery was read, in milliseconds since the epoch. */
  readonly readAtMs?: number;
}

/** What is written for a delivered item; the store adds or keeps `seenAt`. */
export type Mark = Required<Omit<Marker, 'seenAt'>>;

/** `edited` goes before `reopened`: the new text stands in either. */
export type Outcome = 'new' | 'edited' | 'reopened' | 'unchanged';

/** An item and what is to be done with it. */
export interface JudgedItem {
  readonly item: Item;
  readonly outcome: Outcome;
  /** What to write once it was delivered as it is now. */
  readonly mark: Mark;
  /** Unix seconds of its first delivery. */
  readonly firstSeenAt?: number;
  /** When the snapshot of its last delivery was read, in milliseconds since the epoch. */
  readonly lastReadAtMs?: number;
  /** True where its text is as delivered, and what is closed of it is not: somebody resolved or hid it since. */
  readonly closedSince: boolean;
}

/**
 * Judges every item of others.
 *
 * @param markers by item id
 * @param ours REST ids of what we wrote, whoever edited it since
 */
export function judge(
  snapshot: Snapshot,
  markers: ReadonlyMap<string, Marker>,
  ours: ReadonlySet<number>,
): readonly JudgedItem[] {
  return snapshot.items.flatMap((item) => {
    const texts = textsOf(item).filter((said) => !isOurs(said, ours));
    // What nobody else said is no item; an answer of ours is known to us and makes no thread a new one.
    if (texts.length === 0) return [];
    const mark = markOf(item, texts, snapshot.readAtMs);
    return [judgeItem(item, mark, markers.get(item.id))];
  });
}

/** By ids and GitHub's word, never by the text, which anybody can write. */
export function isOurs(said: Said, ours: ReadonlySet<number>): boolean {
  return said.byUs || (said.restId !== undefined && ours.has(said.restId));
}

function judgeItem(item: Item, mark: Mark, marker: Marker | undefined): JudgedItem {
  if (marker === undefined) return { item, outcome: 'new', mark, closedSince: false };
  const { seenAt: firstSeenAt, readAtMs: lastReadAtMs } = marker;
  const seen = { item, mark, firstSeenAt, ...(lastReadAtMs === undefined ? {} : { lastReadAtMs }) };
  if (marker.bodyHash !== mark.bodyHash) return { ...seen, outcome: 'edited', closedSince: false };
  const { closed } = marker;
  // Of an unknown state it may be news that it is open.
  if (closed === undefined) return { ...seen, outcome: 'reopened', closedSince: false };
  // A text that was deleted changed the hash, so what is no longer closed is open.
  const isReopened = closed.some((part) => !mark.closed.includes(part));
  if (isReopened) return { ...seen, outcome: 'reopened', closedSince: false };
  return { ...seen, outcome: 'unchanged', closedSince: mark.closed.length > closed.length };
}

function markOf(item: Item, texts: readonly Said[], readAtMs: number): Mark {
  const bodies = texts.map(({ body }) => body);
  const bodyHash = item.kind === 'thread' ? listHash(bodies) : bodyHashOf(bodies[0] ?? '');
  return { id: item.id, bodyHash, closed: closedParts(item, texts), readAtMs };
}

/** What somebody closed of an item; that it is outdated is nobody's decision. */
function closedParts(item: Item, texts: readonly Said[]): readonly string[] {
  const whole =
    (item.kind === 'thread' && item.isResolved) || (item.kind === 'summary' && item.verdict === 'dismissed');
  const hidden = texts.flatMap((said) => (said.hidden === undefined ? [] : [said.id]));
  return whole ? ['whole', ...hidden] : hidden;
}

/** First 16 hex digits of SHA-256 of a text after normalising. */
export function bodyHashOf(body: string): string {
  return hash('sha256', normalisedBody(body)).slice(0, 16);
}

/** The same of several texts in order, each with its length before it: no two lists have the same bytes. */
function listHash(bodies: readonly string[]): string {
  const texts = bodies.map(normalisedBody).map((body) => `${Buffer.byteLength(body)}:${body}`);
  return hash('sha256', texts.join('')).slice(0, 16);
}

/** Line ends as LF, and no blanks at the end of lines or of the text: a stray CR is no edit. */
export function normalisedBody(body: string): string {
  const text = body.includes('\r') ? body.replace(/\r\n?/g, '\n') : body;
  return (hasTrailingBlank(text) ? text.replace(/[^\S\n]+$/gm, '') : text).trimEnd();
}

/** Few texts have one, and to look at the ends of lines alone takes a fraction of the time. */
function hasTrailingBlank(text: string): boolean {
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) {
    if (end > 0 && /[^\S\n]/.test(text.charAt(end - 1))) return true;
  }
  return false;
}
