import { runGit } from './run-git.ts';
import { hunksOf, splitSections } from './unified-diff.ts';

/** One entry of GitHub's `files` arrays, in our spelling. */
export interface CompareFile {
  readonly filename: string;
  readonly status: 'added' | 'removed' | 'modified' | 'renamed' | 'copied' | 'changed' | 'unchanged';
  readonly additions: number;
  readonly deletions: number;
  readonly changes: number;
  /** Blob after the change; of a removed file the blob that was removed. */
  readonly sha: string;
  readonly previousFilename?: string;
  /**
   * From the first `@@` on, without a final newline. Absent for binaries, pure renames, mode changes,
   * empty files, and files whose diff is beyond {@link MAX_PATCH_LINES} or {@link MAX_PATCH_BYTES}.
   */
  readonly patch?: string;
}

/** GitHub's documented limits for the diff of a single file. */
export const MAX_PATCH_LINES = 20_000;
export const MAX_PATCH_BYTES = 500_000;

const DIFF_TREE = ['diff-tree', '-r', '-M', '--no-ext-diff', '--no-textconv', '--no-color'] as const;

/** What changed between two trees, renames detected, in git's order. Pass the empty tree for a root commit. */
export async function changedFiles(
  gitDir: string,
  from: string,
  to: string,
): Promise<readonly CompareFile[]> {
  const args = [...DIFF_TREE, '--raw', '--numstat', '-p', '--no-abbrev', '-z', from, to];
  const { stdout } = await runGit({ gitDir, args });
  const { entries, counts, patchText } = parseFacts(stdout.toString('utf8'));
  const sections = splitSections(patchText);
  let taken = 0;
  return entries.map((entry, index) => {
    // A file that became a symlink, or the other way round, is written as a removal and an addition.
    const count = entry.letter === 'T' ? 2 : 1;
    const own = sections.slice(taken, taken + count);
    taken += count;
    return toCompareFile(entry, counts[index] ?? { additions: 0, deletions: 0 }, own);
  });
}

/** The diff of two trees as git writes it. Bytes that are not UTF-8 become U+FFFD, as in GitHub's answers. */
export async function diffText(gitDir: string, from: string, to: string): Promise<string> {
  const result = await runGit({ gitDir, args: [...DIFF_TREE, '-p', from, to] });
  return result.stdout.toString('utf8');
}

/** The diff of one path without context lines; a renamed file counts as removed. */
export async function diffWithoutContext(
  gitDir: string,
  from: string,
  to: string,
  path: string,
): Promise<string> {
  const result = await runGit({ gitDir, args: [...DIFF_TREE, '-p', '-U0', from, to, '--', path] });
  return result.stdout.toString('utf8');
}

interface RawEntry {
  readonly letter: string;
  readonly path: string;
  readonly previousPath?: string;
  readonly sha: string;
}

interface LineCounts {
  readonly additions: number;
  readonly deletions: number;
}

const STATUS_BY_LETTER: Readonly<Record<string, CompareFile['status']>> = {
  A: 'added',
  D: 'removed',
  M: 'modified',
  R: 'renamed',
  C: 'copied',
  T: 'changed',
};

interface Facts {
  readonly entries: readonly RawEntry[];
  readonly counts: readonly LineCounts[];
  readonly patchText: string;
}

/** `--raw --numstat -p -z`: all raw records, the counts in the same order, an empty record, the patch text. */
function parseFacts(text: string): Facts {
  const fields = text.split('\0');
  const entries: RawEntry[] = [];
  let at = 0;
  while (fields[at]?.startsWith(':')) {
    const entry = parseRawEntry(fields, at);
    entries.push(entry);
    at += entry.previousPath === undefined ? 2 : 3;
  }
  const counts: LineCounts[] = [];
  while (counts.length < entries.length) {
    const [additions, deletions, path] = splitCounts(fields[at] ?? '');
    // git writes `-` for binaries.
    counts.push({ additions: Number(additions) || 0, deletions: Number(deletions) || 0 });
    // A rename has an empty path here and both paths in fields of their own.
    at += path === '' ? 3 : 1;
  }
  // The text of a file may hold a NUL of its own.
  return { entries, counts, patchText: fields.slice(at + 1).join('\0') };
}

/** `:<modes> <old sha> <new sha> <status>`, then the path; for a rename the old path and the new one. */
function parseRawEntry(fields: readonly string[], at: number): RawEntry {
  const [, , oldSha = '', newSha = '', status = ''] = (fields[at] ?? '').split(' ');
  const letter = status.charAt(0);
  const sha = letter === 'D' ? oldSha : newSha;
  const [first = '', second = ''] = fields.slice(at + 1, at + 3);
  const moved = letter === 'R' || letter === 'C';
  return moved ? { letter, sha, previousPath: first, path: second } : { letter, sha, path: first };
}

/** Paths may hold tabs, so only the first two separate fields. */
function splitCounts(record: string): readonly [string, string, string] {
  const first = record.indexOf('\t');
  const second = record.indexOf('\t', first + 1);
  return [record.slice(0, first), record.slice(first + 1, second), record.slice(second + 1)];
}

function toCompareFile(entry: RawEntry, counts: LineCounts, sections: readonly string[]): CompareFile {
  const hunks = sections.map(hunksOf).filter((text) => text !== undefined);
  const patch = hunks.length === 0 ? undefined : hunks.join('\n');
  const changes = counts.additions + counts.deletions;
  return {
    filename: entry.path,
    status: STATUS_BY_LETTER[entry.letter] ?? 'changed',
    additions: counts.additions,
    deletions: counts.deletions,
    changes,
    sha: entry.sha,
    ...(entry.previousPath === undefined ? {} : { previousFilename: entry.previousPath }),
    ...(patch === undefined || isTooLarge(patch, changes) ? {} : { patch }),
  };
}

function isTooLarge(patch: string, changes: number): boolean {
  return changes > MAX_PATCH_LINES || Buffer.byteLength(patch) > MAX_PATCH_BYTES;
}
