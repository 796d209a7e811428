/**
 * Fences around untrusted text in a prompt (S7). The tag carries a code that is computed from all the text that
 * stands in the fences: whoever writes one of the texts cannot know it beforehand, since writing it down would
 * change it. No randomness, so that six workers build the same bytes.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { UNSEEN } from '../conversation/unseen.ts';

/** A fence with its code. */
export interface Fence {
  readonly code: string;
  /**
   * Puts `text` between an opening and a closing tag. `what` names it; more than `maxChars` are cut, which is
   * said after the closing tag, where the text itself cannot say it.
   */
  wrap(what: string, text: string, maxChars?: number): string;
}

/** Makes the fence for `texts`: everything that will stand in it, and what shall make its code differ. */
export function makeFence(texts: readonly string[]): Fence {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${Buffer.byteLength(text)}\n`).update(text);
  const code = hash.digest('hex').slice(0, 16);
  return {
    code,
    wrap: (what, text, maxChars = Number.POSITIVE_INFINITY) => {
      const { head, cutChars } = clip(neutralise(text), maxChars);
      const note = cutChars === 0 ? '' : `\n(Cut here: ${cutChars} more characters are not shown.)`;
      return `<untrusted-${code} what=${JSON.stringify(neutralise(what))}>\n${head}\n</untrusted-${code}>${note}`;
    },
  };
}

/**
 * Makes characters visible that could hide or fake something (controls, and marks that turn the direction of
 * writing), and takes the angle bracket off whatever looks like a fence. Other text stays as it is.
 */
export function neutralise(text: string): string {
  return text
    .replace(/<(?=\s*\/?\s*untrusted-)/gi, '‹')
    .replace(UNSEEN, (char) =>
      char === '\r' ? '\\r' : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}

/** The first `maxChars` characters (UTF-16 units, never half a pair), and how many were left out. */
export function clip(text: string, maxChars: number): { readonly head: string; readonly cutChars: number } {
  if (text.length <= maxChars) return { head: text, cutChars: 0 };
  const end = /[\ud800-\udbff]/.test(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars;
  return { head: text.slice(0, Math.max(0, end)), cutChars: text.length - Math.max(0, end) };
}
