/**
 * Findings that a text names by file and line: `src/a.ts:12`, `a.ts:12`, `src/a.ts line 12`, or GitHub's own address
 * of a line or of several.
 *
 * @module
 */
import { grouped } from './grouped.ts';
import type { LedgerEntry } from './ledger-entry.ts';

const LINES =
  /(?:[:#]L?|[`*_]{0,4},?\s{1,3}(?:(?:on|at|in)\s)?lines?\s{1,3})(\d{1,7})(?:\s?[-–]\s?L?(\d{1,7}))?/gi;
/** Longer paths are not written into an answer. */
const MAX_PATH_CHARS = 400;
/** What may stand before a path, and is hardly ever a part of it. */
const PATH_STARTS = /[\s`"<>|]|\]\(/;
const CLOSING_SIGNS = /[`*_"')\]]{1,4}$/;
const OPENING_SIGNS = /^[[({*_'~]+/;

/** Indexes the findings that have a line; the answer finds them in a text, in a time that its length bounds. */
export function placesIn(entries: readonly LedgerEntry[]): (text: string) => ReadonlySet<LedgerEntry> {
  const withLine = entries.filter(({ finding }) => finding.line !== undefined);
  const byName = grouped(withLine, ({ finding }) => [nameOf(finding.file)]);
  return (text) => {
    const found = new Set<LedgerEntry>();
    for (const match of text.matchAll(LINES)) {
      for (const path of pathsBefore(text, match.index)) {
        const candidates = byName.get(nameOf(path)) ?? [];
        for (const entry of candidates) if (isMeant(entry, path, match)) found.add(entry);
      }
    }
    return found;
  };
}

/** The brackets of `(src/a.ts:1)` are none of its path, and those of `[id].ts:1` are. */
function pathsBefore(text: string, end: number): ReadonlySet<string> {
  const before = text.slice(Math.max(0, end - MAX_PATH_CHARS), end).replace(CLOSING_SIGNS, '');
  const path = before.split(PATH_STARTS).at(-1) ?? '';
  return new Set([path, path.replace(OPENING_SIGNS, '')]);
}

function isMeant({ finding }: LedgerEntry, path: string, [, from, to = from]: RegExpExecArray): boolean {
  const { file, line = 0 } = finding;
  return line >= Number(from) && line <= Number(to) && isEndOf(path, file);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Whether a path, an end of it, or an address that ends in it was written. */
function isEndOf(written: string, path: string): boolean {
  const parts = written.split('/').reverse();
  const own = path.split('/').reverse();
  const common = Math.min(parts.length, own.length);
  if (parts.slice(0, common).some((part, index) => part !== own[index])) return false;
  const more = parts.slice(common).filter((part) => part !== '' && part !== '.');
  return more.length === 0 || written.includes('://');
}
