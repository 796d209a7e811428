/**
 * Writes the marks of one batch, each to a file of its own. There is no lock: a file is replaced as a whole by a valid
 * one, and under a race the last writer's stands.
 *
 * @module
 */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Mark, Marker } from './gate.ts';
import { isBehind, joinMark, parseMarker, type StoredMarker, serialiseMarker } from './marker-file.ts';
import {
  createFileReader,
  type FileText,
  flushFolder,
  ioCode,
  isThere,
  markerFileName,
  removeQuietly,
  writeTemporary,
} from './marker-folder.ts';

/** Files that are read before others get their turn. */
const SLICE = 250;
/** Files that are open at once (S9). */
const MAX_WRITES = 64;
/** How often a file that others replace meanwhile is written anew before the last writer wins. */
const MAX_ATTEMPTS = 5;
/** How often a batch looks again at what it wrote. */
const MAX_CHECKS = 3;
/** About one file alone; any other reason to fail holds for all. */
const OF_ONE_FILE: ReadonlySet<string> = new Set(['EISDIR', 'EEXIST', 'ENOTEMPTY', 'EFBIG']);
/** A file that cannot be read now may be read later: to replace it would lose what it says. */
const PASSING: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM']);

/** What is to be written for one item. */
interface Plan {
  readonly mark: Mark;
  readonly path: string;
  /** Unix seconds of the first delivery, where it is known. */
  readonly seenAt: number | undefined;
  /** What stood in the file. */
  readonly found: FileText;
}

/** Where, and how the batch finds out what stands there. */
interface Site {
  readonly folder: string;
  readonly nowMs: number;
  readonly look: (path: string) => FileText;
}

/** What stands in the file of one item after it was written. */
interface Standing {
  readonly marker: Marker;
  /** Whether there was a file that held no valid marker. */
  readonly isHealed: boolean;
}

/** What became of a batch. */
export interface WrittenBatch {
  /** Marks that stand in their files now. */
  readonly written: number;
  /** Files in which there was no valid marker, and is one now. */
  readonly healed: number;
  /** Code of the first error. */
  readonly failure?: string;
}

/**
 * Writes marks into a folder that is there, and flushes it.
 *
 * @param names - files that were there at `nowMs`
 * @param nowMs - milliseconds since the epoch
 */
export async function writeMarks(
  folder: string,
  names: ReadonlySet<string>,
  marks: readonly Mark[],
  nowMs: number,
): Promise<WrittenBatch> {
  const read = createFileReader();
  const plans = await inSlices(marks, (mark): Plan => {
    const name = markerFileName(mark.id);
    const path = join(folder, name);
    const found = names.has(name) ? read(path) : undefined;
    return { mark, path, found, seenAt: validIn(mark, found)?.marker.seenAt };
  });
  const look = (path: string) => (isThere(path) ? read(path) : undefined);
  const site = { folder, nowMs, look };
  const standing = new Map<string, Standing>();
  let failure: string | undefined;
  let due = plans;
  for (let check = 0; due.length > 0 && failure === undefined && check < MAX_CHECKS; check += 1) {
    failure = await writeAll(site, due, standing);
    due = (await inSlices(plans, (plan) => behind(site, plan, standing))).flat();
  }
  const healed = [...standing.values()].filter(({ isHealed }) => isHealed).length;
  return { written: standing.size, healed, ...(failure === undefined ? {} : { failure }) };
}

/**
 * Writes, and flushes the folder when those that were begun have ended.
 *
 * @param standing - by path; what is written is added
 * @returns the code of the first error
 */
async function writeAll(
  site: Site,
  plans: readonly Plan[],
  standing: Map<string, Standing>,
): Promise<string | undefined> {
  let failure: string | undefined;
  let isStopped = false;
  const fail = (code: string) => {
    failure ??= code;
    isStopped ||= !OF_ONE_FILE.has(code);
  };
  const limit = pLimit(MAX_WRITES);
  await limit.map(plans, async (plan) => {
    if (isStopped) return;
    try {
      const stands = await writeOne(site, plan);
      if (stands === undefined) fail('EFBIG');
      else standing.set(plan.path, stands);
    } catch (error) {
      fail(ioCode(error));
    }
  });
  await flushFolder(site.folder).catch((error: unknown) => fail(ioCode(error)));
  return failure;
}

/** @returns undefined where its id makes a marker too long for a file */
async function writeOne(site: Site, plan: Plan): Promise<Standing | undefined> {
  let { found } = plan;
  for (let attempt = 1; ; attempt += 1) {
    const existing = validIn(plan.mark, found);
    const firstSeenAt = plan.seenAt ?? Math.floor(site.nowMs / 1_000);
    const stored = joinMark(existing, plan.mark, firstSeenAt, site.nowMs);
    const text = serialiseMarker(stored);
    if (text === undefined) return undefined;
    const stands = { marker: stored.marker, isHealed: found !== undefined && existing === undefined };
    if (text === textOf(found)) return stands;
    if (await replace(site, plan.path, found, text, attempt === MAX_ATTEMPTS)) return stands;
    found = site.look(plan.path);
  }
}

/** @returns false where somebody else replaced the file meanwhile */
async function replace(
  { folder, look }: Site,
  path: string,
  found: FileText,
  text: string,
  isLastAttempt: boolean,
): Promise<boolean> {
  const temporary = await writeTemporary(folder, text);
  try {
    // Within this process nothing comes between the look and the renaming, and other processes have microseconds.
    const isFree = isLastAttempt || textOf(look(path)) === textOf(found);
    if (isFree) renameSync(temporary, path);
    else await removeQuietly(temporary);
    return isFree;
  } catch (error) {
    await removeQuietly(temporary);
    throw error;
  }
}

/** What is to be written again because, in a race, an older state overwrote it. */
function behind(
  { look }: Site,
  { mark, path }: Plan,
  standing: ReadonlyMap<string, Standing>,
): readonly Plan[] {
  const mine = standing.get(path)?.marker;
  if (mine === undefined) return [];
  const found = look(path);
  const theirs = validIn(mark, found)?.marker;
  if (theirs === undefined || !isBehind(theirs, mine)) return [];
  return [{ mark, path, found, seenAt: mine.seenAt }];
}

/** Calls `work` for each, and lets others have their turn in between. */
export async function inSlices<T, R>(all: readonly T[], work: (one: T) => R): Promise<readonly R[]> {
  const results: R[] = [];
  for (let start = 0; start < all.length; start += SLICE) {
    if (start > 0) await setImmediate();
    for (const one of all.slice(start, start + SLICE)) results.push(work(one));
  }
  return results;
}

function validIn({ id }: Mark, found: FileText): StoredMarker | undefined {
  const text = textOf(found);
  const parsed = text === undefined ? undefined : parseMarker(id, text);
  return parsed === undefined || 'fault' in parsed ? undefined : parsed;
}

/** @throws the error of a file that may be read later */
function textOf(found: FileText): string | undefined {
  if (found === undefined) return undefined;
  if ('text' in found) return found.text;
  if (found.error !== undefined && PASSING.has(ioCode(found.error))) throw found.error;
  return undefined;
}
