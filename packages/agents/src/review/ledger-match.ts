/**
 * Which finding of a round is which entry of the ledger: an entry is known by the text of the line it points
 * to, so that it survives moved lines and another wording, else by its file and its message.
 *
 * @module
 */
import type { PlacedFinding } from './aggregate.ts';
import { withoutBlanks } from './anchor.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { SAME_FILE_SIMILARITY, SAME_LINE_SIMILARITY, similarity } from './wording.ts';

/** Shorter lines (`}`, `return;`) stand in many places, so that they alone identify nothing far away. */
const DISTINCTIVE_CHARS = 12;
const NEAR_LINES = 50;
/** A line that was edited stays about where it was. */
const EDITED_WITHIN_LINES = 15;
/** Without an aspect in common, two remarks about different lines must be worded the same. */
const OTHER_ASPECT_SIMILARITY = 0.8;

interface Pair {
  readonly finding: PlacedFinding;
  readonly entry: LedgerEntry;
  readonly score: number;
}

/**
 * Pairs findings with entries, the surest pairs first, each at most once. What has no entry in the answer is
 * a new finding.
 *
 * @param mayBe whether a finding may be an entry that it resembles
 */
export function matchFindings(
  findings: readonly PlacedFinding[],
  entries: readonly LedgerEntry[],
  mayBe: (finding: PlacedFinding, entry: LedgerEntry) => boolean,
): ReadonlyMap<PlacedFinding, LedgerEntry> {
  const byFile = groupByFile(entries);
  const pairs = findings.flatMap((finding) =>
    (byFile.get(finding.finding.file) ?? []).flatMap((entry): Pair[] => {
      const score = likeness(finding, entry);
      return score === undefined || !mayBe(finding, entry) ? [] : [{ finding, entry, score }];
    }),
  );
  const matches = new Map<PlacedFinding, LedgerEntry>();
  const taken = new Set<LedgerEntry>();
  for (const { finding, entry } of pairs.toSorted((a, b) => b.score - a.score)) {
    if (matches.has(finding) || taken.has(entry)) continue;
    matches.set(finding, entry);
    taken.add(entry);
  }
  return matches;
}

function groupByFile(entries: readonly LedgerEntry[]): ReadonlyMap<string, readonly LedgerEntry[]> {
  const groups = new Map<string, LedgerEntry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.finding.file);
    if (group === undefined) groups.set(entry.finding.file, [entry]);
    else group.push(entry);
  }
  return groups;
}

/** How surely a finding is an entry; `undefined` where it is another one. */
function likeness(finding: PlacedFinding, entry: LedgerEntry): number | undefined {
  const alike = similarity(finding.finding.message, entry.finding.message);
  const sharesAspect = finding.aspects.some((aspect) => entry.aspects.includes(aspect));
  const distance = distanceOf(finding.finding.line, entry.finding.line);
  const sameText = isSameText(finding, entry);
  const same = sameText
    ? isSameOnText(finding, alike, sharesAspect, distance)
    : isSameInFile(alike, sharesAspect, distance);
  if (!same) return undefined;
  return (
    (sameText ? 2 : 0) +
    alike +
    (sharesAspect ? 0.5 : 0) +
    (entry.state === 'fixed' ? 0 : 0.25) -
    Math.min(distance ?? 0, 1000) / 2000
  );
}

function isSameText(finding: PlacedFinding, entry: LedgerEntry): boolean {
  return (
    finding.place.kind === 'line' &&
    entry.place.kind === 'line' &&
    withoutBlanks(finding.place.text) === withoutBlanks(entry.place.text)
  );
}

/** One aspect says one thing about a line; two may say two things about it. */
function isSameOnText(
  finding: PlacedFinding,
  alike: number,
  sharesAspect: boolean,
  distance: number | undefined,
): boolean {
  if (alike >= SAME_LINE_SIMILARITY) return true;
  const text = finding.place.kind === 'line' ? withoutBlanks(finding.place.text) : '';
  return sharesAspect && (text.length >= DISTINCTIVE_CHARS || (distance ?? 0) <= NEAR_LINES);
}

function isSameInFile(alike: number, sharesAspect: boolean, distance: number | undefined): boolean {
  if (distance !== undefined && distance > EDITED_WITHIN_LINES) return false;
  return alike >= (sharesAspect ? SAME_FILE_SIMILARITY : OTHER_ASPECT_SIMILARITY);
}

function distanceOf(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : Math.abs(a - b);
}
