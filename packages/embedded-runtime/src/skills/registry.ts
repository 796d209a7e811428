/**
 * Finds the skills of a host and keeps their catalog.
 *
 * @module
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { describeSkill, renderCatalog } from './catalog.ts';
import { listMarkdownFiles } from './markdown-files.ts';
import type { SkillMeta, SkillsRegistry, SkillsRegistryOptions } from './types.ts';

/** A skill that fills a directory of its own has this file name, and the directory's name. */
const DIRECTORY_SKILL = 'SKILL.md';

/**
 * Reads every `*.md` below the given directories as a skill, named by its file. Nested files are skills, too.
 * The catalog is as of this call; texts are read when asked for.
 *
 * Writes the catalog to `skills-cache.json` in the cache directory, in the published runtime's form. It is never
 * read here: metadata comes from the files alone and costs nothing to make anew.
 *
 * @throws the file system's error when a directory exists and cannot be read, or the cache cannot be written
 */
export async function createSkillsRegistry(options: SkillsRegistryOptions): Promise<SkillsRegistry> {
  const appDirectories = [options.appSkillsDir, ...(options.appSkillsDirs ?? [])];
  const catalog = new Map<string, SkillMeta>(await readSkills(options.baseSkillsDir, false));
  for (const directory of appDirectories) {
    if (directory === undefined) continue;
    for (const [name, meta] of await readSkills(directory, true)) catalog.set(name, meta);
  }
  await writeCache(options.cacheDir, catalog);
  return {
    catalog,
    renderCatalog: (budgetChars) => renderCatalog([...catalog.values()], budgetChars),
    readContent: (name) => readIfThere(catalog.get(name)?.source),
  };
}

async function readSkills(
  directory: string,
  isAppSkill: boolean,
): Promise<readonly (readonly [string, SkillMeta])[]> {
  const sources = await listMarkdownFiles(resolve(directory));
  return Promise.all(
    sources.map(async (source) => {
      const file = basename(source);
      const name = file === DIRECTORY_SKILL ? basename(dirname(source)) : file.slice(0, -'.md'.length);
      const content = await readFile(source, 'utf8');
      return [name, describeSkill({ name, source, content, isAppSkill })] as const;
    }),
  );
}

async function readIfThere(source: string | undefined): Promise<string | null> {
  if (source === undefined) return null;
  try {
    return await readFile(source, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function writeCache(directory: string, catalog: ReadonlyMap<string, SkillMeta>): Promise<void> {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, '.gitignore'), '*\n');
  const text = JSON.stringify(Object.fromEntries(catalog), null, 2);
  await writeFile(join(directory, 'skills-cache.json'), `${text}\n`);
}
