/**
 * From an entity's rows to the messages that a model reads. Pure.
 *
 * @module
 */

import type {
  LLMMessage,
  TimelineItem,
  TimelineProjectionOpts,
  TimelineRunItem,
  TimestampedMessage,
} from '../types/llm.ts';
import type { ContextEntryAttrs, SignalRow } from '../types/rows.ts';
import type { TimelineRow } from './port.ts';

type Fields = Readonly<Record<string, unknown>>;
type ToolCallItem = Extract<TimelineRunItem, { readonly kind: 'toolCall' }>;
type ContextItem = Extract<TimelineItem, { readonly kind: 'context_inserted' }>;

/**
 * The entity's life as messages: inbox messages, wakes as JSON, its own earlier runs with their tool calls, and
 * its context entries, in stream order. An entry that was replaced or removed is told by the call that loads it.
 */
export function timelineMessages(
  rows: readonly TimelineRow[],
  options: TimelineProjectionOpts = {},
): TimestampedMessage[] {
  const { since = Number.NEGATIVE_INFINITY, projection = projectItem } = options;
  return timelineItems(rows)
    .filter((item) => item.at >= since)
    .flatMap((item) => (projection(item) ?? []).map((message) => ({ ...message, at: item.at })));
}

/** The default context of a run. It has no tool that loads old context entries, so they are left out. */
export function defaultMessages(rows: readonly TimelineRow[]): LLMMessage[] {
  const projection = (item: TimelineItem) =>
    item.kind === 'context_inserted' && item.superseded ? null : projectItem(item);
  return timelineMessages(rows, { projection });
}

function projectItem(item: TimelineItem): LLMMessage[] | null {
  switch (item.kind) {
    case 'inbox':
      return userMessages(textOf(item.payload));
    case 'wake':
      return userMessages(JSON.stringify(item.payload));
    case 'run':
      return item.items.flatMap(projectRunItem);
    case 'context_inserted':
      return userMessages(item.superseded ? tombstone(item) : contextText(item));
    case 'context_removed':
    case 'signal':
      return null;
  }
}

function projectRunItem(item: TimelineRunItem): LLMMessage[] {
  if (item.kind === 'text') return item.text === '' ? [] : [{ role: 'assistant', content: item.text }];
  // The row's key serves as the id of the call: each provider accepts its form, whichever made the call.
  const { key: toolCallId, toolName, args: toolArgs, status } = item;
  const call: LLMMessage = {
    role: 'tool_call',
    content: textOf(toolArgs) ?? '{}',
    toolCallId,
    toolName,
    toolArgs,
  };
  if (status !== 'completed' && status !== 'failed') return [call]; // the process died in it
  const content = item.error ?? toolResultText(item.result);
  return [call, { role: 'tool_result', content, toolCallId, isError: status === 'failed' }];
}

function userMessages(content: string | undefined): LLMMessage[] {
  return content === undefined ? [] : [{ role: 'user', content }];
}

function timelineItems(rows: readonly TimelineRow[]): TimelineItem[] {
  const runItems = collectRunItems(rows);
  const liveContext = collectLiveContext(rows);
  return rows.flatMap((row): TimelineItem[] => {
    const { type, key, at, value } = row;
    switch (type) {
      case 'inbox':
        return isDelivered(value)
          ? [{ kind: 'inbox', at, key, payload: value.payload, ...typeOf(value) }]
          : [];
      case 'wake':
        return [{ kind: 'wake', at, payload: withoutVirtualFields(value) }];
      case 'signal':
        return [{ kind: 'signal', at, signal: value as unknown as SignalRow }];
      case 'run':
        return [{ kind: 'run', at, ...finishOf(value), items: [...(runItems.get(key) ?? [])] }];
      case 'context_inserted':
        return [contextItem(row, !liveContext.has(row))];
      case 'context_removed': {
        const { id, name } = value;
        return [
          {
            kind: 'context_removed',
            at,
            historyOffset: historyOffset(at),
            id: String(id),
            name: String(name),
          },
        ];
      }
      default:
        return [];
    }
  });
}

