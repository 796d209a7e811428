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
export const SHOWN = '\ufffc';

/** What a text says. */
export interface LiveText {
  /** Its paragraphs, headings and cells, in order, with {@link SHOWN} in place of what addresses nobody. */
  readonly paragraphs: readonly string[];
  /** Whether it shows something besides: a quote, code, an image. */
  readonly showsMore: boolean;
}

/** The parser's time grows faster than the text. Whole blocks beyond this are not read. */
const MAX_PARSED_CHARS = 16_384;
/** As many quotes or lists within one another as nobody writes, in one line; a rule of dashes is none. */
const TOO_DEEP = /^(?![-*\s]*$)(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))){17}/m;
const OPTIONS = {
  extensions: [gfm(), { disable: { null: ['attention', 'strikethrough', 'characterReference'] } }],
  mdastExtensions: [gfmFromMarkdown()],
};
/** Starts and ends of HTML elements whose text is code, struck out, a link, or somebody else's. */
const SHOWN_TAG = /<(\/?)(?:a|blockquote|code|del|pre|s|strike)(?=[\s/>])/gi;
const HTML_COMMENT = /<!--[\s\S]*?(?:-->|$)/g;

const NOTHING: LiveText = { paragraphs: [], showsMore: false };

/** Reads a text of at most GitHub's size, in a time that is bounded whatever it holds. */
export function liveText(text: string): LiveText {
  const source = readable(text.replace(/\r\n?/g, '\n'));
  if (TOO_DEEP.test(source)) return NOTHING;
  // An escaped sign looks like any other once it is parsed; a hyphen behind it makes another name of it.
  const marked = source.replace(/\\[\\@]/g, (pair) => (pair === '\\@' ? '\\@-' : pair));
  return withoutOlderMessage(fromMarkdown(marked, OPTIONS).children);
}

/** The blocks that are read: cut between two of them, so that none changes its meaning. */
function readable(text: string): string {
  if (text.length <= MAX_PARSED_CHARS) return text;
  const head = text.slice(0, MAX_PARSED_CHARS);
  return head.slice(0, Math.max(0, head.lastIndexOf('\n\n')));
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
