/**
 * A finding is one message; the comment wants a title and a text. The title is taken from the message, so
 * that it claims nothing of its own.
 *
 * @module
 */

/** A title without a full stop, and the text that goes with it. */
export interface Headline {
  readonly title: string;
  /** What the message says after its title; the whole message where the title is only a part of a thought. */
  readonly text: string;
}

const TITLE_MAX_CHARS = 90;
/** The only sentence of a message is kept whole up to here; else it is the text, and its beginning the title. */
const WHOLE_MAX_CHARS = 72;
const TITLE_MIN_CHARS = 15;
const SENTENCE_END = /[.!?](?=\s|$)/g;
const ABBREVIATION = /\b(?:e\.g|i\.e|etc|vs|cf|approx|resp)\.$/i;
/** What comes before one of these says something by itself. */
const STRONG = /[:;](?=\s)|\s[—–-](?=\s)|,?\s(?=because\s)/g;
/** What comes before one of these is half a thought. */
const WEAK = /,(?=\s)(?!\swh)|\s(?=(?:so|that|but|although|unless|and|or)\s)/g;

/**
 * Splits a message: title is its first sentence, or the beginning of it where that is long or is all there is.
 * What stands between backticks is never cut.
 */
export function headlineOf(message: string): Headline {
  const whole = message.trim();
  const first = (whole.split('\n').find((line) => line.trim() !== '') ?? '').trim();
  const end = sentenceEnd(first);
  const sentence = first.slice(0, end).replace(/[.:]$/, '');
  const rest = whole.slice(whole.indexOf(first) + end).trim();
  if (sentence.length <= TITLE_MAX_CHARS && rest !== '') return { title: sentence, text: rest };
  const cut = strongEnd(sentence);
  if (cut !== undefined)
    return { title: sentence.slice(0, cut), text: capitalised(whole.slice(whole.indexOf(first) + cut)) };
  return { title: sentence.length <= WHOLE_MAX_CHARS ? sentence : cutShort(sentence), text: whole };
}

function sentenceEnd(line: string): number {
  for (const { index } of line.matchAll(SENTENCE_END)) {
    if (!isInCode(line, index) && !ABBREVIATION.test(line.slice(0, index + 1))) return index + 1;
  }
  return line.length;
}

function strongEnd(sentence: string): number | undefined {
  return [...sentence.matchAll(STRONG)].find(({ index }) => isTitle(sentence, index))?.index;
}

/** What follows a colon or a dash, as a sentence of its own. */
function capitalised(text: string): string {
  const rest = text.replace(/^[\s,:;—–-]+/, '');
  return `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`;
}

function cutShort(sentence: string): string {
  const ends = (boundary: RegExp) =>
    [...sentence.matchAll(boundary)].map(({ index }) => index).findLast((index) => isTitle(sentence, index));
  return `${sentence.slice(0, ends(WEAK) ?? ends(/\s/g) ?? WHOLE_MAX_CHARS)}…`;
}

function isTitle(sentence: string, end: number): boolean {
  return end >= TITLE_MIN_CHARS && end <= WHOLE_MAX_CHARS && !isInCode(sentence, end);
}

function isInCode(text: string, index: number): boolean {
  return text.slice(0, index).split('`').length % 2 === 0;
}
