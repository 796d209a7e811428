/**
 * What the words of a comment want: one of the few commands, nothing, or more than that. Politeness and order do
 * not matter. In doubt a comment wants more: what is taken for a remark is never answered.
 *
 * All texts are expected in lower case.
 *
 * @module
 */

/** What can be asked for without a question. */
export type Command = 'review' | 'review-full' | 'status' | 'help';

const REVIEW = words('review rereview re-review ptal retry rerun re-run');
const FULL = words('full fully complete completely entire entirely whole all everything scratch');
const STATUS = words('status');
const HELP = words('help usage commands');
const THANKS = words('thanks thank thankyou thx tnx ty tysm cheers');
const PLEASE = words('please pls plz kindly');
const GREETINGS = words('hi hey hello you cc fyi ping');
/** What may stand around a command. */
const FILLERS = words(
  `can could would will may now just again once more another asap quick quickly a an the do run start give get make
   me us i we it this that these my our your pr prs pull request change changes changeset code diff branch commit
   commits patch for of from and here latest new newest updated update updates ready first time so much`,
);
const STATUS_FILLERS = words("what what's whats is current report how");
/** Behind these a command is complete, whatever follows: "review again since the tests pass now". */
const CLOSERS = words('again now');
/** May stand around a lone "again" that asks for a review; beside more it thanks or greets. */
const AGAIN_FILLERS = words('try run do it');

/** What people mean where they mistype a command. */
const MISTYPED = ['review', 'full', 'status', 'help'];
/** One letter from a command, and a word of its own. */
const NO_SLIPS = words('preview');
/** In words up to this length another letter makes too often another word: held, fill. */
const MAX_SHORT_WORD_CHARS = 4;

/** Whoever uses one of these asks, or objects, which wants an answer, too. */
const ASKING = words(
  `why what what's whats how how's explain clarify elaborate check recheck look tell show describe verify confirm
   need needs want wants wonder wondering curious question questions thoughts opinion wdyt understand unclear confused
   confusing but however although though except unless if whether wrong incorrect false disagree mistaken unsure doubt
   still advance not don't dont doesn't doesnt isn't isnt aren't arent can't cant cannot won't wont`,
);
/** Whoever begins with one of these asks for something. */
const ASKING_FIRST = words(
  `add analyse analyze answer approve change close compare consider continue convert create delete do document drop ensure
   extract find fix format generate get give go help ignore implement inline keep list make merge move open optimise
   optimize proceed provide put read rebase reconsider refactor remove rename replace reply resolve respond revert rewrite
   run simplify skip split stop suggest summarise summarize test try update use write when where which who whose`,
);
/** What may stand before the first word that counts. */
const OPENERS = words('now then also next and so just maybe ok okay yes instead');
/** The order of words in a question, and wishes. */
const INVERTED = new RegExp(
  [
    String.raw`\b(?:can|could|would|should|shall|is|are|am|was|were|will) (?:it|this|that|there|these|those|we|i|you|they)\b`,
    String.raw`\b(?:do|does|did|have|has|had) (?:you|they|we|i)\b`,
    String.raw`\b(?:would|i'd|we'd) (?:like|love|be|appreciate)\b`,
    String.raw`^(?:does|did|has|had) (?:it|this|that)\b`,
    String.raw`^(?:can|could|should|is|are|was|were|will|does|did|has|had) (?:the|all|both|my|our)\b`,
  ].join('|'),
);
/** A question in any script; of what is not in Latin letters no word is known here. */
const QUESTION = /[?\uff1f\u061f]|(?!\p{Script=Latin})\p{L}/u;

/** These approve, and what may stand around them. */
const APPROVING = words(
  `lgtm nice good great best excellent awesome perfect cool brilliant neat amazing impressive helpful useful right
   correct true exactly indeed agree agreed sense fair understood noted ack acknowledged ok okay yes yep yeah sure
   spotted caught got congrats kudos bravo wow nvm nevermind`,
);
const APPROVING_FILLERS = words(
  `catch find point bot job work one call idea suggestion suggestions review reviewer spot stuff eye enough makes
   looks sounds seems to me a an the very really so much that's that this is it's it i i'm am you you're are was well
   totally absolutely completely as always again on all and now`,
);
const APPROVING_SIGN =
  /(?<!\w)\+1(?!\w)|:(?:\+1|thumbsup|tada|heart|rocket|pray|100):|\u2764|\u2705|[👍🙏🎉🚀💯👏🙌]/gu;
/** These report what somebody did or is going to do, and who may stand before them. */
const REPORTING = words(
  `done fixed resolved addressed applied implemented corrected reverted rebased pushed merged moved renamed removed
   changed updated replaced extracted rewrote will i'll we'll`,
);
const REPORTING_FIRST = words(
  "i we it this that these all both i've we've it's that's is are has have been be should already",
);
const FIRST_PERSON = words("i i'm i've i'll we we're we've we'll");
/** Whoever writes more than this has more to say than thanks. */
const MAX_REMARK_CHARS = 1_000;

