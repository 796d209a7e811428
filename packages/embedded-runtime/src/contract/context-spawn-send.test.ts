import { expect, it } from 'vitest';
import type { EntityRegistry } from '../index.ts';
import { entityOf, rowsOf } from './testing/conformance-host.ts';
import {
  itStricter,
  rejectionOf,
  runPass,
  runPasses,
  type Script,
  scripted,
  section,
  startHost,
  typeName,
} from './testing/harness.ts';

const PRINCIPAL = '/principal/system%3Adev-local';

/** A type of kids, and what each of their passes saw. */
function kids() {
  const kid = typeName('kid');
  const seen: { readonly url: string; readonly wake: unknown; readonly firstWake: boolean }[] = [];
  const define = (registry: EntityRegistry) =>
    registry.define(kid, {
      handler: (ctx) =>
        void seen.push({ url: ctx.entityUrl, wake: ctx.wake.raw.payload, firstWake: ctx.firstWake }),
    });
  return { kid, seen, define };
}

section('spawn', () => {
  it('gives a handle, and runs no handler before the first message (sharp edge 5)', async () => {
    const { kid, seen, define } = kids();
    const { host, url } = await runPass(
      async (ctx) => {
        const handle = await ctx.spawn(kid, 'a', { n: 1 });
        expect(handle).toMatchObject({ entityUrl: `/${kid}/a`, type: kid });
        expect(handle.status()).toBeUndefined();
      },
      { define },
    );
    expect(seen).toEqual([]);
    expect(await entityOf(host, `/${kid}/a`)).toMatchObject({
      parent: url,
      status: 'idle',
      spawn_args: { n: 1 },
    });
  });

  it('delivers the first message; the handle sends more', async () => {
    const { kid, seen, define } = kids();
    const tags = { color: 'red' };
    const { host } = await runPass(
      async (ctx) => {
        const handle = await ctx.spawn(
          kid,
          'a',
          {},
          { initialMessage: 'first', initialMessageType: 't', tags },
        );
        expect(await handle.send('second')).toMatchObject({ sent: true, targetUrl: `/${kid}/a` });
      },
      { define },
    );
    expect(seen.at(-1)).toMatchObject({ wake: 'second', firstWake: true });
    expect(await rowsOf(host, `/${kid}/a`, 'inbox')).toMatchObject([
      { payload: 'first', message_type: 't' },
      { payload: 'second' },
    ]);
    expect(await entityOf(host, `/${kid}/a`)).toMatchObject({ tags });
  });

  it('refuses an own child, in the same pass and in a later one (sharp edge 6)', async () => {
    const { kid, define } = kids();
    const messages: string[] = [];
    const again: Script = async (ctx) => {
      messages.push(((await rejectionOf(ctx.spawn(kid, 'a'))) as Error).message);
    };
    await runPasses(
      [
        async (ctx, wake) => {
          await ctx.spawn(kid, 'a');
          await again(ctx, wake);
        },
        again,
      ],
      { define },
    );
    const sentence = `[agent-runtime] child "${kid}:a" already exists — use observe(entity("/${kid}/a")) to get a handle`;
    expect(messages).toEqual([sentence, sentence]);
  });

  it("gives a handle to somebody else's entity and delivers nothing (sharp edge 6)", async () => {
    const kid = typeName('kid');
    const parent = typeName('parent');
    const seen: unknown[] = [];
    const host = await startHost(
      scripted({
        [kid]: (_ctx, wake) => void seen.push(wake.payload),
        async [parent](ctx) {
          const options = { initialMessage: 1, tags: { t: 'x' } };
          seen.push((await ctx.spawn(kid, 'a', { n: 2 }, options)).entityUrl);
        },
      }),
    );
    await host.client.spawnEntity({ type: kid, id: 'a', args: { n: 1 } });
    await host.client.spawnEntity({ type: parent, id: 'p', initialMessage: 'go' });
    await host.settled();
    expect(seen).toEqual([`/${kid}/a`]);
    const entity = await entityOf(host, `/${kid}/a`);
    expect(entity).toMatchObject({ spawn_args: { n: 1 }, tags: {} });
    expect(entity.parent ?? null).toBeNull();
  });

  it('notes the child in the manifest, with its wake', async () => {
    const { kid, define } = kids();
    const { host, url } = await runPass(
      async (ctx) => {
        await ctx.spawn(kid, 'a', {}, { wake: 'runFinished' });
        expect(ctx.db.collections.manifests.get(`child:${kid}:a`)).toMatchObject({ kind: 'child' });
      },
      { define },
    );
    expect(await rowsOf(host, url, 'manifest')).toMatchObject([
      {
        key: `child:${kid}:a`,
        kind: 'child',
        id: 'a',
        entity_type: kid,
        entity_url: `/${kid}/a`,
        wake: 'runFinished',
        observed: true,
      },
    ]);
  });
});

