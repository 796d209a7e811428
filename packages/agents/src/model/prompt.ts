/**
 * The message to one reviewer. Its first part is byte-identical for the six of a round, so that a provider
 * reads it once and five of six requests come out of its cache; the second part is the reviewer's own.
 *
 * @module
 */
import type { Aspect } from '../ids.ts';
import { shortSha } from '../ids.ts';
import type { ChangedFile, Unread } from '../review/changed-file.ts';
import type { Finding } from '../review/finding.ts';
import type { PrFacts, RoundInput } from '../review/round.ts';
import { diffText, divideRoom } from './diff-text.ts';
import { type Fence, makeFence } from './fence.ts';
import { lockText } from './lock-text.ts';
import { REVIEWER_ROLE } from './reviewer-role.ts';

/** What the two parts may take, in characters. Together with the system prompt (under 5,000) it is the input. */
export interface PromptBudget {
  readonly sharedChars: number;
  readonly ownChars: number;
}

/** A finding that this reviewer handed in before, and what became of it. */
export interface EarlierFinding {
  readonly finding: Finding;
  readonly state: 'open' | 'fixed' | 'disputed' | 'withdrawn';
  /** Head of the round in which it was first said. */
  readonly sha: string;
  /** What people answered. Untrusted text (S7). */
  readonly answer?: string;
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

/** A file that was to be read and for which the prompt had no room, or not to its end. */
export interface UnseenFile {
  readonly path: string;
  /** Whether the beginning of its diff was shown. */
  readonly partly: boolean;
}

/** A prompt, to be sent as system prompt and one user message of two blocks: `shared`, then `own`. */
export interface ReviewPrompt {
  readonly aspect: Aspect;
  readonly system: string;
  readonly shared: string;
  readonly own: string;
  /** Whether it shows nothing of the change but names: a pure rename, a binary, files that left the PR (T-069). */
  readonly isEmpty: boolean;
  /** The same for the six. Files that nobody was to read are not among them; the round knows those (S5). */
  readonly unseen: readonly UnseenFile[];
}

/** Fewest characters that a token stands for in code, with some room: prompts must fit without a tokenizer. */
const CHARS_PER_TOKEN = 3;
/** More input than this is not read with care, and is paid for in six requests. */
const MAX_INPUT_TOKENS = 160_000;
const MAX_OWN_CHARS = 48_000;

/**
 * What may stand before the diffs. Of the largest budget some 300,000 characters are left for them, which is what
 * a round selects for reading: two budgets that cut for themselves would leave files unread that were selected.
 */
const MAX_FACTS_CHARS = 8_000;
const MAX_BODY_CHARS = 32_000;
const MAX_RULES_CHARS = 48_000;
const MAX_LIST_CHARS = 32_000;

/** A share of a small budget, and no more than `limitChars` of a large one. */
function part(maxChars: number, divisor: number, limitChars: number): number {
  return Math.max(0, Math.min(Math.floor(maxChars / divisor), limitChars));
}

/** The budget that fits a model: its context window less its answer, the system prompt and the tool. */
export function promptBudget(contextTokens: number, maxOutputTokens: number): PromptBudget {
  const inputTokens = Math.min(MAX_INPUT_TOKENS, contextTokens - maxOutputTokens - 4_000);
  const chars = Math.max(4_000, inputTokens * CHARS_PER_TOKEN);
  const ownChars = Math.min(MAX_OWN_CHARS, Math.floor(chars / 4));
  return { ownChars, sharedChars: chars - ownChars };
}

/** The first part of the six prompts. */
export interface SharedPrompt {
  readonly text: string;
  /** The code of its fences, so that those of the other part differ. */
  readonly code: string;
  readonly diffCount: number;
  readonly unseen: readonly UnseenFile[];
}

/** Builds the part that the six have in common, in `maxChars` characters at most. Pure. */
export function buildSharedPrompt(input: RoundInput, maxChars: number): SharedPrompt {
  const fence = makeFence([
    factsText(input.pr),
    input.pr.body,
    ...input.rules.flatMap((rule) => [rule.path, rule.text]),
    ...input.files.flatMap((file) => [file.path, diffText(file).text]),
    ...input.otherFiles.map((file) => file.path),
  ]);
  return { ...sharedPart(input, fence, maxChars), code: fence.code };
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
    isEmpty: common.diffCount + common.unseen.length + own.evidence.length === 0 && locks === '',
    unseen: common.unseen,
  };
}

