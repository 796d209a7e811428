import { describe, expect, it } from 'vitest';
import { createEntityRegistry } from '../registry.ts';
import { entity, webhook } from '../sources.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { openedDelivery } from '../testing/review-factory.ts';
import { rejectionOf, type Script, scripted } from '../testing/script.ts';
import { createGate, startTestHost } from '../testing/test-host.ts';
import type { Wake, WakeEvent } from '../types.ts';

const PRINCIPAL = '/principal/system%3Adev-local';
const ZEROS = { fromOffset: 0, toOffset: 0, eventCount: 0 };

/** Keeps the wakes of an entity whose first pass runs `first`. */
function watcher(first: Script): { readonly wakes: WakeEvent[]; readonly script: Script } {
  const wakes: WakeEvent[] = [];
  return {
    wakes,
    async script(ctx, wake) {
      wakes.push(wake);
      if (wakes.length === 1) await first(ctx, wake);
    },
  };
}

describe('the wake of a message', () => {
  it('has payload, type and the principal as its source', async () => {
    const { wakes, script } = watcher(() => {});
    const host = await startTestHost({ registry: scripted({ e: script }) });
    await host.client.spawnEntity({
      type: 'e',
      id: 'a',
      initialMessage: { n: 5 },
      initialMessageType: 'start',
    });
    await host.settled();
    await host.client.sendEntityMessage({ targetUrl: '/e/a', payload: 'untyped' });
    await host.settled();
    expect(wakes).toEqual([
      { source: PRINCIPAL, type: 'inbox', ...ZEROS, payload: { n: 5 }, summary: 'start' },
      { source: PRINCIPAL, type: 'inbox', ...ZEROS, payload: 'untyped' },
    ]);
  });

  it('is that of the newest; ctx.events has all, in order', async () => {
    const gate = createGate();
    const passes: unknown[] = [];
    const registry = scripted({
      async e(ctx, wake) {
        passes.push([
          wake.payload,
          ctx.wake,
          ctx.events.map((event) => [event.type, event.headers.operation]),
        ]);
        if (passes.length === 1) await gate.opened;
      },
    });
    const host = await startTestHost({ registry });
    await host.client.spawnEntity({ type: 'e', id: 'a', initialMessage: 0 });
    for (const payload of [1, 2, 3]) {
      await host.client.sendEntityMessage({ targetUrl: '/e/a', payload, type: 't' });
    }
    gate.open();
    await host.settled();
    const raw = { source: PRINCIPAL, type: 'inbox', ...ZEROS, payload: 3, summary: 't' };
    const message = { type: 't', payload: 3, from: PRINCIPAL };
    expect(passes[1]).toEqual([
      3,
      { type: 'inbox', source: PRINCIPAL, message, raw },
      Array.from({ length: 3 }, () => ['inbox', 'insert']),
    ]);
    expect(passes).toHaveLength(2);
  });
});

