/**
 * The few commands that we take, from the words of a sentence: politeness and order do not matter, but one word
 * that is neither makes it a question about something.
 *
 * @module
 */

/** What can be asked for without a question. */
export type Command = 'review' | 'review-full' | 'status' | 'help';

const REVIEW = words('review rereview re-review ptal');
const FULL = words('full fully complete completely entire entirely whole all everything scratch');
const STATUS = words('status');
const HELP = words('help usage commands');
const THANKS = words('thanks thank thx ty cheers');
const GREETINGS = words('please pls plz kindly hi hey hello you cc fyi ping');
/** What may stand around a command. */
const FILLERS = words(
  `can could would will may now just again once more another asap quick quickly a an the do run start give get make
   me us i we it this that these my our your pr prs pull request change changes changeset code diff branch commit
   commits patch for of from and here latest new newest updated update updates ready first time so much`,
);
const STATUS_FILLERS = words("what what's whats is current report how");
/** Behind these a command is complete, whatever follows: "review again since the tests pass now". */
const CLOSERS = words('again now');

const WORD = /[\p{L}\p{N}]+(?:['_-]+[\p{L}\p{N}]+)*/gu;

/** The command that a text begins with; undefined where it begins with none or with more than a command. */
export function readCommand(text: string): Command | undefined {
  const sentence = firstSentence(text);
  const whole = commandOf(wordsOf(sentence));
  if (whole !== undefined || sentence.includes('?')) return whole;
  const [clause = ''] = sentence.split(/[,;:()\u2013\u2014]|\s-/, 1);
  return commandOf(wordsOf(clause)) ?? closedCommand(wordsOf(clause));
}

/** What a text says beside a command. */
export function readCourtesy(text: string): 'nothing' | 'thanks' | 'more' {
  const found = wordsOf(text);
  if (!found.every((word) => THANKS.has(word) || GREETINGS.has(word) || FILLERS.has(word))) return 'more';
  return found.some((word) => THANKS.has(word)) ? 'thanks' : 'nothing';
}

/** Until the end of the first line that has words, or of its first sentence. */
function firstSentence(text: string): string {
  const start = text.search(/[\p{L}\p{N}]/u);
  if (start < 0) return '';
  return text.slice(start).split(/\n|(?<=[.!?\u2026])\s/, 1)[0] ?? '';
}

function wordsOf(text: string): readonly string[] {
  return [...text.replaceAll('\u2019', "'").matchAll(WORD)].map(([word]) => word);
}

function closedCommand(found: readonly string[]): Command | undefined {
  const end = found.findIndex((word) => CLOSERS.has(word));
  return end < 0 ? undefined : commandOf(found.slice(0, end));
}

function commandOf(found: readonly string[]): Command | undefined {
  const has = (set: ReadonlySet<string>) => found.some((word) => set.has(word));
  const only = (...sets: readonly ReadonlySet<string>[]) =>
    found.every((word) => [FILLERS, GREETINGS, THANKS, ...sets].some((set) => set.has(word)));
  if (has(STATUS)) return only(STATUS, STATUS_FILLERS, REVIEW) ? 'status' : undefined;
  if (has(REVIEW)) {
    if (!only(REVIEW, FULL)) return undefined;
    return has(FULL) ? 'review-full' : 'review';
  }
  return has(HELP) && only(HELP) ? 'help' : undefined;
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}
