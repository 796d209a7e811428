/**
 * The block of `key: value` lines at the head of a skill file. It looks like YAML and is not: one value a line,
 * no nesting, as the published runtime reads it. Pure.
 *
 * @module
 */

/** What a front matter said; a field that was not there is absent. */
export interface FrontMatter {
  readonly description?: string;
  readonly whenToUse?: string;
  readonly keywords?: readonly string[];
  readonly arguments?: readonly string[];
  readonly argumentHint?: string;
  readonly userInvocable?: boolean;
}

const FENCE = '---';
/** The closing fence counts only within this many lines, so that a rule further down is not taken for one. */
const MAX_LINES = 25;

/** Reads the front matter of a file. Without a fence on the very first line, or without its end, there is none. */
export function parseFrontMatter(content: string): FrontMatter {
  const lines = content.split(/\r?\n/, MAX_LINES).map((line) => line.trimEnd());
  if (lines[0]?.trim() !== FENCE) return {};
  const end = lines.findIndex((line, index) => index > 0 && line.trim() === FENCE);
  if (end === -1) return {};
  const block = lines.slice(1, end);
  return Object.assign({}, ...block.map((line, index) => fieldOf(line, block.slice(index + 1))));
}

/** @param following the lines after this one: a list may stand there */
function fieldOf(line: string, following: readonly string[]): FrontMatter {
  const colon = line.indexOf(':');
  if (colon === -1) return {};
  const value = line.slice(colon + 1).trim();
  switch (line.slice(0, colon).trim()) {
    case 'description':
      return { description: unquoted(value) };
    case 'whenToUse':
      return { whenToUse: unquoted(value) };
    case 'keywords':
      return { keywords: listOf(value, following) };
    case 'arguments':
      return { arguments: listOf(value, following) };
    case 'argument-hint':
      return { argumentHint: unquoted(value) };
    case 'user-invocable':
      return { userInvocable: value === 'true' };
    default:
      return {};
  }
}

/** `[a, b]`, `a, b`, or nothing here and indented `- a` lines below. */
function listOf(value: string, following: readonly string[]): readonly string[] {
  if (value !== '') {
    return value
      .replace(/^\[|\]$/g, '')
      .split(',')
      .map((item) => unquoted(item.trim()))
      .filter((item) => item !== '');
  }
  const items = following.map((line) => /^\s+-\s+(.+)$/.exec(line)?.[1]);
  const end = items.indexOf(undefined);
  return items.slice(0, end === -1 ? items.length : end).map((item) => unquoted((item ?? '').trim()));
}

function unquoted(value: string): string {
  return /^"(.*)"$/.exec(value)?.[1] ?? value;
}
