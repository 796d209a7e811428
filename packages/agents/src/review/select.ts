/**
 * What of a range the reviewers read, and in which order. Whatever is left out keeps its place in the list
 * with the reason, so that the comment can name it (S5).
 *
 * @module
 */
import type { ChangedFile, Unread } from './changed-file.ts';
import { extension, FILE_KINDS, fileKind, isGeneratedPath, isSensitivePath } from './file-kind.ts';

/**
 * Characters of diff that one round reads by default, as a prompt shows it: some 100,000 tokens, shared by the
 * six. The prompt for a model of 200,000 tokens or more always has room for as much, so that this budget alone
 * decides what is read, and says so before anybody is asked.
 */
const DEFAULT_MAX_CHARS = 300_000;
/** What a line costs besides its text (number, mark and line end), and how much of a long one is shown. */
const LINE_OVERHEAD_CHARS = 11;
const LINE_MAX_CHARS = 1_050;
/** The heads of a file and of a hunk. */
const FILE_OVERHEAD_CHARS = 250;
const HUNK_OVERHEAD_CHARS = 90;
/** A generator's notice stands at the top of a file. */
const NOTICE_MAX_LINE = 10;
const NOTICE =
  /@generated\b|\bcode generated\b.*\bdo not edit\b|\bauto-?generated\b.*\bdo not (?:edit|modify)\b/i;
/** Scripts and styles whose lines are longer than this on average were written by a minifier. */
const MINIFIED_MIN_CHARS_PER_LINE = 500;
const MINIFIABLE = new Set(['js', 'mjs', 'cjs', 'css']);

/**
 * Orders the files of a range by importance (source, tests, configuration, docs; within each the riskier
 * first) and marks what nobody is to read: generated files, and what the budget has no room for. A file that
 * does not fit does not keep smaller ones behind it out. Files that are not read come last.
 *
 * The content of an unread file stays in the data, for digests; whoever shows files looks at `unread`.
 */
export function selectForReview(
  files: readonly ChangedFile[],
  maxChars: number = DEFAULT_MAX_CHARS,
): readonly ChangedFile[] {
  const ranked = files.map(markGenerated).toSorted(byImportance);
  let left = maxChars;
  const marked = ranked.map((file) => {
    if (file.unread !== undefined) return file;
    const cost = sizeOf(file);
    if (cost > left) return markUnread(file, 'budget');
    left -= cost;
    return file;
  });
  return [
    ...marked.filter((file) => file.unread === undefined),
    ...marked.filter((file) => file.unread !== undefined),
  ];
}

function markGenerated(file: ChangedFile): ChangedFile {
  // A pure rename or an empty file has nothing that anybody could miss.
  if (file.unread !== undefined || file.hunks.length === 0) return file;
  return isGeneratedPath(file.path) || isMinified(file) || hasNotice(file)
    ? markUnread(file, 'generated')
    : file;
}

function markUnread(file: ChangedFile, unread: Unread): ChangedFile {
  return { ...file, unread };
}

/**
 * Whether a generator signed the file. A notice that this PR adds to a file that was there before does not
 * count: it would be an easy way to keep one's code from being read.
 */
function hasNotice(file: ChangedFile): boolean {
  return file.hunks.some((hunk) =>
    hunk.lines.some(
      (line) =>
        line.newLine !== undefined &&
        line.newLine <= NOTICE_MAX_LINE &&
        (line.kind === 'context' || file.status === 'added') &&
        NOTICE.test(line.text),
    ),
  );
}

function isMinified(file: ChangedFile): boolean {
  if (!MINIFIABLE.has(extension(file.path))) return false;
  const lines = file.hunks.flatMap((hunk) => hunk.lines.filter((line) => line.kind === 'add'));
  const chars = lines.reduce((sum, line) => sum + line.text.length, 0);
  return lines.length > 0 && chars / lines.length > MINIFIED_MIN_CHARS_PER_LINE;
}

function byImportance(a: ChangedFile, b: ChangedFile): number {
  return (
    // A file that is gone has only lines that nobody will run.
    Number(a.status === 'removed') - Number(b.status === 'removed') ||
    FILE_KINDS.indexOf(fileKind(a.path)) - FILE_KINDS.indexOf(fileKind(b.path)) ||
    Number(isSensitivePath(b.path)) - Number(isSensitivePath(a.path)) ||
    b.additions + b.deletions - (a.additions + a.deletions)
  );
}

function sizeOf(file: ChangedFile): number {
  if (file.hunks.length === 0) return 0;
  const lines = file.hunks.flatMap((hunk) => hunk.lines);
  return lines.reduce(
    (sum, line) => sum + Math.min(line.text.length, LINE_MAX_CHARS) + LINE_OVERHEAD_CHARS,
    FILE_OVERHEAD_CHARS + 2 * file.path.length + HUNK_OVERHEAD_CHARS * file.hunks.length,
  );
}
