/**
 * Takes secrets out of what is logged, and cuts what is too long: a second line of defence behind the rule that
 * nobody logs secrets or payloads.
 *
 * @module
 */

const SECRET = '[secret]';
/** Bounds of one line (S9). */
const MAX_DEPTH = 8;
const MAX_ENTRIES = 100;
const MAX_TEXT = 8192;

/** Names whose value is never shown: `token`, `GITHUB_WEBHOOK_SECRET`, `apiKey`; not `maxTokens`. */
const SECRET_NAME =
  /(?:^|[_.-]|(?<=[a-z]))(?:token|secret|password|passphrase|authorization|cookie|(?:private|api)[_-]?key)$/i;

/**
 * Texts that are secrets wherever they stand: PEM keys, GitHub's tokens (installation tokens may hold a JWT, and
 * so have dots), keys of model providers, JWTs, credentials in headers and in addresses.
 */
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, SECRET],
  [/\b(?:gh[opsur]_|github_pat_)[A-Za-z0-9_.-]{10,}/g, SECRET],
  [/\b(?:sk-|xai-|gsk_|csk-|pplx-|fw_|hf_)[A-Za-z0-9_-]{16,}/g, SECRET],
  [/\bAIza[A-Za-z0-9_-]{30,}/g, SECRET],
  [/\bey[A-Za-z0-9_-]{8,}\.ey[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+/g, SECRET],
  [/\b(bearer|basic|token)\s+(?=\S*\d)[A-Za-z0-9._~+/=-]{16,}/gi, `$1 ${SECRET}`],
  [/(\bhttps?:\/\/)[^\s/@]+@/gi, `$1${SECRET}@`],
];

/** The text without what looks like a secret, cut at 8,192 characters. */
export function redactText(text: string): string {
  // Cut with room for a secret that would otherwise be split, and not be recognised, at the cut.
  const head = text.length > 2 * MAX_TEXT ? text.slice(0, 2 * MAX_TEXT) : text;
  const clean = SECRET_TEXTS.reduce((rest, [pattern, shown]) => rest.replace(pattern, shown), head);
  return clean.length > MAX_TEXT ? `${clean.slice(0, MAX_TEXT)}… (cut)` : clean;
}

/** The value as plain data without secrets, bounded in depth and width. Never throws. */
export function redactValue(value: unknown): unknown {
  return redact(value, new Set());
}

function redact(value: unknown, above: ReadonlySet<object>): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined)
    return value;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object') return `[${typeof value}]`;
  if (above.has(value)) return '[circular]';
  if (above.size >= MAX_DEPTH) return '[deep]';
  try {
    return redactObject(value, new Set([...above, value]));
  } catch {
    // A getter or a toJSON of somebody else.
    return '[unreadable]';
  }
}

function redactObject(value: object, above: ReadonlySet<object>): unknown {
  if (value instanceof Error) return redactError(value, above);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ENTRIES).map((item) => redact(item, above));
    return value.length > MAX_ENTRIES ? [...items, `… ${value.length - MAX_ENTRIES} more`] : items;
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') return redact(value.toJSON(), above);
  if (value instanceof Map) return redact(Object.fromEntries(value), above);
  if (value instanceof Set) return redact([...value], above);
  return redactEntries(value, above);
}

function redactEntries(value: object, above: ReadonlySet<object>): Record<string, unknown> {
  const names = Object.keys(value);
  const shown = names.slice(0, MAX_ENTRIES).map((name) => {
    const item = (value as Readonly<Record<string, unknown>>)[name];
    const hidden = SECRET_NAME.test(name) && item !== undefined && item !== null && item !== '';
    return [name, hidden ? SECRET : redact(item, above)] as const;
  });
  const more = names.length > MAX_ENTRIES ? [['…', `${names.length - MAX_ENTRIES} more`] as const] : [];
  return Object.fromEntries([...shown, ...more]);
}

/** Only what helps: an HTTP client's error carries the whole request and response. */
function redactError(error: Error, above: ReadonlySet<object>): Record<string, unknown> {
  const status = 'status' in error ? { status: redact(error.status, above) } : {};
  const code = 'code' in error ? { code: redact(error.code, above) } : {};
  const cause = error.cause === undefined ? {} : { cause: redact(error.cause, above) };
  return {
    name: error.name,
    message: redactText(error.message),
    ...code,
    ...status,
    ...cause,
    stack: redactText(error.stack ?? ''),
  };
}
