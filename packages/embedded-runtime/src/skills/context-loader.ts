/**
 * The skills of a host as tools and sources of `ctx.useContext`.
 *
 * @module
 */

import type { AgentTool } from '../agent/types.ts';
import type { SourceConfig } from '../types/llm.ts';
import type { HandlerWake } from '../types/wake.ts';
import { createSkillTools, useSkill } from './tools.ts';
import type { SkillContext, SkillsRegistry, SlashCommandDefinition } from './types.ts';

const COMMAND_NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const ARGUMENT_NAME = /^[a-z][a-zA-Z0-9_]*$/;

/** Settings of {@link createContextSkillLoader}. */
export interface ContextSkillLoaderOptions {
  /** Kept for the published runtime, whose user interface lists commands by owner. Default: `skills`. */
  readonly slashCommandOwner?: string;
  /** Name of the catalog's source. Default: `skills_catalog`. */
  readonly catalogSourceName?: string;
  /** Length of the catalog, in characters. Default: 2000. */
  readonly catalogBudget?: number;
}

/** What `useAgent` and `useContext` get of the skills. */
export interface LoadedSkillContext {
  readonly tools: AgentTool[];
  readonly sources: Record<string, SourceConfig>;
  /** The skill that the message called by its name, if it did. */
  readonly autoLoadedSkills: string[];
}

/** Skills for one handler. */
export interface ContextSkillLoader {
  readonly hasSkills: boolean;
  /** Loads the skill that a `composer_input` message begins with, and offers all. */
  load(ctx: SkillContext & { readonly wake: HandlerWake }): Promise<LoadedSkillContext>;
}

/** The commands of the skills that people may call, by name. */
export function buildSkillSlashCommands(
  registry: SkillsRegistry | null | undefined,
): SlashCommandDefinition[] {
  return [...(registry?.catalog.values() ?? [])]
    .filter((skill) => skill.userInvocable && COMMAND_NAME.test(skill.name))
    .sort((left, right) => left.name.localeCompare(right.name))
    .map(({ name, description, arguments: names = [], argumentHint }) => ({
      name,
      description,
      ...(names.length > 0 && {
        arguments: names
          .filter((argument) => ARGUMENT_NAME.test(argument))
          .map((argument) => ({
            name: argument,
            type: 'string' as const,
            required: false,
            ...(argumentHint !== undefined && { description: argumentHint }),
          })),
      }),
    }));
}

/** @param registry - `null`: no skills, nothing is offered */
export function createContextSkillLoader(
  registry: SkillsRegistry | null | undefined,
  options: ContextSkillLoaderOptions = {},
): ContextSkillLoader {
  const { catalogSourceName = 'skills_catalog', catalogBudget = 2_000 } = options;
  return {
    hasSkills: (registry?.catalog.size ?? 0) > 0,
    async load(ctx) {
      if (!registry || registry.catalog.size === 0) return { tools: [], sources: {}, autoLoadedSkills: [] };
      const called = await loadCalled(registry, ctx);
      return {
        tools: createSkillTools(registry, ctx),
        sources: {
          [catalogSourceName]: {
            content: () => registry.renderCatalog(catalogBudget),
            max: catalogBudget,
            cache: 'stable',
          },
          ...(called && {
            [`skill:${called.name}`]: {
              content: () => called.text,
              max: called.text.length,
              cache: 'volatile',
            },
          }),
        },
        autoLoadedSkills: called ? [called.name] : [],
      };
    },
  };
}

async function loadCalled(
  registry: SkillsRegistry,
  ctx: SkillContext & { readonly wake: HandlerWake },
): Promise<{ readonly name: string; readonly text: string } | undefined> {
  const command = commandOf(ctx.wake);
  if (command === undefined || !registry.catalog.get(command.name)?.userInvocable) return undefined;
  const { content, details } = await useSkill(registry, ctx, command.name, command.args || undefined);
  if (!(details as { readonly loaded: boolean }).loaded) return undefined;
  return {
    name: command.name,
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
  };
}

/** The first slash command of a `composer_input` message: `{source, nodes: [{kind, name, end}]}`. */
function commandOf(wake: HandlerWake): { readonly name: string; readonly args: string } | undefined {
  if (wake.type !== 'inbox' || wake.message.type !== 'composer_input') return undefined;
  const { source, nodes } = (wake.message.payload ?? {}) as { source?: unknown; nodes?: unknown };
  if (typeof source !== 'string' || !Array.isArray(nodes)) return undefined;
  const node = nodes.find((candidate) => candidate?.kind === 'slash_command');
  if (typeof node?.name !== 'string' || typeof node.end !== 'number') return undefined;
  return { name: node.name, args: source.slice(node.end).trim() };
}
