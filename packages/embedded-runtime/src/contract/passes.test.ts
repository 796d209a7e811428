import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createEntityRegistry } from '../registry.ts';
import { entity, webhook } from '../sources.ts';
import { rejectionOf, type Script, scripted } from '../testing/script.ts';
import { createGate, createTempDir, startTestHost } from '../testing/test-host.ts';
import type { HandlerContext, HandlerWake } from '../types.ts';

const noteSchema = z.object({ key: z.string(), text: z.string().min(1), at: z.number().optional() });

/** An entity with notes; each message runs the next script. */
async function withNotes(scripts: readonly Script[], dataDir = ':memory:') {
  const rest = [...scripts];
  const registry = createEntityRegistry();
  registry.define('e', {
    state: { notes: { schema: noteSchema }, ids: { primaryKey: 'id', type: 'custom' } },
    actions: (collections) => ({
      addTwice(key: string) {
        const notes = collections.notes as HandlerContext['state'][string];
        notes.insert({ key: `${key}1`, text: 'a' });
        notes.insert({ key: `${key}2`, text: 'b' });
      },
    }),
    handler: (ctx, wake) => rest.shift()?.(ctx as unknown as HandlerContext, wake),
  });
  registry.define('kid', { handler() {} });
  const host = await startTestHost({ registry, dataDir });
  await host.client.spawnEntity({ type: 'e', id: 'a', args: { x: 1 }, tags: { color: 'red' } });
  for (const [index] of scripts.entries()) {
    await host.client.sendEntityMessage({ targetUrl: '/e/a', payload: index });
    await host.settled();
  }
  return host;
}

/** Runs one script that must not throw. */
async function inPass(script: Script) {
  const host = await withNotes([script]);
  expect(host.readRows('/e/a', 'errors')).toEqual([]);
  return host;
}

