/**
 * `ctx.useContext`: composes what the model reads out of named sources, within a budget. Tokens are counted as
 * four characters each.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { ContextConfigError } from '../errors.ts';
import type {
  CacheTier,
  LLMMessage,
  LLMMessageContent,
  SourceConfig,
  SourceContent,
  TimestampedMessage,
  UseContextConfig,
} from '../types/llm.ts';

const CHARS_PER_TOKEN = 4;
/** Least changing first, so that providers can cache the head of the prompt. */
const TIERS: readonly CacheTier[] = ['pinned', 'stable', 'slow-changing', 'volatile'];

/** The composed messages, and the whole text of each source that gave one, by the id that its cut names. */
export interface ComposedContext {
  readonly messages: readonly LLMMessage[];
  readonly snapshots: ReadonlyMap<string, string>;
}

/**
 * Checks the settings of `ctx.useContext`.
 *
 * @throws ContextConfigError naming the setting and the source
 */
export function checkContextConfig({ sourceBudget, sources }: UseContextConfig): void {
  if (!isPositive(sourceBudget))
    throw new ContextConfigError('sourceBudget must be a positive finite number');
  const entries = Object.entries(sources);
  if (entries.length === 0) throw new ContextConfigError('sources must contain at least one source');
  for (const [name, source] of entries) checkSource(name, source);
  const fixed = entries.reduce((sum, [, { cache, max = 0 }]) => sum + (cache === 'volatile' ? 0 : max), 0);
  if (fixed > sourceBudget) {
    throw new ContextConfigError(
      `non-volatile source max sum (${fixed}) exceeds sourceBudget (${sourceBudget})`,
    );
  }
}

function checkSource(name: string, { cache, max }: SourceConfig): void {
  if (!TIERS.includes(cache)) {
    throw new ContextConfigError(
      `unknown cache tier "${cache}" for source "${name}"; expected ${TIERS.join(' | ')}`,
    );
  }
  if (max === undefined && cache !== 'volatile') {
    throw new ContextConfigError(`source "${name}" must specify max unless cache is volatile`);
  }
  if (max !== undefined && !isPositive(max)) {
    throw new ContextConfigError(`source "${name}" max must be a positive finite number`);
  }
}

function isPositive(value: number): boolean {
  return Number.isFinite(value) && value > 0;
}

function tokensOf(content: LLMMessageContent): number {
  const chars =
    typeof content === 'string'
      ? content.length
      : content.reduce((sum, block) => sum + (block.type === 'text' ? block.text : block.data).length, 0);
  return Math.ceil(chars / CHARS_PER_TOKEN);
}

/** Reads all sources and composes them. What does not fit is cut, with a marker that says how to load it. */
export async function composeContext({ sourceBudget, sources }: UseContextConfig): Promise<ComposedContext> {
  const snapshots = new Map<string, string>();
  const messages: LLMMessage[] = [];
  const volatile: (LLMMessage | TimestampedMessage)[] = [];
  let used = 0;
  for (const tier of TIERS) {
    for (const [name, source] of Object.entries(sources)) {
      if (source.cache !== tier) continue;
      const taken = takeSource(name, source, await read(source), snapshots);
      if (tier === 'volatile') volatile.push(...taken.messages);
      else messages.push(...taken.messages);
      messages.push(...taken.markers);
      used += tier === 'volatile' ? 0 : taken.tokens;
    }
  }
  messages.push(...fitNewest(volatile, Math.max(0, sourceBudget - used)));
  return { messages: messages.map(withoutPlace), snapshots };
}

type Reading =
  | { readonly kind: 'read'; readonly content: SourceContent }
  | { readonly kind: 'failed'; readonly reason: 'exception' | 'type_mismatch' };

async function read(source: SourceConfig): Promise<Reading> {
  try {
    const content: unknown = await source.content();
    return typeof content === 'string' || Array.isArray(content)
      ? { kind: 'read', content }
      : { kind: 'failed', reason: 'type_mismatch' };
  } catch {
    return { kind: 'failed', reason: 'exception' };
  }
}

