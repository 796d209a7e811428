/**
 * Which findings a text names: by the title under which our comment shows them, by words of their message, or by
 * `file:line`. The findings are indexed once, so that a text costs time by its own length.
 *
 * @module
 */
import { type Finding, SEVERITIES } from './finding.ts';
import { grouped } from './grouped.ts';
import { headlineOf } from './headline.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { placesIn } from './named-places.ts';

/** Findings, made ready. */
export interface FindingIndex {
  /**
   * As they can be named in a text of a time, in milliseconds since the epoch: a place that a finding came to later
   * names something else.
   */
  asOf(timeMs: number): NamedFindings;
}

/** Finds findings in texts. */
export interface NamedFindings {
  /** Those that a text of somebody names by title or place. */
  inText(text: string): ReadonlySet<LedgerEntry>;
  /**
   * Those that quoted lines show by their own words, be it the end of a sentence of one: what else a quotation names,
   * somebody else named.
   */
  inQuote(lines: readonly string[]): ReadonlySet<LedgerEntry>;
}

/** A title of fewer words may be said of anything; with its severity before it, it is ours. */
const MIN_TITLE_WORDS = 4;
/** A quoted line of fewer words stands in too many messages. */
const MIN_QUOTED_WORDS = 5;
const GRAM_WORDS = 4;
/** GitHub tells times in whole seconds. */
const TIME_UNIT_MS = 1_000;
/** What our comment writes before a message. */
const LABEL = /^\W{0,8}(?:issue|impact|suggested fix)\W{0,4}:/i;

/** Indexes the findings. */
export function indexFindings(entries: readonly LedgerEntry[]): FindingIndex {
  const titles = indexTitles(entries);
  const messages = indexMessages(entries);
  const places = placesIn(entries);
  return {
    asOf: (timeMs) => {
      const placed = (text: string) =>
        new Set(
          [...places(text)].filter(
            ({ placedAtMs }) => placedAtMs === undefined || placedAtMs < timeMs + TIME_UNIT_MS,
          ),
        );
      return {
        inText: (text) => byTitleAndPlace(titledIn(text, titles), placed(text)),
        inQuote: (lines) => {
          const text = lines.join('\n');
          const fragments = lines.flatMap((line) => messagesWith(line, messages));
          const shown = new Set([...titledIn(text, titles), ...fragments]);
          return new Set([...byTitleAndPlace(shown, places(text))].filter((entry) => shown.has(entry)));
        },
      };
    },
  };
}

/**
 * Two findings may have one title, and two may have one place, of which our comment shows each with the other. So
 * a place tells findings of one title apart, and names another one only where no title names one at that place.
 */
function byTitleAndPlace(
  titled: ReadonlySet<LedgerEntry>,
  placed: ReadonlySet<LedgerEntry>,
): ReadonlySet<LedgerEntry> {
  if (titled.size === 0 || placed.size === 0) return new Set([...titled, ...placed]);
  const placedTitles = new Set([...titled].filter((entry) => placed.has(entry)).map(titleKey));
  const meant = [...titled].filter((entry) => placed.has(entry) || !placedTitles.has(titleKey(entry)));
  const titledPlaces = new Set(meant.map(placeKey));
  return new Set([...meant, ...[...placed].filter((entry) => !titledPlaces.has(placeKey(entry)))]);
}

function placeKey({ finding }: LedgerEntry): string {
  return `${finding.line}:${finding.file}`;
}

function titleKey({ finding }: LedgerEntry): string {
  return words(headlineOf(finding.message).title).join(' ');
}

/** The words of a text without case, punctuation and what Markdown puts between them. */
function words(text: string): readonly string[] {
  return (
    text
      .replaceAll(/\\(?=[^\w\s])/g, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

interface Title {
  readonly words: readonly string[];
  readonly entry: LedgerEntry;
}
/** By their first two words. */
type Titles = ReadonlyMap<string, readonly Title[]>;

function indexTitles(entries: readonly LedgerEntry[]): Titles {
  const titles = entries.flatMap((entry) =>
    titlesOf(entry.finding).map((title) => ({ words: title, entry })),
  );
  return grouped(titles, (title) => [`${title.words[0]} ${title.words[1]}`]);
}

/** The severity may have changed since somebody quoted it. */
function titlesOf({ message }: Finding): readonly (readonly string[])[] {
  const title = words(headlineOf(message).title);
  if (title.length >= MIN_TITLE_WORDS) return [title];
  return title.length === 0 ? [] : SEVERITIES.map((severity) => [severity, ...title]);
}

function titledIn(text: string, titles: Titles): ReadonlySet<LedgerEntry> {
  const said = words(text);
  const found = new Set<LedgerEntry>();
  for (let at = 0; at + 1 < said.length; at += 1) {
    for (const title of titles.get(`${said[at]} ${said[at + 1]}`) ?? []) {
      if (title.words.every((word, index) => said[at + index] === word)) found.add(title.entry);
    }
  }
  return found;
}

interface Message {
  /** Its words, with a blank around each. */
  readonly text: string;
  readonly entry: LedgerEntry;
}
/** By each four words that follow one another. */
type Messages = ReadonlyMap<string, readonly Message[]>;

function indexMessages(entries: readonly LedgerEntry[]): Messages {
  const messages = entries.map((entry) => {
    const { message, impact = '', suggestedFix = '' } = entry.finding;
    return { text: ` ${words(`${message}\n${impact}\n${suggestedFix}`).join(' ')} `, entry };
  });
  return grouped(messages, ({ text }) => grams(text.trim().split(' ')));
}

function grams(said: readonly string[]): readonly string[] {
  const all = said.map((_, at) => said.slice(at, at + GRAM_WORDS).join(' '));
  return [...new Set(all.slice(0, Math.max(0, said.length - GRAM_WORDS + 1)))];
}

function messagesWith(line: string, messages: Messages): readonly LedgerEntry[] {
  const said = words(line.replace(LABEL, ''));
  if (said.length < MIN_QUOTED_WORDS) return [];
  const quoted = ` ${said.join(' ')} `;
  const candidates = messages.get(said.slice(0, GRAM_WORDS).join(' ')) ?? [];
  return candidates.filter(({ text }) => text.includes(quoted)).map(({ entry }) => entry);
}
