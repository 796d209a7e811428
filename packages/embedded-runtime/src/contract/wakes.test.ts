import { expect, it } from 'vitest';
import type { Wake, WakeEvent } from '../index.ts';
import { rowsOf } from './testing/conformance-host.ts';
import {
  api,
  createGate,
  itStricter,
  type Script,
  scripted,
  section,
  startHost,
  typeName,
} from './testing/harness.ts';

const PRINCIPAL = '/principal/system%3Adev-local';
const ZEROS = { fromOffset: 0, toOffset: 0, eventCount: 0 };

section('the wake of a message', () => {
  it('has payload, type and the principal as its source (sharp edge 9)', async () => {
    const type = typeName('e');
    const wakes: unknown[] = [];
    const host = await startHost(
      scripted({ [type]: (ctx, wake) => void wakes.push({ wake, ctxWake: ctx.wake }) }),
    );
    const first = { initialMessage: { owner: 'o', number: 5 }, initialMessageType: 'start' };
    await host.client.spawnEntity({ type, id: 'a', ...first });
    await host.settled();
    await host.client.sendEntityMessage({ targetUrl: `/${type}/a`, payload: { a: 1 } });
    await host.settled();
    const typed = {
      source: PRINCIPAL,
      type: 'inbox',
      ...ZEROS,
      payload: { owner: 'o', number: 5 },
      summary: 'start',
    };
    const untyped = { source: PRINCIPAL, type: 'inbox', ...ZEROS, payload: { a: 1 } };
    const message = (name: string, payload: unknown) => ({ type: name, payload, from: PRINCIPAL });
    expect(wakes).toEqual([
      {
        wake: typed,
        ctxWake: {
          type: 'inbox',
          source: PRINCIPAL,
          message: message('start', typed.payload),
          raw: typed,
        },
      },
      {
        wake: untyped,
        ctxWake: {
          type: 'inbox',
          source: PRINCIPAL,
          message: message('message', { a: 1 }),
          raw: untyped,
        },
      },
    ]);
  });

  it('has nothing that tells a delayed message from another', async () => {
    const wakes: WakeEvent[] = [];
    const type = typeName('e');
    const host = await startHost(scripted({ [type]: (_ctx, wake) => void wakes.push(wake) }));
    await host.client.spawnEntity({ type, id: 'a' });
    const later = { payload: { late: true }, type: 'deadline', afterMs: 1_000 };
    await host.client.sendEntityMessage({ targetUrl: `/${type}/a`, ...later });
    await host.pass(1_500);
    expect(wakes).toEqual([
      { source: PRINCIPAL, type: 'inbox', ...ZEROS, payload: { late: true }, summary: 'deadline' },
    ]);
  });
});

/** Runs a kid; what its parent was woken with by it. */
async function finished(wake: Wake | undefined, kid: Script) {
  const [parentType, kidType] = [typeName('parent'), typeName('kid')];
  const wakes: WakeEvent[] = [];
  const host = await startHost(
    scripted({
      async [parentType](ctx, event) {
        wakes.push(event);
        if (wakes.length === 1) {
          await ctx.spawn(kidType, 'a', {}, { initialMessage: 1, ...(wake !== undefined && { wake }) });
        }
      },
      [kidType]: kid,
    }),
  );
  await host.client.spawnEntity({ type: parentType, id: 'p', initialMessage: 'go' });
  await host.settled();
  return { wakes: wakes.slice(1), host, url: `/${kidType}/a`, type: kidType, parent: `/${parentType}/p` };
}

const recorded: Script = (ctx) => {
  const run = ctx.recordRun();
  run.attachResponse('{"verdict":');
  run.attachResponse('"ok"}');
  run.end({ status: 'completed' });
};

