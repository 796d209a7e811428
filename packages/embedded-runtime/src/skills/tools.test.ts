import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAgentHandle } from '../agent/handle.ts';
import { createMemoryBridge } from '../agent/testing/memory-bridge.ts';
import { createScriptedModel } from '../agent/testing/scripted-model.ts';
import { createSkillsRegistry } from './registry.ts';
import { createSkillTools } from './tools.ts';
import type { SkillContext, SkillContextEntry } from './types.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'skill-tools-'));
  await mkdir(join(root, 'review/deep'), { recursive: true });
  await writeFile(
    join(root, 'review.md'),
    '---\ndescription: d\nwhenToUse: w\nkeywords: k\narguments: base\n---\nStart at $base.\n',
  );
  await writeFile(join(root, 'review/severity.md'), 'Critical first.');
  await writeFile(join(root, 'review/deep/form.md'), 'One comment.');
});
afterEach(async () => {
  await rm(root, { recursive: true });
});

interface MemoryContext extends SkillContext {
  readonly entries: ReadonlyMap<string, SkillContextEntry>;
}

function createContext(): MemoryContext {
  const entries = new Map<string, SkillContextEntry>();
  return {
    entries,
    insertContext: (id, entry) => void entries.set(id, entry),
    removeContext: (id) => void entries.delete(id),
    getContext: (id) => entries.get(id),
  };
}

async function openTools(ctx: SkillContext) {
  const registry = await createSkillsRegistry({ baseSkillsDir: root, cacheDir: join(root, 'cache') });
  const tools = createSkillTools(registry, ctx);
  const call = async (tool: string, params: object): Promise<string> => {
    const result = await tools.find(({ name }) => name === tool)?.execute('call-1', params);
    return result?.content.map((part) => ('text' in part ? part.text : '')).join('') ?? 'no such tool';
  };
  return { tools, call };
}

it('loads a skill with its arguments and its references', async () => {
  const ctx = createContext();
  const { call } = await openTools(ctx);

  const text = await call('use_skill', { name: 'review', args: 'main' });

  expect(text).toMatch(/^SKILL ACTIVATED: "review"/);
  expect(text).toContain('Start at main.');
  expect(text).toContain('--- severity.md ---\nCritical first.');
  expect([...ctx.entries.keys()]).toEqual([
    'skill:review',
    'skill:review:deep/form.md',
    'skill:review:severity.md',
  ]);
  expect(ctx.entries.get('skill:review')).toMatchObject({
    name: 'skill_instructions',
    attrs: { skill: 'review', type: 'directive' },
    content: expect.stringContaining('Start at main.'),
  });
  expect(ctx.entries.get('skill:review:severity.md')).toEqual({
    name: 'skill_reference',
    attrs: { skill: 'review', file: 'severity.md' },
    content: 'Critical first.',
  });
});

it('keeps the placeholders when no arguments are given', async () => {
  const ctx = createContext();
  const { call } = await openTools(ctx);
  expect(await call('use_skill', { name: 'review' })).toContain('Start at $base.');
});

it('does not load a skill twice', async () => {
  const ctx = createContext();
  const { call } = await openTools(ctx);
  await call('use_skill', { name: 'review', args: 'main' });
  expect(await call('use_skill', { name: 'review', args: 'topic' })).toContain('already loaded');
  expect(ctx.entries.get('skill:review')?.content).toContain('main');
});

it('names the skills there are when asked for one that is not', async () => {
  const ctx = createContext();
  const { call } = await openTools(ctx);
  const text = await call('use_skill', { name: 'reviewing' });
  expect(text).toContain('"reviewing" not found');
  for (const name of ['review', 'severity', 'form']) expect(text).toContain(name);
  expect(ctx.entries.size).toBe(0);
});

it('says so when the file has gone', async () => {
  const ctx = createContext();
  const { call } = await openTools(ctx);
  await rm(join(root, 'review.md'));
  expect(await call('use_skill', { name: 'review' })).toContain('could not be read');
  expect(ctx.entries.size).toBe(0);
});

it('removes a skill with its references, and can load it again', async () => {
  const ctx = createContext();
  const { call } = await openTools(ctx);
  await call('use_skill', { name: 'review', args: 'main' });
  ctx.insertContext('notes', { name: 'notes', content: 'mine' });
  expect(await call('remove_skill', { name: 'review' })).toContain('removed');
  expect([...ctx.entries.keys()]).toEqual(['notes']);
  expect(await call('remove_skill', { name: 'review' })).toContain('not loaded');
  expect(await call('use_skill', { name: 'review', args: 'main' })).toContain('ACTIVATED');
});

it('serves an agent that asks for a skill', async () => {
  const ctx = createContext();
  const { tools } = await openTools(ctx);
  const { model, streamFn, calls } = createScriptedModel([
    [['use_skill', { name: 'review', args: 'main' }]],
    'I have read it.',
  ]);
  await createAgentHandle({ systemPrompt: '', model, tools, streamFn }, createMemoryBridge()).run();
  expect(JSON.stringify(calls[1]?.context.messages)).toContain('Start at main.');
  expect(ctx.entries.has('skill:review')).toBe(true);
});
