/**
 * Does an answer say that a finding is mended? Read from English words, and only a reason to look at the code:
 * nothing is taken for mended because somebody said so.
 *
 * @module
 */

/** Whether some sentence says that something was mended, not that it is not, will be, or ought to be. */
export function claimsFix(text: string): boolean {
  const sentences =
    text
      .slice(0, MAX_CHARS)
      .replaceAll('’', "'")
      .match(/[^.!?\n]+[.!?]*/g) ?? [];
  return sentences.some(
    (sentence) => !sentence.endsWith('?') && (claimsDeed(sentence) || PUSHED.test(sentence)),
  );
}

/** Who says it says it soon, and within some words. */
const MAX_CHARS = 4_000;
const MAX_SENTENCE_CHARS = 200;

/** What is said of a fault alone, and what is said of anything: "Changed it on purpose" is a reason, and no fix. */
const DEED =
  /(?<![\p{L}\p{N}_-])(?:(?<fault>fixed|addressed|corrected|mended|rectified)|done|resolved|implemented|applied|updated|changed|removed|added|renamed|replaced|reverted|dropped)(?![\p{L}\p{N}_-])/giu;
const PUSHED =
  /^(?!.*\b(?:not|will|'ll|can|could|would|should|if|once)\b|.*n't\b).*\b(?:(?:pushed|committed|made) (?:a|the|that|this) (?:fix|change)|fix(?:es)? (?:(?:is|are|was|has been) )?(?:pushed|in|up|committed)(?=\s*(?:$|[^\w\s]|now\b|already\b)))/i;

/** Nothing, or the end of another thought, or what leads over: "Good catch, fixed", "All done". */
const BEGINNING =
  /(?:^|[^\p{L}\p{N}\s'`])\s*(?:(?:all|both|and|but|now|also|already|just|ok|okay|yes|yep|thanks|i|we)\s+)*$/iu;
const OF_A_FAULT =
  /\b(?:is|are|was|were|been|be|got|gets|have|has|i|we|i've|we've|it's|that's|they're|now|also|already|just|all|both)\s+$/i;
const NOT_DONE =
  /\b(?:not|never|cannot|can|could|will|would|may|might|must|needs?|to be|want|going to|plan|supposed|until|hopefully|if|once|when|whenever|unless|how|why|whether|nothing|yet to)\b|n't\b|'ll\b/i;
const OUGHT = /\bshould\b/i;
const NOW = /\bnow\b|\b[0-9a-f]{7,40}\b/i;
/** What may follow, so that it is no adjective ("Fixed size buffers") and no reason ("fixed in the standard"). */
const OF_A_FAULT_FOLLOWED =
  /^\s*(?:$|[^\p{L}\p{N}\s-]|(?:with|via|as|it|this|that|these|those|them|both|all|now|here|there|thanks|and|but|the|a|an|already|on|per|too|up|your|everything|again|accordingly)\b|(?:by|at)\s+\p{L}+ing\b)/iu;
const FOLLOWED =
  /^\s*(?:$|[^\p{L}\p{N}\s-]|(?:now|too|accordingly|thanks|as\s+(?:suggested|proposed|requested|you))\b)/iu;
const IN_A_COMMIT =
  /^\s*(?:(?:in|by|at|with|via)\s+)?(?:commit\s+)?(?:`?[0-9a-f]{7,40}\b|#\d|https?:|(?:(?:the|this|my|a)\s+)?(?:(?:latest|last|newest|new|next|previous|recent)\s+)?(?:commit|push|pr|pull request|branch|head)\b)/iu;
const LATER =
  /\b(?:later|soon|tomorrow|separately|follow[- ]?ups?|(?:next|another|separate|different|future) (?:pr|pull request|release|version))\b/i;
/** Where one thought ends and the next begins. */
const CLAUSE = /[,;:—–]\s|\sbut\s/;

function claimsDeed(sentence: string): boolean {
  return [...sentence.matchAll(DEED)].some((match) => {
    const before = sentence.slice(Math.max(0, match.index - MAX_SENTENCE_CHARS), match.index);
    const end = match.index + match[0].length;
    const after = sentence.slice(end, end + MAX_SENTENCE_CHARS);
    return isPast(before, after) && isClaim(before, after, match.groups?.fault !== undefined);
  });
}

/** Whether the words around it leave the deed done. */
function isPast(before: string, after: string): boolean {
  const clause = before.split(CLAUSE).at(-1) ?? '';
  if (NOT_DONE.test(clause) || LATER.test(after.split(CLAUSE, 1)[0] ?? '')) return false;
  return !OUGHT.test(clause) || NOW.test(after);
}

/** Whether the words around it make it one that mends. */
function isClaim(before: string, after: string, isOfFault: boolean): boolean {
  const isSaid = BEGINNING.test(before) || (isOfFault && OF_A_FAULT.test(before));
  const followed = isOfFault ? OF_A_FAULT_FOLLOWED : FOLLOWED;
  return isSaid && (followed.test(after) || IN_A_COMMIT.test(after));
}
