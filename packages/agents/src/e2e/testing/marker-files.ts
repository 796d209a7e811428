/**
 * The markers of a pull request as they lie on the disk.
 *
 * @module
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Marker } from '../../conversation/gate.ts';
import type { ItemId } from '../../conversation/item.ts';
import { parseMarker } from '../../conversation/marker-file.ts';
import { markerFileName } from '../../conversation/marker-folder.ts';

/** A marker and its file. */
export interface MarkerFile {
  readonly path: string;
  readonly text: string;
  readonly marker: Marker;
}

/**
 * All of them, by the id of their item.
 * @throws where one is not valid, or lies in the file of another item
 */
export async function markerFiles(
  stateDir: string,
  number: number,
): Promise<ReadonlyMap<string, MarkerFile>> {
  const folder = join(stateDir, 'acme-shop', String(number), 'seen');
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  // Beside the markers lies what was being written when a process died.
  const files = names.filter((name) => !name.endsWith('.tmp')).map((name) => readMarker(folder, name));
  return new Map((await Promise.all(files)).map((file) => [file.marker.id, file]));
}

async function readMarker(folder: string, name: string): Promise<MarkerFile> {
  const path = join(folder, name);
  const text = await readFile(path, 'utf8');
  const id = String(JSON.parse(text).id) as ItemId;
  const parsed = parseMarker(id, text);
  if ('fault' in parsed) throw new TypeError(`${path}: ${parsed.fault}`);
  if (name !== markerFileName(id)) throw new TypeError(`${path} is the marker of ${id}`);
  return { path, text, marker: parsed.marker };
}
