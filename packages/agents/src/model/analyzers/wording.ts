/**
 * How a rule speaks: the first sentence of a message is the title of its entry in the comment, so it must be
 * short whatever the code under review is called.
 *
 * @module
 */

/** Room for names within a title of 70 characters. */
const TITLE_NAMES_MAX_CHARS = 40;
const MORE_MAX_CHARS = ' and 999 more'.length;

/** A name in backticks, cut where it is longer than `maxChars`. */
export function codeName(name: string, maxChars: number = TITLE_NAMES_MAX_CHARS): string {
  const room = maxChars - 2;
  return `\`${name.length > room ? `${name.slice(0, room - 1)}…` : name}\``;
}

/** As many names as fit into `maxChars`, one at least, then how many more there are: `a`, `b` and 13 more. */
export function nameList(names: readonly string[], maxChars: number = TITLE_NAMES_MAX_CHARS): string {
  const nameMaxChars = names.length > 1 ? maxChars - MORE_MAX_CHARS : maxChars;
  const code = names.map((name) => codeName(name, nameMaxChars));
  const listOf = (shown: number) =>
    joined(shown === code.length ? code : [...code.slice(0, shown), `${code.length - shown} more`]);
  let shown = code.length;
  while (shown > 1 && listOf(shown).length > maxChars) shown -= 1;
  return listOf(shown);
}

/** `4`, `4 and 5`, `4, 5 and 6`. */
export function joined(parts: readonly (string | number)[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? String(last) : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
