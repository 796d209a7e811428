/**
 * Paths as a person types them.
 *
 * @module
 */
import { resolve } from 'node:path';
import type { Environment } from '../config-values.ts';

/** Paths are meant from where the person stands; a script runs elsewhere, and npm's clients say where that was. */
export function fromHere(path: string, env: Environment): string {
  return resolve(env.INIT_CWD ?? process.cwd(), path);
}