function factsText(pr: PrFacts): string {
  const labels = pr.labels.length === 0 ? 'none' : pr.labels.map((label) => JSON.stringify(label)).join(', ');
  return [
    `title: ${JSON.stringify(pr.title)}`,
    `author: ${JSON.stringify(pr.author)}`,
    `labels: ${labels}`,
    `wants to change the branch: ${JSON.stringify(pr.baseRef)}`,
    ...(pr.draft ? ['state: draft, not yet meant to be finished'] : []),
  ].join('\n');
}

function sharedPart(input: RoundInput, fence: Fence, maxChars: number): Rendered {
  const head = [
    `The code of the tags in this part is ${fence.code}.`,
    '',
    roundText(input),
    '',
    '# The pull request',
    fence.wrap('title, author and labels', factsText(input.pr), part(maxChars, 16, MAX_FACTS_CHARS)),
    input.pr.body.trim() === ''
      ? 'It has no description.'
      : fence.wrap('description', input.pr.body, part(maxChars, 8, MAX_BODY_CHARS)),
    '',
    ...rulesText(input, fence, part(maxChars, 4, MAX_RULES_CHARS)),
  ].join('\n');
  const files = filesPart(input, fence, maxChars - head.length);
  return { ...files, text: `${head}\n${files.text}` };
}

interface Rendered {
  readonly text: string;
  readonly diffCount: number;
  readonly unseen: readonly UnseenFile[];
}

function roundText(input: RoundInput): string {
  const { pr, incremental, baseSha, headSha, files, totalFiles, gonePaths, listComplete, behindBy } = input;
  const of = `pull request #${pr.number} of ${pr.owner}/${pr.repo} at commit ${shortSha(headSha)}`;
  const cut = listComplete ? '' : ' GitHub cut the list of files: there are more than anybody sees.';
  const behind =
    behindBy === 0
      ? ''
      : ` Its branch lacks the newest ${behindBy} commits of its base; what they changed stands in no diff, and the pull request does not take it back.`;
  const more = `${cut}${behind}`;
  if (!incremental) return `This is the first review of ${of}. It changes ${totalFiles} files.${more}`;
  const gone = gonePaths.length === 0 ? '' : ` ${gonePaths.length} files are no longer part of it.`;
  return `This is a follow-up review of ${of}. Commit ${shortSha(baseSha)} was reviewed before; below stand the diffs of those ${files.length} of ${totalFiles} files whose changes differ since then.${gone}${more}`;
}

function rulesText(input: RoundInput, fence: Fence, maxChars: number): readonly string[] {
  if (input.rules.length === 0) return [];
  const shares = divideRoom(
    input.rules.map((rule) => rule.text.length),
    maxChars,
  );
  const texts = input.rules.map((rule, index) => fence.wrap(rule.path, rule.text, shares[index]));
  return ['# Rules of this repository, from its base branch', ...texts, ''];
}

function filesPart(input: RoundInput, fence: Fence, maxChars: number): Rendered {
  const listChars = part(maxChars, 6, MAX_LIST_CHARS);
  const perFile = fence.wrap('', '').length + 120;
  const readable = input.files.map((file) => (file.unread === undefined ? diffText(file).text.length : 0));
  const shares = divideRoom(
    readable.map((length, index) =>
      length === 0 ? 0 : length + perFile + (input.files[index]?.path.length ?? 0),
    ),
    maxChars - listChars,
  );
  const shown = input.files.map((file, index) =>
    showFile(file, (shares[index] ?? 0) - perFile - file.path.length),
  );
  const others = input.otherFiles.map(
    (file) => `${aboutFile(file)}; NOT SHOWN: the same as at the last review`,
  );
  const list = [...shown.map(({ entry }) => entry), ...others].join('\n');
  const diffs = shown.flatMap(({ file, diff }) =>
    diff === '' ? [] : [fence.wrap(`diff of ${JSON.stringify(file.path)}`, diff)],
  );
  return {
    text: [
      '# Changed files, the most important first',
      fence.wrap('list of files', list, listChars),
      '',
      '# Their diffs',
      ...diffs,
    ].join('\n'),
    diffCount: diffs.length,
    unseen: shown.flatMap(({ unseen }) => unseen ?? []),
  };
}

