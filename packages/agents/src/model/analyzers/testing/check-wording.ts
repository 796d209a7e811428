/**
 * The form of a rule's message: the comment makes its first sentence the title of an entry, and the rest the text.
 *
 * @module
 */
import { headlineOf } from '../../../review/headline.ts';

const TITLE_MAX_CHARS = 70;

/**
 * Holds a message to its form: a first sentence that is short and whole, then another that says something else.
 * @throws Error with the message and what is wrong with it
 */
export function checkWording(message: string): void {
  const { title, text } = headlineOf(message);
  const fault = faultOf(message, title, text);
  if (fault !== undefined) throw new Error(`${fault}: ${message}`);
}

function faultOf(message: string, title: string, text: string): string | undefined {
  if (!message.startsWith(`${title}. `)) return 'The title is no whole sentence';
  if (title.length + 1 > TITLE_MAX_CHARS) return 'The title is too long';
  if (withoutCode(title).includes(':')) return 'The title has a colon';
  if (!/^[A-Z`].{20,}\.$/.test(text)) return 'The title is not explained';
  return text.includes(title) ? 'The text repeats the title' : undefined;
}

function withoutCode(text: string): string {
  return text.replace(/`[^`]*`/g, '');
}
