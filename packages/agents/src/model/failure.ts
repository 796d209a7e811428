/**
 * What went wrong with a model call, in words that may stand in a public comment: no words of the provider,
 * which may repeat a key, an account or a prompt. Those go, cleaned, into the log.
 *
 * @module
 */

/** Kinds of failure; each has one sentence. */
export type FailureKind =
  | 'aborted'
  | 'deadline'
  | 'configuration'
  | 'key'
  | 'unknown-model'
  | 'too-long'
  | 'rate-limit'
  | 'overloaded'
  | 'provider'
  | 'connection'
  | 'refused'
  | 'unusable';

/** A failed model call. */
export interface Failure {
  readonly kind: FailureKind;
  /** One clause without secrets, such as "the provider limits the rate of requests (429)". */
  readonly why: string;
  /** HTTP status, where there was one. */
  readonly status?: number;
}

const CLAUSES: Readonly<Record<FailureKind, string>> = {
  aborted: 'the review was called off',
  deadline: 'the model did not answer in time',
  configuration: 'the model is not configured rightly',
  key: 'the provider did not accept the key',
  'unknown-model': 'the provider does not know the model',
  'too-long': 'the change is longer than the model can read',
  'rate-limit': 'the provider limits the rate of requests',
  overloaded: 'the provider is overloaded',
  provider: 'the provider failed',
  connection: 'the provider could not be reached, or the connection broke',
  refused: 'the provider refused the request',
  unusable: 'the model gave no answer that could be used',
};

/** Makes a failure of a kind; `detail` is ours, never a provider's. */
export function failure(kind: FailureKind, detail?: string): Failure {
  return { kind, why: detail === undefined ? CLAUSES[kind] : `${CLAUSES[kind]} (${detail})` };
}

/** Wording of pi-ai, the SDKs beneath it and Node; the first that fits counts. */
const WORDINGS: readonly (readonly [RegExp, FailureKind])[] = [
  [
    /prompt is too long|too large|context.?(?:window|length)|(?:maximum|reduce).{0,20}(?:prompt|length)|too many tokens|token limit|(?:400|413).{0,16}\(no body\)/i,
    'too-long',
  ],
  [/overloaded/i, 'overloaded'],
  [/rate.?limit|too many requests|throttl|quota|resource.?exhausted/i, 'rate-limit'],
  [/no api key|api.?key|authenticat|unauthori[sz]ed|permission|credential|forbidden/i, 'key'],
  [/model.{0,40}(?:not found|not exist|unknown)|not_found_error/i, 'unknown-model'],
  // The last is all that pi-ai says when the provider's reason for stopping was a refusal.
  [/content.?filter|refusal|safety|sensitive|unknown error occurred/i, 'refused'],
  [/timed? ?out/i, 'deadline'],
  [/unavailable|bad gateway|api_error|server.?error|internal error/i, 'provider'],
  [
    /connection|fetch failed|network|terminated|aborted|socket|premature|closed|ended|ENOTFOUND|ECONN|EPIPE|EAI_AGAIN|certificate/i,
    'connection',
  ],
];

const STATUS_KINDS: Readonly<Record<number, FailureKind>> = {
  401: 'key',
  402: 'rate-limit',
  403: 'key',
  404: 'unknown-model',
  408: 'deadline',
  413: 'too-long',
  429: 'rate-limit',
  503: 'overloaded',
  529: 'overloaded',
};

/** Reads the kind from what pi-ai keeps of a failure: one text, at whose start or in whose JSON a status may be. */
export function readFailure(text: string): Failure {
  const status = statusOf(text);
  const worded = WORDINGS.find(([wording]) => wording.test(text))?.[1];
  if (status === undefined) return failure(worded ?? 'provider');
  const kind = status < 500 && worded === 'too-long' ? worded : kindOf(status);
  return { ...failure(kind, String(status)), status };
}

function kindOf(status: number): FailureKind {
  return STATUS_KINDS[status] ?? (status >= 500 ? 'provider' : 'refused');
}

function statusOf(text: string): number | undefined {
  const match = /^\s*([45]\d\d)\b/.exec(text) ?? /\b(?:code|status|error)"?\W{0,4}([45]\d\d)\b/i.exec(text);
  return match === null ? undefined : Number(match[1]);
}

const MAX_DETAIL_CHARS = 300;

/** A provider's words for the log: one line, short, without the key and whatever else looks like one. */
export function cleanDetail(text: string, key: string | undefined): string {
  const known = key === undefined || key.length < 4 ? text : text.replaceAll(key, '[key]');
  return known
    .replace(/\bBearer\s+\S+|\b[\w*-]{24,}/g, '[…]')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_DETAIL_CHARS);
}
