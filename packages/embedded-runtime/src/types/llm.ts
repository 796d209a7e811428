/**
 * What a model reads, and how a handler composes it.
 *
 * @module
 */

import type { ContextEntryAttrs, SignalRow, ToolCallRow } from './rows.ts';

/** A part of a message. */
export type LLMContentBlock =
  | { type: 'text'; text: string }
  /** `data` in base64. */
  | { type: 'image'; data: string; mimeType: string };

/** Text, or its parts. */
export type LLMMessageContent = string | LLMContentBlock[];

/** One message of a model's context. */
export type LLMMessage =
  | { role: 'user'; content: LLMMessageContent }
  | { role: 'assistant'; content: LLMMessageContent }
  | {
      role: 'tool_call';
      content: LLMMessageContent;
      toolCallId: string;
      toolName: string;
      toolArgs: unknown;
    }
  | { role: 'tool_result'; content: LLMMessageContent; toolCallId: string; isError: boolean };

/** A message with its place in the timeline: grows over the entity's stream, and is no time. */
export type TimestampedMessage = LLMMessage & { at: number };

/** How long a source stays as it is; the least changing come first in the prompt. */
export type CacheTier = 'pinned' | 'stable' | 'slow-changing' | 'volatile';

/** What a source gives: one text, or messages. */
export type SourceContent = string | LLMMessage[] | TimestampedMessage[];

/** One source of a model's context. */
export type SourceConfig = {
  /** Called once for each run. A source that throws is told to the model as failed. */
  content(): SourceContent | Promise<SourceContent>;
} & (
  | {
      cache: 'volatile';
      /** In tokens. Default: what the budget leaves. */
      max?: number;
    }
  | {
      cache: Exclude<CacheTier, 'volatile'>;
      /** In tokens, counted as four characters each. */
      max: number;
    }
);

/** Settings of `ctx.useContext`. */
export interface UseContextConfig {
  /** For all sources together, in tokens. */
  sourceBudget: number;
  sources: Record<string, SourceConfig>;
}

/** Something that happened in the entity's life, as a projection sees it. */
export type TimelineItem =
  | { kind: 'inbox'; at: number; key: string; payload: unknown; messageType?: string }
  | { kind: 'wake'; at: number; payload: unknown }
  | { kind: 'signal'; at: number; signal: SignalRow }
  | { kind: 'run'; at: number; finishReason?: string; items: TimelineRunItem[] }
  | {
      kind: 'context_inserted';
      at: number;
      /** What `load_context_history` finds it by. */
      historyOffset: string;
      id: string;
      name: string;
      attrs: ContextEntryAttrs;
      content: string;
      /** Whether it was replaced or removed since. */
      superseded: boolean;
    }
  | { kind: 'context_removed'; at: number; historyOffset: string; id: string; name: string };

/** A part of a run. */
export type TimelineRunItem =
  | { kind: 'text'; text: string; status: 'streaming' | 'completed' }
  | {
      kind: 'toolCall';
      key: string;
      toolName: string;
      args: unknown;
      result: unknown;
      error: string | null;
      status: ToolCallRow['status'];
    };

/** Settings of `ctx.timelineMessages`. */
export interface TimelineProjectionOpts {
  /** Only what stands at this place or after it. */
  since?: number;
  /** The messages of one item; `null` leaves it out. Default: as without `useContext`. */
  projection?: (item: TimelineItem) => LLMMessage[] | null;
}
