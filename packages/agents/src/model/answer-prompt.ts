/**
 * The message that asks for an answer: the pull request, what was said about it, and the question at its end.
 *
 * @module
 */
import { shortSha } from '../ids.ts';
import type { Question, QuestionContext, Remark } from '../review/question.ts';
import { aboutFile, diffsPart, diffTexts } from './diffs-part.ts';
import { type Fence, makeFence } from './fence.ts';

/** More is read with less care, and paid for with each question. */
const MAX_PROMPT_CHARS = 160_000;

/**
 * Writes the message, in about `maxChars` characters at most: first what was said, then as much of the diff as
 * there is room for, the file that the question was asked at before all others. Pure.
 */
export function answerPrompt(
  question: Question,
  context: QuestionContext,
  review: string | undefined,
  maxChars: number,
): string {
  const room = Math.min(maxChars, MAX_PROMPT_CHARS);
  const fence = fenceFor(question, context, review);
  const before = [
    `The code of the tags is ${fence.code}.`,
    ...pullRequestPart(context, fence, room),
    review === undefined
      ? 'It was not reviewed yet.'
      : fence.wrap('our review comment', review, part(room, 5, 30_000)),
    remarksPart('comment', context.remarks, fence, part(room, 8, 20_000)) ||
      'Nothing else was said about it.',
  ];
  const after = [
    ...threadPart(context, fence, room),
    `The question, asked by ${whoAsks(question, context)}:`,
    fence.wrap(`question of ${question.author}`, question.text, part(room, 8, 8_000)),
    'Answer it now: call submit_answer once, with `complete` as its last field.',
  ];
  const used = [...before, ...after].reduce((sum, text) => sum + text.length + 2, 0);
  // A push may have taken the file of the thread out of the diff.
  const diffs = diffsPart(context.files, fence, room - used, context.thread?.place.path);
  return [...before, ...diffs, ...after].join('\n\n');
}

function part(room: number, divisor: number, maxChars: number): number {
  return Math.min(Math.floor(room / divisor), maxChars);
}

function fenceFor(question: Question, context: QuestionContext, review: string | undefined): Fence {
  const { pr, files, remarks, thread } = context;
  return makeFence([
    factsText(context),
    pr.body,
    review ?? '',
    ...diffTexts(files),
    ...[...remarks, ...(thread?.remarks ?? [])].flatMap(({ author, body }) => [author, body]),
    ...(thread === undefined ? [] : [thread.place.path, thread.place.hunk]),
    question.author,
    question.text,
  ]);
}

function factsText({ pr }: QuestionContext): string {
  const lines = { title: pr.title, author: pr.author, labels: pr.labels, 'base branch': pr.baseRef };
  return Object.entries(lines)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join('\n');
}

function pullRequestPart(context: QuestionContext, fence: Fence, room: number): readonly string[] {
  const { pr, files, filesComplete } = context;
  const state = `${pr.draft ? 'a draft, ' : ''}${pr.open ? 'open' : 'closed'}`;
  const list = files.map(aboutFile).join('\n');
  return [
    `Pull request #${pr.number} of ${pr.owner}/${pr.repo}, ${state}, at commit ${shortSha(pr.headSha)}.`,
    fence.wrap('title, author, labels and base branch', factsText(context), part(room, 16, 2_000)),
    pr.body.trim() === ''
      ? 'It has no description.'
      : fence.wrap('description', pr.body, part(room, 10, 8_000)),
    `It changes ${files.length} files.${filesComplete ? '' : ' GitHub did not tell all of them: there are more.'}`,
    ...(list === '' ? [] : [fence.wrap('list of files', list, part(room, 10, 12_000))]),
  ];
}

/** The newest remarks that have room, each in tags of its own so that none can pretend to be another. */
function remarksPart(what: string, remarks: readonly Remark[], fence: Fence, maxChars: number): string {
  const shown: string[] = [];
  let left = maxChars;
  for (const { author, isBot, body } of remarks.toReversed()) {
    const text = fence.wrap(`${what} of ${author}${isBot ? ', a bot' : ''}`, body, Math.floor(maxChars / 4));
    left -= text.length;
    if (left < 0) break;
    shown.unshift(text);
  }
  const cut = remarks.length - shown.length;
  return [...(cut === 0 ? [] : [`(${cut} earlier ones are not shown.)`]), ...shown].join('\n');
}

function threadPart({ thread }: QuestionContext, fence: Fence, room: number): readonly string[] {
  if (thread === undefined) return [];
  const { path, line, hunk } = thread.place;
  const where = `${JSON.stringify(path)}${line === undefined ? '' : `, line ${line}`}`;
  return [
    'The question was asked in a thread of the diff. Its place, with the commented line last:',
    fence.wrap(where, hunk, part(room, 10, 6_000)),
    remarksPart('remark in the thread', thread.remarks, fence, part(room, 8, 12_000)) ||
      'Nothing was said in it before.',
  ];
}

function whoAsks({ author, authorClass }: Question, { pr }: QuestionContext): string {
  const role = authorClass === 'team' ? 'a member of the team' : 'somebody outside of the team';
  return author === pr.author ? `the author of the pull request, ${role}` : role;
}
