import type { Finding } from '../../../review/finding.ts';
import { entryLine } from '../manifest.ts';
import type { Rule } from '../rule.ts';
import { unregisteredSource } from './dependency-source.ts';
import { type ManifestChange, manifestChanges } from './manifest-change.ts';

/** New runtime dependencies from a registry, as one note per manifest. Packages of the workspace are no news. */
export const newDependency: Rule = {
  id: 'new-dependency',
  aspect: 'architecture',
  run: async (range) => (await manifestChanges(range)).flatMap(inspect),
};

function inspect(change: ManifestChange): readonly Finding[] {
  const { before, head, text, added, file } = change;
  const known = {
    ...before.devDependencies,
    ...before.peerDependencies,
    ...before.optionalDependencies,
    ...before.dependencies,
  };
  const fresh = Object.entries(head.dependencies).flatMap(([name, version]) => {
    if (name in known || unregisteredSource(version) !== undefined || /^(?:workspace|catalog):/.test(version))
      return [];
    const line = entryLine(text, 'dependencies', name);
    return line !== undefined && added.has(line) ? [{ name, line }] : [];
  });
  const [first] = fresh;
  if (first === undefined) return [];
  const names = fresh.map(({ name }) => `\`${name}\``).join(', ');
  const one = fresh.length === 1;
  return [
    {
      severity: 'suggestion',
      file: file.path,
      line: first.line,
      quote: (added.get(first.line) ?? '').trim(),
      message: `${one ? 'A new runtime dependency' : `${fresh.length} new runtime dependencies`}: ${names}.`,
      impact:
        'Everyone who installs this package gets it too, with its own dependencies, licence and advisories.',
      suggestedFix: `Say in the description why ${one ? 'it is' : 'they are'} needed, and check that nothing already here does the same, that the licence fits, and that ${one ? 'it is' : 'they are'} maintained.`,
    },
  ];
}
