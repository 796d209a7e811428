/**
 * Which items of a conversation a round shows to its reviewers, and as what. The text of each is bounded, and all
 * of them together; what finds no room is deferred and comes first in the next round (S6, S9). Pure.
 *
 * @module
 */
import type { JudgedItem, Mark } from './gate.ts';
import { type Item, isTeamAssociation, type Said, statusesOf, textsOf } from './item.ts';
import { UNSEEN } from './unseen.ts';

/** The sections in which items are shown, in this order. */
export const SECTIONS = ['new', 'edited', 'reopened', 'closed'] as const;
/** `closed`: its text was shown before, and somebody resolved, hid or dismissed it since. */
export type Section = (typeof SECTIONS)[number];

/** One text of an item. */
export interface PackedText {
  /** Who wrote it, where and when. Holds names of others, so it is untrusted, too (S7). */
  readonly about: string;
  readonly text: string;
}

/** An item as reviewers see it. */
export interface PackedItem {
  readonly section: Section;
  /** What it is, and its state: our own words alone. */
  readonly head: string;
  readonly texts: readonly PackedText[];
}

/** What is shown and what is not. */
export interface Pack {
  readonly items: readonly PackedItem[];
  /** What to write for exactly these items, once they were delivered. */
  readonly marks: readonly Mark[];
  /** What would be shown and found no room, in the order in which it comes next. */
  readonly deferred: readonly JudgedItem[];
}

/** Whose words are whose. */
export interface PackContext {
  /** Login of the PR's author. */
  readonly prAuthor: string;
  /** Whether that is one of the team. */
  readonly isAuthorTeam: boolean;
  readonly isOurs: (said: Said) => boolean;
  readonly maxChars: number;
  /** Ids of items that a round has shown already whose markers could not be kept: all others go before them. */
  readonly shownBefore?: ReadonlySet<string>;
}

/** An item has half of a small budget at most, so that any finds room; longer texts than half of that lose their middle. */
const MAX_ITEM_CHARS = 16_000;
const MIN_TEXT_CHARS = 40;
/** Of what was shown before, enough to know it again. */
const REMINDER_CHARS = 300;
/** Of a longer path the end tells most. One that took all the room would be deferred for ever, and all behind it. */
const MAX_PATH_CHARS = 200;
/** Tags and the lines around a text. */
const FRAME_CHARS = 120;

/** Packs what is not delivered yet, the oldest first, until there is no room. */
export function packItems(judged: readonly JudgedItem[], context: PackContext): Pack {
  const due = judged
    .flatMap((candidate) => {
      const section = sectionOf(candidate);
      if (section === undefined) return [];
      const isShown = context.shownBefore?.has(candidate.item.id) === true;
      return [{ candidate, section, isShown, sinceMs: sinceMs(candidate, context) }];
    })
    .toSorted((a, b) => turnOf(a) - turnOf(b) || a.sinceMs - b.sinceMs);
  const items: PackedItem[] = [];
  const marks: Mark[] = [];
  const deferred: JudgedItem[] = [];
  let left = context.maxChars;
  for (const { candidate, section } of due) {
    const packed = packItem(candidate, section, context);
    const chars = charsOf(packed);
    // One that is skipped for its size keeps its turn: nothing younger goes before it.
    if (deferred.length > 0 || chars > left) {
      // The words of what was closed were shown; the news of it can wait uncounted.
      if (section !== 'closed') deferred.push(candidate);
      continue;
    }
    left -= chars;
    items.push(packed);
    marks.push(candidate.mark);
  }
  return { items: items.toSorted((a, b) => rank(a) - rank(b)), marks, deferred };
}

/** What was not read goes before what was shown in vain, and words before the news that somebody closed something. */
function turnOf({ section, isShown }: { readonly section: Section; readonly isShown: boolean }): number {
  return (section === 'closed' ? 2 : 0) + (isShown ? 1 : 0);
}

function rank({ section }: PackedItem): number {
  return SECTIONS.indexOf(section);
}

function sectionOf({ outcome, closedSince }: JudgedItem): Section | undefined {
  if (outcome !== 'unchanged') return outcome;
  return closedSince ? 'closed' : undefined;
}

/** Since when it waits: a thread that grows, or a text that is edited again, keeps its turn. */
function sinceMs({ item, lastReadAtMs = 0 }: JudgedItem, { isOurs }: PackContext): number {
  const times = textsOf(item)
    .filter((said) => !isOurs(said))
    .flatMap(({ createdAt, editedAt }) => [createdAt, ...(editedAt === undefined ? [] : [editedAt])])
    .map((time) => Date.parse(time))
    .filter((timeMs) => timeMs > lastReadAtMs);
  // Who opened or closed something did so after it was read, at a time that GitHub does not tell.
  return times.length === 0 ? lastReadAtMs : Math.min(...times);
}

function packItem(judged: JudgedItem, section: Section, context: PackContext): PackedItem {
  const { item, firstSeenAt } = judged;
  const place = placeOf(item);
  const all = textsOf(item).map((said) => packText(said, place, context));
  const texts = section === 'closed' ? reminder(all) : bounded(all, unseenIn(judged, context), context);
  const left = section === 'closed' ? 0 : all.length - texts.length;
  const words = [
    `${kindOf(item)}, ${statusText(item, context)}`,
    ...(firstSeenAt === undefined ? [] : [`first shown ${minute(firstSeenAt * 1000)}`]),
    ...(left === 0 ? [] : [left === 1 ? '1 text of it is not shown' : `${left} texts of it are not shown`]),
  ];
  return { section, head: words.join('; '), texts };
}

