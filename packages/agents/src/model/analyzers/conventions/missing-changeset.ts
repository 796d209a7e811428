import { z } from 'zod';
import type { ChangedFile } from '../../../review/changed-file.ts';
import type { Finding } from '../../../review/finding.ts';
import { changesCode } from '../code-change.ts';
import { isPublishable, type Package, packageOf } from '../manifest.ts';
import { CHANGESET_CONFIG, isChangeset, isProductSource } from '../paths.ts';
import { newLines, type RangeView, type Rule } from '../rule.ts';
import { codeName, nameList } from '../wording.ts';

const LIST_MAX_CHARS = 200;
const configSchema = z.object({ ignore: z.array(z.string()).catch([]) });

/**
 * A published package whose `src/` changed, in a repository that uses changesets, without a changeset in the
 * range. Said once, without a line, since the remedy is a file of its own. Silent for private and ignored packages,
 * for a release itself (it bumps the version), and where only tests or comments changed or files went.
 */
export const missingChangeset: Rule = {
  id: 'missing-changeset',
  aspect: 'conventions',
  run: async (range) => {
    const changed = range.files
      .filter((file) => isSource(file) && changesCode(file))
      // In the order of their paths, so that a later round points to the same file.
      .toSorted((a, b) => (a.path < b.path ? -1 : 1));
    if (changed.length === 0 || [...range.paths].some(isChangeset)) return [];
    const ignore = await ignoredPackages(range);
    if (ignore === undefined) return [];
    const owned = await Promise.all(
      changed.map(async (file) => ({ file, owner: await packageOf(range, file.path) })),
    );
    const owing = owned.flatMap(({ file, owner }) =>
      owner !== undefined && owes(range, owner, ignore, file)
        ? [{ path: file.path, name: owner.manifest.name ?? owner.path }]
        : [],
    );
    const [first] = owing;
    if (first === undefined) return [];
    return [findingFor(first.path, [...new Set(owing.map(({ name }) => name))])];
  },
};

function isSource(file: ChangedFile): boolean {
  return file.status !== 'removed' && isProductSource(file.path) && /(?:^|\/)src\//.test(file.path);
}

/** Names that the configuration leaves out; `undefined` where the repository does not use changesets. */
async function ignoredPackages(range: RangeView): Promise<readonly string[] | undefined> {
  const text = await range.read(CHANGESET_CONFIG);
  if (text === undefined) return undefined;
  try {
    return configSchema.safeParse(JSON.parse(text)).data?.ignore;
  } catch {
    return undefined;
  }
}

function owes(range: RangeView, owner: Package, ignore: readonly string[], file: ChangedFile): boolean {
  const { manifest, path, directory } = owner;
  if (!isPublishable(manifest) || !file.path.startsWith(`${directory}src/`)) return false;
  // A pattern may cover the package; which ones it covers is not for us to guess.
  if (ignore.some((name) => name === manifest.name || /[*!{?[]/.test(name))) return false;
  const manifestFile = range.files.find((candidate) => candidate.path === path);
  const bumped =
    manifestFile !== undefined && newLines(manifestFile).some((line) => /^\s*"version"/.test(line.text));
  return !bumped;
}

function findingFor(path: string, names: readonly string[]): Finding {
  const [first = ''] = names;
  const one = names.length === 1;
  return {
    severity: 'important',
    file: path,
    message: one
      ? `${codeName(first)} changes without a changeset. The package is published, and nothing in the range says which version this makes.`
      : `${names.length} published packages change without a changeset. Nothing in the range says which versions this makes of ${nameList(names, LIST_MAX_CHARS)}.`,
    impact: 'The change is in no release and no changelog: users get it late, and unannounced.',
    suggestedFix: one
      ? `Run \`npx changeset\`, or add \`.changeset/<any-name>.md\` with \`"${first}": patch\` (or minor, major) in its front matter and a sentence for the changelog; where users see no difference, \`npx changeset --empty\` says so.`
      : 'Run `npx changeset` and choose the packages; where users see no difference, `npx changeset --empty` says so.',
  };
}
