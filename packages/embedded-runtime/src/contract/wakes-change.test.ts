import { expect, it } from 'vitest';
import type { Wake, WakeEvent } from '../index.ts';
import { rowsOf } from './testing/conformance-host.ts';
import { api, itStricter, scripted, section, startHost, typeName } from './testing/harness.ts';

/** An entity that notes each message, and one that observes it; the observer's wakes after its first. */
async function watchNotes(wake: Wake) {
  const [watcher, notes] = [typeName('watcher'), typeName('notes')];
  const wakes: WakeEvent[] = [];
  const registry = scripted({
    async [watcher](ctx, event) {
      wakes.push(event);
      if (wakes.length === 1) await ctx.observe(api.entity(`/${notes}/n`), { wake });
    },
  });
  registry.define(notes, {
    state: { notes: {}, other: {} },
    handler(ctx, event) {
      const key = String(event.payload);
      if (ctx.state.notes.get(key) === undefined) ctx.state.notes.insert({ key, secret: 'hidden' });
      else ctx.state.notes.update(key, (draft) => Object.assign(draft, { again: Math.random() }));
      ctx.state.other.update('count', (draft) => Object.assign(draft, { n: Math.random() }));
    },
  });
  const host = await startHost(registry);
  await host.client.spawnEntity({ type: notes, id: 'n' });
  await host.client.spawnEntity({ type: watcher, id: 'w', initialMessage: 'go' });
  await host.settled();
  return {
    host,
    url: `/${notes}/n`,
    watcherUrl: `/${watcher}/w`,
    later: () => wakes.slice(1),
    async note(key: string) {
      await host.client.sendEntityMessage({ targetUrl: `/${notes}/n`, payload: key });
      await host.settled();
    },
  };
}

section('change wakes', () => {
  it('name event type, kind and key, and nothing of the row', async () => {
    const { url, note, later } = await watchNotes({
      on: 'change',
      collections: ['state:notes'],
      ops: ['insert'],
    });
    await note('k');
    expect(later()).toEqual([
      {
        source: url,
        type: 'wake',
        fromOffset: 0,
        toOffset: 0,
        eventCount: 0,
        payload: {
          timestamp: expect.any(String),
          source: url,
          timeout: false,
          changes: [{ collection: 'state:notes', kind: 'insert', key: 'k' }],
          _timeline_order: expect.stringMatching(/^stream:/),
        },
      },
    ]);
  });

  it('come for the operations that were asked for', async () => {
    const { note, later } = await watchNotes({ on: 'change', collections: ['state:notes'], ops: ['update'] });
    await note('k');
    expect(later()).toEqual([]);
    await note('k');
    expect(later().map((wake) => wake.payload)).toMatchObject([
      { changes: [{ collection: 'state:notes', kind: 'update', key: 'k' }] },
    ]);
  });

  itStricter('come for each update of a row (sharp edge 10)', async () => {
    const { note, later } = await watchNotes({ on: 'change', collections: ['state:notes'], ops: ['update'] });
    for (let n = 0; n < 3; n += 1) await note('k');
    expect(later()).toHaveLength(2);
  });

  it('do not match collection names (sharp edge 11)', async () => {
    const { note, later } = await watchNotes({ on: 'change', collections: ['notes'] });
    await note('k');
    expect(later()).toEqual([]);
  });

  it('are not caused by messages to the observed entity', async () => {
    const { note, later } = await watchNotes({ on: 'change', collections: ['inbox'] });
    await note('k');
    expect(later()).toEqual([]);
  });

  it('time out once when nothing matches (sharp edge 33)', async () => {
    const { host, url, later, watcherUrl } = await watchNotes({ on: 'change', timeoutMs: 500 });
    await host.pass(1_000);
    expect(later().map((wake) => wake.payload)).toMatchObject([
      { timestamp: expect.any(String), source: url, timeout: true, changes: [] },
    ]);
    await host.pass(1_000);
    expect(later()).toHaveLength(1);
    expect(await rowsOf(host, watcherUrl, 'wake')).toMatchObject([
      { key: expect.stringMatching(/^wake-.+-timeout$/), timeout: true },
    ]);
  });

  it('do not time out after a match', async () => {
    const { host, note, later } = await watchNotes({
      on: 'change',
      collections: ['state:notes'],
      timeoutMs: 6_000,
    });
    await note('k');
    await host.pass(7_000);
    expect(later()).toHaveLength(1);
    expect(later()[0]?.payload).toMatchObject({ timeout: false });
  });

  it('are collected for the debounce window', async () => {
    const { host, note, later } = await watchNotes({
      on: 'change',
      collections: ['state:notes'],
      debounceMs: 6_000,
    });
    await note('a');
    await note('b');
    expect(later()).toEqual([]);
    await host.pass(7_000);
    expect(later()).toHaveLength(1);
    expect(later()[0]?.payload).toMatchObject({ timeout: false });
    await host.pass(7_000);
    expect(later()).toHaveLength(1);
  });

  itStricter('that were collected are all told (sharp edge 12)', async () => {
    const { host, note, later } = await watchNotes({
      on: 'change',
      collections: ['state:notes'],
      debounceMs: 6_000,
    });
    for (const key of ['a', 'b']) await note(key);
    await host.pass(6_000);
    expect(later()[0]?.payload).toMatchObject({ changes: [{ key: 'a' }, { key: 'b' }] });
  });
});