/** Which texts were written or edited by others since it was last read. */
function unseenIn({ item, lastReadAtMs = 0 }: JudgedItem, { isOurs }: PackContext): ReadonlySet<number> {
  return new Set(
    textsOf(item).flatMap((said, index) => {
      const isSeen = Date.parse(said.editedAt ?? said.createdAt) <= lastReadAtMs;
      return isSeen || isOurs(said) ? [] : [index];
    }),
  );
}

/** The newest that was not seen and the first text, and as many others as there is room for: unseen ones, then the newest. */
function bounded(
  texts: readonly PackedText[],
  unseen: ReadonlySet<number>,
  context: PackContext,
): readonly PackedText[] {
  const newestFirst = [...texts.keys()].toReversed();
  const fresh = newestFirst.filter((index) => unseen.has(index));
  const order = new Set([...fresh.slice(0, 1), 0, ...fresh, ...newestFirst]);
  const chosen = new Set<number>();
  let left = roomOfItem(context);
  for (const index of order) {
    const chars = textChars(texts[index] as PackedText);
    // The first two were clipped such that both have room.
    if (chosen.size >= 2 && chars > left) continue;
    left -= chars;
    chosen.add(index);
  }
  return texts.filter((_, index) => chosen.has(index));
}

function roomOfItem({ maxChars }: PackContext): number {
  return Math.min(MAX_ITEM_CHARS, Math.floor(maxChars / 2));
}

function reminder(texts: readonly PackedText[]): readonly PackedText[] {
  const last = texts.at(-1);
  return last === undefined ? [] : [{ ...last, text: clipMiddle(last.text, REMINDER_CHARS) }];
}

function packText(said: Said, place: string, context: PackContext): PackedText {
  const edited = said.editedAt === undefined ? '' : `, edited ${minute(Date.parse(said.editedAt))}`;
  const hidden = said.hidden === undefined ? '' : ', hidden';
  const about = `${place}by ${speakerOf(said, context)}, ${minute(Date.parse(said.createdAt))}${edited}${hidden}`;
  const room = Math.floor(roomOfItem(context) / 2) - writtenChars(about) - FRAME_CHARS;
  return { about, text: clipMiddle(said.body, Math.max(MIN_TEXT_CHARS, room)) };
}

function speakerOf(said: Said, context: PackContext): string {
  if (context.isOurs(said)) return 'yourselves, PR Shepherd';
  if (said.author === undefined) return 'a deleted account';
  const { login, isBot } = said.author;
  return `${JSON.stringify(login)} (${isBot ? 'bot' : classOf(login, said.association, context)})`;
}

/** A collaborator may be an outsider who is let read; of the author it is known what they are. */
function classOf(login: string, association: Said['association'], context: PackContext): string {
  if (login === context.prAuthor) {
    return context.isAuthorTeam ? 'author of the pull request, team' : 'author of the pull request';
  }
  if (isTeamAssociation(association)) return 'team';
  return association === 'COLLABORATOR' ? 'collaborator' : 'community';
}

function kindOf(item: Item): string {
  switch (item.kind) {
    case 'thread':
      return item.subject === 'file' ? 'review thread about a file' : 'review thread';
    case 'comment':
      return 'comment';
    case 'summary':
      return `review, ${VERDICTS[item.verdict]}`;
  }
}

const VERDICTS = {
  commented: 'with comments',
  approved: 'approving',
  'changes-requested': 'requesting changes',
  dismissed: 'dismissed by a person',
} as const;

function statusText(item: Item, { prAuthor }: PackContext): string {
  return statusesOf(item)
    .map((status) => {
      if (status !== 'resolved' || item.kind !== 'thread' || item.resolvedBy === undefined) return status;
      return item.resolvedBy === prAuthor
        ? 'resolved by the author of the pull request'
        : 'resolved by a person';
    })
    .join(' and ');
}

function placeOf(item: Item): string {
  if (item.kind !== 'thread') return '';
  const line = item.line ?? item.originalLine;
  const at =
    line === undefined ? '' : ` line ${line}${item.isOnOldSide === true ? ' before the change' : ''}`;
  return `${quotedPath(item.path)}${at}, `;
}

function quotedPath(path: string): string {
  const quoted = JSON.stringify(path);
  return quoted.length <= MAX_PATH_CHARS ? quoted : `"…${quoted.slice(-MAX_PATH_CHARS)}`;
}

/** `2026-05-26 14:05 UTC`; GitHub's times are always such. */
function minute(timeMs: number): string {
  if (!Number.isFinite(timeMs)) return 'at an unknown time';
  const iso = new Date(timeMs).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

/** The beginning and the end of a text, and how much is missing between them. */
function clipMiddle(text: string, maxChars: number): string {
  const written = writtenChars(text);
  if (written <= maxChars) return text;
  return cutMiddle(text, Math.floor((maxChars * text.length) / written));
}

function cutMiddle(text: string, maxChars: number): string {
  const tail = Math.floor(maxChars / 5);
  // Never half a pair of surrogates.
  const head = text.slice(0, maxChars - tail).replace(/[\ud800-\udbff]$/, '');
  const end = text.slice(-tail).replace(/^[\udc00-\udfff]/, '');
  return `${head}\n[${text.length - maxChars} more characters left out here]\n${end}`;
}

function textChars({ about, text }: PackedText): number {
  return writtenChars(about) + writtenChars(text) + FRAME_CHARS;
}

/** Characters that nobody sees are written out in a prompt, six for one. */
function writtenChars(text: string): number {
  return text.length + 5 * (text.match(UNSEEN)?.length ?? 0);
}

function charsOf({ head, texts }: PackedItem): number {
  return texts.reduce((sum, text) => sum + textChars(text), head.length + FRAME_CHARS);
}
