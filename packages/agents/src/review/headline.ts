/**
 * A finding is one message; the comment wants a title and a text. The title is taken from the message, so
 * that it claims nothing of its own.
 *
 * @module
 */

/** A title without a full stop, and the text that goes with it. */
export interface Headline {
  readonly title: string;
  /** The message without the title where the title is its whole first sentence; else the whole message. */
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
const WEAK = /,(?=\s)|\s(?=(?:so|that|which|when|while|where|but|although|unless|and|or)\s)/g;

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
  const title =
    cutAt(sentence, STRONG) ?? (sentence.length <= WHOLE_MAX_CHARS ? sentence : cutShort(sentence));
  return { title, text: whole };
}

function sentenceEnd(line: string): number {
  for (const { index } of line.matchAll(SENTENCE_END)) {
    if (!isInCode(line, index) && !ABBREVIATION.test(line.slice(0, index + 1))) return index + 1;
  }
  return line.length;
}

function cutAt(sentence: string, boundary: RegExp): string | undefined {
  const end = [...sentence.matchAll(boundary)].find(({ index }) => isTitle(sentence, index))?.index;
  return end === undefined ? undefined : sentence.slice(0, end);
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