section('runFinished', () => {
  it('tells the parent how its child did, with the text of the run', async () => {
    const { wakes, url, type } = await finished('runFinished', recorded);
    expect(wakes).toEqual([
      {
        source: url,
        type: 'wake',
        ...ZEROS,
        payload: {
          timestamp: expect.any(String),
          source: url,
          timeout: false,
          changes: [{ collection: 'runs', kind: 'update', key: 'run-0' }],
          finished_child: { url, type, run_status: 'completed', response: '{"verdict":"ok"}' },
          _timeline_order: expect.stringMatching(/^stream:/),
        },
      },
    ]);
  });

  it('leaves the text out on request', async () => {
    const { wakes } = await finished({ on: 'runFinished', includeResponse: false }, recorded);
    expect(wakes).toHaveLength(1);
    expect(wakes[0]?.payload).toMatchObject({ finished_child: { run_status: 'completed' } });
    expect(JSON.stringify(wakes)).not.toContain('response');
  });

  it('tells of a failed run', async () => {
    const { wakes } = await finished('runFinished', (ctx) => {
      ctx.recordRun().end({ status: 'failed' });
    });
    expect(wakes[0]?.payload).toMatchObject({ finished_child: { run_status: 'failed' } });
  });

  it('tells of a run whose model failed', async () => {
    const { wakes } = await finished('runFinished', async (ctx) => {
      const testResponses = () => Promise.reject(new Error('429 slow down'));
      const agent = ctx.useAgent({ systemPrompt: '', model: 'claude-haiku-4-5', tools: [], testResponses });
      await agent.run('x').catch(() => {});
    });
    expect(wakes[0]?.payload).toMatchObject({ finished_child: { run_status: 'failed' } });
  });

  it('does not come for a run that stays open, nor unasked (sharp edge 21)', async () => {
    expect((await finished('runFinished', (ctx) => void ctx.recordRun())).wakes).toEqual([]);
    expect((await finished('runFinished', () => Promise.reject(new Error('died first')))).wakes).toEqual([]);
    expect((await finished(undefined, recorded)).wakes).toEqual([]);
  });

  it('comes for replyText', async () => {
    const { wakes } = await finished('runFinished', (ctx) => {
      ctx.replyText('');
      ctx.replyText('hello');
    });
    expect(wakes).toHaveLength(1);
    expect(wakes[0]?.payload).toMatchObject({ finished_child: { response: 'hello' } });
  });

  it('has no finished_child for an observer that is not the parent', async () => {
    const [other, kid] = [typeName('other'), typeName('kid')];
    const wakes: WakeEvent[] = [];
    const host = await startHost(
      scripted({
        async [other](ctx, wake) {
          wakes.push(wake);
          if (wakes.length === 1) await ctx.observe(api.entity(`/${kid}/a`), { wake: 'runFinished' });
        },
        [kid]: recorded,
      }),
    );
    await host.client.spawnEntity({ type: kid, id: 'a' });
    await host.client.spawnEntity({ type: other, id: 'o', initialMessage: 'go' });
    await host.settled();
    await host.client.sendEntityMessage({ targetUrl: `/${kid}/a`, payload: 1 });
    await host.settled();
    expect(wakes).toHaveLength(2);
    expect(wakes[1]?.payload).toMatchObject({ source: `/${kid}/a` });
    expect(wakes[1]?.payload).not.toHaveProperty('finished_child');
  });
});

section('several wakes at once', () => {
  /** Two kids that end while their parent is busy; the parent's later wakes. */
  async function batch(alsoSend: boolean) {
    const [parent, kid] = [typeName('parent'), typeName('kid')];
    const [begun, gate] = [createGate(), createGate()];
    const wakes: { readonly wake: WakeEvent; readonly events: readonly string[] }[] = [];
    const host = await startHost(
      scripted({
        async [parent](ctx, wake) {
          wakes.push({ wake, events: ctx.events.map(({ type }) => type) });
          if (wakes.length === 1) {
            for (const id of ['a', 'b']) await ctx.spawn(kid, id, {}, { wake: 'runFinished' });
          } else if (wakes.length === 2) {
            begun.open();
            await gate.opened;
          }
        },
        [kid]: (ctx) => ctx.replyText(`done ${ctx.entityUrl}`),
      }),
    );
    const url = `/${parent}/p`;
    await host.client.spawnEntity({ type: parent, id: 'p', initialMessage: 'go' });
    await host.settled();
    await host.client.sendEntityMessage({ targetUrl: url, payload: 'busy' });
    await begun.opened;
    for (const id of ['a', 'b']) {
      await host.client.sendEntityMessage({ targetUrl: `/${kid}/${id}`, payload: 1 });
      // The parent is busy, so that its wake rows are all that can be waited for.
      await expect.poll(async () => (await rowsOf(host, url, 'wake')).length).toBe(id === 'a' ? 1 : 2);
    }
    if (alsoSend) await host.client.sendEntityMessage({ targetUrl: url, payload: 'newest' });
    gate.open();
    await host.settled();
    return { url, kids: ['a', 'b'].map((id) => `/${kid}/${id}`), last: wakes.at(-1), count: wakes.length };
  }

  it('are one wake_batch', async () => {
    const { url, kids, last } = await batch(false);
    expect(last?.wake).toMatchObject({ source: url, type: 'wake', ...ZEROS, eventCount: 2 });
    expect(last?.wake.payload).toMatchObject({
      type: 'wake_batch',
      sources: kids,
      wakes: kids.map((kid) => ({
        source: kid,
        timeout: false,
        changes: [{ collection: 'runs', kind: 'update' }],
        finished_child: { url: kid, run_status: 'completed', response: `done ${kid}` },
      })),
      changes: [{ collection: 'runs' }, { collection: 'runs' }],
    });
    for (const field of ['finished_child', 'timestamp', 'timeout']) {
      expect(last?.wake.payload).not.toHaveProperty(field);
    }
  });

  it('give way to a message, and are only events then', async () => {
    const { last } = await batch(true);
    expect(last?.wake).toMatchObject({ type: 'inbox', payload: 'newest' });
    expect(last?.events).toEqual(['wake', 'wake', 'inbox']);
  });

  itStricter('from one source have it as theirs', async () => {
    const { wakes, url } = await finished('runFinished', (ctx) => {
      ctx.replyText('one');
      ctx.replyText('two');
    });
    expect(wakes).toHaveLength(1);
    expect(wakes[0]).toMatchObject({ source: url, eventCount: 2 });
    expect(wakes[0]?.payload).toMatchObject({ type: 'wake_batch', sources: [url] });
  });
});
