/**
 * The data that a review is made of: the files of a range, line by line. Pure data; who produced it (GitHub,
 * a local repository) is not visible here.
 *
 * @module
 */

/** What happened to a file between the merge base and the head. */
export type FileStatus = 'added' | 'modified' | 'removed' | 'renamed' | 'copied' | 'changed' | 'unchanged';

/** One file of a comparison, in the words of GitHub's `files` entries. `patch` starts at the first `@@`. */
export interface RawFile {
  readonly path: string;
  readonly previousPath?: string;
  readonly status: FileStatus;
  readonly additions: number;
  readonly deletions: number;
  /** Names the content after the change (of a removed file, before it), where that is told. */
  readonly blobSha?: string;
  /** Absent for binaries, pure renames, mode changes, and where the patch was too large to be given. */
  readonly patch?: string;
}

/** A line of a hunk. `oldLine` and `newLine` are 1-based and present on the sides on which the line exists. */
export interface HunkLine {
  readonly kind: 'add' | 'del' | 'context';
  readonly text: string;
  readonly oldLine?: number;
  readonly newLine?: number;
}

/** A hunk. `isNew`: it changed since the last published review; a first round has only new hunks. */
export interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly HunkLine[];
  readonly isNew: boolean;
}

/** Why the content of a changed file is not in the range's text. */
export type Unread = 'binary' | 'too-large' | 'budget' | 'generated';

/** A file of a range as the reviewers see it. */
export interface ChangedFile {
  readonly path: string;
  readonly previousPath?: string;
  readonly status: FileStatus;
  readonly additions: number;
  readonly deletions: number;
  readonly hunks: readonly Hunk[];
  /** Present when nobody reads the content; the coverage line counts and names it (S5). */
  readonly unread?: Unread;
}

/**
 * Where a file of the last published review went, when its path or the place of an unchanged hunk is another
 * one now. Lines count on the new side.
 */
export interface CarriedFile {
  readonly from: string;
  readonly to: string;
  readonly hunks: readonly { readonly from: number; readonly to: number; readonly lineCount: number }[];
}

/** The added lines of a file, with their numbers on the new side. */
export function addedLines(file: ChangedFile): readonly { readonly line: number; readonly text: string }[] {
  return file.hunks.flatMap((hunk) =>
    hunk.lines.flatMap((line) =>
      line.kind === 'add' && line.newLine !== undefined ? [{ line: line.newLine, text: line.text }] : [],
    ),
  );
}

/** A file as in a first round: every hunk is new. */
export function asNew(file: ChangedFile): ChangedFile {
  return { ...file, hunks: file.hunks.map((hunk) => ({ ...hunk, isNew: true })) };
}
