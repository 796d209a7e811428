/**
 * Finds Markdown files on disk.
 *
 * @module
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const SKIPPED_DIRECTORIES = new Set(['node_modules', '.git']);

/**
 * Absolute paths of the `*.md` files below an absolute directory, sorted within each directory. A directory that
 * does not exist has none.
 */
export async function listMarkdownFiles(directory: string): Promise<readonly string[]> {
  const entries = await entriesOf(directory);
  const found = entries.map(async (entry): Promise<readonly string[]> => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return SKIPPED_DIRECTORIES.has(entry.name) ? [] : listMarkdownFiles(path);
    return entry.isFile() && entry.name.endsWith('.md') ? [path] : [];
  });
  return (await Promise.all(found)).flat();
}

async function entriesOf(directory: string) {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
