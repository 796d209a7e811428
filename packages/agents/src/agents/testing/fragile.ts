/**
 * A process that may end at any step, and what it leaves behind: rows as far as they were written, and markers.
 *
 * @module
 */
import type { MarkerStore } from '../../conversation/marker-store.ts';
import type { RowStore } from '../inbox.ts';
import type { ShepherdRows } from '../shepherd-state.ts';

/** The process ended. */
export class Crash extends Error {}

/** Burns down by the steps that a process makes, if it was lit. */
export class Fuse {
  #left: number | undefined;

  light(steps: number | undefined): void {
    this.#left = steps;
  }

  /** @returns how many of so many steps are made before the end */
  reach(steps: number): number {
    return Math.min(steps, this.#left ?? steps);
  }

  /** @throws Crash where the process ends before it has made all of them */
  burn(steps = 1): void {
    if (this.#left === undefined) return;
    const isOver = this.#left < steps;
    this.#left -= steps;
    if (!isOver) return;
    this.#left = undefined;
    throw new Crash();
  }
}

/** Rows of a Shepherd that outlive it. */
export function createRows(fuse: Fuse): ShepherdRows {
  return {
    meta: createStore(fuse),
    reviews: createStore(fuse),
    findings: createStore(fuse),
    own: createStore(fuse),
    cursors: createStore(fuse),
    deliveries: createStore(fuse),
  };
}

function createStore<Row extends { readonly key: string }>(fuse: Fuse): RowStore<Row> {
  // As text, so that nothing changes by being held on to.
  const rows = new Map<string, string>();
  const parse = (text: string): Row => JSON.parse(text);
  const get = (key: string): Row | undefined => {
    const text = rows.get(key);
    return text === undefined ? undefined : parse(text);
  };
  const write = (row: Row): void => {
    fuse.burn();
    rows.set(row.key, JSON.stringify(row));
  };
  return {
    get,
    insert: write,
    update: (key, change) => {
      const row = get(key);
      if (row === undefined) throw new RangeError(`there is no row ${key}`);
      change(row);
      write(row);
    },
    delete: (key) => rows.delete(key),
    get toArray() {
      return [...rows.values()].map(parse);
    },
  };
}

/** A store whose process may end before, between and after its marks. */
export function createFragileMarkers(store: MarkerStore, fuse: Fuse): MarkerStore {
  return {
    async load(pr, ids) {
      fuse.burn();
      return store.load(pr, ids);
    },
    probe: (pr) => store.probe(pr),
    async mark(pr, marks) {
      const result = await store.mark(pr, marks.slice(0, fuse.reach(marks.length)));
      fuse.burn(marks.length + 1);
      return result;
    },
  };
}
