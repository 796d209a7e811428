/**
 * What somebody wrote in an answer, and what they quoted in it. Read line by line and in linear time: people put
 * their text straight below a quoted line, which Markdown takes for more of the quotation.
 *
 * @module
 */
import { type OwnLines, ownLines } from './email-quote.ts';

/** One line, without the signs of a quotation. */
export interface ReplyLine {
  readonly text: string;
  /** What of it names something: without HTML comments; empty where the line is a block of code. */
  readonly live: string;
}

/** Lines that belong together. Two quotations with nothing but empty lines between them are one. */
export interface ReplyBlock {
  readonly kind: 'own' | 'quote';
  /** Whether a mail program put the quotation there, so that the writer chose none of it. */
  readonly byMail: boolean;
  readonly lines: readonly ReplyLine[];
}

/** Splits a text. What follows the head of an older message that is not quoted is left out. */
export function replyBlocks(body: string): readonly ReplyBlock[] {
  return withoutOlderMessages(split(body));
}

/** Signs of a quotation, also within another one. */
const QUOTE_SIGNS = /^(?: {0,3}> ?)+/;
const FENCE = /^ {0,3}(`{3,}(?!.*`)|~{3,})/;
const CLOSING_FENCE = /^ {0,3}(`{3,}|~{3,})\s*$/;

interface Reading {
  /** The fence of code that is open. */
  fence: string | undefined;
  inComment: boolean;
}

function split(body: string): readonly ReplyBlock[] {
  const blocks: { kind: ReplyBlock['kind']; byMail: boolean; lines: ReplyLine[] }[] = [];
  let reading: Reading = { fence: undefined, inComment: false };
  for (const line of body.split(/\r\n?|\n/)) {
    const last = blocks.at(-1);
    const isCode = last?.kind === 'own' && reading.fence !== undefined;
    const signs = isCode ? '' : (QUOTE_SIGNS.exec(line)?.[0] ?? '');
    const kind = signs === '' ? 'own' : 'quote';
    // Code, comments and all end where the quotation does.
    if (kind !== last?.kind) reading = { fence: undefined, inComment: false };
    if (line.trim() === '' && last?.kind !== 'own') continue;
    const text = line.slice(signs.length);
    const read = { text, live: liveOf(text, reading) };
    if (last?.kind === kind) last.lines.push(read);
    else blocks.push({ kind, byMail: false, lines: [read] });
  }
  return blocks;
}

function liveOf(line: string, reading: Reading): string {
  if (reading.fence !== undefined) {
    if (CLOSING_FENCE.exec(line)?.[1]?.startsWith(reading.fence) === true) reading.fence = undefined;
    return '';
  }
  const live = withoutComments(line, reading);
  reading.fence = reading.inComment ? undefined : FENCE.exec(live)?.[1];
  return reading.fence === undefined ? live : '';
}

function withoutComments(line: string, reading: Reading): string {
  let live = '';
  let rest = line;
  for (;;) {
    const sign = reading.inComment ? '-->' : '<!--';
    const at = rest.indexOf(sign);
    if (at === -1) return reading.inComment ? live : live + rest;
    if (!reading.inComment) live += rest.slice(0, at);
    rest = rest.slice(at + sign.length);
    reading.inComment = !reading.inComment;
  }
}

function withoutOlderMessages(blocks: readonly ReplyBlock[]): readonly ReplyBlock[] {
  const kept: ReplyBlock[] = [];
  let byMail = false;
  for (const block of blocks) {
    if (block.kind === 'quote') {
      kept.push({ ...block, byMail });
      continue;
    }
    const { lines, older } = ownPart(trimmed(block.lines));
    if (lines.length > 0) kept.push({ ...block, lines });
    if (older === 'rest') break;
    byMail ||= older === 'quote';
  }
  return kept;
}

/** More lines without an empty one are a log or a list, and not what somebody wrote above an older message. */
const MAX_PARAGRAPH_LINES = 40;

/** The lines before an older message begins, and whether it is quoted below them or all of the rest. */
function ownPart(lines: readonly ReplyLine[]): Pick<ReplyBlock, 'lines'> & Pick<OwnLines, 'older'> {
  for (const [begin, end] of paragraphs(lines)) {
    if (end - begin > MAX_PARAGRAPH_LINES) continue;
    const paragraph = lines.slice(begin, end).map(({ live }) => live);
    const { text, older } = ownLines(paragraph.join('\n'));
    if (older === 'none') continue;
    const count = begin + (text === '' ? 0 : text.split('\n').length);
    return { lines: trimmed(lines.slice(0, count)), older: end === lines.length ? older : 'rest' };
  }
  return { lines, older: 'none' };
}

/** First line of each paragraph, and that behind its last one. */
function* paragraphs(lines: readonly ReplyLine[]): Generator<readonly [number, number]> {
  let begin = 0;
  for (let end = 1; end <= lines.length; end += 1) {
    if (end < lines.length && lines[end]?.live.trim() !== '') continue;
    yield [begin, end];
    begin = end + 1;
  }
}

function trimmed(lines: readonly ReplyLine[]): readonly ReplyLine[] {
  const isText = ({ text }: ReplyLine) => text.trim() !== '';
  return lines.slice(Math.max(0, lines.findIndex(isText)), lines.findLastIndex(isText) + 1);
}
