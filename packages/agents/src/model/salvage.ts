/**
 * Reading JSON that a model wrote: whole where it is whole, else what is complete in it. Knows nothing of
 * findings.
 *
 * @module
 */

/** JSON that was read: all of it, or, where it broke off, the objects of one array that were complete. */
export type ReadJson =
  | { readonly kind: 'whole'; readonly value: unknown }
  | { readonly kind: 'cut'; readonly entries: readonly unknown[] }
  | { readonly kind: 'none' };

/**
 * Reads JSON that stands alone, in a code fence, or in prose. Where it breaks off, the complete objects of the
 * array under `listKey` (or of a bare array) are saved; the caller must treat them as a part of the answer.
 */
export function readJson(text: string, listKey: string): ReadJson {
  for (const candidate of candidates(text)) {
    const value = parse(candidate);
    if (value !== undefined) return { kind: 'whole', value };
  }
  const body = listBody(text, listKey);
  return body === undefined ? { kind: 'none' } : { kind: 'cut', entries: completeObjects(body) };
}

/** The stretches of a text that may be its JSON, the likeliest first. */
function candidates(text: string): readonly string[] {
  const fenced = /```[a-z]*\s*\n([\s\S]*?)\n\s*```/i.exec(text)?.[1];
  const span = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  return [text, ...(fenced === undefined ? [] : [fenced]), span];
}

/** An object or array, read strictly, or after its strings were repaired. */
function parse(text: string): object | undefined {
  for (const attempt of [text, repairStrings(text)]) {
    try {
      const value: unknown = JSON.parse(attempt);
      if (typeof value === 'object' && value !== null) return value;
    } catch {
      // Not JSON in this form.
    }
  }
  return undefined;
}

/**
 * Escapes what models forget to escape inside strings: line breaks and tabs, and the backslashes of regular
 * expressions. Changes nothing outside of strings, so a text that breaks off stays broken.
 */
function repairStrings(text: string): string {
  return text.replace(/"[^"\\]*(?:\\[\s\S][^"\\]*)*"/g, (string) =>
    string
      .replace(/\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})|\\[\s\S]/g, (found) => (found === '\\' ? '\\\\' : found))
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be escaped.
      .replace(/[\u0000-\u001f]/g, (char) => JSON.stringify(char).slice(1, -1)),
  );
}

/** What follows the opening bracket of the list. */
function listBody(text: string, listKey: string): string | undefined {
  const open = new RegExp(`"${listKey}"\\s*:\\s*\\[`).exec(text) ?? /^\s*(?:```[a-z]*\s*)?\[/i.exec(text);
  return open === null ? undefined : text.slice(open.index + open[0].length);
}

/** The objects that begin and end in `body`, until the list ends or the text does. */
function completeObjects(body: string): readonly unknown[] {
  return [...topLevel(body)].map(parse).filter((value) => value !== undefined);
}

const STEPS: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };

/** The bracketed stretches of `body`. Ends at a string without an end, since the text breaks off in it. */
function* topLevel(body: string): Generator<string> {
  let depth = 0;
  let begin = 0;
  for (const { 0: token, index } of body.matchAll(/"[^"\\]*(?:\\[\s\S][^"\\]*)*"|[{}[\]"]/g)) {
    if (token === '"') return;
    const step = STEPS[token] ?? 0;
    if (step > 0 && depth === 0) begin = index;
    depth += step;
    if (depth < 0) return;
    if (step < 0 && depth === 0) yield body.slice(begin, index + 1);
  }
}
