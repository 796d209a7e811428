/**
 * How an agent run fails: the provider's fault as a code that says whether a retry helps, never with a secret.
 *
 * @module
 */

/** Codes of the published runtime; also the `error_code` of the entity's error row. */
export type ModelProviderErrorCode =
  | 'MODEL_PROVIDER_TIMEOUT'
  | 'MODEL_PROVIDER_UNREACHABLE'
  | 'MODEL_PROVIDER_AUTH_FAILED'
  | 'MODEL_PROVIDER_RATE_LIMITED'
  | 'MODEL_PROVIDER_UNAVAILABLE'
  | 'MODEL_PROVIDER_ERROR';

/** A model call failed. The provider's own words are cut short and cleaned of keys. */
export class ModelProviderError extends Error {
  override readonly name = 'ModelProviderError';
  readonly code: ModelProviderErrorCode;
  readonly provider: string | undefined;
  readonly model: string | undefined;

  constructor(options: {
    readonly code: ModelProviderErrorCode;
    readonly message: string;
    readonly provider?: string;
    readonly model?: string;
  }) {
    super(options.message);
    this.code = options.code;
    this.provider = options.provider;
    this.model = options.model;
  }

  /** Whether the same call can succeed later without anybody changing anything. */
  get retryable(): boolean {
    return this.code !== 'MODEL_PROVIDER_AUTH_FAILED' && this.code !== 'MODEL_PROVIDER_ERROR';
  }
}

/** The agent's settings name a model that pi-ai does not know. A retry does not help. */
export class UnknownModelError extends Error {
  override readonly name = 'UnknownModelError';
  readonly retryable = false;

  constructor(model: string, provider: string) {
    super(
      `Unknown model "${model}" for provider "${provider}". Give an id of pi-ai's list, or a model object.`,
    );
  }
}

/** Wording of pi-ai, of the provider SDKs beneath it and of Node's network errors, most telling first. */
const WORDINGS: readonly (readonly [RegExp, ModelProviderErrorCode])[] = [
  [/rate.?limit|too many requests|quota/i, 'MODEL_PROVIDER_RATE_LIMITED'],
  [/no api key|api.?key|authentication|unauthori[sz]ed|permission_error/i, 'MODEL_PROVIDER_AUTH_FAILED'],
  [/timed? ?out|TimeoutError|ETIMEDOUT/i, 'MODEL_PROVIDER_TIMEOUT'],
  [/overloaded|unavailable|bad gateway|api_error|server.?error/i, 'MODEL_PROVIDER_UNAVAILABLE'],
  [
    /connection error|fetch failed|failed to fetch|network|terminated|socket|other side closed|ended before|ENOTFOUND|ECONN|EPIPE|EAI_AGAIN|certificate/i,
    'MODEL_PROVIDER_UNREACHABLE',
  ],
];

function codeOfStatus(status: number): ModelProviderErrorCode {
  if (status === 401 || status === 403) return 'MODEL_PROVIDER_AUTH_FAILED';
  if (status === 408) return 'MODEL_PROVIDER_TIMEOUT';
  if (status === 429) return 'MODEL_PROVIDER_RATE_LIMITED';
  return status >= 500 ? 'MODEL_PROVIDER_UNAVAILABLE' : 'MODEL_PROVIDER_ERROR';
}

/**
 * Reads the code from the text of a failure: all that pi-ai keeps of it. An HTTP status stands at its start
 * (Anthropic's and OpenAI's SDK) or in its JSON (Google); without one, the words decide.
 */
export function classifyModelFailure(text: string): ModelProviderErrorCode {
  const status = /^\s*([45]\d\d)\b/.exec(text) ?? /"?\b(?:code|status)"?\s*[:=]?\s*([45]\d\d)\b/i.exec(text);
  if (status !== null) return codeOfStatus(Number(status[1]));
  return WORDINGS.find(([wording]) => wording.test(text))?.[1] ?? 'MODEL_PROVIDER_ERROR';
}

const SENTENCES: Readonly<Record<ModelProviderErrorCode, string>> = {
  MODEL_PROVIDER_TIMEOUT:
    'did not answer in time. Check the network and the provider, or raise modelTimeoutMs.',
  MODEL_PROVIDER_UNREACHABLE:
    'could not be reached, or the connection broke. Check the network and the provider.',
  MODEL_PROVIDER_AUTH_FAILED: 'refused the credentials. Check the API key.',
  MODEL_PROVIDER_RATE_LIMITED: 'limits the rate of requests. Wait and try again.',
  MODEL_PROVIDER_UNAVAILABLE: 'is out of order at the moment. Try again later.',
  MODEL_PROVIDER_ERROR: 'refused or failed the request.',
};

const MAX_DETAIL_CHARS = 300;
/** Shapes of keys and tokens as providers repeat them in their errors, whole or with stars in the middle. */
const KEY_SHAPES =
  /\b(?:(?:sk|pk|rk|key|gsk|xai)[-_]|AIza|ya29|eyJ)[-_.\w*]{8,}|\bBearer\s+\S+|\b[\w*]{32,}\b/g;

/** The provider's words without anything that could be a key, at most 300 characters. */
function safeDetail(text: string, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret.length >= 4);
  const withoutKnown = known.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text);
  const clean = withoutKnown.replace(KEY_SHAPES, '[key]').replace(/\s+/g, ' ').trim();
  return clean.length > MAX_DETAIL_CHARS ? `${clean.slice(0, MAX_DETAIL_CHARS)}…` : clean;
}

/**
 * The error of a failed model call.
 *
 * @param text what the provider, its SDK or the network said
 * @param secrets keys that must not appear in the message
 */
export function modelProviderError(
  text: string,
  from: { readonly provider: string; readonly model: string; readonly secrets: readonly string[] },
): ModelProviderError {
  const code = classifyModelFailure(text);
  // The answer to a wrong key is the one that repeats the key, so none of its words are kept.
  const detail = code === 'MODEL_PROVIDER_AUTH_FAILED' ? '' : safeDetail(text, from.secrets);
  const message = `${from.provider} ${SENTENCES[code]}${detail === '' ? '' : ` (${detail})`}`;
  return new ModelProviderError({ code, message, provider: from.provider, model: from.model });
}

/** The words of a thrown value, with those of its causes: Node puts `ECONNREFUSED` into the cause. */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${failureText(error.cause)}`;
}