describe('state', () => {
  it('is read as it was written, at once and in stream order', async () => {
    await inPass((ctx) => {
      const notes = ctx.state.notes as HandlerContext['state'][string];
      notes.insert({ key: 'b', text: 'first' });
      notes.insert({ key: 'a', text: 'second' });
      notes.update('b', (draft) => {
        draft.text = 'changed';
      });
      expect(notes.toArray).toMatchObject([
        { key: 'b', text: 'changed' },
        { key: 'a', text: 'second' },
      ]);
      expect(notes.get('a')).toMatchObject({ key: 'a', text: 'second' });
      notes.delete('b');
      notes.delete('not there');
      expect(notes.get('b')).toBeUndefined();
      expect(notes.toArray).toHaveLength(1);
    });
  });

  it('checks rows on the spot', async () => {
    const host = await inPass((ctx) => {
      const { notes } = ctx.state as { notes: HandlerContext['state'][string] };
      expect(() => notes.insert({ key: 'a', text: '' })).toThrow(/"state\.notes" breaks its schema: \/text/);
      expect(() => notes.update('new', () => {})).toThrow(/\/text/);
      expect(() => notes.insert({ text: 'x' })).toThrow(/\/key/);
      notes.insert({ key: 'a', text: 'x' });
      expect(() => notes.insert({ key: 'a', text: 'y' })).toThrow(
        '"state.notes" already has a row with the key "a"',
      );
      expect(() =>
        notes.update('a', (draft) => {
          draft.key = 'b';
        }),
      ).toThrow('a key cannot change');
    });
    expect(host.readRows('/e/a', 'notes')).toMatchObject([{ key: 'a', text: 'x' }]);
  });

  it('starts an update of a missing row from its key', async () => {
    const host = await inPass((ctx) => {
      ctx.state.notes?.update('new', (draft) => {
        draft.text = 'x';
      });
      ctx.state.ids?.update('i', (draft) => {
        draft.n = 1;
      });
    });
    expect(host.readRows('/e/a', 'notes')).toMatchObject([{ key: 'new', text: 'x' }]);
    expect(host.readRows('/e/a', 'ids')).toMatchObject([{ id: 'i', n: 1 }]);
  });

  it('hands out copies', async () => {
    await inPass((ctx) => {
      ctx.state.notes?.insert({ key: 'a', text: 'x' });
      const [row] = ctx.state.notes?.toArray ?? [];
      row.text = 'changed outside';
      expect(ctx.state.notes?.get('a')).toMatchObject({ text: 'x' });
    });
  });

  it('is also under ctx.db, with generated and own actions', async () => {
    const host = await inPass(async (ctx) => {
      const actions = ctx.db.actions as Record<
        string,
        (...args: readonly unknown[]) => { isPersisted: { promise: Promise<unknown> } }
      >;
      await actions.notes_insert?.({ row: { key: 'a', text: 'x' } }).isPersisted.promise;
      actions.notes_update?.({
        key: 'a',
        updater: (draft: object) => void Object.assign(draft, { text: 'y' }),
      });
      actions.ids_insert?.({ row: { id: 'i' } });
      actions.ids_delete?.({ key: 'i' });
      (ctx.actions as typeof actions).addTwice?.('k');
      const { notes } = ctx.db.collections as unknown as {
        notes: { size: number; has(key: string): boolean };
      };
      expect([notes.size, notes.has('k1'), notes.has('nope')]).toEqual([3, true, false]);
    });
    expect(host.readRows('/e/a', 'notes').map((row) => row.text)).toEqual(['y', 'a', 'b']);
    expect(host.readRows('/e/a', 'ids')).toEqual([]);
  });

  it('is seen by whoever observes the entity', async () => {
    const rows: unknown[] = [];
    const registry = scripted({
      async reader(ctx) {
        const handle = await ctx.observe(entity('/e/a'));
        rows.push(...(handle.db.collections.notes?.toArray ?? []), handle.events.length);
        const none = await ctx.observe(entity('/e/none'));
        rows.push(none.db.collections.inbox.toArray, none.db.collections.inbox.size);
      },
    });
    registry.define('e', {
      state: { notes: { schema: noteSchema } },
      handler: (ctx) => void ctx.state.notes.insert({ key: 'a', text: 'x' }),
    });
    const host = await startTestHost({ registry });
    await host.client.spawnEntity({ type: 'e', id: 'a', initialMessage: 1 });
    await host.settled();
    await host.client.spawnEntity({ type: 'reader', id: 'r', initialMessage: 1 });
    await host.settled();
    expect(rows).toEqual([expect.objectContaining({ key: 'a', text: 'x' }), 3, [], 0]);
  });
});

describe('a handler that throws', () => {
  it('R7: is not run again; an errors row says why', async () => {
    let runs = 0;
    const failing: Script = () => {
      runs += 1;
      throw new Error('no luck');
    };
    const host = await withNotes([failing]);
    expect(runs).toBe(1);
    expect(host.readRows('/e/a', 'errors')).toMatchObject([
      { key: expect.stringMatching(/^error-/), error_code: 'HANDLER_FAILED', message: 'no luck' },
    ]);
  });

  it('R5: keeps its state, sends, spawns and tags, and loses its manifest', async () => {
    const host = await withNotes([
      async (ctx) => {
        ctx.state.notes?.insert({ key: 'kept', text: 'x' });
        const kid = await ctx.spawn('kid', 'k');
        await ctx.send(kid.entityUrl, 'hello');
        await ctx.setTag('tag', 'kept');
        await ctx.observe(webhook('github'));
        ctx.insertContext('c', { name: 'n', content: 'x' });
        expect(ctx.db.collections.manifests.size).toBe(3);
        throw new Error('late');
      },
      (ctx) => {
        ctx.state.notes?.insert({ key: 'first', text: String(ctx.firstWake) });
      },
    ]);
    expect(host.readRows('/e/a', 'notes')).toMatchObject([{ key: 'kept' }, { key: 'first', text: 'true' }]);
    expect(host.readRows('/kid/k', 'inbox')).toHaveLength(1);
    expect(await host.client.getEntity('/e/a')).toMatchObject({ tags: { color: 'red', tag: 'kept' } });
    expect(host.readRows('/e/a', 'manifests')).toEqual([]);
  });

  it('keeps the registrations of earlier passes', async () => {
    const host = await withNotes([
      async (ctx) => void (await ctx.observe(webhook('github', { bucket: 'b' }))),
      async (ctx) => {
        await ctx.observe(webhook('github', { bucket: 'b' }));
        throw new Error('late');
      },
    ]);
    await host.appendWebhookEvent({
      endpointKey: 'github',
      key: 'd',
      buckets: ['b'],
      eventType: null,
      headers: {},
      body: null,
      receivedAt: '',
      request: { method: 'POST', content_type: '', size_bytes: 0, query: {} },
    });
    await host.settled();
    expect(host.readRows('/e/a', 'wakes')).toHaveLength(1);
  });
});

