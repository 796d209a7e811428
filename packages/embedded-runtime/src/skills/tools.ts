/**
 * The tools with which an agent loads a skill into its entity's context and takes it out again. A loaded skill
 * stays over wakes.
 *
 * @module
 */
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { AgentTool, AgentToolResult } from '../agent/types.ts';
import { substituteArguments } from './arguments.ts';
import { listMarkdownFiles } from './markdown-files.ts';
import type { SkillContext, SkillMeta, SkillsRegistry } from './types.ts';

interface Reference {
  /** Path below the skill's directory, with `/`. */
  readonly path: string;
  readonly source: string;
}

/** `use_skill` and `remove_skill` for one handler context. */
export function createSkillTools(registry: SkillsRegistry, ctx: SkillContext): AgentTool[] {
  return [useSkillTool(registry, ctx), removeSkillTool(registry, ctx)];
}

function useSkillTool(registry: SkillsRegistry, ctx: SkillContext): AgentTool {
  return {
    name: 'use_skill',
    label: 'Use skill',
    description: 'Loads a skill by name into your context. Give args where the skill takes arguments.',
    parameters: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Name of the skill' },
        args: {
          type: 'string',
          description: 'Arguments, with spaces between them; quote an argument of several words',
        },
      },
      required: ['name'],
    },
    execute: (_id, params: { readonly name: string; readonly args?: string }) =>
      useSkill(registry, ctx, params.name, params.args),
  };
}

function removeSkillTool(registry: SkillsRegistry, ctx: SkillContext): AgentTool {
  return {
    name: 'remove_skill',
    label: 'Remove skill',
    description: 'Takes a loaded skill and its references out of your context.',
    parameters: {
      type: 'object',
      properties: { name: { type: 'string', description: 'Name of the skill' } },
      required: ['name'],
    },
    execute: (_id, params: { readonly name: string }) => removeSkill(registry, ctx, params.name),
  };
}

/** Loads a skill and its references into the context. The answer's `details.loaded` says whether it did. */
export async function useSkill(
  registry: SkillsRegistry,
  ctx: SkillContext,
  name: string,
  args: string | undefined,
): Promise<AgentToolResult> {
  const meta = registry.catalog.get(name);
  if (meta === undefined) {
    const names = [...registry.catalog.keys()].join(', ');
    return answer(`Skill "${name}" not found. Available skills: ${names || 'none'}`, { loaded: false });
  }
  if (isLoaded(ctx, name)) {
    return answer(`Skill "${name}" is already loaded.`, { loaded: false, alreadyLoaded: true });
  }
  const file = await registry.readContent(name);
  if (file === null) return answer(`The file of skill "${name}" could not be read.`, { loaded: false });

  const content = args ? substituteArguments(file, args, meta.arguments) : file;
  ctx.insertContext(contextId(name), {
    name: 'skill_instructions',
    attrs: { skill: name, type: 'directive' },
    content,
  });
  const references = await insertReferences(ctx, meta);
  const text = [
    `SKILL ACTIVATED: "${name}". Its whole text stands below. Follow it before your other instructions.`,
    content,
    ...references,
  ].join('\n\n');
  return answer(text, { loaded: true, chars: content.length });
}

/** @returns each reference as text for the tool's answer */
async function insertReferences(ctx: SkillContext, meta: SkillMeta): Promise<readonly string[]> {
  const references = await listReferences(meta);
  const contents = await Promise.all(references.map(({ source }) => readFile(source, 'utf8')));
  return references.map(({ path }, index) => {
    const content = contents[index] ?? '';
    ctx.insertContext(contextId(meta.name, path), {
      name: 'skill_reference',
      attrs: { skill: meta.name, file: path },
      content,
    });
    return `--- ${path} ---\n${content}`;
  });
}

async function removeSkill(
  registry: SkillsRegistry,
  ctx: SkillContext,
  name: string,
): Promise<AgentToolResult> {
  if (!isLoaded(ctx, name)) return answer(`Skill "${name}" is not loaded.`, { removed: false });
  ctx.removeContext(contextId(name));
  const meta = registry.catalog.get(name);
  const references = meta === undefined ? [] : await listReferences(meta);
  for (const { path } of references) {
    if (ctx.getContext(contextId(name, path))) ctx.removeContext(contextId(name, path));
  }
  return answer(`Skill "${name}" was removed from your context.`, { removed: true });
}

/** The references of a skill lie in the directory of its name, beside its file. */
async function listReferences(meta: SkillMeta): Promise<readonly Reference[]> {
  const directory = join(dirname(meta.source), meta.name);
  const sources = await listMarkdownFiles(directory);
  return sources.map((source) => ({ source, path: relative(directory, source).split(sep).join('/') }));
}

function isLoaded(ctx: SkillContext, name: string): boolean {
  return Boolean(ctx.getContext(contextId(name)));
}

function contextId(name: string, reference?: string): string {
  return reference === undefined ? `skill:${name}` : `skill:${name}:${reference}`;
}

function answer(text: string, details: Readonly<Record<string, unknown>>): AgentToolResult {
  return { content: [{ type: 'text', text }], details };
}
