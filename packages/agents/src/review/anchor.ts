/**
 * Finds the line that a remark means. Reviewers miscount lines but quote them well, so a quote counts more
 * than a number; whatever cannot be found loses its anchor and nothing else (T-090, T-094).
 *
 * @module
 */
import type { CommentableLine } from './diff-index.ts';

/** A shorter quote stands on too many lines to tell one of them. */
const MIN_FRAGMENT_CHARS = 8;

/** What a remark says about its place. */
export interface LineClaim {
  /** 1-based, on the new side. */
  readonly line?: number;
  /** Text of the line, or the first of several. */
  readonly quote?: string;
}

/**
 * The line of `lines` that the claim means. With a quote: the same text at the claimed line, the nearest line
 * with the same text, the nearest one ignoring blanks, then the only one that has the quote as a part.
 * Without a quote the number must be that of a line that the diff shows.
 */
export function findLine(lines: readonly CommentableLine[], claim: LineClaim): CommentableLine | undefined {
  const quote = firstLine(claim.quote ?? '');
  if (quote === '') return lines.find(({ line }) => line === claim.line);
  return findQuote(lines, quote, claim.line) ?? findQuote(lines, withoutDiffMark(quote), claim.line);
}

/** Text of a line without its blanks: what re-indenting does not change. */
export function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '');
}

function findQuote(
  lines: readonly CommentableLine[],
  quote: string,
  near: number | undefined,
): CommentableLine | undefined {
  const bare = withoutBlanks(quote);
  if (bare === '') return undefined;
  const exact = lines.filter(({ text }) => text.trimEnd() === quote.trimEnd());
  if (exact.length > 0) return nearest(exact, near);
  const blankless = lines.filter(({ text }) => withoutBlanks(text) === bare);
  if (blankless.length > 0) return nearest(blankless, near);
  if (bare.length < MIN_FRAGMENT_CHARS) return undefined;
  const holders = lines.filter(({ text }) => withoutBlanks(text).includes(bare));
  return holders.length === 1 ? holders[0] : undefined;
}

/** The candidate closest to the claimed number. Without a number only a sole candidate tells anything. */
function nearest(
  candidates: readonly CommentableLine[],
  near: number | undefined,
): CommentableLine | undefined {
  if (near === undefined) return candidates.length === 1 ? candidates[0] : undefined;
  return candidates.reduce((best, next) =>
    Math.abs(next.line - near) < Math.abs(best.line - near) ? next : best,
  );
}

function firstLine(quote: string): string {
  return quote.split('\n').find((line) => line.trim() !== '') ?? '';
}

/** A reviewer may quote a line as the diff shows it. */
function withoutDiffMark(quote: string): string {
  return quote.replace(/^[+ -]/, '');
}
