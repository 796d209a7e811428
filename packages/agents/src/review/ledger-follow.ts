/**
 * Moves the ledger's entries to where their code is at a new head: through renames, with hunks that moved as
 * a whole, and in hunks that changed by the text of the line.
 *
 * @module
 */
import { withoutBlanks } from './anchor.ts';
import type { CarriedFile, ChangedFile } from './changed-file.ts';
import { type CommentableLine, commentableLines } from './diff-index.ts';
import type { Ledger, LedgerEntry } from './ledger-entry.ts';
import { isReadBy } from './lock-digest.ts';
import type { RoundInput } from './round.ts';

/** Entries about one line of the last head; they go together. */
interface Anchor {
  readonly text: string;
  readonly line: number;
}

/**
 * The same entries, at the places of `input.headSha`. Done once for each head: no shift is applied twice.
 * An entry whose text is gone keeps its old line, for comparing; see {@link withoutLine}.
 */
export function followCode(ledger: Ledger, input: RoundInput): Ledger {
  const carried = new Map(input.carried.map((file) => [file.from, file]));
  const moved = ledger.map((entry) => {
    const file = carried.get(entry.finding.file);
    return isPlaced(entry, input) || file === undefined ? entry : shift(entry, file);
  });
  const files = new Map(input.files.map((file) => [file.path, file]));
  const lines = new Map<string, ReadonlyMap<string, CommentableLine>>();
  return moved.map((entry) => {
    if (isPlaced(entry, input)) return entry;
    const file = files.get(entry.finding.file);
    if (file === undefined || !isReadFor(entry, file)) return { ...entry, lastSha: input.headSha };
    const found = lines.get(file.path) ?? locateAnchors(moved, file);
    lines.set(file.path, found);
    return { ...settleOn(entry, found), lastSha: input.headSha };
  });
}

/** Whether all who said an entry learn of its file's content. */
export function isReadFor(entry: LedgerEntry, file: ChangedFile): boolean {
  return entry.aspects.every((aspect) => isReadBy(file, aspect));
}

function isPlaced(entry: LedgerEntry, input: RoundInput): boolean {
  return entry.lastSha === input.headSha;
}

function shift(entry: LedgerEntry, carried: CarriedFile): LedgerEntry {
  const { line } = entry.finding;
  const finding = { ...entry.finding, file: carried.to };
  const hunk = carried.hunks.find(
    ({ from, lineCount }) => line !== undefined && line >= from && line < from + lineCount,
  );
  if (line === undefined || hunk === undefined) return { ...entry, finding };
  return { ...entry, finding: { ...finding, line: line - hunk.from + hunk.to } };
}

function settleOn(entry: LedgerEntry, found: ReadonlyMap<string, CommentableLine>): LedgerEntry {
  const anchor = anchorOf(entry);
  const target = anchor === undefined || entry.state === 'fixed' ? undefined : found.get(keyOf(anchor));
  if (target === undefined) return entry;
  return {
    ...entry,
    finding: { ...entry.finding, line: target.line },
    place: { kind: 'line', text: target.text },
  };
}

/** Whether an entry's line is no longer what the file shows there. */
export function isLost(entry: LedgerEntry, file: ChangedFile): boolean {
  const anchor = anchorOf(entry);
  if (anchor === undefined) return false;
  return !commentableLines(file).some(
    (line) => line.line === anchor.line && withoutBlanks(line.text) === anchor.text,
  );
}

/** The entry, pointing to its file as a whole. */
export function withoutLine(entry: LedgerEntry): LedgerEntry {
  const { line: _gone, ...finding } = entry.finding;
  return { ...entry, finding, place: { kind: 'file' } };
}

/**
 * The line of each anchor in a changed file: the one with the same text that is nearest, the closest pairs
 * first. No line is given to two anchors, so that of two equal lines the one that went is not found in the
 * other.
 */
function locateAnchors(ledger: Ledger, file: ChangedFile): ReadonlyMap<string, CommentableLine> {
  const lines = commentableLines(file);
  const anchors = ledger.flatMap((entry) => {
    const anchor = anchorOf(entry);
    return anchor === undefined || entry.state === 'fixed' || entry.finding.file !== file.path
      ? []
      : [anchor];
  });
  const pairs = anchors.flatMap((anchor) =>
    lines
      .filter((line) => withoutBlanks(line.text) === anchor.text)
      .map((line) => ({ anchor, line, distance: Math.abs(line.line - anchor.line) })),
  );
  const found = new Map<string, CommentableLine>();
  const taken = new Set<CommentableLine>();
  for (const { anchor, line } of pairs.toSorted((a, b) => a.distance - b.distance)) {
    const key = keyOf(anchor);
    if (found.has(key) || taken.has(line)) continue;
    found.set(key, line);
    taken.add(line);
  }
  return found;
}

function anchorOf(entry: LedgerEntry): Anchor | undefined {
  const { line } = entry.finding;
  if (entry.place.kind !== 'line' || line === undefined) return undefined;
  return { text: withoutBlanks(entry.place.text), line };
}

function keyOf(anchor: Anchor): string {
  return `${anchor.line} ${anchor.text}`;
}
