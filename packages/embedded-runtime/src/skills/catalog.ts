/**
 * A skill's entry in the catalog, and the catalog as text. Pure.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { parseFrontMatter } from './front-matter.ts';
import type { SkillMeta } from './types.ts';

/** A skill file as it was read. */
export interface SkillFile {
  readonly name: string;
  /** Absolute path. */
  readonly source: string;
  readonly content: string;
  /** Whether it lies in a directory of skills that people may call. */
  readonly isAppSkill: boolean;
}

/** The entry of a skill. What its front matter leaves out comes from its name. */
export function describeSkill(file: SkillFile): SkillMeta {
  const front = parseFrontMatter(file.content);
  const title = file.name.replace(/[-_]/g, ' ').replace(/\b\w/g, (letter) => letter.toUpperCase());
  // The three fields that describe a skill vouch for the others: without them the others are not used.
  const isComplete = Boolean(front.description && front.whenToUse && front.keywords);
  return {
    name: file.name,
    description: front.description || title,
    whenToUse: front.whenToUse || `The task is about ${title.toLowerCase()}`,
    keywords: [...(front.keywords ?? [file.name])],
    ...(isComplete && front.arguments !== undefined ? { arguments: [...front.arguments] } : {}),
    ...(isComplete && front.argumentHint !== undefined ? { argumentHint: front.argumentHint } : {}),
    // The front matter can switch this on, never off.
    ...(file.isAppSkill || (isComplete && front.userInvocable) ? { userInvocable: true } : {}),
    charCount: file.content.length,
    contentHash: createHash('sha256').update(file.content).digest('hex'),
    source: file.source,
  };
}

type Detail = 'full' | 'compact' | 'names';

const HEADING = 'Available skills:';
const COMPACT_CHARS = 100;
const NAMES_CHARS = 60;

/** The catalog for a prompt, in the fullest form that fits the budget. Without a budget it is complete. */
export function renderCatalog(skills: readonly SkillMeta[], budgetChars = Number.POSITIVE_INFINITY): string {
  if (skills.length === 0) return '';
  for (const detail of ['full', 'compact'] as const) {
    const text = [HEADING, ...skills.map((skill) => renderSkill(skill, detail))].join('\n');
    if (text.length <= budgetChars) return text;
  }
  return renderNames(skills, budgetChars);
}

function renderNames(skills: readonly SkillMeta[], budgetChars: number): string {
  const lines = skills.map((skill) => renderSkill(skill, 'names'));
  for (let kept = lines.length; kept > 0; kept -= 1) {
    const more = kept < lines.length ? [`- … and ${lines.length - kept} more`] : [];
    const text = [HEADING, ...lines.slice(0, kept), ...more].join('\n');
    if (text.length <= budgetChars) return text;
  }
  return '';
}

/** Skills that people call explain themselves to them; only for the others must the model know when to use them. */
function renderSkill(skill: SkillMeta, detail: Detail): string {
  const hint = skill.argumentHint === undefined ? '' : ` ${skill.argumentHint}`;
  if (detail === 'names') {
    return `- ${skill.userInvocable ? '/' : ''}${skill.name}: ${shorten(skill.description, NAMES_CHARS)}`;
  }
  const description = detail === 'full' ? skill.description : shorten(skill.description, COMPACT_CHARS);
  if (skill.userInvocable) return `- /${skill.name}${hint}: ${description}`;
  return [
    `- ${skill.name}${hint} (${skill.charCount} characters): ${description}`,
    `  Use when: ${skill.whenToUse}`,
    ...(detail === 'full' ? [`  Keywords: ${skill.keywords.join(', ')}`] : []),
  ].join('\n');
}

function shorten(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1)}…`;
}