describe('the context of a pass', () => {
  it('knows its entity', async () => {
    await inPass((ctx) => {
      expect(ctx).toMatchObject({
        entityUrl: '/e/a',
        entityType: 'e',
        args: { x: 1 },
        tags: { color: 'red' },
        firstWake: true,
        principal: { url: '/principal/system%3Adev-local' },
        electricTools: [],
      });
      expect(Object.isFrozen(ctx.args)).toBe(true);
      expect(ctx.db.collections.entityCreated.toArray).toMatchObject([{ entity_type: 'e', args: { x: 1 } }]);
      ctx.sleep();
    });
  });

  it('is the first wake as long as the manifest is empty', async () => {
    const seen: boolean[] = [];
    await withNotes([
      (ctx) => void seen.push(ctx.firstWake),
      async (ctx) => {
        seen.push(ctx.firstWake);
        await ctx.observe(webhook('github'));
      },
      (ctx) => void seen.push(ctx.firstWake),
    ]);
    expect(seen).toEqual([true, true, false]);
  });

  it('sees a tag in the next pass', async () => {
    const seen: unknown[] = [];
    await withNotes([
      async (ctx) => {
        await ctx.setTag('n', '1');
        await ctx.deleteTag('color');
        seen.push(ctx.tags);
      },
      (ctx) => void seen.push(ctx.tags),
    ]);
    expect(seen).toEqual([{ color: 'red' }, { n: '1' }]);
  });

  it('keeps context entries over passes, replaces and removes them', async () => {
    const seen: unknown[] = [];
    const host = await withNotes([
      (ctx) => {
        ctx.insertContext('skill:x', { name: 'skill_instructions', attrs: { n: 1 }, content: 'do' });
        ctx.insertContext('skill:x', { name: 'skill_instructions', attrs: { n: 2 }, content: 'do more' });
        ctx.insertContext('other', { name: 'o', content: 'o' });
        seen.push(ctx.getContext('skill:x')?.content, ctx.listContext().length);
      },
      (ctx) => {
        seen.push(ctx.getContext('skill:x')?.attrs, ctx.firstWake);
        ctx.removeContext('skill:x');
        ctx.removeContext('never there');
        seen.push(
          ctx.getContext('skill:x'),
          ctx.listContext().map((entry) => entry.id),
        );
      },
    ]);
    expect(seen).toEqual(['do more', 2, { n: 2 }, false, undefined, ['other']]);
    expect(host.readRows('/e/a', 'contextInserted')).toHaveLength(3);
    expect(host.readRows('/e/a', 'contextRemoved')).toHaveLength(1);
  });

  it('survives refusals that nobody awaits', async () => {
    await inPass((ctx) => {
      void ctx.send('/e/none', 1);
      void ctx.spawn('nobody', 'x');
      void ctx.observe({ sourceType: 'pgSync', sourceRef: 'x', streamUrl: '/x', config: {} });
    });
  });

  it('lets nothing be written after its end', async () => {
    let leaked: HandlerContext | undefined;
    await inPass((ctx) => {
      leaked = ctx;
    });
    expect(() => leaked?.state.notes?.insert({ key: 'a', text: 'x' })).toThrow(
      /ctx\.state\.notes\.insert was called after/,
    );
    expect(await rejectionOf(leaked?.send('/e/a', 1) ?? Promise.resolve())).toMatchObject({
      code: 'PASS_OVER',
    });
  });

  it('names what this host cannot observe', async () => {
    await inPass(async (ctx) => {
      const source = { sourceType: 'pgSync', sourceRef: 'x', streamUrl: '/x', config: {} };
      expect(await rejectionOf(ctx.observe(source))).toMatchObject({ code: 'NOT_SUPPORTED' });
    });
  });

  it('has an agent after useAgent only; its runs are rows', async () => {
    const host = await inPass(async (ctx) => {
      expect(await rejectionOf(ctx.agent.run())).toMatchObject({ code: 'NO_AGENT' });
      const run = ctx.recordRun();
      run.end({ status: 'failed', finishReason: 'tired' });
      ctx.useAgent({ systemPrompt: '', model: 'claude-haiku-4-5', tools: [], testResponses: ['hi'] });
      await ctx.agent.run('x');
      ctx.replyText('bye');
    });
    expect(host.readRows('/e/a', 'runs').map((row) => [row.key, row.status])).toEqual([
      ['run-0', 'failed'],
      ['run-1', 'completed'],
      ['run-2', 'completed'],
    ]);
    expect(host.readRows('/e/a', 'textDeltas').map((row) => [row.run_id, row.delta])).toEqual([
      ['run-1', 'hi'],
      ['run-2', 'bye'],
    ]);
  });

  it('makes state and manifest durable before the model is called', async () => {
    const dataDir = createTempDir();
    const host = await withNotes(
      [
        async (ctx) => {
          ctx.state.notes?.insert({ key: 'before', text: 'x' });
          await ctx.spawn('kid', 'k');
          const agent = ctx.useAgent({
            systemPrompt: '',
            model: 'claude-haiku-4-5',
            tools: [],
            testResponses: () => Promise.reject(new Error('provider down')),
          });
          await agent.run('x');
        },
      ],
      dataDir,
    );
    expect(host.readRows('/e/a', 'errors').at(-1)).toMatchObject({
      message: expect.stringContaining('provider down'),
    });
    expect(host.readRows('/e/a', 'manifests')).toMatchObject([{ key: 'child:kid:k' }]);
  });
});

