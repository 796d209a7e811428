/**
 * The digest of lock files as a reviewer reads it. Names and addresses are untrusted text: whoever shows it puts
 * it into a fence (S7).
 *
 * @module
 */

import type { ChangedFile } from '../review/changed-file.ts';
import { type LockDigest, type LockPackage, lockDigests } from '../review/lock-digest.ts';
import { clip } from './fence.ts';

/** Packages that are named of one kind and file; the unusual come first. */
const MAX_LISTED = 40;
const MAX_TEXT_CHARS = 200;

/** What lock files among `files` say; empty where there are none, or nobody knows what stands in them. */
export function lockText(files: readonly ChangedFile[]): string {
  return lockDigests(files).map(digestText).join('\n');
}

function digestText(digest: LockDigest): string {
  const { path, additions, deletions, added, updated, removed, moved, reissued, origins } = digest;
  const head = `${quoted(path)}: +${additions} -${deletions} lines`;
  if (!digest.isKnown) return `${head}; its form is not known, so that nothing else can be said`;
  return [
    `${head}; ${added.length} packages new, ${updated} in another version, ${removed} gone`,
    ...listed('new', added, ({ source }) => (source === undefined ? '' : ` from ${quoted(source)}`)),
    ...listed(
      'other origin',
      moved,
      ({ from, source = '' }) => ` from ${quoted(source)}, before ${quoted(from.join(', '))}`,
    ),
    ...listed('other checksum, same version', reissued, () => ''),
    ...(origins.size === 0 ? [] : [`- origins in the diff: ${originsText(origins)}`]),
  ].join('\n');
}

function listed<T extends LockPackage>(
  what: string,
  packages: readonly T[],
  more: (one: T) => string,
): readonly string[] {
  const lines = packages
    .slice(0, MAX_LISTED)
    .map(
      (one) =>
        `- ${what}: ${quoted(one.name)} ${one.version === undefined ? '' : quoted(one.version)}${more(one)}`,
    );
  const rest = packages.length - lines.length;
  return rest > 0 ? [...lines, `- ${what}: ${rest} more`] : lines;
}

function originsText(origins: ReadonlyMap<string, number>): string {
  const counts = [...origins]
    .toSorted(([, a], [, b]) => b - a)
    .map(([origin, count]) => `${quoted(origin)} ${count}`);
  return counts.slice(0, MAX_LISTED).join(', ');
}

function quoted(text: string): string {
  return JSON.stringify(clip(text, MAX_TEXT_CHARS).head);
}