section('send', () => {
  it('delivers at once, with sender, type and time (sharp edge 9)', async () => {
    const { kid, seen, define } = kids();
    const { host, url } = await runPass(
      async (ctx) => {
        await ctx.spawn(kid, 'a');
        expect(await ctx.send(`/${kid}/a`, { a: 1 }, { type: 'ping' })).toEqual({
          sent: true,
          targetUrl: `/${kid}/a`,
        });
      },
      { define },
    );
    expect(seen).toHaveLength(1);
    const [row] = await rowsOf(host, `/${kid}/a`, 'inbox');
    expect(row).toMatchObject({
      key: expect.stringMatching(/^msg-in-\d+-[0-9a-z]+$/),
      from: PRINCIPAL,
      from_principal: PRINCIPAL,
      from_agent: url,
      payload: { a: 1 },
      message_type: 'ping',
      mode: 'immediate',
      status: 'processed',
    });
    expect(Number.isNaN(Date.parse(String(row?.timestamp)))).toBe(false);
  });

  it('does not wait for the end of the pass', async () => {
    const { kid, define } = kids();
    let host: { call(method: string, path: string): Promise<{ json: unknown }> } | undefined;
    const parent = typeName('parent');
    const inboxes: number[] = [];
    const registry = scripted({
      async [parent](ctx) {
        await ctx.spawn(kid, 'a');
        await ctx.send(`/${kid}/a`, 1);
        const events = (await host?.call('GET', `/${kid}/a/main?offset=-1`))?.json as { type: string }[];
        inboxes.push(events.filter((event) => event.type === 'inbox').length);
      },
    });
    define(registry);
    const started = await startHost(registry);
    host = started;
    await started.client.spawnEntity({ type: parent, id: 'p', initialMessage: 'go' });
    await started.settled();
    expect(inboxes).toEqual([1]);
  });

  it('with afterMs delivers once, when its time has come', async () => {
    const { kid, seen, define } = kids();
    const { host } = await runPass(
      async (ctx) => {
        await ctx.spawn(kid, 'a');
        await ctx.send(`/${kid}/a`, 'late', { afterMs: 9_000 });
        await ctx.send(`/${kid}/a`, 'soon', { afterMs: 6_000 });
      },
      { define },
    );
    expect(seen).toEqual([]);
    await host.pass(6_000);
    await host.pass(3_000);
    expect(seen.map(({ wake }) => wake)).toEqual(['soon', 'late']);
    expect(await rowsOf(host, `/${kid}/a`, 'inbox')).toMatchObject([
      { key: expect.stringMatching(/^scheduled-task-\d+$/), payload: 'soon' },
      { key: expect.stringMatching(/^scheduled-task-\d+$/), payload: 'late' },
    ]);
  });

  it('later to an entity that has ended is dropped (sharp edge 8)', async () => {
    const kid = typeName('kid');
    const host = await startHost(scripted({ [kid]: () => {} }));
    await host.client.spawnEntity({ type: kid, id: 'a' });
    await host.client.sendEntityMessage({ targetUrl: `/${kid}/a`, payload: 1, afterMs: 500 });
    await host.client.deleteEntity(`/${kid}/a`);
    await host.pass(1_000);
    expect(await rowsOf(host, `/${kid}/a`, 'inbox')).toEqual([]);
  });

  it('that nobody awaits fails in silence (sharp edge 8)', async () => {
    const { host, url } = await runPass((ctx) => {
      void ctx.send(`/${typeName('nobody')}/x`, 1);
    });
    expect(await rowsOf(host, url, 'error')).toEqual([]);
  });

  itStricter('and spawn that nobody awaits end no process', async () => {
    const { host, url } = await runPass((ctx) => void ctx.spawn(typeName('nobody'), 'x'));
    expect(await rowsOf(host, url, 'error')).toEqual([]);
  });

  itStricter('from an entity that sends to itself comes in the next pass, in order', async () => {
    const seen: unknown[] = [];
    await runPasses([
      async (ctx) => {
        for (const n of [1, 2]) await ctx.send(ctx.entityUrl, n);
      },
      (ctx) => void seen.push(...ctx.events.map((event) => (event.value as { payload: unknown }).payload)),
    ]);
    expect(seen).toEqual([1, 2]);
  });
});
