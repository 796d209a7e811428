import type { Finding } from '../../../review/finding.ts';
import { entryLine } from '../manifest.ts';
import type { RangeView, Rule } from '../rule.ts';
import { nameList } from '../wording.ts';
import { unregisteredSource } from './dependency-source.ts';
import { type ManifestChange, manifestChanges } from './manifest-change.ts';
import { isOfRepository, namesInRange } from './repository-names.ts';

/**
 * New runtime dependencies of a published package, from a registry, as one note per manifest. No news are types
 * alone, packages of the repository, and what a manifest of the range listed before: it was only moved.
 */
export const newDependency: Rule = {
  id: 'new-dependency',
  aspect: 'architecture',
  run: async (range) => {
    const changes = (await manifestChanges(range)).filter((change) => change.isPublished);
    if (changes.length === 0) return [];
    const known = await namesInRange(range);
    const found = await Promise.all(changes.map((change) => inspect(range, change, known)));
    return found.flat();
  },
};

interface Entry {
  readonly name: string;
  readonly line: number;
}

async function inspect(
  range: RangeView,
  change: ManifestChange,
  known: ReadonlySet<string>,
): Promise<readonly Finding[]> {
  const candidates = addedEntries(change).filter(({ name }) => !known.has(name));
  const own = await Promise.all(candidates.map(({ name }) => isOfRepository(range, name, change.directory)));
  const fresh = candidates.filter((_, index) => own[index] === false);
  const [first] = fresh;
  if (first === undefined) return [];
  const one = fresh.length === 1;
  const names = nameList(fresh.map(({ name }) => name));
  return [
    {
      severity: 'suggestion',
      file: change.file.path,
      line: first.line,
      quote: (change.added.get(first.line) ?? '').trim(),
      message: one
        ? `${names} is a new runtime dependency. No manifest of this range listed it before.`
        : `${names} are new runtime dependencies. No manifest of this range listed them before.`,
      impact: `Everyone who installs \`${change.head.name}\` gets ${one ? 'it too, with its' : 'them too, with their'} own dependencies, licences and advisories.`,
      suggestedFix: `Say in the description why ${one ? 'it is' : 'they are'} needed, and check that nothing already here does the same, that the licence fits, and that ${one ? 'it is' : 'they are'} maintained.`,
    },
  ];
}

/** What stands on added lines of `dependencies` and comes from a registry. */
function addedEntries({ head, text, added }: ManifestChange): readonly Entry[] {
  return Object.entries(head.dependencies).flatMap(([name, version]) => {
    const isNoNews = name.startsWith('@types/') || /^(?:workspace|catalog):/.test(version);
    if (isNoNews || unregisteredSource(version) !== undefined) return [];
    const line = entryLine(text, 'dependencies', name);
    return line !== undefined && added.has(line) ? [{ name, line }] : [];
  });
}
