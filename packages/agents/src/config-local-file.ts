/**
 * `.env.local`: the place for a developer's secrets, read where it is present.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Environment } from './config-values.ts';

const NAME = '.env.local';

/** The variables of the file; none where there is no file. */
export interface LocalFile {
  readonly variables: Environment;
  readonly problems: readonly string[];
}

/**
 * Reads `.env.local` in `cwd`. In double quotes a value may have several lines, and `\n` is a line end;
 * elsewhere `\n` stays two characters.
 */
export function readLocalFile(cwd: string): LocalFile {
  try {
    // Some editors put a byte order mark in front, which would become part of the first name.
    const text = readFileSync(join(cwd, NAME), 'utf8').replace(/^\uFEFF/, '');
    return { variables: parseEnv(text), problems: [] };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'ENOENT') return { variables: {}, problems: [] };
    return {
      variables: {},
      problems: [`${NAME} cannot be read (${code}): make it a readable file, or remove it.`],
    };
  }
}
