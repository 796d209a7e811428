/**
 * Markers that nothing outlives.
 *
 * @module
 */
import type { Mark } from '../gate.ts';
import type { ItemId } from '../item.ts';
import { joinMark, type StoredMarker } from '../marker-file.ts';
import { seenFolder } from '../marker-folder.ts';
import type { MarkerStore } from '../marker-store.ts';

/** A store that holds its markers in memory, and with which nothing can go wrong. */
export function createMemoryMarkerStore({ now }: { readonly now: () => number }): MarkerStore {
  const folders = new Map<string, Map<ItemId, StoredMarker>>();

  function write(folder: Map<ItemId, StoredMarker>, mark: Mark, nowMs: number): void {
    const existing = folder.get(mark.id);
    const seenAt = existing?.marker.seenAt ?? Math.floor(nowMs / 1_000);
    folder.set(mark.id, joinMark(existing, mark, seenAt, nowMs));
  }

  return {
    async load(pr, ids) {
      const folder = folders.get(seenFolder('', pr));
      const found = ids.flatMap((id) => folder?.get(id)?.marker ?? []);
      return { markers: new Map(found.map((marker) => [marker.id, marker])) };
    },

    async probe(pr) {
      seenFolder('', pr);
      return undefined;
    },

    async mark(pr, marks) {
      const path = seenFolder('', pr);
      const folder = folders.get(path) ?? new Map<ItemId, StoredMarker>();
      folders.set(path, folder);
      const nowMs = now();
      for (const mark of marks) write(folder, mark, nowMs);
      return { written: new Set(marks.map(({ id }) => id)).size };
    },
  };
}