describe('runFinished', () => {
  async function finished(wake: Wake | undefined, kid: Script) {
    const { wakes, script } = watcher(async (ctx) => {
      await ctx.spawn('kid', 'a', {}, { initialMessage: 1, ...(wake !== undefined && { wake }) });
    });
    const host = await startTestHost({ registry: scripted({ parent: script, kid }) });
    await host.client.spawnEntity({ type: 'parent', id: 'p', initialMessage: 'go' });
    await host.settled();
    return { wakes: wakes.slice(1), host };
  }
  const recorded: Script = (ctx) => {
    const run = ctx.recordRun();
    run.attachResponse('{"verdict":');
    run.attachResponse('"ok"}');
    run.end({ status: 'completed' });
  };

  it('tells the parent how its child did, with the text of the run', async () => {
    const { wakes } = await finished('runFinished', recorded);
    expect(wakes).toEqual([
      {
        source: '/kid/a',
        type: 'wake',
        ...ZEROS,
        payload: {
          timestamp: expect.any(String),
          source: '/kid/a',
          timeout: false,
          changes: [{ collection: 'runs', kind: 'update', key: 'run-0' }],
          finished_child: {
            url: '/kid/a',
            type: 'kid',
            run_status: 'completed',
            response: '{"verdict":"ok"}',
          },
          _timeline_order: expect.stringMatching(/^stream:\d+$/),
        },
      },
    ]);
  });

  it('leaves the text out on request', async () => {
    const { wakes } = await finished({ on: 'runFinished', includeResponse: false }, recorded);
    expect(wakes[0]?.payload).toMatchObject({
      finished_child: { url: '/kid/a', type: 'kid', run_status: 'completed' },
    });
    expect(JSON.stringify(wakes)).not.toContain('response');
  });

  it('does not come for a run that stays open, nor unasked', async () => {
    expect((await finished('runFinished', (ctx) => void ctx.recordRun())).wakes).toEqual([]);
    expect((await finished(undefined, recorded)).wakes).toEqual([]);
  });

  it('comes for replyText, and not for an empty one', async () => {
    const { wakes } = await finished('runFinished', (ctx) => {
      ctx.replyText('');
      ctx.replyText('hello');
    });
    expect(wakes).toHaveLength(1);
    expect(wakes[0]?.payload).toMatchObject({ finished_child: { response: 'hello' } });
  });

  it('of several runs at once is one wake_batch', async () => {
    const { wakes } = await finished('runFinished', (ctx) => {
      ctx.replyText('one');
      ctx.replyText('two');
    });
    expect(wakes).toHaveLength(1);
    expect(wakes[0]).toMatchObject({ source: '/kid/a', type: 'wake', ...ZEROS, eventCount: 2 });
    expect(wakes[0]?.payload).toMatchObject({
      type: 'wake_batch',
      sources: ['/kid/a'],
      wakes: [{ finished_child: { response: 'one' } }, { finished_child: { response: 'two' } }],
      changes: [{ key: 'run-0' }, { key: 'run-1' }],
    });
    expect(wakes[0]?.payload).not.toHaveProperty('finished_child');
  });

  it('has no finished_child for an observer that is not the parent', async () => {
    const { wakes, script } = watcher(async (ctx) => {
      await ctx.observe(entity('/kid/a'), { wake: 'runFinished' });
    });
    const host = await startTestHost({ registry: scripted({ other: script, kid: recorded }) });
    await host.client.spawnEntity({ type: 'kid', id: 'a' });
    await host.client.spawnEntity({ type: 'other', id: 'o', initialMessage: 'go' });
    await host.settled();
    await host.client.sendEntityMessage({ targetUrl: '/kid/a', payload: 1 });
    await host.settled();
    expect(wakes[1]?.payload).toMatchObject({ source: '/kid/a' });
    expect(wakes[1]?.payload).not.toHaveProperty('finished_child');
  });

  it('R5: does not reach a parent whose pass threw after the spawn', async () => {
    const { wakes, script } = watcher(async (ctx) => {
      await ctx.spawn('kid', 'a', {}, { wake: 'runFinished' });
      throw new Error('after the spawn');
    });
    const host = await startTestHost({ registry: scripted({ parent: script, kid: recorded }) });
    await host.client.spawnEntity({ type: 'parent', id: 'p', initialMessage: 'go' });
    await host.settled();
    await host.client.sendEntityMessage({ targetUrl: '/kid/a', payload: 1 });
    await host.settled();
    expect(host.readRows('/kid/a', 'runs')).toHaveLength(1);
    expect(wakes).toHaveLength(1);
  });
});

