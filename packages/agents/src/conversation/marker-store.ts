/**
 * Markers on the disk: one file for each item, in a folder for each pull request. The next snapshot is judged by them,
 * so what cannot be read counts as absent: an item is shown once more rather than never (S6).
 *
 * @module
 */
import type { PrRef } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Mark, Marker } from './gate.ts';
import type { ItemId } from './item.ts';
import { parseMarker } from './marker-file.ts';
import {
  createFileReader,
  type FileText,
  ioCode,
  listFolder,
  makeFolder,
  markerFileName,
  removeLeftOvers,
  removeQuietly,
  seenFolder,
  writeTemporary,
} from './marker-folder.ts';
import { inSlices, writeMarks } from './marker-writer.ts';

/** Files with a fault that have a log line each (S9). */
const MAX_FAULT_LINES = 20;

/** What is known of the items of a pull request. */
export interface MarkerRead {
  readonly markers: ReadonlyMap<ItemId, Marker>;
  /** One clause for people: what could not be read. */
  readonly trouble?: string;
}

/** What became of marks. */
export interface MarkResult {
  /** How many items have their mark now. */
  readonly written: number;
  /** One clause for people: what could not be written. */
  readonly trouble?: string;
}

/**
 * Remembers what was delivered. Contract: what fails on the disk is told, not thrown.
 *
 * Each method throws a RangeError for a reference that can be no pull request, since it may lead elsewhere.
 */
export interface MarkerStore {
  /** Markers of the PR. What cannot be read counts as absent. */
  load(pr: PrRef, ids: readonly ItemId[]): Promise<MarkerRead>;
  /** Whether marks could be written now. @returns undefined where they could, else the trouble as a clause for people */
  probe(pr: PrRef): Promise<string | undefined>;
  /** Writes marks; they outlive a power cut when it resolves. Of several for one item the latest reading counts. */
  mark(pr: PrRef, marks: readonly Mark[]): Promise<MarkResult>;
}

/** Settings of {@link createMarkerStore}. */
export interface MarkerStoreOptions {
  /** Root of all markers; it is made when it is needed. */
  readonly stateDir: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Log;
}

/** Markers as files `<stateDir>/<owner>-<repo>/<pr>/seen/<sha256-of-id>.json`. */
export function createMarkerStore({ stateDir, now, log }: MarkerStoreOptions): MarkerStore {
  return {
    async load(pr, ids) {
      const folder = seenFolder(stateDir, pr);
      try {
        return await loadFrom(folder, ids, log);
      } catch (error) {
        const trouble = `the folder ${folder} cannot be read (${ioCode(error)})`;
        log.error('markers cannot be read', { trouble });
        return { markers: new Map(), trouble };
      }
    },

    async probe(pr) {
      const folder = seenFolder(stateDir, pr);
      try {
        await makeFolder(folder);
        await removeQuietly(await writeTemporary(folder, '{}\n'));
        return undefined;
      } catch (error) {
        return unwritable(folder, ioCode(error));
      }
    },

    async mark(pr, marks) {
      const folder = seenFolder(stateDir, pr);
      const latest = latestOfEach(marks);
      if (latest.length === 0) return { written: 0 };
      const { written, healed, failure } = await markIn(folder, latest, now);
      if (healed > 0) log.info('markers without a valid content were written anew', { folder, healed });
      if (failure === undefined) return { written };
      const trouble = unwritable(folder, failure);
      log.error('markers cannot be written', { trouble, written, marks: latest.length });
      return { written, trouble };
    },
  };
}

function unwritable(folder: string, code: string): string {
  return `the folder ${folder} cannot be written (${code})`;
}

async function markIn(folder: string, marks: readonly Mark[], now: () => number) {
  try {
    await makeFolder(folder);
    const names = await listFolder(folder);
    const nowMs = now();
    await removeLeftOvers(folder, names, nowMs);
    return await writeMarks(folder, new Set(names), marks, nowMs);
  } catch (error) {
    return { written: 0, healed: 0, failure: ioCode(error) };
  }
}

async function loadFrom(folder: string, ids: readonly ItemId[], log: Log): Promise<MarkerRead> {
  const names = new Set(await listFolder(folder));
  const read = createFileReader();
  const markers = new Map<ItemId, Marker>();
  const faults: { readonly file: string; readonly fault: string }[] = [];
  let unread: { readonly files: number; readonly code: string } | undefined;
  await inSlices(ids, (id) => {
    const file = markerFileName(id);
    const found = names.has(file) ? read(`${folder}/${file}`) : undefined;
    if (found === undefined) return;
    const result = markerIn(id, found);
    if ('marker' in result) markers.set(id, result.marker);
    else faults.push({ file, fault: result.fault });
    if ('error' in found) unread = { files: (unread?.files ?? 0) + 1, code: ioCode(found.error) };
  });
  logFaults(log, folder, faults);
  if (unread === undefined) return { markers };
  return {
    markers,
    trouble: `${unread.files} of ${ids.length} markers in ${folder} cannot be read (${unread.code})`,
  };
}

function markerIn(id: ItemId, found: Exclude<FileText, undefined>) {
  return 'text' in found ? parseMarker(id, found.text) : found;
}

function logFaults(
  log: Log,
  folder: string,
  faults: readonly { readonly file: string; readonly fault: string }[],
): void {
  for (const { file, fault } of faults.slice(0, MAX_FAULT_LINES)) {
    log.warn('a marker counts as absent', { folder, file, fault });
  }
  const more = faults.length - MAX_FAULT_LINES;
  if (more > 0) log.warn('more markers count as absent', { folder, more });
}

function latestOfEach(marks: readonly Mark[]): readonly Mark[] {
  const latest = new Map<ItemId, Mark>();
  for (const mark of marks) {
    const other = latest.get(mark.id);
    if (other === undefined || other.readAtMs <= mark.readAtMs) latest.set(mark.id, mark);
  }
  return [...latest.values()];
}