function typeOf({ message_type: messageType }: Fields): { messageType?: string } {
  return typeof messageType === 'string' ? { messageType } : {};
}

function finishOf({ finish_reason: finishReason }: Fields): { finishReason?: string } {
  return typeof finishReason === 'string' ? { finishReason } : {};
}

function contextItem({ at, value }: TimelineRow, superseded: boolean): ContextItem {
  return {
    kind: 'context_inserted',
    at,
    historyOffset: historyOffset(at),
    id: String(value.id),
    name: String(value.name),
    attrs: (value.attrs ?? {}) as ContextEntryAttrs,
    content: String(value.content),
    superseded,
  };
}

/** What a context entry was, however often it was replaced. */
export function contextHistory(rows: readonly TimelineRow[], id: string, offset: string): string | undefined {
  const row = rows.find(
    ({ type, at, value }) => type === 'context_inserted' && value.id === id && historyOffset(at) === offset,
  );
  return row === undefined ? undefined : String(row.value.content);
}

/** Looks like `_timeline_order`. */
function historyOffset(at: number): string {
  return `stream:${String(at).padStart(16, '0')}`;
}

/** Cancelled messages, and queued ones whose turn has not come, are not part of the conversation. */
function isDelivered(value: Fields): boolean {
  if (value.status === 'cancelled') return false;
  return value.status !== 'pending' || value.mode === undefined || value.mode === 'immediate';
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return value === undefined ? undefined : JSON.stringify(value);
}

/** Rows read back from a store may carry bookkeeping fields that begin with `$` or `_`. */
function withoutVirtualFields(value: Fields): Fields {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !/^[$_]/.test(name)));
}

function openTag(name: string, attrs: Fields): string {
  const escaped = (value: unknown) => String(value).replace(/[&"<>]/g, (char) => `&#${char.charCodeAt(0)};`);
  return [`<${name}`, ...Object.entries(attrs).map(([key, value]) => `${key}="${escaped(value)}"`)].join(' ');
}

function contextText({ name, attrs, content }: ContextItem): string {
  return `${openTag(name, attrs)}>${content}</${name}>`;
}

function tombstone({ name, attrs, id, historyOffset: offset }: ContextItem): string {
  const load = `load_context_history('${id}', '${offset}')`;
  return `${openTag(name, { ...attrs, superseded_at_offset: offset, load })} />`;
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
function collectRunItems(rows: readonly TimelineRow[]): ReadonlyMap<string, readonly TimelineRunItem[]> {
  const texts = new Map<string, string>();
  for (const { type, value } of rows) {
    if (type !== 'text_delta') continue;
    const id = textIdentity(value);
    texts.set(id, (texts.get(id) ?? '') + String(value.delta));
  }
  const items = new Map<string, TimelineRunItem[]>();
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
function runItemOf(row: TimelineRow, texts: Map<string, string>): TimelineRunItem | undefined {
  if (row.type === 'tool_call') return toolCallItem(row);
  if (row.type !== 'text_delta') return undefined;
  const id = textIdentity(row.value);
  const text = texts.get(id);
  texts.delete(id);
  return text === undefined || text === '' ? undefined : { kind: 'text', text, status: 'completed' };
}

function toolCallItem({ key, value }: TimelineRow): ToolCallItem {
  const { tool_name: toolName, args, result, error, status } = value;
  return {
    kind: 'toolCall',
    key,
    toolName: String(toolName),
    args,
    result,
    error: textOf(error) ?? null,
    status: status as ToolCallItem['status'],
  };
}

/** A stored result is the tool's whole answer as JSON; the model saw only its texts. */
function toolResultText(result: unknown): string {
  const text = textOf(result) ?? '';
  try {
    const { content } = JSON.parse(text) as { content?: unknown };
    if (!Array.isArray(content)) return text;
    return content.map((part: { text?: unknown }) => String(part.text ?? '[image]')).join('\n');
  } catch {
    return text;
  }
}
