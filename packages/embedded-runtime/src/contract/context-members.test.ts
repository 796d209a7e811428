import { expect, it } from 'vitest';
import type { HandlerContext } from '../index.ts';
import { entityOf, rowsOf } from './testing/conformance-host.ts';
import { api, itStricter, rejectionOf, runPass, runPasses, section } from './testing/harness.ts';

section('who the entity is', () => {
  it('stands in the context', async () => {
    await runPass(
      (ctx) => {
        expect(ctx).toMatchObject({ args: { x: 1 }, tags: { color: 'red' }, firstWake: true });
        expect(ctx.entityUrl).toBe(`/${ctx.entityType}/a`);
        expect(ctx.principal?.url).toMatch(/^\/principal\//);
        expect(ctx.electricTools).toEqual([]);
        expect(ctx.signal.aborted).toBe(false);
        expect(Object.isFrozen(ctx.args)).toBe(true);
        expect(ctx.db.collections.entityCreated.toArray).toMatchObject([
          { entity_type: ctx.entityType, args: { x: 1 } },
        ]);
        ctx.sleep();
      },
      { args: { x: 1 }, tags: { color: 'red' } },
    );
  });

  it('is new as long as its manifest is empty (sharp edge 4)', async () => {
    const seen: boolean[] = [];
    await runPasses(
      [
        (ctx) => {
          seen.push(ctx.firstWake);
          ctx.state.notes?.insert({ key: 'does not count' });
        },
        (ctx) => {
          seen.push(ctx.firstWake);
          ctx.insertContext('c', { name: 'n', content: 'x' });
        },
        (ctx) => void seen.push(ctx.firstWake),
      ],
      { definition: { state: { notes: {} } } },
    );
    expect(seen).toEqual([true, true, false]);
  });

  it('shows a tag that was set from the next session on (sharp edge 27)', async () => {
    const seen: unknown[] = [];
    const { host, url } = await runPasses(
      [
        async (ctx) => {
          await ctx.setTag('n', '1');
          await ctx.deleteTag('color');
          seen.push(ctx.tags);
        },
        (ctx) => void seen.push(ctx.tags),
      ],
      { tags: { color: 'red' } },
    );
    expect(seen).toEqual([{ color: 'red' }, { n: '1' }]);
    expect(await entityOf(host, url)).toMatchObject({ tags: { n: '1' } });
  });
});

section('context entries', () => {
  it('stay over passes, are replaced and removed', async () => {
    const seen: unknown[] = [];
    const { host, url } = await runPasses([
      (ctx) => {
        ctx.insertContext('skill:x', { name: 'skill', attrs: { n: 1 }, content: 'do' });
        ctx.insertContext('skill:x', { name: 'skill', attrs: { n: 2 }, content: 'do more' });
        ctx.insertContext('other', { name: 'o', content: 'o' });
        seen.push(ctx.getContext('skill:x')?.content, ctx.listContext().length);
      },
      (ctx) => {
        seen.push(ctx.getContext('skill:x')?.attrs, ctx.firstWake);
        ctx.removeContext('skill:x');
        ctx.removeContext('never there');
        seen.push(ctx.getContext('skill:x') ?? 'gone');
        seen.push(ctx.listContext().map((entry) => entry.id));
      },
    ]);
    expect(seen).toEqual(['do more', 2, { n: 2 }, false, 'gone', ['other']]);
    expect(await rowsOf(host, url, 'context_inserted')).toHaveLength(3);
    expect(await rowsOf(host, url, 'manifest')).toMatchObject([{ key: 'context:other', kind: 'context' }]);
  });
});

section('recorded runs', () => {
  it('are rows with their text; replyText is one of them', async () => {
    const { host, url } = await runPass((ctx) => {
      const run = ctx.recordRun();
      run.attachResponse('half ');
      run.attachResponse('done');
      run.end({ status: 'failed', finishReason: 'tired' });
      ctx.replyText('');
      ctx.replyText('bye');
    });
    expect(await rowsOf(host, url, 'run')).toMatchObject([
      { key: 'run-0', status: 'failed', finish_reason: 'tired' },
      { key: 'run-1', status: 'completed' },
    ]);
    expect((await rowsOf(host, url, 'text_delta')).map((row) => [row.run_id, row.delta])).toEqual([
      ['run-0', 'half '],
      ['run-0', 'done'],
      ['run-1', 'bye'],
    ]);
  });

  it('that are not ended stay started (sharp edge 40)', async () => {
    const { host, url } = await runPass((ctx) => void ctx.recordRun());
    expect(await rowsOf(host, url, 'run')).toMatchObject([{ status: 'started' }]);
  });

  it('share their numbers with the agent', async () => {
    const { host, url } = await runPass(async (ctx) => {
      ctx.recordRun().end({ status: 'completed' });
      const testResponses = ['hi'];
      ctx.useAgent({ systemPrompt: '', model: 'claude-haiku-4-5', tools: [], testResponses });
      await ctx.agent.run('x');
      ctx.replyText('bye');
    });
    expect((await rowsOf(host, url, 'run')).map((row) => row.key)).toEqual(['run-0', 'run-1', 'run-2']);
  });
});

section('what this host does differently', () => {
  itStricter('lets nothing be written after the pass', async () => {
    let leaked: HandlerContext | undefined;
    await runPass(
      (ctx) => {
        leaked = ctx;
      },
      { definition: { state: { notes: {} } } },
    );
    expect(() => leaked?.state.notes?.insert({ key: 'a' })).toThrow(
      /ctx\.state\.notes\.insert was called after/,
    );
    expect(await rejectionOf(leaked?.send('/e/a', 1) ?? Promise.resolve())).toMatchObject({
      code: 'PASS_OVER',
    });
  });

  const REFUSED: readonly (readonly [string, (ctx: HandlerContext) => unknown])[] = [
    ['attachments.list', (ctx) => ctx.attachments.list()],
    ['attachments.read', (ctx) => ctx.attachments.read('a')],
    ['sandbox.exec', (ctx) => ctx.sandbox.exec?.({ command: 'ls' })],
    ['slashCommands.replaceOwned', (ctx) => ctx.slashCommands.replaceOwned?.('skills', [])],
    ['fork', (ctx) => ctx.fork('/e/a', 'b')],
    ['forkSelf', (ctx) => ctx.forkSelf('b')],
    ['setGoal', (ctx) => ctx.setGoal({ objective: 'x' })],
    ['clearGoal', (ctx) => ctx.clearGoal()],
    ['getGoal', (ctx) => ctx.getGoal()],
    ['markGoalComplete', (ctx) => ctx.markGoalComplete()],
    ['updateGoalUsage', (ctx) => ctx.updateGoalUsage(1)],
  ];
  itStricter.each(REFUSED)('refuses ctx.%s and says what to do instead', async (member, use) => {
    await runPass(async (ctx) => {
      const error = await rejectionOf(Promise.resolve().then(() => use(ctx)));
      expect(error).toMatchObject({ code: 'NOT_SUPPORTED' });
      expect((error as Error).message).toMatch(
        new RegExp(`^ctx\\.${member.replace('.', '\\.')} is not part of the embedded runtime: .{10}`),
      );
    });
  });

  itStricter('names what it cannot observe', async () => {
    await runPass(async (ctx) => {
      const source = { sourceType: 'pgSync', sourceRef: 'x', streamUrl: '/x', config: {} };
      expect(await rejectionOf(ctx.observe(source))).toMatchObject({ code: 'NOT_SUPPORTED' });
    });
  });

  itStricter('ends any observation by its reference', async () => {
    const { host, url } = await runPasses([
      async (ctx) => {
        await ctx.observe(api.entity('/e/x'), { wake: 'runFinished' });
        await ctx.observe(api.entity('/e/y'), { wake: 'runFinished' });
      },
      async (ctx) => {
        await ctx.unobserve('/e/x');
        await ctx.unobserve('/e/nothing');
      },
    ]);
    expect(await rowsOf(host, url, 'manifest')).toMatchObject([{ sourceRef: '/e/y' }]);
  });
});
