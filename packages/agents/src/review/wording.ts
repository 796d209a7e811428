/**
 * How alike two remarks are worded.
 *
 * @module
 */

/** From this on, two remarks about the same line say the same thing. */
export const SAME_LINE_SIMILARITY = 0.5;
/** From this on, two remarks about the same file do, even where their lines differ. */
export const SAME_FILE_SIMILARITY = 0.6;

const FILLERS = new Set(
  'a an and are as at be been but by can could for from has have if in into is it its may might no not of on or so should than that the then there this to was were when which will with would you your'.split(
    ' ',
  ),
);

/** Share of words that two texts have in common, from 0 to 1, after folding case, fillers and endings. */
export function similarity(a: string, b: string): number {
  const wordsA = wordsOf(a);
  const wordsB = wordsOf(b);
  if (wordsA.size === 0 || wordsB.size === 0) return normalised(a) === normalised(b) ? 1 : 0;
  let common = 0;
  for (const word of wordsA) if (wordsB.has(word)) common += 1;
  return common / (wordsA.size + wordsB.size - common);
}

/** A text without what rewrapping and retyping change. */
export function normalised(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

function wordsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return new Set(words.filter((word) => !FILLERS.has(word)).map(stem));
}

/** Enough of a stem to see that "allows" and "allowing" are one word. */
function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/, '') : word;
}
