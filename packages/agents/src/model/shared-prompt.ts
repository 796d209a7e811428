/**
 * The first part of the message to a reviewer, byte-identical for the six of a round: rules, facts and diffs.
 *
 * @module
 */
import type { PackedItem } from '../conversation/pack.ts';
import { shortSha } from '../ids.ts';
import type { ChangedFile, Unread } from '../review/changed-file.ts';
import type { PrFacts, RoundInput } from '../review/round.ts';
import { conversationPart, conversationTexts } from './conversation-part.ts';
import { diffText, divideRoom, type FileText } from './diff-text.ts';
import { type Fence, makeFence } from './fence.ts';

/** A file that was to be read and for which the prompt had no room, or not to its end. */
export interface UnseenFile {
  readonly path: string;
  /** Whether the beginning of its diff was shown. */
  readonly partly: boolean;
}

/**
 * What may stand before the diffs. Of the largest budget some 300,000 characters are left for them, which is what
 * a round selects for reading: two budgets that cut for themselves would leave files unread that were selected.
 */
const MAX_FACTS_CHARS = 8_000;
const MAX_BODY_CHARS = 24_000;
const MAX_RULES_CHARS = 40_000;
const MAX_LIST_CHARS = 24_000;

/** A share of a small budget, and no more than `limitChars` of a large one. */
function part(maxChars: number, divisor: number, limitChars: number): number {
  return Math.max(0, Math.min(Math.floor(maxChars / divisor), limitChars));
}

/** The first part of the six prompts. */
export interface SharedPrompt {
  readonly text: string;
  /** The code of its fences, so that those of the other part differ. */
  readonly code: string;
  readonly diffCount: number;
  /** Items of the discussion. */
  readonly itemCount: number;
  readonly unseen: readonly UnseenFile[];
}

/**
 * Builds the part that the six have in common, in `maxChars` characters at most. Pure.
 *
 * @param discussion what is shown of it in this round: all of it stands in the text, or it would not count as
 *   delivered (S6)
 */
export function buildSharedPrompt(
  input: RoundInput,
  maxChars: number,
  discussion: readonly PackedItem[] = [],
): SharedPrompt {
  const wholes = new Map(input.files.map((file) => [file, diffText(file)]));
  const fence = makeFence([
    factsText(input.pr),
    input.pr.body,
    ...input.rules.flatMap((rule) => [rule.path, rule.text]),
    ...input.files.flatMap((file) => [file.path, wholes.get(file)?.text ?? '']),
    ...input.otherFiles.map((file) => file.path),
    ...conversationTexts(discussion),
  ]);
  const rendered = sharedPart(input, { wholes, discussion, fence, maxChars });
  return { ...rendered, code: fence.code, itemCount: discussion.length };
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

/** The whole diff of each file. */
type Wholes = ReadonlyMap<ChangedFile, FileText>;

interface Frame {
  readonly wholes: Wholes;
  readonly discussion: readonly PackedItem[];
  readonly fence: Fence;
  readonly maxChars: number;
}

function sharedPart(input: RoundInput, { wholes, discussion, fence, maxChars }: Frame): Rendered {
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
    ...conversationPart(discussion, fence),
  ].join('\n');
  const files = filesPart(input, wholes, fence, maxChars - head.length);
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

function filesPart(input: RoundInput, wholes: Wholes, fence: Fence, maxChars: number): Rendered {
  const listChars = part(maxChars, 6, MAX_LIST_CHARS);
  const perFile = fence.wrap('', '').length + 120;
  const readable = input.files.map((file) =>
    file.unread === undefined ? (wholes.get(file)?.text.length ?? 0) : 0,
  );
  const shares = divideRoom(
    readable.map((length, index) =>
      length === 0 ? 0 : length + perFile + (input.files[index]?.path.length ?? 0),
    ),
    maxChars - listChars,
  );
  const shown = input.files.map((file, index) =>
    showFile(file, wholes.get(file), (shares[index] ?? 0) - perFile - file.path.length),
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

function showFile(file: ChangedFile, whole: FileText | undefined, maxChars: number): ShownFile {
  const about = aboutFile(file);
  if (file.unread !== undefined) return { file, entry: `${about}; ${UNREAD_WORDS[file.unread]}`, diff: '' };
  if (file.hunks.length === 0) return { file, entry: `${about}; no line of it changed`, diff: '' };
  const { text, cutLines } =
    whole !== undefined && whole.text.length <= maxChars ? whole : diffText(file, maxChars);
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
