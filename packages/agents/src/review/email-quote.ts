/**
 * The part of an answer by e-mail that its writer did not write: what the mail program put below it, which is
 * the message that was answered, or GitHub's footer.
 *
 * @module
 */

/** What the writer said, and what the rest of the text is. */
export interface OwnLines {
  readonly text: string;
  /**
   * `none`: all of it is the writer's. `quote`: a line such as "On … wrote:" ends it; where quoted lines come
   * next, the writer may go on below them. `rest`: everything below is the older message.
   */
  readonly older: 'none' | 'quote' | 'rest';
}

/** "On (date), (name) wrote:" as mail programs write it. The date tells it from prose. */
const ATTRIBUTIONS: readonly RegExp[] = [
  /^on\b\D*\d.*\bwrote ?:$/,
  /^le\b\D*\d.*\ba écrit ?:$/,
  /^am\b\D*\d.*\bschrieb\b.*:$/,
  /^el\b\D*\d.*\bescribió ?:$/,
  /^il\b\D*\d.*\bha scritto ?:$/,
  /^em\b\D*\d.*\bescreveu ?:$/,
  /^op\b\D*\d.*\bschreef\b.*:$/,
  /^(?:den|på)\b\D*\d.*\bskrev\b.*:$/,
  /^(?:w dniu|dnia)\b\D*\d.*\bnapisał.*:$/,
  /^\D*\d.*(?:пишет|написала?|пише|написав) ?:$/,
  /^\D*\d.*(?:写道|寫道) ?[:：]$/,
  /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b.*\d:\d\d\b.*:$/,
];
const SEPARATORS: readonly RegExp[] = [
  /^-{2,} ?(?:original message|forwarded message|ursprüngliche nachricht|message d'origine|mensaje original|messaggio originale|mensagem original) ?-{2,}$/,
  /^(?:reply to this email directly|you are receiving this because)\b/,
];
/** Outlook repeats the heads of the older message, the sender's first. */
const SENDER = /^\*{0,2}(?:from|von|de|da|van|från|fra|от) ?:/;
const DATE =
  /^\*{0,2}(?:sent|date|gesendet|datum|envoyé|enviado|inviato|data|verzonden|skickat|sendt|wysłano|отправлено|дата) ?:/;

/** An attribution may be wrapped into this many lines, each at most this long. */
const MAX_WRAPPED_LINES = 3;
const MAX_LINE_CHARS = 300;

/** Splits a paragraph where the lines of an older message begin. */
export function ownLines(paragraph: string): OwnLines {
  const lines = paragraph.split('\n');
  const read = lines.map((line) => line.trim().replace(/\s+/g, ' ').toLowerCase());
  for (let at = 0; at < lines.length; at += 1) {
    const text = lines.slice(0, at).join('\n');
    if (isSeparator(read, at)) return { text, older: 'rest' };
    const count = attributionLines(read, at);
    if (count > 0) return { text, older: at + count < lines.length ? 'rest' : 'quote' };
  }
  return { text: paragraph, older: 'none' };
}

function isSeparator(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  if (line.length > MAX_LINE_CHARS) return false;
  return (
    SEPARATORS.some((pattern) => pattern.test(line)) || (SENDER.test(line) && DATE.test(lines[at + 1] ?? ''))
  );
}

/** Of how many lines the attribution is that begins here; 0 where none does. */
function attributionLines(lines: readonly string[], at: number): number {
  for (let count = 1; count <= MAX_WRAPPED_LINES; count += 1) {
    const wrapped = lines.slice(at, at + count);
    if (wrapped.length < count || wrapped.some((line) => line.length > MAX_LINE_CHARS)) return 0;
    const line = wrapped.join(' ');
    if (ATTRIBUTIONS.some((pattern) => pattern.test(line))) return count;
  }
  return 0;
}
