/**
 * Puts the arguments of a skill into its text. Pure.
 *
 * @module
 */

/** The words of an argument string; quotes, single or double, hold words together. */
export function splitArguments(raw: string): readonly string[] {
  const words = raw.match(/(?:"[^"]*"?|'[^']*'?|[^\s"'])+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"?|'([^']*)'?/g, '$1$2')).filter((word) => word !== '');
}

/**
 * Replaces `$ARGUMENTS` by the whole string, `$0`, `$1`, … by its words and `$name` by the word at the place of
 * that name in `names`. A placeholder without a word stays. What was put in is not looked through again. Where
 * the text has no placeholder, the arguments stand at its end.
 */
export function substituteArguments(content: string, raw: string, names: readonly string[] = []): string {
  const words = splitArguments(raw);
  const values = new Map<string, string>([
    ['ARGUMENTS', raw],
    ...words.map((word, index) => [String(index), word] as const),
    ...words.flatMap((word, index) => (names[index] === undefined ? [] : [[names[index], word] as const])),
  ]);
  // Longest first: `$path` must not be found within `$path-glob`.
  const keys = [...values.keys()].sort((left, right) => right.length - left.length);
  const placeholder = new RegExp(`\\$(${keys.map(escapePattern).join('|')})(?!\\w)`, 'g');
  let isUsed = false;
  const text = content.replace(placeholder, (_match, key: string) => {
    isUsed = true;
    return values.get(key) ?? '';
  });
  return isUsed ? text : `${content}\n\nArguments: ${raw}`;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
