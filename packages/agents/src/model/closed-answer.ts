/**
 * Reads an answer that is made of texts.
 *
 * @module
 */
import { readJson } from './salvage.ts';

/** Fields by name. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * The texts of an answer by name, trimmed, without empty ones: of a tool's arguments, or of their JSON as text.
 * `undefined` where the closing field `complete: true` is missing: then it may have been cut anywhere, even in
 * mid-sentence, whatever the provider says of how it ended.
 */
export function readClosedTexts(answer: unknown): Readonly<Record<string, string>> | undefined {
  const fields = typeof answer === 'string' ? wholeObject(answer) : objectOf(answer);
  if (fields?.complete !== true) return undefined;
  // JSON that was read whole has its end; arguments that were cut were closed by the provider's client.
  if (typeof answer !== 'string' && Object.keys(fields).at(-1) !== 'complete') return undefined;
  const texts = Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()] as const] : [],
  );
  return Object.fromEntries(texts);
}

function wholeObject(text: string): Fields | undefined {
  const json = readJson(text, 'complete');
  return json.kind === 'whole' ? objectOf(json.value) : undefined;
}

function objectOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
}
