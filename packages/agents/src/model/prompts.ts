import { readFile } from 'node:fs/promises';
import { ConfigError } from '../errors.ts';
import { ASPECTS, type Aspect } from '../ids.ts';

/** What each of the six is told about its aspect. */
export type AspectPrompts = Readonly<Record<Aspect, string>>;

/** Where the package keeps `{aspect}.md`. */
const FOLDER = new URL('../prompts/pr-review/', import.meta.url);

/**
 * Reads the six prompt files. Call it once, at registration: workers keep what they were started with.
 *
 * @throws ConfigError when a file is missing or empty: the package is damaged.
 */
export async function loadAspectPrompts(folder: URL = FOLDER): Promise<AspectPrompts> {
  const read = await Promise.all(
    ASPECTS.map(async (aspect) => [aspect, await readText(new URL(`${aspect}.md`, folder))] as const),
  );
  const missing = read.filter(([, text]) => text === '').map(([aspect]) => aspect);
  if (missing.length > 0) {
    throw new ConfigError(missing.map((aspect) => `The prompt file ${aspect}.md is missing; install anew.`));
  }
  return Object.fromEntries(read) as Record<Aspect, string>;
}

async function readText(file: URL): Promise<string> {
  return readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => '',
  );
}
