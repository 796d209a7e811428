/**
 * The folder of a pull request's markers on the disk. Errors are those of Node.
 *
 * @module
 */
import { hash, randomUUID } from 'node:crypto';
import { closeSync, constants, existsSync, openSync, readSync } from 'node:fs';
import { lstat, mkdir, open, readdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type PrRef, parsePrKey, prKey } from '../ids.ts';
import type { ItemId } from './item.ts';
import { MAX_MARKER_BYTES } from './marker-file.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const TEMPORARY = /^\.[0-9a-f-]{36}\.tmp$/;
const LEFT_OVER_AFTER_MS = 3_600_000;
/** Left-over files that are looked at in one go (S9). */
const MAX_LEFT_OVERS = 100;
/** Waits for nobody at the other end, and follows no link. */
const READ_ONCE = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * `<stateDir>/<owner>-<repo>/<pr>/seen`, in lower case as GitHub folds it.
 *
 * @throws RangeError where it is the name of no pull request: it would be a path to somewhere else
 */
export function seenFolder(stateDir: string, pr: PrRef): string {
  const valid = parsePrKey(prKey(pr));
  if (valid === undefined) throw new RangeError('no pull request has this owner, repository and number');
  return join(stateDir, `${valid.owner}-${valid.repo}`, String(valid.number), 'seen');
}

/** Name of an item's file: the hash holds any id, and ids that differ by case alone stay apart on every disk. */
export function markerFileName(id: ItemId): string {
  // Half a surrogate pair has no UTF-8: each would be hashed as the same character.
  const bytes = /\p{Surrogate}/u.test(id) ? JSON.stringify(id) : id;
  return `${hash('sha256', bytes)}.json`;
}

/** What was found of a file: its text, why it has none, or undefined where there is no file. */
export type FileText =
  | { readonly text: string }
  | { readonly fault: string; readonly error?: unknown }
  | undefined;

/**
 * Reads files one after another, each at once: on Node 20 a read by promises takes several times as long, and a marker
 * is a few hundred bytes.
 */
export function createFileReader(): (path: string) => FileText {
  const buffer = Buffer.allocUnsafe(MAX_MARKER_BYTES + 1);
  return (path) => {
    try {
      const length = readStart(path, buffer);
      if (length > MAX_MARKER_BYTES) return { fault: `it is longer than ${MAX_MARKER_BYTES} bytes` };
      return { text: buffer.toString('utf8', 0, length) };
    } catch (error) {
      const code = ioCode(error);
      return code === 'ENOENT' ? undefined : { fault: `it cannot be read (${code})`, error };
    }
  };
}

function readStart(path: string, buffer: Buffer): number {
  const file = openSync(path, READ_ONCE);
  try {
    return readSync(file, buffer, 0, buffer.length, 0);
  } finally {
    closeSync(file);
  }
}

/** Names in a folder; none where there is no such folder. */
export async function listFolder(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (ioCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Makes a folder and those above it, for the service's user alone, and such that they outlive a power cut. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await flushFolder(dirname(made));
}

/** Flushes the names in a folder. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes and flushes a file of its own beside the markers. @returns its path */
export async function writeTemporary(folder: string, text: string): Promise<string> {
  const path = join(folder, `.${randomUUID()}.tmp`);
  const handle = await open(path, 'wx', FILE_MODE);
  try {
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return path;
  } catch (error) {
    await removeQuietly(path);
    throw error;
  }
}

/** Removes a file; what stays is removed as a left-over. */
export async function removeQuietly(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    ioCode(error);
  }
}

/** Removes temporary files of writes that a crash ended long ago. */
export async function removeLeftOvers(
  folder: string,
  names: readonly string[],
  nowMs: number,
): Promise<void> {
  for (const name of names.filter((candidate) => TEMPORARY.test(candidate)).slice(0, MAX_LEFT_OVERS)) {
    const path = join(folder, name);
    const modifiedAtMs = await modifiedAt(path);
    if (modifiedAtMs !== undefined && modifiedAtMs < nowMs - LEFT_OVER_AFTER_MS) await removeQuietly(path);
  }
}

async function modifiedAt(path: string): Promise<number | undefined> {
  try {
    return (await lstat(path)).mtimeMs;
  } catch (error) {
    ioCode(error);
    return undefined;
  }
}

/** Whether there is something of this name: much cheaper than an open that fails. */
export function isThere(path: string): boolean {
  return existsSync(path);
}

/** Such as `ENOSPC`. Anything but an error of the operating system is a bug, and thrown on. */
export function ioCode(error: unknown): string {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (typeof code === 'string' && typeof syscall === 'string') return code;
  throw error;
}
