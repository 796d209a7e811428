/**
 * The part of a message that shows a change: its files, and as much of their diffs as there is room for.
 *
 * @module
 */
import type { ChangedFile } from '../review/changed-file.ts';
import { diffText, divideRoom } from './diff-text.ts';
import type { Fence } from './fence.ts';

/** What the tags around a text and the words about it take. */
const FENCE_CHARS = 200;

/** Whether there are lines of a file to be read. */
export function hasDiff(file: ChangedFile): boolean {
  return file.unread === undefined && file.hunks.length > 0;
}

/** One line about a file, with its path as JSON so that no path can look like another line. */
export function aboutFile({ path, previousPath, status, additions, deletions, unread }: ChangedFile): string {
  const from = previousPath === undefined ? '' : ` from ${JSON.stringify(previousPath)}`;
  const hidden = unread === undefined ? '' : `; NOT SHOWN: ${unread}`;
  return `${status} ${JSON.stringify(path)}${from} +${additions} -${deletions}${hidden}`;
}

/** What {@link diffsPart} will put into the fence, for making it. */
export function diffTexts(files: readonly ChangedFile[]): readonly string[] {
  return files.flatMap((file) => [file.path, diffText(file).text]);
}

/**
 * Diffs of `files`, which stand in order of importance, in about `room` characters. The file at the path
 * `first` gets what it needs, up to half of the room; it need not be among them. Says how many are not shown.
 */
export function diffsPart(
  files: readonly ChangedFile[],
  fence: Fence,
  room: number,
  first?: string,
): readonly string[] {
  const readable = files.filter(hasDiff);
  const foremost = readable
    .filter((file) => file.path === first)
    .map((file) => diffOf(file, fence, Math.floor(room / 2)));
  const others = readable.filter((file) => file.path !== first);
  const left = foremost.reduce((chars, text) => chars - text.length, room);
  const lengths = others.map((file) => diffText(file).text.length + FENCE_CHARS + file.path.length);
  const shares = divideRoom(lengths, Math.max(0, left));
  const rest = others.map((file, index) => diffOf(file, fence, shares[index] ?? 0));
  const shown = [...foremost, ...rest].filter((text) => text !== '');
  const missing = files.length - shown.length;
  return [...shown, ...(missing === 0 ? [] : [`The diffs of ${missing} files are not shown.`])];
}

/** Empty where not even a line has room. */
function diffOf(file: ChangedFile, fence: Fence, maxChars: number): string {
  const { text, cutLines } = diffText(file, maxChars - FENCE_CHARS - file.path.length);
  if (text === '') return '';
  const cut = cutLines === 0 ? '' : `\n(Cut here: ${cutLines} more lines are not shown.)`;
  return `${fence.wrap(`diff of ${JSON.stringify(file.path)}`, text)}${cut}`;
}
