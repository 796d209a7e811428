import { expect, it } from 'vitest';
import { createScriptedModel } from '../agent/testing/scripted-model.ts';
import type { AgentTool, HandlerContext, SourceConfig, UseContextConfig } from '../index.ts';
import { runPass, runPasses, type Script, section } from './testing/harness.ts';

const ADDED = ['load_timeline_range', 'load_source_range', 'load_context_history'];

/** Runs an agent over these sources; what its model was given. */
async function askWith(
  config: UseContextConfig | ((ctx: HandlerContext) => UseContextConfig),
  before: Script[] = [],
) {
  const { model, streamFn, calls } = createScriptedModel(['ok']);
  await runPasses([
    ...before,
    async (ctx) => {
      ctx.useAgent({ systemPrompt: 'Be brief.', model, tools: [], streamFn });
      ctx.useContext(typeof config === 'function' ? config(ctx) : config);
      await ctx.agent.run();
    },
  ]);
  const { messages = [], tools = [] } = calls[0]?.context ?? {};
  return {
    texts: messages.map(({ content }) =>
      typeof content === 'string'
        ? content
        : content.map((block) => (block.type === 'text' ? block.text : block.type)).join(''),
    ),
    tools: tools as unknown as AgentTool[],
  };
}

/** The answer of a tool that the host added. */
async function call(tools: readonly AgentTool[], name: string, params: object): Promise<string> {
  const result = await tools.find((tool) => tool.name === name)?.execute('call', params);
  return (result?.content ?? []).map((block) => (block.type === 'text' ? block.text : '')).join('');
}

section('useContext', () => {
  it('gives the model the declared sources alone, least changing first', async () => {
    const { texts } = await askWith({
      sourceBudget: 1_000,
      sources: {
        now: { content: () => 'now', cache: 'volatile' },
        rules: { content: async () => 'rules', cache: 'pinned', max: 100 },
        catalog: { content: () => [{ role: 'user', content: 'catalog' }], cache: 'stable', max: 100 },
      },
    });
    expect(texts).toEqual(['rules', 'catalog', 'now']);
  });

  it('adds three tools to the call (sharp edge 20)', async () => {
    const { tools } = await askWith({
      sourceBudget: 10,
      sources: { a: { content: () => 'a', cache: 'volatile' } },
    });
    expect(tools.map((tool) => tool.name)).toEqual(ADDED);
  });

  it('cuts a source at its max, with a marker, and load_source_range reads the rest', async () => {
    const { texts, tools } = await askWith({
      sourceBudget: 100,
      sources: { doc: { content: () => `${'x'.repeat(40)}the end`, cache: 'stable', max: 10 } },
    });
    expect(texts[0]).toMatch(
      /^x{40}\n\[truncated source "doc" chars=40\.\.47 snapshot=(\S+) — use load_source_range/,
    );
    const snapshot = /snapshot=(\S+)/.exec(texts[0] ?? '')?.[1] ?? '';
    const range = { name: 'doc', from: 40, to: 47, snapshot };
    expect(await call(tools, 'load_source_range', range)).toBe('the end');
    const missing = call(tools, 'load_source_range', { ...range, snapshot: 'no' });
    await expect(missing).rejects.toThrow('[missing snapshot no]');
  });

  it('drops the oldest of a timeline that is too long, and load_timeline_range reads it', async () => {
    const say =
      (text: string): Script =>
      (ctx) =>
        ctx.replyText(text);
    const { texts, tools } = await askWith(
      (ctx) => ({
        sourceBudget: 20,
        sources: { conversation: { content: () => ctx.timelineMessages(), cache: 'volatile' } },
      }),
      [say('old '.repeat(20)), say('recent')],
    );
    const marker = /load_timeline_range\(\{ ?"?from"?: ?(\d+), ?"?to"?: ?(\d+) ?\}\)/.exec(texts[0] ?? '');
    expect(texts[0]).toMatch(/^\[truncated stream events offset=/);
    expect(texts.slice(1).join(' ')).toContain('recent');
    expect(texts.slice(1).join(' ')).not.toContain('old ');
    const [, from, to] = marker ?? [];
    expect(await call(tools, 'load_timeline_range', { from: Number(from), to: Number(to) })).toContain(
      'old ',
    );
  });

  it('leaves a tombstone of a replaced context entry, which load_context_history reads', async () => {
    const { texts, tools } = await askWith(
      (ctx) => ({
        sourceBudget: 10_000,
        sources: { conversation: { content: () => ctx.timelineMessages(), cache: 'volatile' } },
      }),
      [
        (ctx) => ctx.insertContext('plan', { name: 'plan', content: 'the old plan' }),
        (ctx) => ctx.insertContext('plan', { name: 'plan', content: 'the new plan' }),
      ],
    );
    const all = texts.join('\n');
    expect(all).toContain('the new plan');
    expect(all).not.toContain('the old plan');
    const offset = /superseded_at_offset="([^"]+)"/.exec(all)?.[1] ?? '';
    expect(await call(tools, 'load_context_history', { id: 'plan', offset })).toBe('the old plan');
    const missing = call(tools, 'load_context_history', { id: 'plan', offset: 'no' });
    await expect(missing).rejects.toThrow('[missing context history for plan @ no]');
  });

  it('tells the model of a source that throws', async () => {
    const { texts } = await askWith({
      sourceBudget: 100,
      sources: { broken: { content: () => Promise.reject(new Error('gone')), cache: 'volatile' } },
    });
    expect(texts[0]).toMatch(/^\[source_failed name="broken" reason="exception"/);
  });

  const fixed = (max?: number) => ({ content: () => '', cache: 'stable', max }) as SourceConfig;
  it.each([
    ['a budget of nothing', { sourceBudget: 0, sources: { a: fixed(1) } }, 'sourceBudget must be a positive'],
    ['no sources', { sourceBudget: 10, sources: {} }, 'at least one source'],
    ['no max', { sourceBudget: 10, sources: { a: fixed() } }, 'source "a" must specify max'],
    ['a max of nothing', { sourceBudget: 10, sources: { a: fixed(0) } }, 'max must be a positive finite'],
    [
      'more than the budget',
      { sourceBudget: 10, sources: { a: fixed(6), b: fixed(5) } },
      'source max sum (11) exceeds sourceBudget (10)',
    ],
  ])('refuses %s', async (_name, config, message) => {
    await runPass((ctx) => {
      expect(() => ctx.useContext(config)).toThrow(message);
    });
  });
});

section('timelineMessages', () => {
  it('projects the timeline, from a place on, as the handler likes', async () => {
    const seen: unknown[] = [];
    await runPasses([
      (ctx) => ctx.replyText('said'),
      (ctx) => {
        const all = ctx.timelineMessages();
        const since = all.at(-1)?.at ?? 0;
        seen.push(all.map(({ role }) => role));
        seen.push(ctx.timelineMessages({ since }).length);
        seen.push(
          ctx
            .timelineMessages({
              projection: (item) =>
                item.kind === 'inbox' ? [{ role: 'user', content: `got ${item.payload}` }] : null,
            })
            .map(({ content }) => content),
        );
      },
    ]);
    expect(seen).toEqual([['user', 'assistant', 'user'], 1, ['got 0', 'got 1']]);
  });
});
