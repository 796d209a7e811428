/**
 * Writes Markdown from pieces whose meaning is known, so that no text can become syntax. What GitHub makes
 * live by itself (mentions, references to issues, addresses, mathematics) is shown as code: code is the one
 * place where GitHub leaves text alone, and the reader still sees what was written (S7).
 *
 * @module
 */

/** A part of a paragraph. `text` is literal: whatever it holds, it is shown as it is. */
export type Piece =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'code'; readonly value: string }
  | { readonly kind: 'marked'; readonly mark: '*' | '**' | '~~'; readonly pieces: readonly Piece[] };

/** Address, mention (also of a team, of a package or an e-mail), reference to an issue: what GitHub links. */
const LIVE =
  /(?:[a-z0-9+.-]{0,20}:\/\/|www\.)[^\s<>`]*[^\s<>`.,;:!?'")\]*_~]|[\w.+/-]{0,80}@[a-z0-9](?:[\w./-]*[\w/-])?|[\w./-]{0,80}#\d\w*|\bGH-\d[\w-]*/gi;
/** With two or more dollars in a paragraph, what stands between them would be set as a formula. */
const LIVE_WITH_DOLLARS = new RegExp(`${LIVE.source}|\\$(?:[\\w.{}()[\\]-]*[\\w})\\]])?`, 'gi');

/** Characters that nobody sees, that turn the direction of writing, or that no text has. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be shown.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** Languages that GitHub does not colour but runs: formulas, diagrams, maps, models. */
const RUN_LANGUAGES = new Set(['math', 'mermaid', 'geojson', 'topojson', 'stl', 'suggestion']);

/** The same text with one kind of line end, and with hidden characters shown by their numbers. */
export function visible(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(HIDDEN, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/** At most `maxChars` of a text (UTF-16 units, never half a pair), with an ellipsis where it was cut. */
export function clip(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(maxChars - 2)) ? maxChars - 2 : maxChars - 1;
  return `${text.slice(0, end).trimEnd()}…`;
}

/** Code within a line, unchanged but for line ends. Empty where there is nothing to show. */
export function codeSpan(text: string): string {
  const value = text.replace(/\n/g, ' ');
  if (value === '') return '';
  const fence = '`'.repeat(shortestUnused(value, 1));
  // One blank at both ends is taken off when it is read, so it must be put there where there is one already.
  const padded = /^`|`$|^ .*[^ ].* $/.test(value) ? ` ${value} ` : value;
  return `${fence}${padded}${fence}`;
}

/** A fenced block, unchanged, which nothing in it can close. */
export function codeBlock(text: string, language = ''): string {
  const value = text.replace(/\n$/, '');
  const known = /^[\w+#.-]{1,24}$/.test(language) && !RUN_LANGUAGES.has(language.toLowerCase());
  const runs = value.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}${known ? language : ''}\n${value}\n${fence}`;
}

/** Writes one paragraph. Its lines begin at the left, and none begins a block of another kind. */
export function paragraph(pieces: readonly Piece[]): string {
  // Texts are joined before they are searched: `@` and `alice` may come from two constructs.
  const plain = joined(unmarked(pieces));
  return write(disarmed(plain, livePattern(plain)))
    .replace(/[ \t]+$/gm, '')
    .trim();
}

function livePattern(pieces: readonly Piece[]): RegExp {
  return plainText(pieces).split('$').length > 2 ? LIVE_WITH_DOLLARS : LIVE;
}

function plainText(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) =>
      piece.kind === 'marked' ? plainText(piece.pieces) : piece.kind === 'text' ? piece.value : '',
    )
    .join('');
}

/** Takes off the marks that might not be read as marks. */
function unmarked(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.flatMap((piece, index): readonly Piece[] => {
    if (piece.kind !== 'marked') return [piece];
    const inner = joined(piece.pieces);
    return canMark(pieces[index - 1], inner, pieces[index + 1]) ? [{ ...piece, pieces: inner }] : inner;
  });
}

/** Turns the live parts of texts into code, where they are dead. */
function disarmed(pieces: readonly Piece[], live: RegExp): readonly Piece[] {
  return joined(
    pieces.flatMap((piece): readonly Piece[] => {
      if (piece.kind === 'text') return splitLive(piece.value, live);
      return piece.kind === 'code' ? [piece] : [{ ...piece, pieces: disarmed(piece.pieces, live) }];
    }),
  );
}

function splitLive(text: string, live: RegExp): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(live)) {
    pieces.push({ kind: 'text', value: text.slice(end, match.index) }, { kind: 'code', value: match[0] });
    end = match.index + match[0].length;
  }
  return [...pieces, { kind: 'text', value: text.slice(end) }];
}

/** Marks are only sure to be read between blanks or punctuation, around something without blanks at its ends. */
function canMark(before: Piece | undefined, inner: readonly Piece[], after: Piece | undefined): boolean {
  const first = inner[0];
  const last = inner.at(-1);
  const opens = first?.kind === 'code' || (first?.kind === 'text' && /^[\p{L}\p{N}]/u.test(first.value));
  const closes = last?.kind === 'code' || (last?.kind === 'text' && /[\p{L}\p{N}.!?:]$/u.test(last.value));
  const flat = inner.every((piece) => piece.kind !== 'marked');
  const startsFree = before === undefined || (before.kind === 'text' && /[\s(]$/.test(before.value));
  const endsFree = after === undefined || (after.kind === 'text' && /^[\s).,;:!?]/.test(after.value));
  return opens && closes && flat && startsFree && endsFree;
}

/** Neighbours of one kind made one: two code spans side by side would be read as something else. */
function joined(pieces: readonly Piece[]): readonly Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (piece.kind !== 'marked' && piece.value === '') continue;
    if (piece.kind !== 'marked' && last?.kind === piece.kind) {
      result[result.length - 1] = { kind: piece.kind, value: last.value + piece.value };
    } else result.push(piece);
  }
  return result;
}

function write(pieces: readonly Piece[]): string {
  let out = '';
  for (const piece of pieces) {
    if (piece.kind === 'code') out += codeSpan(piece.value);
    else if (piece.kind === 'text') out += escapeText(piece.value, out === '');
    else out += `${piece.mark}${write(piece.pieces)}${piece.mark}`;
  }
  return out;
}

function escapeText(text: string, startsLine: boolean): string {
  return text
    .replace(/[\t ]*\n[\t ]*/g, '\n')
    .replace(/\n{2,}/g, '\n')
    .split('\n')
    .map((line, index) => (index > 0 || startsLine ? escapeStart(line.trimStart()) : escapeInner(line)))
    .join('\n');
}

/** What begins a block, a definition or another bot's command at the start of a line. */
function escapeStart(line: string): string {
  const number = /^(\d{1,9})([.)].*)$/s.exec(line);
  if (number !== null) return `${number[1]}\\${escapeInner(number[2] ?? '')}`;
  return /^[#>+\-=:|/[]/.test(line) ? `\\${line.charAt(0)}${escapeInner(line.slice(1))}` : escapeInner(line);
}

function escapeInner(line: string): string {
  return line.replace(/[\\`*_~<&[\]]/g, (char, at: number) =>
    isSyntax(char, line.charAt(at - 1), line.charAt(at + 1)) ? `\\${char}` : char,
  );
}

/** Whether a character could be read as syntax; an empty neighbour may be anything. */
function isSyntax(char: string, before: string, after: string): boolean {
  switch (char) {
    case '\\':
      return !/[A-Za-z0-9 ]/.test(after);
    case '*':
      return before !== ' ' || after !== ' ';
    case '_':
      return !/[A-Za-z0-9]/.test(before) || !/[A-Za-z0-9]/.test(after);
    case '<':
    case '&':
      return after === '' || /[A-Za-z/!?#]/.test(after);
    case '[':
      return after === '^';
    case ']':
      return after === '' || /[([:]/.test(after);
    default:
      return true;
  }
}

/** Length of the shortest run of backticks, from `min` on, that does not occur in a text. */
function shortestUnused(text: string, min: number): number {
  const used = new Set((text.match(/`+/g) ?? []).map((run) => run.length));
  let length = min;
  while (used.has(length)) length += 1;
  return length;
}
