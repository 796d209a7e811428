/**
 * Whether a text summons us, and to do what. Narrower than what GitHub links: whatever is quoted or shown as
 * code asks nothing of anybody, and a text of our own never does (T-132).
 *
 * @module
 */
import {
  asksNothing,
  asksSomething,
  type Command,
  endsWithThanks,
  isCourtesy,
  readCommand,
} from './command.ts';
import { liveText } from './live-text.ts';
import { clip, visible } from './markdown.ts';

/** What a text asks of us. */
export type Ask =
  | { readonly kind: 'review' }
  /** Over the whole pull request, also what was reviewed before. */
  | { readonly kind: 'review-full' }
  | { readonly kind: 'status' }
  | { readonly kind: 'help' }
  /** `text`: all of the comment as it was written, at most 8,000 characters. Untrusted (S7). */
  | { readonly kind: 'question'; readonly text: string };

/** By this name we are always called; the App's slug may be another. */
const OWN_NAME = 'pr-shepherd';
const MAX_QUESTION_CHARS = 8_000;
/** A command is short; what stands further from a mention is none. */
const MAX_COMMAND_CHARS = 300;

/** How people cite. */
const SAYING = [
  'said|says|suggested|suggests|noted|notes|mentioned|mentions|pointed|points|found|caught|flagged',
  'spotted|recommended|recommends|proposed|proposes|reported|explained',
].join('|');
/** What stands before a mention of one who is cited. */
const SOURCE = new RegExp(String.raw`\b(?:per|according to|(?:${SAYING}) by)[\s*_]+$`);
/** These on both sides cite, too: "as @horton said". */
const LIKE = /\b(?:as|like)[\s*_]+$/;
const SAID = new RegExp(String.raw`^[\s*_]+(?:(?:already|also|rightly|correctly) )?(?:${SAYING})\b`);
/** What stands before a mention of one who only gets a copy, with others. */
const COPY = /(?<![\p{L}\p{N}])(?:cc|fyi)[^\p{L}\p{N}@]*(?:@[\w-]+[^\p{L}\p{N}@]+(?:and\s+)?)*$/u;
/** These on both sides agree: "yes, @horton is right". */
const CLAUSE_START = /(?:^|[.,;:!()\n\u2013\u2014])[\s*_]*(?:(?:yes|ok|okay|i think|i guess)[\s*_]+)?$/;
const IS_RIGHT =
  /^[\s*_]+(?:is|was) (?:(?:absolutely|totally|completely|quite|probably) )?(?:right|correct)\b/;

/**
 * What a text asks of us; undefined where it does not summon us.
 *
 * The first mention with a command behind it decides, else all of the text is one question. A mention alone
 * asks for help. Who thanks, approves or reports asks for nothing, and neither does who only speaks of us.
 *
 * @param names the App's slug, such as `horton`; `pr-shepherd` always counts.
 */
export function summonedBy(text: string, names: readonly string[]): Ask | undefined {
  const said = read(text, names);
  return said === undefined ? undefined : askOf(said.mentions, said, text);
}

/**
 * The same for a text that was edited: only a mention that the edit added counts, so that one who corrects a
 * typing error is not answered again (T-136).
 *
 * @param previous the text before the edit; null where GitHub does not tell, then `text` alone decides.
 */
export function summonedByEdit(
  previous: string | null,
  text: string,
  names: readonly string[],
): Ask | undefined {
  const said = read(text, names);
  if (said === undefined) return undefined;
  const before = previous === null ? [] : (read(previous, names)?.mentions ?? []);
  return said.mentions.length > before.length ? askOf(added(said.mentions, before), said, text) : undefined;
}

/** A mention, by the nearest text of its paragraph, in lower case. */
interface Mention {
  readonly before: string;
  readonly after: string;
}

