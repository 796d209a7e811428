import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTempDir } from '../testing/test-host.ts';
import type { HandlerWake } from '../types/wake.ts';
import { buildSkillSlashCommands, createContextSkillLoader } from './context-loader.ts';
import { createSkillsRegistry } from './registry.ts';

const SKILL = `---
description: How to triage
whenToUse: A report came in
keywords: [triage]
arguments: [path, Bad-Name]
argument-hint: <path>
user-invocable: true
---
Triage $path.`;

async function registryOf(files: Readonly<Record<string, string>>) {
  const dir = createTempDir();
  mkdirSync(join(dir, 'skills'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, 'skills', name), text);
  return createSkillsRegistry({ baseSkillsDir: join(dir, 'skills'), cacheDir: join(dir, 'cache') });
}

function contextOf(type: string, payload: unknown) {
  const entries = new Map<string, unknown>();
  const message = { type, payload };
  const raw = { source: '', type: 'inbox', fromOffset: 0, toOffset: 0, eventCount: 0 };
  const wake: HandlerWake = { type: 'inbox', source: '', message, raw };
  return {
    wake,
    entries,
    insertContext: (id: string, entry: unknown) => void entries.set(id, entry),
    removeContext: (id: string) => void entries.delete(id),
    getContext: (id: string) => entries.get(id),
  };
}

/** `/triage src/a b` as a user interface sends it. */
const COMMAND = {
  source: '/triage src/a b',
  nodes: [{ kind: 'slash_command', name: 'triage', start: 0, end: 7, raw: '/triage' }],
};

describe('the context skill loader', () => {
  it('offers the tools and the catalog', async () => {
    const loader = createContextSkillLoader(await registryOf({ 'triage.md': SKILL }));
    const { tools, sources, autoLoadedSkills } = await loader.load(contextOf('ask', 'hello'));
    expect(loader.hasSkills).toBe(true);
    expect(tools.map((tool) => tool.name)).toEqual(['use_skill', 'remove_skill']);
    expect(sources).toMatchObject({ skills_catalog: { cache: 'stable', max: 2_000 } });
    expect(await sources.skills_catalog?.content()).toContain('triage');
    expect(autoLoadedSkills).toEqual([]);
  });

  it('loads the skill that a message calls, with its arguments', async () => {
    const loader = createContextSkillLoader(await registryOf({ 'triage.md': SKILL }), {
      catalogSourceName: 'catalog',
    });
    const ctx = contextOf('composer_input', COMMAND);
    const { sources, autoLoadedSkills } = await loader.load(ctx);
    expect(autoLoadedSkills).toEqual(['triage']);
    expect(Object.keys(sources)).toEqual(['catalog', 'skill:triage']);
    expect(await sources['skill:triage']?.content()).toContain('Triage src/a.');
    expect([...ctx.entries.keys()]).toEqual(['skill:triage']);
    expect((await loader.load(ctx)).autoLoadedSkills).toEqual([]); // it is loaded already
  });

  it.each([
    ['an agent-only skill', 'composer_input', { ...COMMAND }, SKILL.replace('user-invocable: true\n', '')],
    ['a message of another type', 'ask', COMMAND, SKILL],
    ['a message without nodes', 'composer_input', { source: '/triage' }, SKILL],
    ['a message without a payload', 'composer_input', undefined, SKILL],
    [
      'a malformed node',
      'composer_input',
      { source: '/triage', nodes: [null, { kind: 'slash_command' }] },
      SKILL,
    ],
  ])('loads nothing for %s', async (_name, type, payload, file) => {
    const loader = createContextSkillLoader(await registryOf({ 'triage.md': file }));
    expect((await loader.load(contextOf(type, payload))).autoLoadedSkills).toEqual([]);
  });

  it('offers nothing without skills', async () => {
    for (const registry of [null, undefined, await registryOf({})]) {
      const loader = createContextSkillLoader(registry);
      expect(loader.hasSkills).toBe(false);
      expect(await loader.load(contextOf('ask', ''))).toEqual({
        tools: [],
        sources: {},
        autoLoadedSkills: [],
      });
    }
  });
});

it('slash commands are those that people may call, with arguments that a command can have', async () => {
  const registry = await registryOf({ 'triage.md': SKILL, 'Not A Command.md': SKILL, 'hidden.md': 'text' });
  expect(buildSkillSlashCommands(registry)).toEqual([
    {
      name: 'triage',
      description: 'How to triage',
      arguments: [{ name: 'path', type: 'string', required: false, description: '<path>' }],
    },
  ]);
  expect(buildSkillSlashCommands(null)).toEqual([]);
});
