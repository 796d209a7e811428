import { z } from 'zod';
import type { ChangedFile } from '../../../review/changed-file.ts';
import type { Finding } from '../../../review/finding.ts';
import { changesCode } from '../code-change.ts';
import { isPublishable, type Package, packageOf } from '../manifest.ts';
import { isProductSource } from '../paths.ts';
import { newLines, type RangeView, type Rule } from '../rule.ts';

const CONFIG = '.changeset/config.json';
const configSchema = z.object({ ignore: z.array(z.string()).catch([]) });

/**
 * A published package whose `src/` changed, in a repository that uses changesets, without a changeset in the
 * range. Silent for private and ignored packages, for a release itself (it bumps the version), and where only
 * tests or comments changed.
 */
export const missingChangeset: Rule = {
  id: 'missing-changeset',
  aspect: 'conventions',
  run: async (range) => {
    const changed = range.files.filter((file) => isSource(file) && changesCode(file));
    if (changed.length === 0 || [...range.paths].some(isChangeset)) return [];
    const ignore = await ignoredPackages(range);
    if (ignore === undefined) return [];
    const owned = await Promise.all(
      changed.map(async (file) => ({ file, owner: await packageOf(range, file.path) })),
    );
    const findings = new Map<string, Finding>();
    for (const { file, owner } of owned) {
      if (owner === undefined || !owes(range, owner, ignore, file) || findings.has(owner.path)) continue;
      findings.set(owner.path, findingFor(file, owner));
    }
    return [...findings.values()];
  },
};

function isSource(file: ChangedFile): boolean {
  return isProductSource(file.path) && /(?:^|\/)src\//.test(file.path);
}

function isChangeset(path: string): boolean {
  return /^\.changeset\/[^/]+\.md$/.test(path) && path !== '.changeset/README.md';
}

/** Names that the configuration leaves out; `undefined` where the repository does not use changesets. */
async function ignoredPackages(range: RangeView): Promise<readonly string[] | undefined> {
  const text = await range.read(CONFIG);
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

function findingFor(file: ChangedFile, owner: Package): Finding {
  const name = owner.manifest.name ?? owner.path;
  const [first] = newLines(file).filter((line) => line.text.trim() !== '');
  return {
    severity: 'important',
    file: file.path,
    ...(first === undefined ? {} : { line: first.line, quote: first.text.trim() }),
    message: `No changeset: the source of \`${name}\`, which is published, changes.`,
    impact: 'The change is in no release and no changelog: users get it late, and unannounced.',
    suggestedFix: `Run \`npx changeset\`, or add \`.changeset/<any-name>.md\` with \`"${name}": patch\` (or minor, major) in its front matter and a sentence for the changelog.`,
  };
}
