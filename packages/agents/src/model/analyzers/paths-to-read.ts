/**
 * Which files the rules will want to open, so that they can be read with one request instead of one after
 * another. A guess: what is not in it is read when it is asked for.
 *
 * @module
 */
import { addedLines, type ChangedFile } from '../../review/changed-file.ts';
import { CHANGESET_CONFIG, directoryOf, isChangeset, isProductSource, isTestPath } from './paths.ts';
import { RULES } from './rules.ts';
import { testPathsOf } from './tests/untested-change.ts';

/** Paths that rules may open for a range; not all of them need exist. */
export function pathsToRead(files: readonly ChangedFile[]): readonly string[] {
  const present = files.filter((file) => file.status !== 'removed' && file.unread === undefined);
  const opened = present.filter(isOpened).map((file) => file.path);
  const sources = present.map((file) => file.path).filter(isProductSource);
  const tests = present.some((file) => isTestPath(file.path)) ? [] : sources.flatMap(testPathsOf);
  const manifests = sources.flatMap(foldersOf).map((folder) => `${folder}package.json`);
  return [...new Set([...opened, ...tests, ...manifests, 'package.json', CHANGESET_CONFIG])];
}

function isOpened(file: ChangedFile): boolean {
  const { path } = file;
  if (isChangeset(path) || /(?:^|\/)package\.json$/.test(path)) return true;
  // Whether a hunk is new is not known yet, so all of them count.
  const added = addedLines(file);
  return RULES.some((rule) => rule.opens?.(path, added) === true);
}

/** The folder of a path and those above it, without the root. */
function foldersOf(path: string): readonly string[] {
  const folder = directoryOf(path);
  return folder === '' ? [] : [folder, ...foldersOf(folder.slice(0, -1))];
}
