import type { ChangedFile } from '../../../review/changed-file.ts';
import { contentBefore, isPublishable, type Manifest, parseManifest } from '../manifest.ts';
import { directoryOf, isFixture, isGenerated } from '../paths.ts';
import { newLines, type RangeView } from '../rule.ts';

/** A package.json of the range, at head and before. */
export interface ManifestChange {
  readonly file: ChangedFile;
  readonly directory: string;
  readonly text: string;
  readonly before: Manifest;
  readonly head: Manifest;
  readonly isPublished: boolean;
  /** The text of each new added line by its number. */
  readonly added: ReadonlyMap<number, string>;
}

/** The package.json files that the range changes; new ones are left out, since all in them is new. */
export async function manifestChanges(range: RangeView): Promise<readonly ManifestChange[]> {
  const files = range.files.filter(
    ({ path, status, hunks }) =>
      isManifestPath(path) && status !== 'added' && status !== 'removed' && hunks.some((hunk) => hunk.isNew),
  );
  const changes = await Promise.all(files.map((file) => readChange(range, file)));
  return changes.flatMap((change) => change ?? []);
}

/** Whether a path is that of a package.json which people keep, fixtures left out. */
export function isManifestPath(path: string): boolean {
  return /(?:^|\/)package\.json$/.test(path) && !isFixture(path) && !isGenerated(path);
}

async function readChange(range: RangeView, file: ChangedFile): Promise<ManifestChange | undefined> {
  const text = await range.read(file.path);
  const textBefore = text === undefined ? undefined : contentBefore(file, text);
  if (text === undefined || textBefore === undefined) return undefined;
  const head = parseManifest(text);
  const before = parseManifest(textBefore);
  if (head === undefined || before === undefined) return undefined;
  return {
    file,
    directory: directoryOf(file.path),
    text,
    before,
    head,
    isPublished: isPublishable(head),
    added: new Map(newLines(file).map((line) => [line.line, line.text])),
  };
}
