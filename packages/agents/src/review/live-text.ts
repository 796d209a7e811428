/**
 * What a comment says to those who read it, as opposed to what it shows them: code, links, images, quotes and
 * HTML comments are shown, and nothing in them addresses anybody.
 *
 * Emphasis is not read: it changes no meaning here, and the parser's time for it grows with the square of the
 * text. Neither are character references, by which people avoid a mention.
 *
 * @module
 */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { ownLines } from './email-quote.ts';

type Block = ReturnType<typeof fromMarkdown>['children'][number];

/** Stands in a live text for what is shown only: an edge of it, and each `@` in it. */
const SHOWN = '\ufffc';

/** What a text says. */
export interface LiveText {
  /** Its paragraphs, headings and cells, in order; what is shown in them has edges of U+FFFC, and no `@`. */
  readonly paragraphs: readonly string[];
  /** Whether it shows something besides: a quote, code, an image. */
  readonly showsMore: boolean;
}

/** The parser's time grows faster than the text and the number of its blocks. What is beyond this is not read. */
const MAX_PARSED_CHARS = 12_000;
const MAX_PARSED_LINES = 600;
/** As many quotes or lists within one another as nobody writes, in one line; a rule of dashes is none. */
const TOO_DEEP = /^(?!([-*])(?:[ \t]*\1)*[ \t]*$)(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))){17}/m;
const OPTIONS = {
  extensions: [gfm(), { disable: { null: ['attention', 'strikethrough', 'characterReference'] } }],
  mdastExtensions: [gfmFromMarkdown()],
};
/** Starts and ends of HTML elements whose text is code, struck out, a link, or somebody else's. */
const SHOWN_TAG = /<(\/?)(?:a|blockquote|code|del|pre|s|strike)(?=[\s/>])/gi;
const HTML_COMMENT = /<!--[\s\S]*?(?:-->|$)/g;

const FENCE = /^(?:`{3,}(?!.*`)|~{3,})/;
const CLOSING = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;
const HTML_LINE = /^ {0,3}</;
/** HTML that an empty line does not end, and fences that may belong to a list. */
const UNSURE_LINE = /^(?: {0,3}<(?:script|pre|style|textarea|[!?])| {1,3}(?:```|~~~))/i;

const NOTHING: LiveText = { paragraphs: [], showsMore: false };

/** Reads a text of at most GitHub's size, in a time that is bounded whatever it holds. */
export function liveText(text: string): LiveText {
  const source = readable(text.replace(/\r\n?/g, '\n'));
  if (TOO_DEEP.test(source)) return NOTHING;
  // An escaped sign looks like any other once it is parsed; a hyphen behind it makes another name of it.
  const marked = source.replace(/\\[\\@]/g, (pair) => (pair === '\\@' ? '\\@-' : pair));
  return withoutOlderMessage(fromMarkdown(marked, OPTIONS).children);
}

/**
 * The part that is read, where the rest cannot change its meaning: whole blocks, and of the block that is cut the
 * words before anything that may begin code, a link or HTML.
 */
function readable(text: string): string {
  const lines = withoutFencedLines(text.split('\n'));
  const head = lines.slice(0, MAX_PARSED_LINES).join('\n').slice(0, MAX_PARSED_CHARS);
  if (lines.length <= MAX_PARSED_LINES && head.length < MAX_PARSED_CHARS) return head;
  const blocksEnd = head.lastIndexOf('\n\n') + 1;
  const words = head.slice(blocksEnd).split(/[`<[]/, 1)[0] ?? '';
  return head.slice(0, blocksEnd + Math.max(words.lastIndexOf(' '), words.lastIndexOf('\n'), 0));
}

/**
 * Leaves the lines of fenced code out, of which a comment may hold a whole log, as long as it is certain without
 * a parser what a fence is: at the left margin one ends every list, quote and paragraph, but not HTML.
 */
function withoutFencedLines(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let afterHtml = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    kept.push(line);
    if (/^[ \t]*$/.test(line)) afterHtml = false;
    else if (HTML_LINE.test(line)) afterHtml = true;
    if (UNSURE_LINE.test(line) || (afterHtml && FENCE.test(line))) return [...kept, ...lines.slice(at + 1)];
    const fence = FENCE.exec(line)?.[0];
    if (fence === undefined) continue;
    at = closingLine(lines, at + 1, fence);
    if (at < lines.length) kept.push(lines[at] ?? '');
  }
  return kept;
}

/** The index of the line that closes a fence; that behind the last one where none does. */
function closingLine(lines: readonly string[], from: number, fence: string): number {
  let at = from;
  while (at < lines.length && CLOSING.exec(lines[at] ?? '')?.[1]?.startsWith(fence) !== true) at += 1;
  return at;
}

/** What is known while a text is read from its beginning to its end. */
interface Reading {
  readonly paragraphs: string[];
  showsMore: boolean;
  /** How many elements are open whose text is only shown. Markdown may stand between their tags. */
  openElements: number;
}

function withoutOlderMessage(blocks: readonly Block[]): LiveText {
  const reading: Reading = { paragraphs: [], showsMore: false, openElements: 0 };
  for (const [index, block] of blocks.entries()) {
    if (block.type !== 'paragraph') {
      readBlock(block, reading);
      continue;
    }
    const { text, older } = ownLines(phrase(block.children, reading));
    reading.paragraphs.push(text);
    if (older === 'rest') break;
    if (older === 'quote' && blocks[index + 1]?.type !== 'blockquote') break;
  }
  return {
    paragraphs: reading.paragraphs.filter((text) => text.trim() !== ''),
    showsMore: reading.showsMore,
  };
}

function readBlock(block: Block, reading: Reading): void {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
    case 'tableCell':
      reading.paragraphs.push(phrase(block.children, reading));
      return;
    case 'list':
    case 'listItem':
    case 'table':
    case 'tableRow':
    case 'footnoteDefinition':
      for (const child of block.children) readBlock(child, reading);
      return;
    case 'html':
      readTags(block.value, reading);
      if (block.value.replace(HTML_COMMENT, '').trim() !== '') reading.showsMore = true;
      return;
    case 'blockquote':
    case 'code':
      reading.showsMore = true;
      return;
    default:
      return;
  }
}

/** The text of a paragraph. An edge is put around whatever is only shown, so that it joins no word. */
function phrase(nodes: readonly Block[], reading: Reading): string {
  return nodes.map((node) => phrasePart(node, reading)).join('');
}

function phrasePart(node: Block, reading: Reading): string {
  switch (node.type) {
    case 'text':
      return reading.openElements > 0 ? shown(node.value) : node.value;
    case 'break':
      return '\n';
    case 'inlineCode':
      return `${SHOWN}${shown(node.value)}${SHOWN}`;
    case 'link':
    case 'linkReference':
      return `${SHOWN}${shown(phrase(node.children, reading))}${SHOWN}`;
    case 'html':
      readTags(node.value, reading);
      return SHOWN;
    case 'image':
    case 'imageReference':
      reading.showsMore = true;
      return SHOWN;
    default:
      return SHOWN;
  }
}

function shown(text: string): string {
  return text.replaceAll('@', SHOWN);
}

function readTags(html: string, reading: Reading): void {
  for (const [, slash] of html.replace(HTML_COMMENT, '').matchAll(SHOWN_TAG)) {
    reading.openElements = Math.max(0, reading.openElements + (slash === '/' ? -1 : 1));
  }
}
