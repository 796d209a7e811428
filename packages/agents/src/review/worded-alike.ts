/**
 * Which findings of a file a remark repeats in words of its own.
 *
 * @module
 */
import type { LedgerEntry } from './ledger-entry.ts';
import { similarity } from './wording.ts';

/** Findings of one file, made ready to be compared with many remarks. */
export type AlikeIn = (text: string, threshold: (entry: LedgerEntry) => number) => readonly LedgerEntry[];

/** What a remark is about stands at its beginning. */
const MAX_CHARS = 2_000;
/** Comparing costs time: it is done for those that have the most words in common, and this share of them. */
const MAX_COMPARED = 4;
const MIN_SHARE = 0.4;
const WORD = /[\p{L}\p{N}_]{4,}/gu;
/** Endings differ between two who say the same. */
const STEM_CHARS = 5;

/** Makes findings ready. */
export function indexWording(entries: readonly LedgerEntry[]): AlikeIn {
  const known = entries.map((entry) => ({ entry, stems: stemsOf(entry.finding.message) }));
  return (text, threshold) => {
    const head = text.slice(0, MAX_CHARS);
    const stems = stemsOf(head);
    return known
      .map((one) => ({ entry: one.entry, share: shareOf(one.stems, stems) }))
      .filter(({ share }) => share >= MIN_SHARE)
      .toSorted((a, b) => b.share - a.share)
      .slice(0, MAX_COMPARED)
      .map(({ entry }) => entry)
      .filter((entry) => similarity(entry.finding.message, head) >= threshold(entry));
  };
}

function stemsOf(text: string): ReadonlySet<string> {
  const words = text.slice(0, MAX_CHARS).toLowerCase().match(WORD) ?? [];
  return new Set(words.map((word) => word.slice(0, STEM_CHARS)));
}

/** How much of the shorter is in the longer. */
function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [shorter, longer] = a.size < b.size ? [a, b] : [b, a];
  if (shorter.size === 0) return 0;
  let common = 0;
  for (const stem of shorter) if (longer.has(stem)) common += 1;
  return common / shorter.size;
}
