import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createEntityRegistry } from '../registry.ts';
import { db } from '../sources.ts';
import { startTestHost } from '../testing/test-host.ts';

const schema = {
  findings: { type: 'finding', primaryKey: 'key', schema: z.object({ key: z.string(), by: z.string() }) },
} as const;

async function setUp() {
  const registry = createEntityRegistry();
  const seen: unknown[] = [];
  registry.define('owner', {
    handler(ctx) {
      const shared = ctx.mkdb('pr-1', schema);
      shared.findings.insert({ key: 'first', by: ctx.entityUrl });
      expect(() => ctx.mkdb('pr-1', schema)).toThrow(
        'shared DB "pr-1" already exists — use observe(db(...))',
      );
    },
  });
  registry.define('writer', {
    async handler(ctx) {
      const shared = await ctx.observe(db('pr-1', schema));
      seen.push(shared.findings.toArray.map((row) => row.key));
      shared.findings.insert({ key: ctx.entityUrl, by: ctx.entityUrl });
      shared.findings.update('first', (draft) => {
        draft.by = ctx.entityUrl;
      });
    },
  });
  registry.define('watcher', {
    async handler(ctx, wake) {
      const shared = await ctx.observe(db('pr-1', schema), { wake: { on: 'change', ops: ['insert'] } });
      if (wake.type === 'wake')
        seen.push(wake.payload, shared.findings.get('/writer/w')?.by, shared.events.length);
    },
  });
  const host = await startTestHost({ registry });
  const spawn = async (type: string, id: string) => {
    await host.client.spawnEntity({ type, id, initialMessage: 'go' });
    await host.settled();
    expect(host.readRows(`/${type}/${id}`, 'errors')).toEqual([]);
  };
  return { host, seen, spawn };
}

describe('shared state', () => {
  it('is written by several entities and wakes its observers', async () => {
    const { host, seen, spawn } = await setUp();
    await spawn('owner', 'o');
    await spawn('watcher', 'v');
    await spawn('writer', 'w');
    const source = '/_electric/shared-state/pr-1';
    expect(seen).toEqual([
      ['first'],
      expect.objectContaining({
        source,
        changes: [{ collection: 'finding', kind: 'insert', key: '/writer/w' }],
      }),
      '/writer/w',
      3,
    ]);
    expect(host.readRows('/owner/o', 'manifests')).toMatchObject([
      { kind: 'shared-state', id: 'pr-1', mode: 'create' },
    ]);
    expect(host.readRows('/writer/w', 'manifests')).toMatchObject([
      { kind: 'shared-state', mode: 'connect' },
    ]);
  });

  it('is empty for who comes before its maker', async () => {
    const { host, seen } = await setUp();
    await host.client.spawnEntity({ type: 'writer', id: 'w', initialMessage: 'go' });
    await host.settled();
    expect(seen).toEqual([[]]);
    expect(host.readRows('/writer/w', 'errors')).toEqual([]);
  });
});