describe('signals', () => {
  async function startWaiting() {
    const started = createGate<HandlerWake>();
    const reasons: unknown[] = [];
    const registry = scripted({
      async e(ctx) {
        started.open(ctx.wake);
        await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
        reasons.push(ctx.signal.reason);
      },
    });
    const host = await startTestHost({ registry });
    await host.client.spawnEntity({ type: 'e', id: 'a' });
    return { host, started, reasons };
  }

  it('SIGINT aborts the pass that runs and is ignored otherwise', async () => {
    const { host, started, reasons } = await startWaiting();
    await host.client.signalEntity({ entityUrl: '/e/a', signal: 'SIGINT' });
    await host.client.sendEntityMessage({ targetUrl: '/e/a', payload: 1 });
    await started.opened;
    expect(reasons).toEqual([]);
    await host.client.signalEntity({ entityUrl: '/e/a', signal: 'SIGINT', reason: 'enough' });
    await host.settled();
    expect(reasons).toMatchObject([{ name: 'AbortError', message: 'enough' }]);
    expect(host.readRows('/e/a', 'signals')).toHaveLength(2);
  });

  it('SIGKILL ends the entity for good', async () => {
    const { host, started, reasons } = await startWaiting();
    await host.client.sendEntityMessage({ targetUrl: '/e/a', payload: 1 });
    await started.opened;
    await host.client.sendEntityMessage({ targetUrl: '/e/a', payload: 2 });
    await host.client.signalEntity({ entityUrl: '/e/a', signal: 'SIGKILL' });
    await host.settled();
    expect(reasons).toHaveLength(1);
    expect(await host.client.getEntity('/e/a')).toMatchObject({ status: 'killed' });
    const error = await rejectionOf(host.client.sendEntityMessage({ targetUrl: '/e/a', payload: 3 }));
    expect(error).toMatchObject({ status: 409 });
    expect((error as Error).message).toContain('NOT_RUNNING');
  });
});
