/**
 * What every store of markers keeps to.
 *
 * @module
 */
import { describe, expect, it } from 'vitest';
import type { PrRef } from '../../ids.ts';
import type { MarkerStore } from '../marker-store.ts';
import { itemId, markOf, NOW_MS, NOW_S, PR } from './marker-samples.ts';

const DAY_MS = 86_400_000;
const ID = itemId('IC_kwDOSGizTs8AAAABSsxwqg');
const PAIR = [itemId('half \ud800'), itemId('half \ud801')] as const;
const ODD_IDS = [
  'MDEyOklzc3VlQ29tbWVudDE=',
  '../../../etc/passwd',
  'a/b\\c:d*e?',
  'line\nbreak\r\n\u0000nul',
  '',
  '__proto__',
  'constructor',
  'ümläut 漢字 🙂',
  '\ufeffmark',
  ...PAIR,
  'x'.repeat(10_000),
  '\ud800'.repeat(10_000),
].map(itemId);

/** Pins the contract for one implementation. @param open - an empty store with a clock */
export function describeMarkerStore(name: string, open: (now: () => number) => MarkerStore): void {
  describe(`the contract of markers, kept by the ${name}`, () => {
    it('knows nothing at first, and can be written', async () => {
      const store = open(() => NOW_MS);
      expect(await store.load(PR, [ID])).toEqual({ markers: new Map() });
      expect(await store.probe(PR)).toBeUndefined();
      expect(await store.mark(PR, [])).toEqual({ written: 0 });
    });

    it('gives what was marked, with the time in unix seconds', async () => {
      const store = open(() => NOW_MS);
      const mark = markOf(ID, { closed: ['whole', 'IC_2'] });
      expect(await store.mark(PR, [mark])).toEqual({ written: 1 });
      const { markers } = await store.load(PR, [ID, itemId('other')]);
      expect(markers).toEqual(new Map([[ID, { ...mark, seenAt: NOW_S }]]));
    });

    it('fault 3: replaces the text that was seen, and keeps for ever when it was seen first', async () => {
      let nowMs = NOW_MS;
      const store = open(() => nowMs);
      await store.mark(PR, [markOf(ID)]);
      for (const [afterMs, bodyHash] of [
        [DAY_MS, '00000000000000aa'] as const,
        [-DAY_MS, '00000000000000bb'] as const,
      ]) {
        nowMs = NOW_MS + afterMs;
        // Also where the clock is set back: what was read tomorrow, by the clock that was wrong, does not stay.
        await store.mark(PR, [markOf(ID, { bodyHash, readAtMs: nowMs - 1 })]);
        const { markers } = await store.load(PR, [ID]);
        expect(markers.get(ID)).toMatchObject({ bodyHash, seenAt: NOW_S });
      }
    });

    it('keeps text and state of the later reading', async () => {
      const store = open(() => NOW_MS);
      const later = markOf(ID, { bodyHash: '00000000000000aa', closed: ['whole'] });
      await store.mark(PR, [later]);
      expect(await store.mark(PR, [markOf(ID, { readAtMs: later.readAtMs - 1 })])).toEqual({ written: 1 });
      expect((await store.load(PR, [ID])).markers.get(ID)).toEqual({ ...later, seenAt: NOW_S });
    });

    it('takes the last word of two about one reading', async () => {
      const store = open(() => NOW_MS);
      await store.mark(PR, [markOf(ID)]);
      await store.mark(PR, [markOf(ID, { bodyHash: '00000000000000aa' })]);
      expect((await store.load(PR, [ID])).markers.get(ID)?.bodyHash).toBe('00000000000000aa');
    });

    it('takes the latest reading of several marks for one item', async () => {
      const store = open(() => NOW_MS);
      const latest = markOf(ID, { bodyHash: '00000000000000aa' });
      const marks = [markOf(ID, { readAtMs: 1 }), latest, markOf(ID, { readAtMs: 2 })];
      expect(await store.mark(PR, marks)).toEqual({ written: 1 });
      expect((await store.load(PR, [ID])).markers.get(ID)).toEqual({ ...latest, seenAt: NOW_S });
    });

    it('fault 49: marks items of any id, and tells them apart', async () => {
      const store = open(() => NOW_MS);
      const marks = ODD_IDS.map((id, index) => markOf(id, { bodyHash: String(index).padStart(16, '0') }));
      expect(await store.mark(PR, marks)).toEqual({ written: ODD_IDS.length });
      const { markers, trouble } = await store.load(PR, ODD_IDS);
      expect(trouble).toBeUndefined();
      expect([...markers.values()]).toEqual(marks.map((mark) => ({ ...mark, seenAt: NOW_S })));
    });

    it('fault 13: tells ids apart that differ by case alone', async () => {
      const store = open(() => NOW_MS);
      const [upper, lower] = [itemId('IC_AAAB'), itemId('IC_AAAb')];
      await store.mark(PR, [markOf(upper)]);
      expect([...(await store.load(PR, [upper, lower])).markers.keys()]).toEqual([upper]);
    });

    it('fault 50: keeps two repositories apart by their items, where their names flatten to one', async () => {
      const store = open(() => NOW_MS);
      const [one, other] = [
        { owner: 'a-b', repo: 'c', number: 7 },
        { owner: 'a', repo: 'b-c', number: 7 },
      ];
      const [ofOne, ofOther] = [markOf(itemId('one')), markOf(itemId('other'), { closed: ['whole'] })];
      await store.mark(one, [ofOne]);
      await store.mark(other, [ofOther]);
      expect([...(await store.load(one, [ofOne.id])).markers.values()]).toEqual([
        { ...ofOne, seenAt: NOW_S },
      ]);
      expect([...(await store.load(other, [ofOther.id])).markers.values()]).toEqual([
        { ...ofOther, seenAt: NOW_S },
      ]);
    });

    it('keeps pull requests apart, and folds the case of names', async () => {
      const store = open(() => NOW_MS);
      await store.mark({ owner: 'Acme', repo: 'SHOP', number: 7 }, [markOf(ID)]);
      expect((await store.load(PR, [ID])).markers.size).toBe(1);
      expect((await store.load({ ...PR, number: 8 }, [ID])).markers.size).toBe(0);
    });

    it('fault 35: takes every name of a repository, and builds no path to elsewhere', async () => {
      const store = open(() => NOW_MS);
      for (const repo of ['a..b', '.github', '..x', '-', '_']) {
        expect(await store.mark({ ...PR, repo }, [markOf(ID)])).toEqual({ written: 1 });
      }
      const refused: readonly Partial<PrRef>[] = [
        ...['../x', '..', '.', '', 'a/b', 'a\\b', 'a\0b', 'a~b'].map((repo) => ({ repo })),
        ...['..', '', 'a/b', '.a', '-a'].map((owner) => ({ owner })),
        ...[0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e21].map((number) => ({ number })),
      ];
      for (const change of refused) {
        const pr = { ...PR, ...change };
        await expect(store.load(pr, [ID]), JSON.stringify(change)).rejects.toThrow(RangeError);
        await expect(store.mark(pr, [markOf(ID)])).rejects.toThrow(RangeError);
        await expect(store.probe(pr)).rejects.toThrow(RangeError);
      }
    });
  });
}
