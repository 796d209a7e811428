import { expect, it } from 'vitest';
import { z } from 'zod';
import { rowsOf } from './testing/conformance-host.ts';
import { api, itStricter, runPass, section, startHost, typeName } from './testing/harness.ts';

const schema = {
  findings: { type: 'finding', primaryKey: 'key', schema: z.object({ key: z.string(), by: z.string() }) },
} as const;

/** An owner, a writer and a watcher of one shared stream. */
async function setUp() {
  const [owner, writer, watcher] = [typeName('owner'), typeName('writer'), typeName('watcher')];
  const id = typeName('db');
  const seen: { readonly who: string; readonly what: unknown }[] = [];
  const registry = api.createEntityRegistry();
  registry.define(owner, {
    handler(ctx) {
      const shared = ctx.mkdb(id, schema);
      expect(shared.id).toBe(id);
      shared.findings.insert({ key: 'first', by: 'owner' });
      expect(() => ctx.mkdb(id, schema)).toThrow(
        `[agent-runtime] shared DB "${id}" already exists — use observe(db("${id}", schema)) to get a handle`,
      );
    },
  });
  registry.define(writer, {
    async handler(ctx) {
      const shared = await ctx.observe(api.db(id, schema));
      seen.push({ who: 'writer', what: shared.findings.toArray.map((row) => row.key) });
      shared.findings.insert({ key: 'second', by: 'writer' });
      shared.findings.update('first', (draft) => {
        draft.by = 'writer';
      });
    },
  });
  registry.define(watcher, {
    async handler(ctx, wake) {
      const shared = await ctx.observe(api.db(id, schema), { wake: { on: 'change', ops: ['insert'] } });
      if (wake.type === 'wake') {
        seen.push({ who: 'watcher', what: wake.payload });
        seen.push({ who: 'watcher', what: shared.findings.get('second')?.by });
      }
    },
  });
  const host = await startHost(registry);
  const run = async (type: string) => {
    await host.client.spawnEntity({ type, id: 'x', initialMessage: 'go' });
    await host.settled();
    expect(await rowsOf(host, `/${type}/x`, 'error')).toEqual([]);
    const manifest = await rowsOf(host, `/${type}/x`, 'manifest');
    return manifest.filter((row) => row.kind === 'shared-state');
  };
  return { owner, writer, watcher, id, seen, run };
}

section('shared state', () => {
  it('is written by several entities and wakes its observers', async () => {
    const { owner, writer, watcher, id, seen, run } = await setUp();
    expect(await run(owner)).toMatchObject([{ kind: 'shared-state', id, mode: 'create' }]);
    await run(watcher);
    expect(await run(writer)).toMatchObject([{ kind: 'shared-state', id, mode: 'connect' }]);
    const source = `/_electric/shared-state/${id}`;
    expect(seen).toMatchObject([
      { who: 'writer', what: ['first'] },
      {
        who: 'watcher',
        what: { source, changes: [{ collection: 'finding', kind: 'insert', key: 'second' }] },
      },
      { who: 'watcher', what: 'writer' },
    ]);
  });

  itStricter('is empty for who comes before its maker (sharp edge 26)', async () => {
    const { writer, seen, run } = await setUp();
    await run(writer);
    expect(seen).toEqual([{ who: 'writer', what: [] }]);
  });
});

section('observe', () => {
  it('gives handles with what they are about', async () => {
    const bucket = typeName('ep');
    const { host, url } = await runPass(async (ctx) => {
      const other = await ctx.observe(api.entity('/e/other'));
      expect(other).toMatchObject({ sourceType: 'entity', sourceRef: '/e/other', entityUrl: '/e/other' });
      const webhook = await ctx.observe(api.webhook(bucket));
      expect(webhook).toMatchObject({ sourceType: 'webhook', sourceRef: bucket });
      expect(webhook.db.collections.events.toArray).toEqual([]);
    });
    expect(await rowsOf(host, url, 'manifest')).toMatchObject([
      { key: 'source:entity:/e/other', kind: 'source', sourceType: 'entity', sourceRef: '/e/other' },
      {
        key: `source:webhook:${bucket}`,
        sourceType: 'webhook',
        wake: { on: 'change', collections: ['webhook_event'], ops: ['insert'] },
        config: { endpointKey: bucket, streamUrl: `/_webhooks/${bucket}` },
      },
    ]);
  });

  it('of the entity itself gives its own rows', async () => {
    await runPass(async (ctx) => {
      const self = await ctx.observe(api.entity(ctx.entityUrl));
      expect(self.db.collections.inbox.toArray).toMatchObject([{ payload: 0 }]);
    });
  });

  itStricter('gives the events of the source', async () => {
    await runPass(async (ctx) => {
      const self = await ctx.observe(api.entity(ctx.entityUrl));
      expect(self.events.map(({ type }) => type)).toEqual(['entity_created', 'inbox']);
    });
  });
});
