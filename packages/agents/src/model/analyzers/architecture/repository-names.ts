/**
 * Which package names are no news to a repository.
 *
 * @module
 */
import type { ChangedFile } from '../../../review/changed-file.ts';
import { contentBefore, type Manifest, parseManifest } from '../manifest.ts';
import { directoryOf } from '../paths.ts';
import type { RangeView } from '../rule.ts';
import { isManifestPath } from './manifest-change.ts';

/**
 * The names of the packages whose manifests the range touches, and all that these manifests listed before it, in
 * any section: what appears in another place then was only moved.
 */
export async function namesInRange(range: RangeView): Promise<ReadonlySet<string>> {
  const manifests = range.files.filter(({ path }) => isManifestPath(path));
  const names = await Promise.all(manifests.map((file) => namesOf(range, file)));
  return new Set(names.flat());
}

/** Whether a package of this name lives where workspaces keep theirs: in `packages/`, or beside `directory`. */
export async function isOfRepository(range: RangeView, name: string, directory: string): Promise<boolean> {
  const folder = name.slice(name.lastIndexOf('/') + 1);
  const siblings = directoryOf(directory.slice(0, -1));
  const paths = new Set([`packages/${folder}/package.json`, `${siblings}${folder}/package.json`]);
  const texts = await Promise.all([...paths].map((path) => range.read(path)));
  return texts.some((text) => text !== undefined && parseManifest(text)?.name === name);
}

async function namesOf(range: RangeView, file: ChangedFile): Promise<readonly string[]> {
  const text = file.status === 'removed' ? '' : await range.read(file.path);
  if (text === undefined) return [];
  const textBefore = file.status === 'added' ? undefined : contentBefore(file, text);
  const before = textBefore === undefined ? undefined : parseManifest(textBefore);
  return [parseManifest(text)?.name ?? [], before === undefined ? [] : listedIn(before)].flat();
}

function listedIn(manifest: Manifest): readonly string[] {
  const { dependencies, devDependencies, peerDependencies, optionalDependencies } = manifest;
  return Object.keys({
    ...dependencies,
    ...devDependencies,
    ...peerDependencies,
    ...optionalDependencies,
  });
}
