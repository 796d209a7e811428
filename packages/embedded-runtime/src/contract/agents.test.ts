import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createScriptedModel } from '../agent/testing/scripted-model.ts';
import type { AgentTool } from '../agent/types.ts';
import { createSkillsRegistry } from '../skills/registry.ts';
import { createSkillTools } from '../skills/tools.ts';
import { type Script, scripted } from '../testing/script.ts';
import { createGate, createTempDir, startTestHost } from '../testing/test-host.ts';

/** Runs a handler for each message. */
async function runEach(handler: Script, payloads: readonly unknown[]) {
  const host = await startTestHost({ registry: scripted({ e: handler }) });
  await host.client.spawnEntity({ type: 'e', id: 'a' });
  for (const payload of payloads) {
    await host.client.sendEntityMessage({ targetUrl: '/e/a', payload, type: 'ask' });
    await host.settled();
  }
  expect(host.readRows('/e/a', 'errors')).toEqual([]);
  return host;
}

describe('an agent in a pass', () => {
  it('reads the messages and its own earlier runs, over passes', async () => {
    const { model, streamFn, calls } = createScriptedModel(['four', 'six']);
    const host = await runEach(
      async (ctx) => {
        await ctx.useAgent({ systemPrompt: 'Add.', model, tools: [], streamFn }).run();
      },
      ['two and two', { question: 'three and three' }],
    );
    const texts = calls.map(({ context }) =>
      context.messages.map((message) => `${message.role}: ${JSON.stringify(message.content)}`),
    );
    expect(texts[0]).toEqual([expect.stringContaining('two and two')]);
    expect(texts[1]).toEqual([
      expect.stringMatching(/^user: .*two and two/),
      expect.stringMatching(/^assistant: .*four/),
      expect.stringMatching(/^user: .*three and three/),
    ]);
    expect(host.readRows('/e/a', 'runs').map((row) => [row.key, row.status])).toEqual([
      ['run-0', 'completed'],
      ['run-1', 'completed'],
    ]);
    expect(host.readRows('/e/a', 'textDeltas').map((row) => row.delta)).toEqual(['four', 'six']);
    expect(host.readRows('/e/a', 'steps')).toHaveLength(2);
  });

  it('ends with a terminating tool after one call, and keeps the tool call', async () => {
    const { model, streamFn, calls } = createScriptedModel([[['submit', { verdict: 'ok' }]]]);
    const submitted: unknown[] = [];
    const submit: AgentTool = {
      name: 'submit',
      label: 'Submit',
      description: 'Hands in the result.',
      parameters: { type: 'object', properties: { verdict: { type: 'string' } }, required: ['verdict'] },
      async execute(_id, params) {
        submitted.push(params);
        return { content: [{ type: 'text', text: 'done' }], details: {}, terminate: true };
      },
    };
    const host = await runEach(
      async (ctx) => {
        await ctx.useAgent({ systemPrompt: '', model, tools: [submit], streamFn }).run('go');
      },
      ['x'],
    );
    expect(submitted).toEqual([{ verdict: 'ok' }]);
    expect(calls).toHaveLength(1);
    expect(host.readRows('/e/a', 'toolCalls')).toMatchObject([{ tool_name: 'submit', status: 'completed' }]);
  });

  it('loads a skill into the context of its entity, where later passes find it', async () => {
    const dir = createTempDir();
    mkdirSync(join(dir, 'skills'));
    writeFileSync(join(dir, 'skills', 'adding.md'), '---\ndescription: How to add\n---\nCarry the one.');
    const skills = await createSkillsRegistry({
      baseSkillsDir: join(dir, 'skills'),
      cacheDir: join(dir, 'cache'),
    });
    const seen: unknown[] = [];
    await runEach(
      async (ctx) => {
        seen.push(ctx.getContext('skill:adding')?.content.includes('Carry the one.'));
        const [useSkill] = createSkillTools(skills, ctx);
        await useSkill?.execute('call', { name: 'adding' });
      },
      [1, 2],
    );
    expect(seen).toEqual([undefined, true]);
  });

  it('is stopped by SIGINT, and so is its pass', async () => {
    const started = createGate();
    const waitForever: AgentTool = {
      name: 'wait',
      label: 'Wait',
      description: 'Waits.',
      parameters: { type: 'object' },
      execute: (_id, _params, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
          started.open();
        }),
    };
    const { model, streamFn } = createScriptedModel([[['wait', {}]], 'never asked']);
    const registry = scripted({
      async e(ctx) {
        await ctx.useAgent({ systemPrompt: '', model, tools: [waitForever], streamFn }).run('go');
      },
    });
    const host = await startTestHost({ registry });
    await host.client.spawnEntity({ type: 'e', id: 'a', initialMessage: 1 });
    await started.opened;
    await host.client.signalEntity({ entityUrl: '/e/a', signal: 'SIGINT' });
    await host.settled();
    expect(host.readRows('/e/a', 'runs')).toMatchObject([{ status: 'completed', finish_reason: 'aborted' }]);
  });
});
