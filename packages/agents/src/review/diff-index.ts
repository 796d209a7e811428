/**
 * GitHub's `patch` text → hunks and lines, and which of them a remark can point to.
 *
 * @module
 */
import { parsePatch } from 'diff';
import type { ChangedFile, Hunk, HunkLine, RawFile, Unread } from './changed-file.ts';
import { hasTextName } from './file-kind.ts';

/** A line of the new side that the diff shows, so that GitHub can show it too. */
export interface CommentableLine {
  readonly line: number;
  readonly text: string;
  /** False for context. */
  readonly added: boolean;
  /** Whether its hunk changed since the last published review. */
  readonly isNew: boolean;
}

interface ParsedHunk {
  readonly oldStart: number;
  readonly newStart: number;
  /** Lines as in the patch, with their first character and with `\ No newline` marks. */
  readonly lines: readonly string[];
}

/**
 * A file of a comparison as data. `before` is the same file at the last published review: hunks whose text
 * stood there already are marked `isNew: false`, wherever they have moved.
 *
 * Never throws: a patch that cannot be read whole makes the file `unread`, since half a file read is not a
 * file read (S5).
 */
export function indexFile(raw: RawFile, before?: RawFile): ChangedFile {
  const file = {
    path: raw.path,
    ...(raw.previousPath === undefined ? {} : { previousPath: raw.previousPath }),
    status: raw.status,
    additions: raw.additions,
    deletions: raw.deletions,
  };
  if (raw.patch === undefined) {
    const unread = whyNoPatch(raw);
    return { ...file, hunks: [], ...(unread === undefined ? {} : { unread }) };
  }
  const parsed = parseHunks(raw.patch);
  if (parsed === undefined || isTruncated(parsed, raw)) return { ...file, hunks: [], unread: 'too-large' };
  const known = countBodies(before?.patch);
  return { ...file, hunks: parsed.map((hunk) => toHunk(hunk, !takeBody(known, hunk))) };
}

/** The lines of the new side that the diff shows, in order. */
export function commentableLines(file: ChangedFile): readonly CommentableLine[] {
  return file.hunks.flatMap((hunk) =>
    hunk.lines.flatMap((line) =>
      line.newLine === undefined
        ? []
        : [{ line: line.newLine, text: line.text, added: line.kind === 'add', isNew: hunk.isNew }],
    ),
  );
}

/**
 * GitHub leaves the patch out for binaries (no changed lines), for diffs that are too large (changed lines),
 * and where no line changed: pure renames, changes of mode, empty files. Nothing is unread in the last case.
 */
function whyNoPatch(raw: RawFile): Unread | undefined {
  if (raw.additions + raw.deletions > 0) return 'too-large';
  if (raw.status !== 'added' && raw.status !== 'modified' && raw.status !== 'removed') return undefined;
  return hasTextName(raw.path) ? undefined : 'binary';
}

function parseHunks(patch: string): readonly ParsedHunk[] | undefined {
  try {
    const [file, ...rest] = parsePatch(`--- a\n+++ b\n${patch}`);
    if (file === undefined || rest.length > 0 || file.hunks.length === 0) return undefined;
    const sound = file.hunks.every(
      (hunk) => Number.isSafeInteger(hunk.oldStart) && Number.isSafeInteger(hunk.newStart),
    );
    return sound ? file.hunks : undefined;
  } catch {
    // The parser says by an exception that the text is not a whole patch.
    return undefined;
  }
}

function isTruncated(hunks: readonly ParsedHunk[], raw: RawFile): boolean {
  const count = (mark: string) =>
    hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.startsWith(mark)).length, 0);
  return count('+') < raw.additions || count('-') < raw.deletions;
}

function toHunk(parsed: ParsedHunk, isNew: boolean): Hunk {
  let oldLine = parsed.oldStart;
  let newLine = parsed.newStart;
  const lines: HunkLine[] = [];
  for (const raw of parsed.lines) {
    const text = raw.slice(1);
    if (raw.startsWith('+')) lines.push({ kind: 'add', text, newLine: newLine++ });
    else if (raw.startsWith('-')) lines.push({ kind: 'del', text, oldLine: oldLine++ });
    // "\ No newline at end of file" speaks about the line before it and is no line of the file (T-099).
    else if (!raw.startsWith('\\'))
      lines.push({ kind: 'context', text, oldLine: oldLine++, newLine: newLine++ });
  }
  return { oldStart: parsed.oldStart, newStart: parsed.newStart, lines, isNew };
}

/** How often each hunk text stood in the earlier patch: a text that now stands there twice is new once. */
function countBodies(patch: string | undefined): Map<string, number> {
  const counts = new Map<string, number>();
  for (const hunk of patch === undefined ? [] : (parseHunks(patch) ?? [])) {
    const body = hunk.lines.join('\n');
    counts.set(body, (counts.get(body) ?? 0) + 1);
  }
  return counts;
}

function takeBody(counts: Map<string, number>, hunk: ParsedHunk): boolean {
  const body = hunk.lines.join('\n');
  const left = counts.get(body) ?? 0;
  if (left === 0) return false;
  counts.set(body, left - 1);
  return true;
}
