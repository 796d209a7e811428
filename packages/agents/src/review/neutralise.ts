/**
 * Text that a model or a person wrote → Markdown that means what it seems to mean and does nothing. The text
 * is read as Markdown and written anew from the few constructs that a review needs; everything else is shown
 * literally, nothing is dropped without a trace (S7).
 *
 * @module
 */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { clip, codeBlock, type Piece, paragraph, visible } from './markdown.ts';

type Root = ReturnType<typeof fromMarkdown>;
type Block = Root['children'][number];
type Inline = Extract<Block, { type: 'paragraph' }>['children'][number];
type List = Extract<Block, { type: 'list' }>;

/** Lists and quotes nested deeper than this are shown as they were written. */
const MAX_DEPTH = 4;
const DEFAULT_MAX_CHARS = 4000;
/** A start of a tag, a comment or a declaration, up to its end or the end of the line. */
const TAG = /<[a-z/!?][^<>\n]*>?/gi;

/** Paragraphs, lists, quotes and code of an untrusted text; at most `maxChars` of it, by default 4000. */
export function neutraliseBlocks(text: string, maxChars: number = DEFAULT_MAX_CHARS): string {
  const source = visible(clip(text, maxChars));
  const simple = simplePieces(source);
  return simple === undefined ? writeBlocks(parse(source).children, source, 0) : paragraph(simple);
}

/** One line of an untrusted text, without blocks; at most `maxChars` of it. */
export function neutraliseLine(text: string, maxChars: number = DEFAULT_MAX_CHARS): string {
  const source = visible(clip(text, maxChars));
  const pieces =
    simplePieces(source) ?? parse(source).children.flatMap((block) => [...linePieces(block, source), SPACE]);
  return paragraph(pieces).replace(/\s*\n\s*/g, ' ');
}

/** One line that is no Markdown, such as an error's message: every character is shown as it is. */
export function literalLine(text: string, maxChars: number = DEFAULT_MAX_CHARS): string {
  return paragraph([textPiece(visible(clip(text.replace(/\s+/g, ' '), maxChars)))]);
}

/** Words and plain code spans on one line, of which each character means itself. */
const SIMPLE = /^(?![-+]|\d+[.)])(?:[^`*_~<>&\\[\]#|@\n]|`[^`\s](?:[^`\n]*[^`\s])?`(?!`))+$/;

const GFM = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };
const SPACE: Piece = { kind: 'text', value: ' ' };

function parse(source: string): Root {
  return fromMarkdown(source, GFM);
}

/**
 * The pieces of a text that is a plain sentence, as most remarks are, without the parser: a comment may hold
 * hundreds, and reading each as Markdown would take longer than all the rest.
 */
function simplePieces(source: string): readonly Piece[] | undefined {
  const line = source.trim();
  if (!SIMPLE.test(line)) return undefined;
  return line
    .split('`')
    .map((value, index): Piece => (index % 2 === 0 ? textPiece(value) : { kind: 'code', value }));
}

function linePieces(block: Block, source: string): readonly Piece[] {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return toPieces(block.children, source);
    case 'code':
      return [{ kind: 'code', value: block.value }];
    case 'html':
      return splitTags(block.value);
    default:
      return [textPiece(sourceOf(block, source))];
  }
}

function writeBlocks(blocks: readonly Block[], source: string, depth: number): string {
  return blocks
    .map((block) => writeBlock(block, source, depth))
    .filter((block) => block !== '')
    .join('\n\n');
}

function writeBlock(block: Block, source: string, depth: number): string {
  switch (block.type) {
    case 'paragraph':
      return paragraph(toPieces(block.children, source));
    case 'heading':
      // A heading would cut the comment's own outline in two.
      return paragraph([{ kind: 'marked', mark: '**', pieces: flat(toPieces(block.children, source)) }]);
    case 'code':
      return codeBlock(block.value, block.lang ?? '');
    case 'html':
      return paragraph(splitTags(block.value));
    case 'thematicBreak':
      return '';
    case 'blockquote':
      if (depth >= MAX_DEPTH) break;
      return prefixed(writeBlocks(block.children, source, depth + 1), '> ', '> ');
    case 'list':
      if (depth >= MAX_DEPTH) break;
      return writeList(block, source, depth);
    default:
      break;
  }
  return codeBlock(sourceOf(block, source));
}

function writeList(list: List, source: string, depth: number): string {
  const start = list.start ?? 1;
  const items = list.children.map((item, index) => {
    const marker = list.ordered === true ? `${start + index}. ` : '- ';
    const text = writeItem(item.children, source, depth + 1);
    return text === '' ? '' : prefixed(text, marker, ' '.repeat(marker.length));
  });
  const loose = items.some((item) => item.includes('\n\n'));
  return items.filter((item) => item !== '').join(loose ? '\n\n' : '\n');
}

/** A list item stays tight where its next block can follow a paragraph without an empty line. */
function writeItem(blocks: readonly Block[], source: string, depth: number): string {
  let out = '';
  for (const block of blocks) {
    const text = writeBlock(block, source, depth);
    if (text === '') continue;
    const follows = block.type === 'code' || (block.type === 'list' && block.ordered !== true);
    out += out === '' ? text : `${follows ? '\n' : '\n\n'}${text}`;
  }
  return out;
}

function prefixed(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, index) => `${index === 0 ? first : others}${line}`.trimEnd())
    .join('\n');
}

