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

/** A text of fewer words is in too many others. */
const MIN_CONTAINED_WORDS = 4;
const CONTAINED = 0.7;
/** A short remark within a long one is a little less sure than two of one length. */
const CONTAINED_WEIGHT = 0.8;

/**
 * How much two texts have in common, from 0 to 1, by their words without case, fillers and endings. One remark
 * may be a sentence and the other an essay, so it also counts how much of the shorter is in the longer.
 */
export function similarity(a: string, b: string): number {
  const wordsA = wordsOf(a);
  const wordsB = wordsOf(b);
  if (wordsA.size === 0 || wordsB.size === 0) return normalised(a) === normalised(b) ? 1 : 0;
  let common = 0;
  for (const word of wordsA) if (wordsB.has(word)) common += 1;
  const shared = common / (wordsA.size + wordsB.size - common);
  const shorter = Math.min(wordsA.size, wordsB.size);
  const contained = shorter >= MIN_CONTAINED_WORDS && common >= shorter * CONTAINED ? common / shorter : 0;
  return Math.max(shared, contained * CONTAINED_WEIGHT);
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
