import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { api, runPasses, section } from './testing/harness.ts';

const { buildSkillSlashCommands, createContextSkillLoader, createSkillsRegistry, createSkillTools } = api;

const SECURITY = `---
description: Review a diff for security problems
whenToUse: The PR touches auth or input parsing
keywords: [security, auth]
arguments:
  - path
argument-hint: <path>
---
# Security review
Look at $path, that is $0, that is $ARGUMENTS.
`;

/** A registry over these files; names with a slash lie in directories. */
async function registryOf(files: {
  readonly base?: Readonly<Record<string, string>>;
  readonly app?: Readonly<Record<string, string>>;
}) {
  const root = mkdtempSync(join(tmpdir(), 'skills-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [place, all] of Object.entries(files)) {
    for (const [name, text] of Object.entries(all)) {
      const path = join(root, place, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }
  const cacheDir = join(root, 'cache');
  const registry = await createSkillsRegistry({
    baseSkillsDir: join(root, 'base'),
    appSkillsDir: join(root, 'app'),
    cacheDir,
  });
  return { registry, root, cacheDir };
}

function textOf(result: { readonly content: readonly object[] } | undefined): string {
  return (result?.content ?? []).map((block) => ('text' in block ? String(block.text) : '')).join('');
}

section('discovery', () => {
  it('finds Markdown files below the directories; later directories win', async () => {
    const { registry, root } = await registryOf({
      base: {
        'security.md': SECURITY,
        'nested/deep.md': 'text',
        'whole/SKILL.md': 'text',
        'node_modules/no.md': 'text',
        'no.txt': 'text',
      },
      app: { 'deep.md': 'of the app' },
    });
    expect([...registry.catalog.keys()].sort()).toEqual(['deep', 'security', 'whole']);
    expect(registry.catalog.get('deep')).toMatchObject({
      source: join(root, 'app/deep.md'),
      userInvocable: true,
    });
    expect(await registry.readContent('deep')).toBe('of the app');
    expect(await registry.readContent('none')).toBeNull();
  });

  it('reads the front matter, and makes up what is missing', async () => {
    const { registry } = await registryOf({ base: { 'security.md': SECURITY, 'code-style.md': 'text' } });
    expect(registry.catalog.get('security')).toMatchObject({
      name: 'security',
      description: 'Review a diff for security problems',
      whenToUse: 'The PR touches auth or input parsing',
      keywords: ['security', 'auth'],
      arguments: ['path'],
      argumentHint: '<path>',
      charCount: SECURITY.length,
      contentHash: expect.stringMatching(/^[0-9a-f]+$/),
    });
    expect(registry.catalog.get('code-style')?.description).toMatch(/code style/i);
  });

  it('writes the catalog to the cache directory', async () => {
    const { cacheDir } = await registryOf({ base: { 'security.md': SECURITY } });
    expect(readFileSync(join(cacheDir, 'skills-cache.json'), 'utf8')).toContain('security');
  });

  it('renders a catalog that fits its budget', async () => {
    const { registry } = await registryOf({ base: { 'security.md': SECURITY, 'b.md': 'text' } });
    expect(registry.renderCatalog()).toContain('The PR touches auth');
    expect(registry.renderCatalog(80).length).toBeLessThanOrEqual(80);
    expect(registry.renderCatalog(80)).toContain('security');
  });
});

section('the skill tools', () => {
  it('load a skill with its arguments and references, and take it out, over passes', async () => {
    const { registry } = await registryOf({
      base: { 'security.md': SECURITY, 'security/owasp.md': 'ten risks' },
    });
    const seen: unknown[] = [];
    await runPasses([
      async (ctx) => {
        const [useSkill] = createSkillTools(registry, ctx);
        expect(useSkill?.name).toBe('use_skill');
        const answer = textOf(await useSkill?.execute('c', { name: 'security', args: 'src/auth.ts' }));
        expect(answer).toMatch(/^SKILL ACTIVATED: "security"/);
        expect(answer).toContain('Look at src/auth.ts, that is src/auth.ts, that is src/auth.ts.');
        expect(answer).toContain('ten risks');
        expect(textOf(await useSkill?.execute('c', { name: 'nope' }))).toContain('security');
      },
      async (ctx) => {
        seen.push(ctx.getContext('skill:security'), ctx.getContext('skill:security:owasp.md'));
        const [useSkill, removeSkill] = createSkillTools(registry, ctx);
        expect(textOf(await useSkill?.execute('c', { name: 'security' }))).toContain('already');
        expect(removeSkill?.name).toBe('remove_skill');
        await removeSkill?.execute('c', { name: 'security' });
      },
      (ctx) => void seen.push(ctx.listContext().filter((entry) => entry.id.startsWith('skill:security'))),
    ]);
    expect(seen).toMatchObject([
      { name: 'skill_instructions', attrs: { skill: 'security', type: 'directive' } },
      { name: 'skill_reference', content: 'ten risks' },
      [],
    ]);
  });
});

section('the context skill loader', () => {
  it('gives useContext the catalog, and useAgent the tools', async () => {
    const { registry } = await registryOf({ base: { 'security.md': SECURITY } });
    await runPasses([
      async (ctx) => {
        const loader = createContextSkillLoader(registry);
        expect(loader.hasSkills).toBe(true);
        const { tools, sources, autoLoadedSkills } = await loader.load(ctx);
        expect(tools.map((tool) => tool.name)).toEqual(['use_skill', 'remove_skill']);
        expect(await sources.skills_catalog?.content()).toContain('security');
        expect(autoLoadedSkills).toEqual([]);
        ctx.useContext({ sourceBudget: 10_000, sources });
      },
    ]);
  });

  it('makes slash commands of the skills that people may call', async () => {
    const { registry } = await registryOf({ base: { 'hidden.md': 'x' }, app: { 'triage.md': SECURITY } });
    expect(buildSkillSlashCommands(registry)).toMatchObject([
      { name: 'triage', arguments: [{ name: 'path', type: 'string', required: false }] },
    ]);
  });
});