function toPieces(nodes: readonly Inline[], source: string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const node of nodes) {
    if (node.type === 'html') pieces.push(...withTypeName(pieces, node.value));
    else pieces.push(...inlinePieces(node, source));
  }
  return pieces;
}

function inlinePieces(node: Exclude<Inline, { type: 'html' }>, source: string): readonly Piece[] {
  switch (node.type) {
    case 'text':
      return [textPiece(node.value)];
    case 'inlineCode':
      return [{ kind: 'code', value: node.value }];
    case 'break':
      return [textPiece('\n')];
    case 'emphasis':
      return [{ kind: 'marked', mark: '*', pieces: flat(toPieces(node.children, source)) }];
    case 'strong':
      return [{ kind: 'marked', mark: '**', pieces: flat(toPieces(node.children, source)) }];
    case 'delete':
      return [{ kind: 'marked', mark: '~~', pieces: flat(toPieces(node.children, source)) }];
    case 'link':
      return withTarget(flat(toPieces(node.children, source)), node.url);
    case 'image':
      return withTarget([textPiece(node.alt ?? '')], node.url);
    default:
      return [textPiece(sourceOf(node, source))];
  }
}

/** A link shows where it leads and leads nowhere. */
function withTarget(label: readonly Piece[], url: string): readonly Piece[] {
  const shown = label.map((piece) => (piece.kind === 'marked' ? '' : piece.value)).join('');
  const target: Piece = { kind: 'code', value: url };
  if (shown.trim() === '' || url === shown) return [target];
  // Addresses that were not written as links were given a scheme by the parser.
  if (url === `http://${shown}` || url === `mailto:${shown}`) return [{ kind: 'code', value: shown }];
  return [...label, textPiece(' ('), target, textPiece(')')];
}

/** A tag shown as code. `Promise<void>` is a type, so the name before the tag is taken along. */
function withTypeName(pieces: Piece[], tag: string): readonly Piece[] {
  const last = pieces.at(-1);
  const name = last?.kind === 'text' ? (/[A-Za-z_$][\w$.]*$/.exec(last.value)?.[0] ?? '') : '';
  if (last?.kind === 'text' && name !== '') {
    pieces[pieces.length - 1] = textPiece(last.value.slice(0, -name.length));
  }
  return [{ kind: 'code', value: name + tag.replace(/\s+/g, ' ') }];
}

function splitTags(html: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of html.matchAll(TAG)) {
    pieces.push(textPiece(html.slice(end, match.index)), { kind: 'code', value: match[0] });
    end = match.index + match[0].length;
  }
  return [...pieces, textPiece(html.slice(end))];
}

/** Marks within marks are not worth their rules. */
function flat(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.flatMap((piece) => (piece.kind === 'marked' ? flat(piece.pieces) : [piece]));
}

function textPiece(value: string): Piece {
  return { kind: 'text', value };
}

function sourceOf(node: Block | Inline, source: string): string {
  return source.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? source.length);
}
