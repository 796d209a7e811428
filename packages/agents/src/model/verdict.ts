/**
 * What a reviewer says of its earlier findings, as part of its one answer: the field for the tool and the reading
 * of what came. Findings are named by the short numbers that the prompt gave them.
 *
 * @module
 */
import type { Verdict } from '../review/answer.ts';

/** A verdict on the finding that the prompt calls `F1`, `F2`, and so on. */
export interface NumberedVerdict extends Omit<Verdict, 'findingId'> {
  /** From 1. */
  readonly number: number;
}

/** The field `earlier` of the tool's arguments. */
export const earlierParameter = {
  type: 'array',
  description:
    'Only for earlier findings of yours that an answer withdraws or makes doubtful; else left out.',
  items: {
    type: 'object',
    properties: {
      finding: { type: 'string', description: 'Its number in the list of earlier findings, such as F1.' },
      verdict: { type: 'string', enum: ['withdrawn', 'disputed'] },
      why: { type: 'string', description: 'The reason of the answer, in one sentence.' },
    },
    required: ['finding', 'verdict', 'why'],
  },
} as const;

/** Reads entries of the field. One that names no number or no verdict is left out: it changes nothing. */
export function readVerdicts(entries: readonly unknown[]): readonly NumberedVerdict[] {
  return entries.flatMap((entry) => {
    if (typeof entry !== 'object' || entry === null) return [];
    const fields = entry as Readonly<Record<string, unknown>>;
    const number = readNumber(fields.finding);
    const verdict = readWord(fields.verdict);
    if (number === undefined || verdict === undefined) return [];
    return [{ number, verdict, why: typeof fields.why === 'string' ? fields.why.trim() : '' }];
  });
}

/** `1`, `"1"`, `"F1"`, `"#1"`, `"finding 1"`, also with the finding's words behind it. */
const NUMBER = /^\s*(?:finding\s+)?[[(#]?\s*F?#?(\d{1,4})(?![\d.]*\d)/i;

function readNumber(value: unknown): number | undefined {
  const digits = typeof value === 'string' ? NUMBER.exec(value)?.[1] : undefined;
  const number = typeof value === 'number' ? value : Number(digits);
  return Number.isSafeInteger(number) && number >= 1 ? number : undefined;
}

/** Other forms of the two words. A word such as "fixed" or "invalid" may mean either side, and is not guessed at. */
const WORDS: Readonly<Record<string, Verdict['verdict']>> = {
  withdrawn: 'withdrawn',
  withdraw: 'withdrawn',
  retracted: 'withdrawn',
  retract: 'withdrawn',
  disputed: 'disputed',
  dispute: 'disputed',
  contested: 'disputed',
  undecided: 'disputed',
};

function readWord(value: unknown): Verdict['verdict'] | undefined {
  if (typeof value !== 'string') return undefined;
  const word = value.toLowerCase().replace(/^[^a-z]+|[^a-z]+$/g, '');
  return Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
}
