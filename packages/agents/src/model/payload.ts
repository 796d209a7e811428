/**
 * The last touch on a provider's request body, for what pi-ai has no setting for.
 *
 * @module
 */

type Fields = Readonly<Record<string, unknown>>;

/** Moves the cache mark to the shared block and drops what nobody reads. Bodies of other formats pass unchanged. */
export function adjustPayload(payload: unknown): unknown {
  return isFields(payload) ? withoutSummary(withCacheMark(payload)) : payload;
}

/**
 * pi-ai marks the last block of the last user message. That block differs from reviewer to reviewer, so writing
 * it into the cache costs and gains nothing; the first one is what the six have in common. A body without marks
 * is left alone: its provider takes none. The number of marks stays (Anthropic allows four).
 */
function withCacheMark(payload: Fields): Fields {
  const messages = Array.isArray(payload.messages) ? payload.messages : [];
  const message: unknown = messages.at(-1);
  if (!isFields(message) || !Array.isArray(message.content) || message.content.length < 2) return payload;
  const [first, ...others]: readonly unknown[] = message.content;
  const last = others.at(-1);
  if (!isFields(first) || !isFields(last) || last.cache_control === undefined) return payload;
  const { cache_control, ...unmarked } = last;
  const content = [{ ...first, cache_control }, ...others.slice(0, -1), unmarked];
  return { ...payload, messages: [...messages.slice(0, -1), { ...message, content }] };
}

/** Summaries of reasoning are not read, and OpenAI refuses them to organisations that it has not verified. */
function withoutSummary(payload: Fields): Fields {
  if (!isFields(payload.reasoning) || payload.reasoning.summary === undefined) return payload;
  const { summary: _, ...reasoning } = payload.reasoning;
  return { ...payload, reasoning };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
