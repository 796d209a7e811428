import { z } from 'zod';
import type { Finding } from '../../../review/finding.ts';
import type { Manifest } from '../manifest.ts';
import { CHANGESET_CONFIG, isChangeset } from '../paths.ts';
import type { RangeView, Rule } from '../rule.ts';
import { nameList } from '../wording.ts';
import { type ManifestChange, manifestChanges } from './manifest-change.ts';

const exportMap = z.record(z.string(), z.unknown());

/**
 * An entry of a published package's `exports` that is gone, without a major version (a minor one below 1.0)
 * announced in the range. Critical where the repository announces versions by changesets, since then its absence
 * is certain; important elsewhere, where the version may be decided later.
 */
export const removedExport: Rule = {
  id: 'removed-export',
  aspect: 'architecture',
  run: async (range) => {
    const changes = (await manifestChanges(range)).filter((change) => change.isPublished);
    const found = await Promise.all(changes.map((change) => inspect(range, change)));
    return found.flat();
  },
};

async function inspect(range: RangeView, change: ManifestChange): Promise<readonly Finding[]> {
  const head = entryPoints(change.head);
  const removed = [...entryPoints(change.before)].filter((entry) => !isCovered(entry, head));
  if (removed.length === 0 || head.size === 0 || !deletesAnEntry(change, removed)) return [];
  if (isBreakingVersion(change.before.version, change.head.version)) return [];
  const usesChangesets = (await range.read(CHANGESET_CONFIG)) !== undefined;
  if (usesChangesets && (await announcesBreak(range, change))) return [];
  const name = change.head.name ?? 'this package';
  const entries = removed.map((entry) => `${name}${entry.slice(1)}`);
  return [
    {
      severity: usesChangesets ? 'critical' : 'important',
      file: change.file.path,
      message: `${nameList(entries)} can no longer be imported. ${entries.length === 1 ? 'The entry is' : 'The entries are'} gone from \`exports\`, and the range announces no breaking version.`,
      impact: 'Users who take the next release within their version range fail at import.',
      suggestedFix: `Keep the entry (it may point to the new place and be marked as deprecated), or announce ${breakingKind(change.head.version)} with the migration described.`,
    },
  ];
}

/** The subpaths that a package lets others import; empty where it has no `exports`. */
function entryPoints(manifest: Manifest): ReadonlySet<string> {
  if (typeof manifest.exports === 'string') return new Set(['.']);
  const parsed = exportMap.safeParse(manifest.exports);
  if (!parsed.success) return new Set();
  const keys = Object.keys(parsed.data);
  if (!keys.every((key) => key.startsWith('.'))) return new Set(['.']);
  return new Set(keys.filter((key) => parsed.data[key] !== null));
}

function isCovered(entry: string, head: ReadonlySet<string>): boolean {
  if (head.has(entry)) return true;
  return [...head].some((key) => {
    const [prefix, suffix] = key.split('*');
    return suffix !== undefined && entry.startsWith(prefix ?? '') && entry.endsWith(suffix);
  });
}

/** The removal is part of what changed since the last review. */
function deletesAnEntry(change: ManifestChange, removed: readonly string[]): boolean {
  const deleted = change.file.hunks
    .filter((hunk) => hunk.isNew)
    .flatMap((hunk) => hunk.lines.filter((line) => line.kind === 'del'));
  return removed.some((entry) => deleted.some((line) => line.text.includes(`"${entry}"`)));
}

function isBreakingVersion(before: string | undefined, head: string | undefined): boolean {
  const [majorBefore, minorBefore] = numbersOf(before);
  const [major, minor] = numbersOf(head);
  // Never released, or not readable: nobody can be broken for certain.
  if (major === undefined || (major === 0 && minor === 0)) return true;
  return major !== majorBefore || (major === 0 && minor !== minorBefore);
}

function numbersOf(version: string | undefined): readonly number[] {
  const match = /^(\d+)\.(\d+)\./.exec(version ?? '');
  return match === null ? [] : [Number(match[1]), Number(match[2])];
}

async function announcesBreak(range: RangeView, change: ManifestChange): Promise<boolean> {
  const paths = [...range.paths].filter(isChangeset);
  const texts = await Promise.all(paths.map((path) => range.read(path)));
  const kinds = /^0\./.test(change.head.version ?? '') ? '(?:major|minor)' : 'major';
  const name = (change.head.name ?? '').replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  const announced = new RegExp(`^\\s*['"]?${name}['"]?\\s*:\\s*${kinds}\\b`, 'm');
  return texts.some((text) => text !== undefined && announced.test(text));
}

function breakingKind(version: string | undefined): string {
  return /^0\./.test(version ?? '')
    ? 'a minor version (below 1.0 that is the breaking one)'
    : 'a major version';
}
