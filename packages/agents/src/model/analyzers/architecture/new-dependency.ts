import type { Finding } from '../../../review/finding.ts';
import { entryLine } from '../manifest.ts';
import type { RangeView, Rule } from '../rule.ts';
import { nameList } from '../wording.ts';
import { unregisteredSource } from './dependency-source.ts';
import { type ManifestChange, manifestChanges } from './manifest-change.ts';
import { isOfRepository, namesInRange } from './repository-names.ts';

const USERS_MAX_CHARS = 200;

/**
 * New runtime dependencies of published packages, from a registry. Each name is told once, where it comes first;
 * the new ones of one manifest are one note. No news are types alone, packages of the repository, and what a
 * manifest of the range listed before: it was only moved.
 */
export const newDependency: Rule = {
  id: 'new-dependency',
  aspect: 'architecture',
  run: async (range) => {
    const changes = (await manifestChanges(range)).filter((change) => change.isPublished);
    if (changes.length === 0) return [];
    const known = await namesInRange(range);
    const inOrder = changes.toSorted((a, b) => (a.file.path < b.file.path ? -1 : 1));
    const additions = await Promise.all(inOrder.map((change) => additionsTo(range, change, known)));
    return additions.flatMap((addition, index) => {
      const told = new Set(additions.slice(0, index).flatMap(({ fresh }) => fresh.map(({ name }) => name)));
      const first = addition.fresh.filter(({ name }) => !told.has(name));
      return findingFor(addition.change, first, usersOf(first, additions));
    });
  },
};

interface Entry {
  readonly name: string;
  readonly line: number;
}

/** What is new in one manifest. */
interface Addition {
  readonly change: ManifestChange;
  readonly fresh: readonly Entry[];
}

async function additionsTo(
  range: RangeView,
  change: ManifestChange,
  known: ReadonlySet<string>,
): Promise<Addition> {
  const candidates = addedEntries(change).filter(({ name }) => !known.has(name));
  const own = await Promise.all(candidates.map(({ name }) => isOfRepository(range, name, change.directory)));
  return { change, fresh: candidates.filter((_, index) => own[index] === false) };
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

/** The packages that get one of the dependencies. */
function usersOf(entries: readonly Entry[], additions: readonly Addition[]): readonly string[] {
  const names = new Set(entries.map(({ name }) => name));
  return additions
    .filter(({ fresh }) => fresh.some(({ name }) => names.has(name)))
    .map(({ change }) => change.head.name ?? change.file.path);
}

function findingFor(
  change: ManifestChange,
  entries: readonly Entry[],
  users: readonly string[],
): readonly Finding[] {
  const [first] = entries;
  if (first === undefined) return [];
  const one = entries.length === 1;
  const names = nameList(entries.map(({ name }) => name));
  const news = one ? `${names} is a new runtime dependency` : `${names} are new runtime dependencies`;
  return [
    {
      severity: 'suggestion',
      file: change.file.path,
      line: first.line,
      quote: (change.added.get(first.line) ?? '').trim(),
      message: `${news}. No manifest of this range listed ${one ? 'it' : 'them'} before.`,
      impact: `Everyone who installs ${nameList(users, USERS_MAX_CHARS)} gets ${one ? 'it too, with its' : 'them too, with their'} own dependencies, licences and advisories.`,
      suggestedFix: `Say in the description why ${one ? 'it is' : 'they are'} needed, and check that nothing already here does the same, that the licence fits, and that ${one ? 'it is' : 'they are'} maintained.`,
    },
  ];
}
