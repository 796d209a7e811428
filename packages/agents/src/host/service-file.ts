/**
 * How commands on this machine find the running service: a file in its data directory, which only its owner
 * may read.
 *
 * @module
 */
import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const FILE = 'service.json';
const schema = z.object({ url: z.string(), token: z.string(), pid: z.int() });

/** Where a service listens, and what it wants to be shown. */
export type ServiceFile = z.infer<typeof schema>;

/** A token that nobody guesses. */
export function newToken(): string {
  return randomBytes(32).toString('hex');
}

/** Writes the file, whole or not at all. Returns how to take it away. */
export async function writeServiceFile(dataDir: string, file: ServiceFile): Promise<() => Promise<void>> {
  const path = join(dataDir, FILE);
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, `${JSON.stringify(file)}\n`, { mode: 0o600 });
  await rename(temporary, path);
  return () => rm(path, { force: true });
}

/** Reads the file; `undefined` where no service wrote one that can be understood. */
export async function readServiceFile(dataDir: string): Promise<ServiceFile | undefined> {
  try {
    const parsed = schema.safeParse(JSON.parse(await readFile(join(dataDir, FILE), 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