interface Taken {
  readonly messages: readonly (LLMMessage | TimestampedMessage)[];
  readonly markers: readonly LLMMessage[];
  readonly tokens: number;
}

/** What one source may give within its own limit. */
function takeSource(
  name: string,
  { cache, max = Number.POSITIVE_INFINITY }: SourceConfig,
  reading: Reading,
  snapshots: Map<string, string>,
): Taken {
  if (reading.kind === 'failed') {
    return {
      messages: [],
      markers: [user(`[source_failed name="${name}" reason="${reading.reason}"]`)],
      tokens: 0,
    };
  }
  const { content } = reading;
  if (typeof content !== 'string') return takeMessages(name, content, max);
  const tokens = tokensOf(content);
  if (cache === 'volatile' || tokens <= max) return { messages: [user(content)], markers: [], tokens };
  const snapshot = `${name}-${createHash('sha256').update(content).digest('hex').slice(0, 12)}`;
  snapshots.set(snapshot, content);
  return { messages: [user(cutText(name, content, max, snapshot))], markers: [], tokens: max };
}

function cutText(name: string, content: string, max: number, snapshot: string): string {
  const from = Math.floor(max * CHARS_PER_TOKEN);
  const call = `load_source_range(${JSON.stringify({ name, from, to: content.length, snapshot })})`;
  return `${content.slice(0, from)}\n[truncated source "${name}" chars=${from}..${content.length} snapshot=${snapshot} — use ${call} to read the rest]`;
}

/** The first messages that fit. */
function takeMessages(name: string, all: readonly LLMMessage[], max: number): Taken {
  let tokens = 0;
  let count = 0;
  for (const { content } of all) {
    if (tokens + tokensOf(content) > max) break;
    tokens += tokensOf(content);
    count += 1;
  }
  const dropped = all.length - count;
  const marker = `[truncated source "${name}" — ${dropped} messages dropped at its max of ${max} tokens — use load_timeline_range to read them]`;
  return { messages: all.slice(0, count), markers: dropped === 0 ? [] : [user(marker)], tokens };
}

/** The newest messages that fit; a tool call and its result stay or go together. */
function fitNewest(all: readonly (LLMMessage | TimestampedMessage)[], budget: number): readonly LLMMessage[] {
  let left = budget;
  const fitting = all.toReversed().filter(({ content }) => {
    const tokens = tokensOf(content);
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
  const kept = new Set(withoutHalves(fitting.toReversed()));
  const dropped = all.filter((message) => !kept.has(message)).map((message) => placeOf(message));
  if (dropped.length === 0) return all;
  const [from, to] = [Math.min(...dropped), Math.max(...dropped)];
  const marker = `[truncated stream events offset=${from}..${to} — use load_timeline_range(${JSON.stringify({ from, to })}) to read]`;
  return [user(marker), ...kept];
}

/** Without calls whose result is missing and results whose call is. */
function withoutHalves<T extends LLMMessage>(messages: readonly T[]): readonly T[] {
  const idsOf = (role: LLMMessage['role']) =>
    new Set(messages.flatMap((m) => (m.role === role && 'toolCallId' in m ? [m.toolCallId] : [])));
  const calls = idsOf('tool_call');
  const results = idsOf('tool_result');
  return messages.filter(
    (m) => !('toolCallId' in m) || (calls.has(m.toolCallId) && results.has(m.toolCallId)),
  );
}

function placeOf(message: LLMMessage | TimestampedMessage): number {
  return 'at' in message ? message.at : 0;
}

function withoutPlace(message: LLMMessage | TimestampedMessage): LLMMessage {
  if (!('at' in message)) return message;
  const { at: _at, ...rest } = message;
  return rest;
}

function user(content: string): LLMMessage {
  return { role: 'user', content };
}