const WORD = /[\p{L}\p{N}]+(?:['_-]+[\p{L}\p{N}]+)*/gu;
const CLAUSE_END = /[,;:!()\n\u2013\u2014\u2026]|\.(?!\S)|\s-/;

/** The command that a text begins with; undefined where it begins with none or with more than a command. */
export function readCommand(text: string): Command | undefined {
  const sentence = firstSentence(text);
  const found = wordsOf(sentence);
  const whole = commandOf(found) ?? commandOf(corrected(found)) ?? repeated(found);
  if (whole !== undefined || sentence.includes('?')) return whole;
  const clause = clausesOf(sentence).find((part) => !isRemark(part) && !isThanks(part)) ?? [];
  return commandOf(clause) ?? closedCommand(clause);
}

/** Whether a text says nothing that could be answered. */
export function isCourtesy(text: string): boolean {
  return wordsOf(text).every((word) => [THANKS, PLEASE, GREETINGS, FILLERS].some((set) => set.has(word)));
}

/** Whether a text ends in thanks; what comes next may be what they are for. */
export function endsWithThanks(text: string): boolean {
  return (clausesOf(text).at(-1) ?? []).some((word) => THANKS.has(word));
}

/** Whether a text asks for nothing: it thanks, approves or reports. */
export function asksNothing(text: string): boolean {
  if (asksSomething(text)) return false;
  const clauses = clausesOf(text.replace(APPROVING_SIGN, ' ok '));
  if (clauses.flat().some((word) => THANKS.has(word))) return true;
  return clauses.some(isRemark) && clauses.every((part) => isRemark(part) || FIRST_PERSON.has(part[0] ?? ''));
}

/** Whether anything in a text may want an answer, whoever is meant by it. */
export function asksSomething(text: string): boolean {
  return text.length > MAX_REMARK_CHARS || QUESTION.test(text) || clausesOf(text).some(isAsking);
}

function isAsking(clause: readonly string[]): boolean {
  if (clause.some((word) => ASKING.has(word) || PLEASE.has(word))) return true;
  if (INVERTED.test(clause.join(' '))) return true;
  const first = clause.find((word) => ![OPENERS, THANKS, GREETINGS].some((set) => set.has(word))) ?? '';
  return ASKING_FIRST.has(first) || REVIEW.has(first);
}

function isThanks(clause: readonly string[]): boolean {
  const first = clause.find((word) => !OPENERS.has(word) && !GREETINGS.has(word)) ?? '';
  return THANKS.has(first);
}

/** Whether a clause approves of something, or reports what was done or will be. */
function isRemark(clause: readonly string[]): boolean {
  const approves = clause.some((word) => APPROVING.has(word));
  if (approves && clause.every((word) => APPROVING.has(word) || APPROVING_FILLERS.has(word))) return true;
  const first = clause.find((word) => !REPORTING_FIRST.has(word) && !OPENERS.has(word)) ?? '';
  return REPORTING.has(first);
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

/** The clauses that have words, by their words. Whom else a text addresses does not matter. */
function clausesOf(text: string): readonly (readonly string[])[] {
  return text
    .replace(/@[\w-]+/g, ' ')
    .split(CLAUSE_END)
    .map(wordsOf)
    .filter((clause) => clause.length > 0);
}

/** Nothing but "again", as people say it to one who reviewed. */
function repeated(found: readonly string[]): Command | undefined {
  const isMeant = found.every((word) => word === 'again' || PLEASE.has(word) || AGAIN_FILLERS.has(word));
  return isMeant && found.includes('again') ? 'review' : undefined;
}

/** The words of a request that has mistyped commands in it and no others; none where it has. */
function corrected(found: readonly string[]): readonly string[] {
  const meant = found.map((word) =>
    isCommandWord(word) ? word : (MISTYPED.find((it) => isSlip(word, it)) ?? ''),
  );
  return meant.includes('') ? [] : meant;
}

function isCommandWord(word: string): boolean {
  return [REVIEW, FULL, STATUS, HELP, PLEASE, CLOSERS].some((set) => set.has(word));
}

/** Whether the words differ by one letter too many, missing or changed, or by two that changed places. */
function isSlip(typed: string, meant: string): boolean {
  if (NO_SLIPS.has(typed)) return false;
  let at = 0;
  while (at < meant.length && typed[at] === meant[at]) at += 1;
  const [left, wanted] = [typed.slice(at), meant.slice(at)];
  if (left.slice(1) === wanted || left === wanted.slice(1)) return true;
  if (left.slice(1) === wanted.slice(1)) return meant.length > MAX_SHORT_WORD_CHARS;
  return left[0] === wanted[1] && left[1] === wanted[0] && left.slice(2) === wanted.slice(2);
}

function closedCommand(found: readonly string[]): Command | undefined {
  const end = found.findIndex((word) => CLOSERS.has(word));
  return end < 0 ? undefined : commandOf(found.slice(0, end));
}

function commandOf(found: readonly string[]): Command | undefined {
  if (isTold(found)) return undefined;
  const has = (set: ReadonlySet<string>) => found.some((word) => set.has(word));
  const only = (...sets: readonly ReadonlySet<string>[]) =>
    found.every((word) => [FILLERS, PLEASE, GREETINGS, THANKS, ...sets].some((set) => set.has(word)));
  if (has(STATUS)) return only(STATUS, STATUS_FILLERS, REVIEW) ? 'status' : undefined;
  if (has(REVIEW)) {
    if (!only(REVIEW, FULL)) return undefined;
    return has(FULL) ? 'review-full' : 'review';
  }
  return has(HELP) && only(HELP) ? 'help' : undefined;
}

/** Whether words speak of what somebody has had of us, or will do themselves: "thanks for the review". */
function isTold(found: readonly string[]): boolean {
  const thanks = found.findIndex((word) => THANKS.has(word));
  const isHad = thanks >= 0 && found.includes('for', thanks);
  return isHad || found.some((word, at) => word === 'will' && ['i', 'we'].includes(found[at - 1] ?? ''));
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}
