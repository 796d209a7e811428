import type { Finding } from '../../../review/finding.ts';
import { entryLine } from '../manifest.ts';
import type { Rule } from '../rule.ts';
import { codeName } from '../wording.ts';
import { unregisteredSource } from './dependency-source.ts';
import { type ManifestChange, manifestChanges } from './manifest-change.ts';

const SECTIONS = ['dependencies', 'optionalDependencies'] as const;

/**
 * A runtime dependency that comes from a git repository or an address instead of a registry; from a folder only
 * where the package is published. The message names no address: it may hold a token.
 */
export const unregisteredDependency: Rule = {
  id: 'unregistered-dependency',
  aspect: 'architecture',
  run: async (range) => (await manifestChanges(range)).flatMap(inspect),
};

function inspect(change: ManifestChange): readonly Finding[] {
  return SECTIONS.flatMap((section) =>
    Object.entries(change.head[section]).flatMap(([name, source]) => {
      const from = unregisteredSource(source);
      const isLocal = from === 'a folder on the disk';
      if (from === undefined || (isLocal && !change.isPublished) || change.before[section][name] === source)
        return [];
      const line = entryLine(change.text, section, name);
      const text = line === undefined ? undefined : change.added.get(line);
      if (line === undefined || text === undefined) return [];
      return [
        {
          severity: 'important' as const,
          file: change.file.path,
          line,
          // An address may carry a user and a password.
          ...(text.includes('@') ? {} : { quote: text.trim() }),
          message: `${codeName(name)} is not from the registry. It is installed from ${from}.`,
          impact:
            'What gets installed can change or vanish without a new version, no advisory covers it, and users of the package need access to that place.',
          suggestedFix: `Publish \`${name}\` to the registry that the project uses and depend on a version range, or take its code into this repository.`,
        },
      ];
    }),
  );
}
