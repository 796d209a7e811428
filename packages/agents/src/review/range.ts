/**
 * Which files changed since the last published review, without noise from the base branch: the PR's patch
 * then is compared with the PR's patch now, each against its own merge base. Comparing the two heads would
 * show what came in from the base branch as the author's work (T-033, T-036).
 *
 * @module
 */
import type { CarriedFile, ChangedFile, Hunk, RawFile } from './changed-file.ts';
import { indexFile } from './diff-index.ts';

/** What a round reviews, and what became of the rest. */
export interface ReviewRange {
  /** Files whose patch changed, in the order of `now`. Each holds its whole patch, known hunks marked. */
  readonly files: readonly ChangedFile[];
  /** Paths that the PR changed at the last review and no longer changes. */
  readonly gonePaths: readonly string[];
  /** Where paths and unchanged hunks went that stand at another place than before. */
  readonly carried: readonly CarriedFile[];
}

/**
 * Compares the PR's files at the last published review with its files now; `before` is empty in a first
 * round, and then everything is in the range. A pure rebase gives an empty range.
 *
 * A file is unchanged when the texts of its hunks are, whatever their line numbers. Where there is no patch
 * to compare (binary, too large), status and counts decide; nobody reads such a file in any case.
 */
export function computeRange(before: readonly RawFile[], now: readonly RawFile[]): ReviewRange {
  const earlier = matchFiles(before, now);
  const matched = new Set(earlier.values());
  const files: ChangedFile[] = [];
  const carried: CarriedFile[] = [];
  for (const file of now) {
    const old = earlier.get(file);
    if (old === undefined || !isSamePatch(old, file)) files.push(indexFile(file, old));
    const move = old === undefined ? undefined : carry(old, file);
    if (move !== undefined) carried.push(move);
  }
  const gonePaths = before.filter((file) => !matched.has(file)).map((file) => file.path);
  // A path that another file took over is still in the patch: what was said about it can be checked there.
  const paths = new Set(now.map((file) => file.path));
  return { files, gonePaths: gonePaths.filter((path) => !paths.has(path)), carried };
}

/**
 * Which earlier file each file is. A file that exists on the base branch is known by its name there, so that
 * it is followed through renames and a new file may take its old name (T-173); an added one by its path,
 * else by its content.
 */
function matchFiles(before: readonly RawFile[], now: readonly RawFile[]): Map<RawFile, RawFile> {
  const matches = new Map<RawFile, RawFile>();
  for (const key of [nameOnBase, (file: RawFile) => file.path, content]) {
    const taken = new Set(matches.values());
    const free = firstByKey(
      before.filter((file) => !taken.has(file)),
      key,
    );
    for (const file of now) {
      const name = matches.has(file) ? undefined : key(file);
      const old = name === undefined ? undefined : free.get(name);
      if (name === undefined || old === undefined) continue;
      matches.set(file, old);
      free.delete(name);
    }
  }
  return matches;
}

type FileKey = (file: RawFile) => string | undefined;

function firstByKey(files: readonly RawFile[], key: FileKey): Map<string, RawFile> {
  const first = new Map<string, RawFile>();
  for (const file of files) {
    const name = key(file);
    if (name !== undefined && !first.has(name)) first.set(name, file);
  }
  return first;
}

function nameOnBase(file: RawFile): string | undefined {
  return file.status === 'added' || file.status === 'copied' ? undefined : (file.previousPath ?? file.path);
}

/** Only what is not on the base branch is known by its content: two files that are removed are two files. */
function content(file: RawFile): string | undefined {
  return file.patch === undefined || nameOnBase(file) !== undefined ? undefined : bodyOf(file.patch);
}

function isSamePatch(old: RawFile, file: RawFile): boolean {
  if (old.patch === undefined || file.patch === undefined) return isSameWithoutPatch(old, file);
  return (
    bodyOf(old.patch) === bodyOf(file.patch) && (old.status === 'removed') === (file.status === 'removed')
  );
}

function isSameWithoutPatch(old: RawFile, file: RawFile): boolean {
  return (
    old.patch === undefined &&
    file.patch === undefined &&
    old.status === file.status &&
    old.additions === file.additions &&
    old.deletions === file.deletions &&
    old.path === file.path &&
    old.previousPath === file.previousPath &&
    !hasOtherContent(old, file)
  );
}

/**
 * Whether content that nobody can read is another one now. Where no line of the PR is missing from the patch (a
 * pure rename, a change of mode), other content came from the base branch.
 */
function hasOtherContent(old: RawFile, file: RawFile): boolean {
  if (indexFile(file).unread === undefined) return false;
  return old.blobSha !== undefined && file.blobSha !== undefined && old.blobSha !== file.blobSha;
}

/**
 * The patch without the numbers and the section names of its `@@` lines. Lines end at `\n` alone: a file may hold
 * other marks that a regular expression takes for a line's end, and what follows them is content.
 */
function bodyOf(patch: string): string {
  return patch
    .split('\n')
    .map((line) => (line.startsWith('@@ ') ? '@@' : line))
    .join('\n');
}

/** Where a file and its unchanged hunks went; `undefined` where everything stands where it stood. */
function carry(old: RawFile, file: RawFile): CarriedFile | undefined {
  const moved = old.path !== file.path;
  if (!moved && old.patch === file.patch) return undefined;
  const targets = byText(indexFile(file).hunks);
  const hunks = indexFile(old).hunks.flatMap((hunk) => {
    const target = targets.get(textOf(hunk))?.shift();
    if (target === undefined) return [];
    const lineCount = hunk.lines.filter((line) => line.newLine !== undefined).length;
    return [{ from: hunk.newStart, to: target.newStart, lineCount }];
  });
  const shifted = hunks.some((hunk) => hunk.from !== hunk.to);
  return moved || shifted ? { from: old.path, to: file.path, hunks } : undefined;
}

/** Hunks by their text, those of the same text in their order. */
function byText(hunks: readonly Hunk[]): ReadonlyMap<string, Hunk[]> {
  const groups = new Map<string, Hunk[]>();
  for (const hunk of hunks) {
    const text = textOf(hunk);
    const group = groups.get(text);
    if (group === undefined) groups.set(text, [hunk]);
    else group.push(hunk);
  }
  return groups;
}

function textOf(hunk: Hunk): string {
  return hunk.lines.map((line) => `${line.kind} ${line.text}`).join('\n');
}

/**
 * The PR's earlier files where GitHub cut their list: `known` is what it gave, `now` the PR's files, and `touched`
 * every path whose content differs between the two heads or between the two merge bases. A file that neither
 * touched has the patch that it had; any other one that is not known counts as new, so that nothing is missed.
 */
export function fillEarlier(
  known: readonly RawFile[],
  now: readonly RawFile[],
  touched: ReadonlySet<string>,
): readonly RawFile[] {
  const names = new Set(known.map((file) => file.path));
  const unchanged = now.filter(
    ({ path, previousPath = path }) => !names.has(path) && !touched.has(path) && !touched.has(previousPath),
  );
  return [...known, ...unchanged];
}
