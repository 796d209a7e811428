/**
 * A diff as a reviewer reads it: every line with its number on the new side, so that nobody counts from a hunk's
 * head; removed lines labelled; what an earlier review saw marked as seen.
 *
 * @module
 */
import type { ChangedFile, Hunk, HunkLine } from '../review/changed-file.ts';
import { clip, neutralise } from './fence.ts';

/** What one line may take; minified files have lines of megabytes. */
const MAX_LINE_CHARS = 1_000;

/** The diff of a file, or its beginning. */
export interface FileText {
  readonly text: string;
  /** Lines that had no room. 0: the whole diff is there. */
  readonly cutLines: number;
}

/** Renders the hunks of a file, at most `maxChars` characters, in whole lines. */
export function diffText(file: ChangedFile, maxChars: number = Number.POSITIVE_INFINITY): FileText {
  const lines = file.hunks.flatMap((hunk) => [hunkHead(hunk), ...hunk.lines.map(lineText)]);
  const kept: string[] = [];
  let room = maxChars + 1;
  for (const line of lines) {
    room -= line.length + 1;
    if (room < 0) break;
    kept.push(line);
  }
  return { text: kept.join('\n'), cutLines: lines.length - kept.length };
}

function hunkHead(hunk: Hunk): string {
  const numbers = hunk.lines.flatMap((line) => line.newLine ?? []);
  const first = numbers[0] ?? hunk.newStart;
  const last = numbers.at(-1) ?? first;
  const where = first === last ? `line ${first}` : `lines ${first} to ${last}`;
  return `--- ${where}${hunk.isNew ? '' : ' (seen before: unchanged since the last review)'}`;
}

function lineText(line: HunkLine): string {
  const { head, cutChars } = clip(neutralise(line.text), MAX_LINE_CHARS);
  const text = cutChars === 0 ? head : `${head} [${cutChars} more characters of this line]`;
  const number = line.kind === 'del' ? 'removed' : String(line.newLine ?? '').padStart(7);
  const sign = { add: '+', del: '-', context: ' ' }[line.kind];
  return `${number} ${sign}|${text}`;
}

/** Below this a part of a file's diff is not worth its place. */
const MIN_SHARE_CHARS = 2_000;

/**
 * Divides `roomChars` among texts of the given lengths, which stand in order of importance. Small ones get all
 * they need, large ones equal shares; when not even a minimum is left for each, the last get nothing.
 */
export function divideRoom(lengths: readonly number[], roomChars: number): readonly number[] {
  let minimum = 0;
  const served = lengths.filter((length) => {
    minimum += Math.min(length, MIN_SHARE_CHARS);
    return minimum <= roomChars;
  }).length;
  const shares = lengths.map(() => 0);
  let room = roomChars;
  const byLength = lengths
    .slice(0, served)
    .map((length, index) => ({ length, index }))
    .sort((a, b) => a.length - b.length);
  for (const [position, { length, index }] of byLength.entries()) {
    const share = Math.min(length, Math.floor(room / (served - position)));
    shares[index] = share;
    room -= share;
  }
  return shares;
}
