/** Which side of a diff a line stands on: what was there before, or what is there now. */
export type DiffSide = 'LEFT' | 'RIGHT';

/** Where a line stands in a patch, in the words of GitHub's review comments. */
export interface LinePlace {
  /** Lines below the first `@@` of the file, later `@@` lines included. */
  readonly position: number;
  /** The hunk from its `@@` to the line itself. */
  readonly diffHunk: string;
}

/** Finds a line in the patch of a file, from its first `@@` on. Undefined when the patch does not show it. */
export function placeInPatch(patch: string, line: number, side: DiffSide): LinePlace | undefined {
  const shown = side === 'LEFT' ? ['-', ' '] : ['+', ' '];
  const lines = patch.split('\n');
  let hunkStart = 0;
  let next = 0;
  for (const [index, text] of lines.entries()) {
    const header = readHunkHeader(text);
    if (header !== undefined) {
      hunkStart = index;
      next = (side === 'LEFT' ? header.before : header.after).start;
    } else if (shown.includes(text.charAt(0))) {
      if (next === line) return { position: index, diffHunk: lines.slice(hunkStart, index + 1).join('\n') };
      next += 1;
    }
  }
  return undefined;
}

/**
 * Follows a line through a diff without context lines. Undefined when the line itself was changed or removed.
 */
export function followLine(diffWithoutContext: string, line: number): number | undefined {
  let moved = 0;
  for (const text of diffWithoutContext.split('\n')) {
    const header = readHunkHeader(text);
    if (header === undefined) continue;
    const { before, after } = header;
    // A hunk that only adds names the line after which it does.
    const firstTouched = before.count === 0 ? before.start + 1 : before.start;
    if (firstTouched > line) break;
    if (line < firstTouched + before.count) return undefined;
    moved += after.count - before.count;
  }
  return line + moved;
}

interface HunkRange {
  readonly start: number;
  readonly count: number;
}

function readHunkHeader(text: string): { readonly before: HunkRange; readonly after: HunkRange } | undefined {
  const found = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
  if (found === null) return undefined;
  const range = (start?: string, count?: string) => ({ start: Number(start), count: Number(count ?? 1) });
  return { before: range(found[1], found[2]), after: range(found[3], found[4]) };
}