/** What a text that names us says. */
interface Said {
  readonly mentions: readonly Mention[];
  /** All its live text but the mentions. */
  readonly rest: string;
  /** Whether it shows something besides: a quote, code, an image. */
  readonly showsMore: boolean;
}

/** Undefined where nothing in the text addresses us. */
function read(text: string, names: readonly string[]): Said | undefined {
  const known = [OWN_NAME, ...names.map((name) => name.toLowerCase())].filter((name) => name !== '');
  const lower = text.toLowerCase();
  // Most texts do not name us, and reading Markdown takes long.
  if (!known.some((name) => lower.includes(`@${name}`))) return undefined;
  const pattern = mentionPattern(known);
  const { paragraphs, showsMore } = liveText(text);
  const lowered = paragraphs.map((paragraph) => paragraph.toLowerCase());
  const mentions = lowered.flatMap((paragraph) =>
    [...paragraph.matchAll(pattern)].map(({ 0: match, index }) => ({
      before: paragraph.slice(Math.max(0, index - MAX_COMMAND_CHARS), index),
      after: paragraph.slice(index + match.length, index + match.length + MAX_COMMAND_CHARS),
    })),
  );
  if (mentions.length === 0) return undefined;
  return { mentions, showsMore, rest: lowered.join('\n').replace(pattern, '\n') };
}

/**
 * A mention of one of these names that is no part of another name, address, team or path. `[bot]` is how GitHub
 * writes the login of an App.
 */
function mentionPattern(names: readonly string[]): RegExp {
  const anyName = names.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  const suffix = String.raw`(?:\[bot\]|(?!\[bot\]))`;
  // Underscores on both sides are emphasis, and a part of the word on one.
  const before = String.raw`(?<![\p{L}\p{N}\p{M}_@/])(_*)`;
  const after = String.raw`\1?(?![\p{L}\p{N}\p{M}_@/-]|\.+[\p{L}\p{N}_])`;
  return new RegExp(`${before}@(?:${anyName})${suffix}${after}`, 'gu');
}

/** The mentions whose words are new, where an edit added some. */
function added(now: readonly Mention[], before: readonly Mention[]): readonly Mention[] {
  const known = before.map(({ after }) => after.trim());
  return now.filter(({ after }) => {
    const at = known.indexOf(after.trim());
    if (at >= 0) known.splice(at, 1);
    return at < 0;
  });
}

function askOf(mentions: readonly Mention[], said: Said, text: string): Ask | undefined {
  const kind = mentions.map(commandAt).find((command) => command !== undefined);
  if (kind !== undefined) return { kind };
  const isAbout = mentions.every((mention) => isCitation(mention) || isReference(mention));
  if (isAbout ? !asksSomething(said.rest) : asksNothing(said.rest)) return undefined;
  if (!said.showsMore && isCourtesy(said.rest)) return { kind: 'help' };
  return { kind: 'question', text: clip(visible(text).trim(), MAX_QUESTION_CHARS) };
}

/** The command behind a mention, or before one that nothing follows ("please review, @horton"). */
function commandAt(mention: Mention): Command | undefined {
  const { before, after } = mention;
  // "Thanks @horton for the review" asks for none.
  if (isCitation(mention) || (/^[\s*_]*for\b/.test(after) && endsWithThanks(before))) return undefined;
  if (/[\p{L}\p{N}]/u.test(after)) return readCommand(after);
  const line = (before.split('\n').at(-1) ?? '').trimEnd();
  return readCommand(line) ?? readCommand(line.split(/[.!\u2026]\s/).at(-1) ?? '');
}

/** "As @horton said", "per @horton": what belongs to the mention is no request. */
function isCitation({ before, after }: Mention): boolean {
  return SOURCE.test(before) || (LIKE.test(before) && SAID.test(after));
}

/** "cc @horton", "@horton is right": others are told of us. */
function isReference({ before, after }: Mention): boolean {
  return COPY.test(before) || (CLAUSE_START.test(before) && IS_RIGHT.test(after));
}
