import { expect, it } from 'vitest';
import { z } from 'zod';
import type { StateCollectionProxy } from '../index.ts';
import { rowsOf } from './testing/conformance-host.ts';
import {
  api,
  type LooseDefinition,
  runPass,
  runPasses,
  scripted,
  section,
  startHost,
  typeName,
} from './testing/harness.ts';

type Rows = StateCollectionProxy;

const definition = {
  state: {
    notes: { schema: z.object({ key: z.string(), text: z.string().min(1) }) },
    ids: { primaryKey: 'id', type: 'custom' },
  },
  actions: (collections) => ({
    addTwice(key: string) {
      collections.notes?.insert({ key: `${key}1`, text: 'a' });
      collections.notes?.insert({ key: `${key}2`, text: 'b' });
    },
  }),
} satisfies LooseDefinition;

/** Rows without what a runtime adds to them. */
function plain(rows: readonly Readonly<Record<string, unknown>>[]): object[] {
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !/^[$_]/.test(name))));
}

section('state', () => {
  it('is read as it was written, at once', async () => {
    const { host, url } = await runPass(
      (ctx) => {
        const notes = ctx.state.notes as Rows;
        notes.insert({ key: 'b', text: 'first' });
        notes.insert({ key: 'a', text: 'second' });
        notes.update('b', (draft) => {
          draft.text = 'changed';
        });
        expect(plain(notes.toArray)).toEqual(
          expect.arrayContaining([
            { key: 'b', text: 'changed' },
            { key: 'a', text: 'second' },
          ]),
        );
        expect(notes.get('a')).toMatchObject({ key: 'a', text: 'second' });
        notes.delete('b');
        notes.delete('not there');
        expect(notes.get('b')).toBeUndefined();
        expect(notes.toArray).toHaveLength(1);
      },
      { definition },
    );
    expect(await rowsOf(host, url, 'state:notes')).toEqual([{ key: 'a', text: 'second' }]);
  });

  it('starts an update of a missing row from its key (sharp edge 25)', async () => {
    const { host, url } = await runPass(
      (ctx) => {
        ctx.state.notes?.update('new', (draft) => {
          draft.text = 'x';
        });
        ctx.state.ids?.update('i', (draft) => {
          draft.n = 1;
        });
      },
      { definition },
    );
    expect(await rowsOf(host, url, 'state:notes')).toEqual([{ key: 'new', text: 'x' }]);
    expect(await rowsOf(host, url, 'custom')).toMatchObject([{ id: 'i', n: 1 }]);
  });

  it('hands out rows that a handler may change without changing the state', async () => {
    await runPass(
      (ctx) => {
        ctx.state.notes?.insert({ key: 'a', text: 'x' });
        const copy = { ...ctx.state.notes?.get('a') };
        copy.text = 'changed outside';
        expect(ctx.state.notes?.get('a')).toMatchObject({ text: 'x' });
      },
      { definition },
    );
  });

  it('is durable when isPersisted resolves', async () => {
    const { host, url } = await runPass(
      async (ctx) => {
        await ctx.state.notes?.insert({ key: 'a', text: 'x' }).isPersisted.promise;
      },
      { definition },
    );
    expect(await rowsOf(host, url, 'state:notes')).toHaveLength(1);
  });

  it('is also under ctx.db, with generated and own actions', async () => {
    const { host, url } = await runPass(
      async (ctx) => {
        const actions = ctx.db.actions as Record<
          string,
          (...args: readonly unknown[]) => { isPersisted: { promise: Promise<unknown> } }
        >;
        await actions.notes_insert?.({ row: { key: 'a', text: 'x' } }).isPersisted.promise;
        await actions.notes_update?.({
          key: 'a',
          updater: (draft: object) => void Object.assign(draft, { text: 'y' }),
        }).isPersisted.promise;
        await actions.ids_insert?.({ row: { id: 'i' } }).isPersisted.promise;
        await actions.ids_delete?.({ key: 'i' }).isPersisted.promise;
        await (ctx.actions as typeof actions).addTwice?.('k').isPersisted.promise;
        const { notes } = ctx.db.collections as unknown as {
          notes: { size: number; has(key: string): boolean };
        };
        expect([notes.size, notes.has('k1'), notes.has('nope')]).toEqual([3, true, false]);
      },
      { definition },
    );
    const texts = (await rowsOf(host, url, 'state:notes')).map((row) => row.text);
    expect(texts).toEqual(['y', 'a', 'b']);
    expect(await rowsOf(host, url, 'custom')).toEqual([]);
  });

  it('stays over passes', async () => {
    const seen: unknown[] = [];
    await runPasses(
      [
        (ctx) => void ctx.state.notes?.insert({ key: 'a', text: 'x' }),
        (ctx) => void seen.push(...plain(ctx.state.notes?.toArray ?? [])),
      ],
      { definition },
    );
    expect(seen).toEqual([{ key: 'a', text: 'x' }]);
  });

  it('is seen by whoever observes the entity', async () => {
    const [writer, reader] = [typeName('writer'), typeName('reader')];
    const seen: unknown[] = [];
    const registry = scripted({
      async [reader](ctx) {
        const handle = await ctx.observe(api.entity(`/${writer}/w`));
        seen.push(plain(handle.db.collections.notes?.toArray ?? []));
        const nobody = await ctx.observe(api.entity(`/${writer}/nobody`));
        seen.push(nobody.db.collections.inbox.toArray, nobody.db.collections.inbox.size);
      },
    });
    registry.define(writer, {
      state: definition.state,
      handler: (ctx) => void (ctx.state as Record<string, Rows>).notes?.insert({ key: 'a', text: 'x' }),
    });
    const host = await startHost(registry);
    await host.client.spawnEntity({ type: writer, id: 'w', initialMessage: 1 });
    await host.settled();
    await host.client.spawnEntity({ type: reader, id: 'r', initialMessage: 1 });
    await host.settled();
    expect(seen).toEqual([[{ key: 'a', text: 'x' }], [], 0]);
  });
});

section('built-in collections', () => {
  it('are the twenty of the contract', async () => {
    await runPass((ctx) => {
      const names = [
        ...['runs', 'steps', 'texts', 'textDeltas', 'toolCalls', 'reasoning', 'reasoningDeltas'],
        ...['errors', 'inbox', 'wakes', 'entityCreated', 'entityStopped', 'signals', 'childStatus'],
        ...['tags', 'slashCommands', 'manifests', 'contextInserted', 'contextRemoved'],
        'replayWatermarks',
      ];
      for (const name of names) {
        const collection = ctx.db.collections[name as 'runs'];
        expect([name, Array.isArray(collection.toArray), typeof collection.size]).toEqual([
          name,
          true,
          'number',
        ]);
        expect(collection.get('nothing')).toBeUndefined();
        expect(collection.has('nothing')).toBe(false);
      }
    });
  });
});
