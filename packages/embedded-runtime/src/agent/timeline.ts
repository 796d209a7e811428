/**
 * From an entity's rows to the messages that a model reads. Pure.
 *
 * @module
 */
import type { Api, AssistantMessage, Message, Model, ToolCall } from '@mariozechner/pi-ai';
import type { TimelineRow } from './port.ts';

type Fields = Readonly<Record<string, unknown>>;
type RunItem =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool'; readonly row: TimelineRow };

const NO_USAGE: AssistantMessage['usage'] = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};
/** pi-ai wants a time on each message; no provider sends it. */
const NO_TIME = 0;

/** An assistant message without content, as if `model` had made it. */
export function emptyAnswer(model: Model<Api>, stopReason: AssistantMessage['stopReason']): AssistantMessage {
  const { api, provider, id } = model;
  return {
    role: 'assistant',
    content: [],
    api,
    provider,
    model: id,
    usage: NO_USAGE,
    stopReason,
    timestamp: NO_TIME,
  };
}

/** A user message with one text. */
export function userMessage(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }], timestamp: NO_TIME };
}

/**
 * The default context of a run: inbox messages, wakes as JSON, the entity's own earlier runs with their tool
 * calls, and the context entries that still hold, in stream order.
 */
export function timelineMessages(rows: readonly TimelineRow[], model: Model<Api>): Message[] {
  const runItems = collectRunItems(rows);
  const liveContext = collectLiveContext(rows);
  const messages: Message[] = [];
  for (const row of rows) {
    if (row.type === 'run') {
      for (const item of runItems.get(row.key) ?? []) addRunItem(messages, item, model);
    } else {
      const text = textOfRow(row, liveContext);
      if (text !== undefined) messages.push(userMessage(text));
    }
  }
  return messages;
}

function textOfRow(row: TimelineRow, liveContext: ReadonlySet<TimelineRow>): string | undefined {
  switch (row.type) {
    case 'inbox':
      return isDelivered(row.value) ? asText(row.value.payload) : undefined;
    case 'wake':
      return JSON.stringify(withoutVirtualFields(row.value));
    case 'context_inserted':
      return liveContext.has(row) ? contextText(row.value) : undefined;
    default:
      return undefined;
  }
}

/** Cancelled messages, and queued ones whose turn has not come, are not part of the conversation. */
function isDelivered(value: Fields): boolean {
  if (value.status === 'cancelled') return false;
  return value.status !== 'pending' || value.mode === undefined || value.mode === 'immediate';
}

function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return value === undefined ? undefined : JSON.stringify(value);
}

/** Rows read back from a store may carry bookkeeping fields that begin with `$` or `_`. */
function withoutVirtualFields(value: Fields): Fields {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !/^[$_]/.test(name)));
}

function escapeAttribute(value: unknown): string {
  return String(value).replace(/[&"<>]/g, (char) => `&#${char.charCodeAt(0)};`);
}

function contextText(value: Fields): string {
  const name = String(value.name);
  const attrs = Object.entries((value.attrs ?? {}) as Fields)
    .map(([key, attr]) => ` ${key}="${escapeAttribute(attr)}"`)
    .join('');
  return `<${name}${attrs}>${String(value.content)}</${name}>`;
}

/** The newest entry for each id, unless it was removed after that. */
function collectLiveContext(rows: readonly TimelineRow[]): ReadonlySet<TimelineRow> {
  const byId = new Map<unknown, TimelineRow>();
  for (const row of rows) {
    if (row.type === 'context_inserted') byId.set(row.value.id, row);
    if (row.type === 'context_removed') byId.delete(row.value.id);
  }
  return new Set(byId.values());
}

/** For each run, its texts (deltas joined) and tool calls in the order in which they began. */
function collectRunItems(rows: readonly TimelineRow[]): ReadonlyMap<string, readonly RunItem[]> {
  const texts = new Map<string, string>();
  for (const { type, value } of rows) {
    if (type !== 'text_delta') continue;
    const id = textIdentity(value);
    texts.set(id, (texts.get(id) ?? '') + String(value.delta));
  }
  const items = new Map<string, RunItem[]>();
  for (const row of rows) {
    const item = runItemOf(row, texts);
    if (item === undefined) continue;
    const runKey = String(row.value.run_id);
    items.set(runKey, [...(items.get(runKey) ?? []), item]);
  }
  return items;
}

function textIdentity(value: Fields): string {
  return `${String(value.run_id)} ${String(value.text_id)}`;
}

/** `texts` is emptied on the way: a text stands where its first delta stands. */
function runItemOf(row: TimelineRow, texts: Map<string, string>): RunItem | undefined {
  if (row.type === 'tool_call') return { kind: 'tool', row };
  if (row.type !== 'text_delta') return undefined;
  const id = textIdentity(row.value);
  const text = texts.get(id);
  texts.delete(id);
  return text === undefined || text === '' ? undefined : { kind: 'text', text };
}

function addRunItem(messages: Message[], item: RunItem, model: Model<Api>): void {
  if (item.kind === 'text') {
    addToAnswer(messages, { type: 'text', text: item.text }, model);
    return;
  }
  const { key, value } = item.row;
  const name = String(value.tool_name);
  const args = (
    typeof value.args === 'object' && value.args !== null ? value.args : {}
  ) as ToolCall['arguments'];
  // The row's key serves as the id of the call: each provider accepts its form, whichever made the call.
  addToAnswer(messages, { type: 'toolCall', id: key, name, arguments: args }, model);
  // A call without a result (the process died in it) stays open here; pi-ai closes it towards the provider.
  if (value.status !== 'completed' && value.status !== 'failed') return;
  messages.push({
    role: 'toolResult',
    toolCallId: key,
    toolName: name,
    content: [{ type: 'text', text: asText(value.error) ?? toolResultText(value.result) }],
    isError: value.status === 'failed',
    timestamp: NO_TIME,
  });
}

function addToAnswer(
  messages: Message[],
  block: AssistantMessage['content'][number],
  model: Model<Api>,
): void {
  const last = messages.at(-1);
  if (last?.role === 'assistant') {
    last.content.push(block);
    return;
  }
  messages.push({ ...emptyAnswer(model, 'stop'), content: [block] });
}

/** A stored result is the tool's whole answer as JSON; the model saw only its texts. */
function toolResultText(result: unknown): string {
  const text = asText(result) ?? '';
  try {
    const { content } = JSON.parse(text) as { content?: unknown };
    if (!Array.isArray(content)) return text;
    return content.map((part: { text?: unknown }) => String(part.text ?? '[image]')).join('\n');
  } catch {
    return text;
  }
}