interface ShownFile {
  readonly file: ChangedFile;
  readonly entry: string;
  readonly diff: string;
  readonly unseen?: UnseenFile;
}

const UNREAD_WORDS: Readonly<Record<Unread, string>> = {
  binary: 'NOT SHOWN: binary',
  'too-large': 'NOT SHOWN: too large',
  budget: 'NOT SHOWN: no room',
  generated: 'NOT SHOWN: generated',
};

function aboutFile({ path, previousPath, status, additions, deletions }: ChangedFile): string {
  const from = previousPath === undefined ? '' : ` from ${JSON.stringify(previousPath)}`;
  return `${JSON.stringify(path)} ${status}${from}, +${additions} -${deletions}`;
}

function showFile(file: ChangedFile, maxChars: number): ShownFile {
  const about = aboutFile(file);
  if (file.unread !== undefined) return { file, entry: `${about}; ${UNREAD_WORDS[file.unread]}`, diff: '' };
  if (file.hunks.length === 0) return { file, entry: `${about}; no line of it changed`, diff: '' };
  const { text, cutLines } = diffText(file, maxChars);
  if (cutLines === 0) return { file, entry: about, diff: text };
  if (text.split('\n').length < 2) {
    const entry = `${about}; ${UNREAD_WORDS.budget}`;
    return { file, entry, diff: '', unseen: { path: file.path, partly: false } };
  }
  return {
    file,
    entry: `${about}; CUT: its last ${cutLines} lines are not shown`,
    diff: text,
    unseen: { path: file.path, partly: true },
  };
}

function ownPart(own: OwnInput, locks: string, roundCode: string, maxChars: number): string {
  const lists: readonly OwnList[] = [
    { intro: EARLIER, what: 'your earlier findings', text: own.earlier.map(earlierText).join('\n') },
    { intro: LOCKS, what: 'digest of lock files', text: locks },
    {
      intro: EVIDENCE,
      what: 'hits of rules',
      text: own.evidence.map((hit) => `- ${findingText(hit)}`).join('\n'),
    },
  ];
  const present = lists.filter(({ text }) => text !== '');
  const fence = makeFence([roundCode, ...present.map(({ text }) => text)]);
  const room = Math.max(0, maxChars - own.aspectPrompt.length);
  const listChars = Math.floor(room / Math.max(2, present.length));
  return [
    '# Your aspect',
    own.aspectPrompt.trim(),
    '',
    ...(present.length === 0 ? [] : [`The code of the tags in this part is ${fence.code}.`, '']),
    ...present.flatMap(({ intro, what, text }) => [intro, fence.wrap(what, text, listChars), '']),
    'Review the change now and call submit_findings once, with `complete` as its last field.',
    '',
    `Aspect: ${own.aspect}`,
  ].join('\n');
}

interface OwnList {
  readonly intro: string;
  readonly what: string;
  readonly text: string;
}

const EARLIER = `# What you found in earlier rounds
Submit an open one again, with the same file and message, only if its code is shown here and still has the fault. Leave out what is mended, and everything withdrawn. A disputed one comes back only if you can answer what was said against it, with evidence from the code. To contradict your own earlier advice, say so and give the reason.`;

const LOCKS = `# Lock files of this change
Their diffs are shown to nobody; this is what code read in the changed lines. Judge where packages come from: a source unlike the others, one without encryption, a checksum that changed under the same version, a name that resembles a known one. A finding names the lock file and no line. That packages are new or updated is no finding.`;

const EVIDENCE = `# What rules that run without you found
They match patterns and can be wrong. Submit those that hold in your own words, with what a pattern cannot see; drop the others without a word.`;

function earlierText({ finding, state, sha, answer }: EarlierFinding): string {
  const answered = answer === undefined ? '' : `\n  answer: ${answer.replaceAll('\n', '\n  ')}`;
  return `- ${state}, first said at ${shortSha(sha)}: ${findingText(finding)}${answered}`;
}

function findingText({ severity, file, line, message }: Finding): string {
  const where = line === undefined ? file : `${file}:${line}`;
  return `${severity} in ${where}: ${message.replaceAll('\n', '\n  ')}`;
}
