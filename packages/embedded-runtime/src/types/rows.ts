/**
 * Rows of the built-in collections, as far as the runtime writes them.
 *
 * @module
 */

import type { WakeMessage } from './wake.ts';

/** What every row that is read back also carries. Strip it before comparing or storing a row. */
export interface VirtualFields {
  /** Position of the insert on the stream; grows over the whole host. */
  readonly _seq?: number;
  /** Sorts as text in stream order. */
  readonly _timeline_order?: string;
}

/** A message. */
export interface InboxRow extends VirtualFields {
  readonly key: string;
  /** Principal of the sender. */
  readonly from?: string;
  readonly from_principal?: string;
  /** Entity URL of the sender, when an entity sent it. */
  readonly from_agent?: string;
  readonly payload?: unknown;
  readonly timestamp?: string;
  readonly message_type?: string;
  readonly mode?: 'immediate' | 'queued' | 'paused' | 'steer';
  readonly status?: 'pending' | 'processed' | 'cancelled';
  readonly processed_at?: string;
}

/** A wake that was appended to this entity's stream. */
export interface WakeRow extends VirtualFields, WakeMessage {
  readonly key: string;
}

/** One run: of the agent loop, of `recordRun` or of `replyText`. */
export interface RunRow extends VirtualFields {
  readonly key: string;
  readonly status: 'started' | 'completed' | 'failed';
  readonly finish_reason?: string;
}

/** One model call of a run. */
export interface StepRow extends VirtualFields {
  readonly key: string;
  readonly run_id?: string;
  readonly step_number: number;
  readonly status: string;
  readonly finish_reason?: string;
  readonly model_provider?: string;
  readonly model_id?: string;
  readonly duration_ms?: number;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly context_input_tokens?: number;
  readonly context_window?: number;
}

/** A piece of a run's text. */
export interface TextDeltaRow extends VirtualFields {
  readonly key: string;
  readonly text_id: string;
  readonly run_id: string;
  readonly delta: string;
}

/** A tool call of the model. */
export interface ToolCallRow extends VirtualFields {
  readonly key: string;
  readonly run_id?: string;
  readonly tool_call_id?: string;
  readonly tool_name: string;
  readonly status: 'started' | 'args_complete' | 'executing' | 'completed' | 'failed';
  readonly args?: unknown;
  readonly result?: unknown;
  readonly error?: string;
  readonly duration_ms?: number;
}

/** Something that went wrong in a wake. */
export interface ErrorRow extends VirtualFields {
  readonly key: string;
  readonly error_code: string;
  readonly message: string;
  readonly run_id?: string;
  readonly step_id?: string;
  readonly tool_call_id?: string;
}

/** A signal that was sent to the entity. */
export interface SignalRow extends VirtualFields {
  readonly key: string;
  readonly signal: string;
  readonly status: 'unhandled' | 'handled';
  readonly sender?: string;
  readonly reason?: string;
  readonly payload?: unknown;
  readonly timestamp: string;
  readonly handled_at?: string;
  readonly outcome?: string;
}

/** Attributes of a context entry. */
export type ContextEntryAttrs = Readonly<Record<string, string | number | boolean>>;

/** What the entity spawned, observes or keeps as context. */
export type ManifestRow = VirtualFields & { readonly key: string } & (
    | {
        readonly kind: 'child';
        readonly id: string;
        readonly entity_type: string;
        readonly entity_url: string;
        readonly wake?: unknown;
        readonly observed: boolean;
      }
    | {
        readonly kind: 'source';
        readonly sourceType: string;
        readonly sourceRef: string;
        readonly wake?: unknown;
        readonly config: Readonly<Record<string, unknown>>;
      }
    | {
        readonly kind: 'context';
        readonly id: string;
        readonly name: string;
        readonly attrs: ContextEntryAttrs;
        readonly content: string;
        readonly insertedAt: number;
      }
    | {
        readonly kind: 'shared-state';
        readonly id: string;
        readonly mode: 'create' | 'connect';
        readonly collections: readonly string[];
        readonly wake?: unknown;
      }
    | {
        readonly kind: 'schedule';
        readonly id: string;
        readonly scheduleType: 'cron';
        readonly expression: string;
        readonly timezone: string;
        readonly payload?: unknown;
        readonly wake: unknown;
      }
    | {
        readonly kind: 'schedule';
        readonly id: string;
        readonly scheduleType: 'future_send';
        /** ISO 8601. */
        readonly fireAt: string;
        readonly targetUrl: string;
        readonly senderUrl: string;
        readonly payload: unknown;
        readonly producerId: string;
        readonly messageType?: string;
        readonly status: 'pending' | 'sent' | 'failed';
        readonly sentAt?: string;
        readonly failedAt?: string;
        readonly lastError?: string;
      }
  );

/** Generic row of a built-in collection that has no closer type here. */
export type AnyRow = VirtualFields & Readonly<Record<string, unknown>>;
