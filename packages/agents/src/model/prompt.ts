/**
 * The message to one reviewer. Its first part is byte-identical for the six of a round, so that a provider
 * reads it once and five of six requests come out of its cache; the second part is the reviewer's own.
 *
 * @module
 */
import type { Aspect, FindingId } from '../ids.ts';
import type { Finding } from '../review/finding.ts';
import type { RoundInput } from '../review/round.ts';
import {
  ANSWERS_INTRO,
  EARLIER_INTRO,
  type EarlierFinding,
  earlierText,
  findingText,
} from './earlier-part.ts';
import { makeFence } from './fence.ts';
import { lockText } from './lock-text.ts';
import { REVIEWER_ROLE } from './reviewer-role.ts';
import { buildSharedPrompt, type SharedPrompt, type UnseenFile } from './shared-prompt.ts';

export type { EarlierFinding };

/** What the two parts may take, in characters. Together with the system prompt (under 5,000) it is the input. */
export interface PromptBudget {
  readonly sharedChars: number;
  readonly ownChars: number;
}

/** What only this reviewer is told. */
export interface OwnInput {
  readonly aspect: Aspect;
  /** Our text about the aspect. */
  readonly aspectPrompt: string;
  readonly earlier: readonly EarlierFinding[];
  /** Hits of the built-in rules for this aspect. */
  readonly evidence: readonly Finding[];
}

/** A prompt, to be sent as system prompt and one user message of two blocks: `shared`, then `own`. */
export interface ReviewPrompt {
  readonly aspect: Aspect;
  readonly system: string;
  readonly shared: string;
  readonly own: string;
  /**
   * Whether it shows nothing of the change but names (a pure rename, a binary, files that left the PR; T-069), and
   * nothing that people said.
   */
  readonly isEmpty: boolean;
  /** The findings that `own` calls F1, F2, and so on, in this order; a gap where the id is not known. */
  readonly earlierIds: readonly (FindingId | undefined)[];
  /** The same for the six. Files that nobody was to read are not among them; the round knows those (S5). */
  readonly unseen: readonly UnseenFile[];
}

/** Fewest characters that a token stands for in code, with some room: prompts must fit without a tokenizer. */
const CHARS_PER_TOKEN = 3;
/** More input than this is not read with care, and is paid for in six requests. */
const MAX_INPUT_TOKENS = 160_000;
const MAX_OWN_CHARS = 48_000;

/** The budget that fits a model: its context window less its answer, the system prompt and the tool. */
export function promptBudget(contextTokens: number, maxOutputTokens: number): PromptBudget {
  const inputTokens = Math.min(MAX_INPUT_TOKENS, contextTokens - maxOutputTokens - 4_000);
  const chars = Math.max(4_000, inputTokens * CHARS_PER_TOKEN);
  const ownChars = Math.min(MAX_OWN_CHARS, Math.floor(chars / 4));
  return { ownChars, sharedChars: chars - ownChars };
}

/**
 * Builds the prompt of one reviewer. Pure: the same input gives the same bytes.
 *
 * @param common what {@link buildSharedPrompt} built for this input, where the six share it
 */
export function buildReviewPrompt(
  input: RoundInput,
  own: OwnInput,
  budget: PromptBudget,
  common: SharedPrompt = buildSharedPrompt(input, budget.sharedChars),
): ReviewPrompt {
  const locks = own.aspect === 'security' ? lockText(input.files) : '';
  return {
    aspect: own.aspect,
    system: REVIEWER_ROLE,
    shared: common.text,
    own: ownPart(own, locks, common.code, budget.ownChars),
    isEmpty: shownCount(common) + own.evidence.length === 0 && locks === '',
    earlierIds: own.earlier.map(({ id }) => id),
    unseen: common.unseen,
  };
}

function shownCount({ diffCount, itemCount, unseen }: SharedPrompt): number {
  return diffCount + itemCount + unseen.length;
}

function ownPart(own: OwnInput, locks: string, roundCode: string, maxChars: number): string {
  const lists: readonly OwnList[] = [
    {
      intro: own.earlier.some(({ answers = [] }) => answers.length > 0)
        ? `${EARLIER_INTRO}\n${ANSWERS_INTRO}`
        : EARLIER_INTRO,
      what: 'your earlier findings',
      isEmpty: own.earlier.length === 0,
      write: (chars) => earlierText(own.earlier, chars),
    },
    { intro: LOCKS, what: 'digest of lock files', isEmpty: locks === '', write: () => locks },
    {
      intro: EVIDENCE,
      what: 'hits of rules',
      isEmpty: own.evidence.length === 0,
      write: () => own.evidence.map((hit) => `- ${findingText(hit)}`).join('\n'),
    },
  ];
  const present = lists.filter(({ isEmpty }) => !isEmpty);
  const told = present.reduce((sum, { intro }) => sum + intro.length, own.aspectPrompt.length);
  const listChars = Math.floor(Math.max(0, maxChars - told) / Math.max(2, present.length));
  const written = present.map(({ intro, what, write }) => ({ intro, what, text: write(listChars) }));
  const fence = makeFence([roundCode, ...written.map(({ text }) => text)]);
  return [
    '# Your aspect',
    own.aspectPrompt.trim(),
    '',
    ...(written.length === 0 ? [] : [`The code of the tags in this part is ${fence.code}.`, '']),
    ...written.flatMap(({ intro, what, text }) => [intro, fence.wrap(what, text, listChars), '']),
    'Review the change now and call submit_findings once, with `complete` as its last field.',
    '',
    `Aspect: ${own.aspect}`,
  ].join('\n');
}

interface OwnList {
  readonly intro: string;
  readonly what: string;
  readonly isEmpty: boolean;
  /** Its text, in about so many characters where it can be shortened. */
  readonly write: (maxChars: number) => string;
}

const LOCKS = `# Lock files of this change
Their diffs are shown to nobody; this is what code read in the changed lines. Judge where packages come from: a source unlike the others, one without encryption, a checksum that changed under the same version, a name that resembles a known one. A finding names the lock file and no line. That packages are new or updated is no finding.`;

const EVIDENCE = `# What rules that run without you found
They match patterns and can be wrong. Submit those that hold in your own words, with what a pattern cannot see; drop the others without a word.`;
