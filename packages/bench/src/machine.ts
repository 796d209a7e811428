/**
 * The machine that was measured.
 *
 * @module
 */

import { statfs } from 'node:fs/promises';
import { cpus } from 'node:os';

const TMPFS = 0x01021994;

/** One or two sentences. @param dir - where the databases lie */
export async function describeMachine(dir: string): Promise<string> {
  const processors = cpus();
  const { type } = await statfs(dir);
  const inMemory = type === TMPFS ? ` ${dir} is in memory: what is said of power cuts does not hold.` : '';
  return `${processors.length} cores (${processors[0]?.model.trim()}), Node ${process.versions.node}.${inMemory}`;
}