describe('change wakes', () => {
  async function watchNotes(wake: Wake) {
    const clock = createManualClock();
    const { wakes, script } = watcher(async (ctx) => {
      await ctx.observe(entity('/notes/n'), { wake });
    });
    const registry = createEntityRegistry();
    registry.define('watcher', { handler: (ctx, event) => script(ctx as never, event) });
    registry.define('notes', {
      state: { notes: {}, other: {} },
      handler(ctx) {
        ctx.state.notes.insert({ key: String(ctx.events[0]?.key), secret: 1 });
        ctx.state.other.insert({ key: String(ctx.events[0]?.key) });
      },
    });
    const host = await startTestHost({ registry, clock });
    await host.client.spawnEntity({ type: 'notes', id: 'n' });
    await host.client.spawnEntity({ type: 'watcher', id: 'w', initialMessage: 'go' });
    await host.settled();
    return { host, clock, later: () => wakes.slice(1) };
  }

  it('name event type, kind and key, and nothing of the row', async () => {
    const { host, later } = await watchNotes({ on: 'change', collections: ['state:notes'], ops: ['insert'] });
    await host.client.sendEntityMessage({ targetUrl: '/notes/n', payload: 1 });
    await host.settled();
    const key = host.readRows('/notes/n', 'notes')[0]?.key;
    expect(later().map((wake) => wake.payload)).toMatchObject([
      { source: '/notes/n', timeout: false, changes: [{ collection: 'state:notes', kind: 'insert', key }] },
    ]);
    expect(JSON.stringify(later())).not.toContain('secret');
  });

  it('do not match collection names', async () => {
    const { host, later } = await watchNotes({ on: 'change', collections: ['notes'] });
    await host.client.sendEntityMessage({ targetUrl: '/notes/n', payload: 1 });
    await host.settled();
    expect(later()).toEqual([]);
  });

  it('time out once when nothing matches', async () => {
    const { host, clock, later } = await watchNotes({ on: 'change', timeoutMs: 500 });
    clock.advance(500);
    await host.settled();
    expect(later().map((wake) => wake.payload)).toMatchObject([
      { source: '/notes/n', timeout: true, changes: [] },
    ]);
    clock.advance(10_000);
    await host.settled();
    expect(later()).toHaveLength(1);
  });

  it('do not time out after a match', async () => {
    const { host, clock, later } = await watchNotes({
      on: 'change',
      collections: ['state:notes'],
      timeoutMs: 500,
    });
    await host.client.sendEntityMessage({ targetUrl: '/notes/n', payload: 1 });
    await host.settled();
    clock.advance(10_000);
    await host.settled();
    expect(later()).toHaveLength(1);
  });

  it('are collected for the debounce window, over re-registrations and into one wake', async () => {
    const { host, clock, later } = await watchNotes({
      on: 'change',
      collections: ['state:notes'],
      debounceMs: 100,
    });
    for (const payload of [1, 2]) {
      await host.client.sendEntityMessage({ targetUrl: '/notes/n', payload });
      await host.settled();
      clock.advance(40);
    }
    expect(later()).toEqual([]);
    clock.advance(20);
    await host.settled();
    const keys = host.readRows('/notes/n', 'notes').map((row) => row.key);
    expect(later()).toHaveLength(1);
    expect(later()[0]?.payload).toMatchObject({ timeout: false, changes: keys.map((key) => ({ key })) });
    clock.advance(10_000);
    await host.settled();
    expect(later()).toHaveLength(1);
  });

  it('are not caused by messages to the observed entity', async () => {
    const { host, later } = await watchNotes({ on: 'change', collections: ['inbox'] });
    await host.client.sendEntityMessage({ targetUrl: '/notes/n', payload: 1 });
    await host.settled();
    expect(later()).toEqual([]);
  });
});

describe('webhook buckets', () => {
  it('wake their observer with the key alone; the handle has the row', async () => {
    const wakes: WakeEvent[] = [];
    const rows: unknown[] = [];
    const registry = scripted({
      async e(ctx, wake) {
        wakes.push(wake);
        const handle = await ctx.observe(webhook('github', { bucket: '/prs/7/' }));
        rows.push(handle.db.collections.events.get('delivery-7'));
      },
    });
    const host = await startTestHost({ registry });
    await host.client.spawnEntity({ type: 'e', id: 'a', initialMessage: 'go' });
    await host.settled();
    await host.appendWebhookEvent(openedDelivery(7));
    await host.appendWebhookEvent(openedDelivery(8));
    await host.settled();
    const source = '/_webhooks/github/prs/7';
    expect(wakes).toHaveLength(2);
    expect(wakes[1]).toMatchObject({ source, type: 'wake', ...ZEROS });
    expect(wakes[1]?.payload).toMatchObject({
      source,
      timeout: false,
      changes: [{ collection: 'webhook_event', kind: 'insert', key: 'delivery-7' }],
    });
    expect(rows[0]).toBeUndefined();
    expect(rows[1]).toMatchObject({
      key: 'delivery-7',
      body: { number: 7 },
      event_type: 'pull_request',
      endpoint_key: 'github',
      bucket: 'prs/7',
      stream_path: source,
      headers: { 'x-github-event': 'pull_request' },
      received_at: '2026-01-01T00:00:00.000Z',
    });
  });

  it('refuse malformed keys and buckets, and store nothing of the delivery', async () => {
    const host = await startTestHost({ registry: scripted({}) });
    for (const bad of [{ endpointKey: 'Bad Key' }, { buckets: ['ok', 'a/../b'] }, { buckets: ['a b'] }]) {
      const error = await rejectionOf(host.appendWebhookEvent({ ...openedDelivery(1), ...bad }));
      expect(error).toMatchObject({ status: 400 });
    }
    expect(await host.appendWebhookEvent(openedDelivery(1))).toEqual({ appended: true });
  });
});
