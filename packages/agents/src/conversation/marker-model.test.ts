import { rmSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { silentLog } from '../log.ts';
import type { Mark, Marker } from './gate.ts';
import type { ItemId } from './item.ts';
import { createMarkerStore } from './marker-store.ts';
import { itemIds, PR } from './testing/marker-samples.ts';
import { markerPath, newFolder } from './testing/state-dir.ts';

const HASHES = ['00000000000000aa', '00000000000000bb'] as const;

type Step =
  | { readonly kind: 'mark'; readonly marks: readonly Mark[]; readonly nowMs: number }
  | { readonly kind: 'damage'; readonly id: ItemId; readonly text: string }
  | { readonly kind: 'remove'; readonly id: ItemId };

const IDS = itemIds(4);
const anId = fc.constantFrom(...IDS);
const aMark: fc.Arbitrary<Mark> = fc.record({
  id: anId,
  bodyHash: fc.constantFrom(...HASHES),
  closed: fc.subarray(['whole', 'IC_1', 'IC_2']),
  readAtMs: fc.integer({ min: 0, max: 5 }),
});
const aStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('mark' as const),
      marks: fc.uniqueArray(aMark, { maxLength: 4, selector: ({ id }) => id }),
      nowMs: fc.integer({ min: 10_000, max: 90_000 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('damage' as const),
      id: anId,
      text: fc.constantFrom('', 'null', '[]', '{"id":7}', '{"id":"IC'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), id: anId }) },
);

/** What is known after a step, told without files. */
function after(known: ReadonlyMap<ItemId, Marker>, step: Step): ReadonlyMap<ItemId, Marker> {
  const next = new Map(known);
  if (step.kind !== 'mark') {
    next.delete(step.id);
    return next;
  }
  for (const mark of step.marks) {
    const before = known.get(mark.id);
    if (before === undefined) next.set(mark.id, { ...mark, seenAt: Math.floor(step.nowMs / 1_000) });
    else if ((before.readAtMs ?? 0) <= mark.readAtMs) next.set(mark.id, { ...mark, seenAt: before.seenAt });
  }
  return next;
}

async function perform(stateDir: string, step: Step): Promise<void> {
  if (step.kind === 'remove') rmSync(markerPath(stateDir, step.id), { force: true });
  if (step.kind === 'damage') writeFileSync(markerPath(stateDir, step.id), step.text);
  if (step.kind !== 'mark') return;
  // A process of each mark: nothing is remembered but on the disk.
  const store = createMarkerStore({ stateDir, now: () => step.nowMs, log: silentLog });
  expect(await store.mark(PR, step.marks)).toEqual({ written: step.marks.length });
}

it('gives after any marks, damages and losses what a model of them says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { maxLength: 10 }), async (steps) => {
      const stateDir = newFolder();
      const store = createMarkerStore({ stateDir, now: () => 0, log: silentLog });
      await store.probe(PR);
      let known: ReadonlyMap<ItemId, Marker> = new Map();
      for (const step of steps) {
        await perform(stateDir, step);
        known = after(known, step);
        const { markers, trouble } = await store.load(PR, IDS);
        expect(trouble).toBeUndefined();
        expect(Object.fromEntries(markers)).toEqual(Object.fromEntries(known));
      }
    }),
    { numRuns: 40 },
  );
});
