/**
 * What the lines of a lock file, or of one side of its diff, say of each package.
 *
 * @module
 */
import type { ChangedFile } from './changed-file.ts';
import { type LockFact, lockReader } from './lock-formats.ts';

/** A package, as far as the shown lines tell of it. */
export interface LockEntry {
  /** Empty where no shown line tells. */
  readonly name: string;
  readonly version: string | undefined;
  readonly sources: readonly string[];
  /** By the file of which they are; the key is empty where a version has one alone. */
  readonly checksums: ReadonlyMap<string, string>;
  /** The first of its lines that changed, on the new side. */
  readonly line: number | undefined;
  /** Whether one of its lines changed in a hunk that is new. */
  readonly isChanged: boolean;
}

/** What one side of a diff shows. */
export function sideEntries(file: ChangedFile, side: 'old' | 'new'): readonly LockEntry[] {
  const absent = side === 'old' ? 'add' : 'del';
  return file.hunks.flatMap((hunk) =>
    collect(
      file.path,
      hunk.lines.flatMap(({ kind, text, newLine }) =>
        kind === absent ? [] : [{ text, line: newLine, isChanged: hunk.isNew && kind !== 'context' }],
      ),
    ),
  );
}

/** What a whole file says. */
export function textEntries(path: string, text: string): readonly LockEntry[] {
  const lines = text.split('\n');
  return collect(
    path,
    lines.map((line, index) => ({ text: line, line: index + 1, isChanged: false })),
  );
}

/**
 * Where a source leads, as people tell origins apart: the kind of address and its host. `undefined` where it
 * leads nowhere outside (a folder, a workspace).
 */
export function originOf(source: string): string | undefined {
  const text = source.replace(/^(?:registry|sparse)\+/, '');
  const shorthand = /^(github|gitlab|bitbucket):/.exec(text)?.[1];
  if (shorthand !== undefined) return `git ${shorthand}.${shorthand === 'bitbucket' ? 'org' : 'com'}`;
  const scp = /^(?:git\+)?(?:ssh:\/\/)?git@([^:/\s]+)[:/]/.exec(text)?.[1];
  if (scp !== undefined) return `git ${scp.toLowerCase()}`;
  const [, git, scheme, host] =
    /^(git\+)?([a-z][a-z0-9+.-]*):\/\/(?:[^@/\s]*@)?([^/?#\s]+)/i.exec(text) ?? [];
  if (host === undefined || scheme === undefined || scheme === 'file') return undefined;
  const isGit = git !== undefined || /^(?:git|ssh)$/i.test(scheme) || /\.git(?:[?#]|$)/.test(text);
  return `${isGit ? 'git' : scheme.toLowerCase()} ${host.toLowerCase()}`;
}

/** The origins of sources, each once. */
export function originsOf(sources: readonly string[]): readonly string[] {
  return [...new Set(sources.flatMap((source) => originOf(source) ?? []))];
}

/** How many packages come from each origin. */
export function countOrigins(entries: readonly LockEntry[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const origin of entries.flatMap(({ sources }) => originsOf(sources))) {
    counts.set(origin, (counts.get(origin) ?? 0) + 1);
  }
  return counts;
}

/** Longer lines are no package's: they are not looked at, so that no expression runs away on them (S9). */
const MAX_LINE_CHARS = 4_000;

interface ShownLine {
  readonly text: string;
  readonly line: number | undefined;
  readonly isChanged: boolean;
}

type Draft = { -readonly [Field in keyof LockEntry]: LockEntry[Field] } & {
  readonly sources: string[];
  readonly checksums: Map<string, string>;
};

function collect(path: string, lines: readonly ShownLine[]): readonly LockEntry[] {
  const read = lockReader(path);
  const drafts: Draft[] = [];
  for (const { text, line, isChanged } of read === undefined ? [] : lines) {
    const fact = text.length > MAX_LINE_CHARS ? undefined : read?.(text);
    if (fact === undefined) continue;
    const last = drafts.at(-1);
    const draft = fact.begins || last === undefined ? emptyDraft() : last;
    if (draft !== last) drafts.push(draft);
    enter(draft, fact);
    if (!isChanged) continue;
    draft.isChanged = true;
    draft.line ??= line;
  }
  // Of which nothing but a name is said is a list of names, and no package.
  return drafts.filter(
    ({ version, sources, checksums }) => version !== undefined || sources.length > 0 || checksums.size > 0,
  );
}

function emptyDraft(): Draft {
  return {
    name: '',
    version: undefined,
    sources: [],
    checksums: new Map(),
    line: undefined,
    isChanged: false,
  };
}

function enter(draft: Draft, { name, version, source, checksum, checksumOf = '' }: LockFact): void {
  if (draft.name === '') draft.name = name ?? '';
  draft.version ??= version;
  if (source !== undefined) draft.sources.push(source);
  if (checksum !== undefined) draft.checksums.set(checksumOf, checksum);
}
