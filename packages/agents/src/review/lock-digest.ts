/**
 * What the changed lines of a lock file say about where packages come from. Nobody reads such a file line by
 * line, but leaving it out would hide changes of the supply chain (T-083). All names and addresses in here are
 * untrusted text (S7).
 *
 * @module
 */
import type { Aspect } from '../ids.ts';
import type { ChangedFile } from './changed-file.ts';
import { isLockPath } from './file-kind.ts';
import {
  countOrigins,
  type LockEntry,
  originOf,
  originsOf,
  sideEntries,
  textEntries,
} from './lock-entries.ts';
import { lockReader } from './lock-formats.ts';

/** A package as the new side of the diff has it. */
export interface LockPackage {
  readonly name: string;
  readonly version: string | undefined;
  /** As written; `undefined` where the shown lines do not tell. */
  readonly source: string | undefined;
  /** A line of the new side that tells of it. */
  readonly line: number | undefined;
}

/** What a diff of one lock file comes to. */
export interface LockDigest {
  readonly path: string;
  /** False for formats that are not known: then there are only the counts of lines. */
  readonly isKnown: boolean;
  readonly additions: number;
  readonly deletions: number;
  /** Packages of which the diff shows no earlier version. */
  readonly added: readonly LockPackage[];
  readonly updated: number;
  readonly removed: number;
  /** Packages that were there and come from another origin now. */
  readonly moved: readonly (LockPackage & { readonly from: readonly string[] })[];
  /** Packages whose checksum is another one under the same version: what was published once was replaced. */
  readonly reissued: readonly LockPackage[];
  /** How many of the shown packages of the new side come from where. */
  readonly origins: ReadonlyMap<string, number>;
}

/** Whether a reviewer of this aspect learns of a file's content: all of what is read, security of lock files, too. */
export function isReadBy(file: ChangedFile, aspect: Aspect): boolean {
  return file.unread === undefined || (aspect === 'security' && isDigested(file));
}

/** Whether a file is left out of the diffs and told by its digest. */
export function isDigested(file: ChangedFile): boolean {
  return file.unread === 'generated' && lockReader(file.path) !== undefined;
}

/** The digests of the lock files among `files` that nobody reads; without those whose diff GitHub does not give. */
export function lockDigests(files: readonly ChangedFile[]): readonly LockDigest[] {
  return files.filter((file) => file.unread === 'generated' && isLockPath(file.path)).map(digestOf);
}

/** Digests one lock file. Linear in the size of the diff; of hunks that are not new, only what they say of others counts. */
export function digestOf(file: ChangedFile): LockDigest {
  const before = byName(sideEntries(file, 'old'));
  const after = byName(sideEntries(file, 'new'));
  const changed = [...after.values()].flatMap((entries) => entries.filter((entry) => entry.isChanged));
  const fresh = changed.filter(({ name }) => name !== '' && !before.has(name));
  const known = changed.filter(({ name }) => before.has(name));
  const origins = countOrigins([...after.values()].flat());
  return {
    path: file.path,
    isKnown: lockReader(file.path) !== undefined,
    additions: file.additions,
    deletions: file.deletions,
    added: byRarity(eachOnce(fresh.map(toPackage)), origins),
    updated: new Set(known.filter((entry) => isUpdated(entry, before)).map(({ name }) => name)).size,
    removed: [...before].filter(([name, entries]) => !after.has(name) && entries.some((e) => e.isChanged))
      .length,
    moved: byRarity(movedIn(known, before), origins),
    reissued: eachOnce(known.filter((entry) => isReissued(entry, before)).map(toPackage)),
    origins,
  };
}

/** How often each origin stands in the whole text of a lock file. */
export function originsIn(path: string, text: string): ReadonlyMap<string, number> {
  return countOrigins(textEntries(path, text));
}

type EntriesByName = ReadonlyMap<string, readonly LockEntry[]>;

function byName(entries: readonly LockEntry[]): EntriesByName {
  const groups = new Map<string, LockEntry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.name);
    if (group === undefined) groups.set(entry.name, [entry]);
    else group.push(entry);
  }
  return groups;
}

function isUpdated(entry: LockEntry, before: EntriesByName): boolean {
  const versions = before.get(entry.name)?.map(({ version }) => version) ?? [];
  return entry.version !== undefined && !versions.includes(entry.version);
}

/** The packages that have an origin which they had not before. */
function movedIn(entries: readonly LockEntry[], before: EntriesByName): LockDigest['moved'] {
  const origins = new Map([...before].map(([name, old]) => [name, originsOf(old.flatMap((e) => e.sources))]));
  return entries.flatMap((entry) => {
    const from = origins.get(entry.name) ?? [];
    const elsewhere = entry.sources.find((source) => {
      const origin = originOf(source);
      return origin !== undefined && !from.includes(origin);
    });
    return elsewhere === undefined || from.length === 0
      ? []
      : [{ ...toPackage(entry), source: elsewhere, from }];
  });
}

function isReissued({ name, version, checksums }: LockEntry, before: EntriesByName): boolean {
  if (name === '' || version === undefined) return false;
  return (before.get(name) ?? []).some(
    (old) =>
      old.version === version &&
      [...checksums].some(([of, checksum]) => {
        const earlier = old.checksums.get(of);
        return earlier !== undefined && isOtherChecksum(earlier, checksum);
      }),
  );
}

/** The same content may be told by another algorithm, or by more than one. */
function isOtherChecksum(earlier: string, now: string): boolean {
  const algorithmOf = (checksum: string) => /^([a-z]+\d*)[-:=]/i.exec(checksum)?.[1]?.toLowerCase();
  const pairs = now.split(/\s+/).flatMap((b) => earlier.split(/\s+/).map((a) => [a, b] as const));
  const comparable = pairs.filter(([a, b]) => algorithmOf(a) === algorithmOf(b));
  return comparable.length > 0 && !comparable.some(([a, b]) => a === b);
}

function toPackage({ name, version, sources, line }: LockEntry): LockPackage {
  return { name, version, source: sources[0], line };
}

/** A package may stand in several places of a file. */
function eachOnce(packages: readonly LockPackage[]): readonly LockPackage[] {
  const known = new Set<string>();
  return packages.filter(({ name, version, source }) => {
    const key = JSON.stringify([name, version, source]);
    return known.size < known.add(key).size;
  });
}

/** What comes from where little else comes from stands first, so that a bound cuts the ordinary. */
function byRarity<T extends LockPackage>(
  packages: readonly T[],
  origins: ReadonlyMap<string, number>,
): readonly T[] {
  const weight = ({ source }: LockPackage): number => {
    const origin = source === undefined ? undefined : originOf(source);
    if (origin === undefined) return Number.POSITIVE_INFINITY;
    return origin.startsWith('https ') ? (origins.get(origin) ?? 0) : 0;
  };
  const weights = new Map(packages.map((one) => [one, weight(one)]));
  return packages.toSorted((a, b) => {
    const [first = 0, second = 0] = [weights.get(a), weights.get(b)];
    return first === second ? 0 : first - second;
  });
}
