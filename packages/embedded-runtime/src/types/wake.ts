/**
 * What wakes a handler, and what it is told about it.
 *
 * @module
 */

/** How a row changed. */
export type ChangeOperation = 'insert' | 'update' | 'delete';

/** One event of an append-only stream. */
export interface ChangeEvent {
  readonly type: string;
  readonly key: string;
  readonly value?: unknown;
  readonly headers: {
    readonly operation: ChangeOperation | 'upsert';
    /** Position on the stream; sorts as text. */
    readonly offset?: string;
    readonly txid?: string;
    readonly timestamp?: string;
  };
}

/** When an observed stream wakes its observer. */
export type Wake =
  | 'runFinished'
  | { readonly on: 'runFinished'; readonly includeResponse?: boolean }
  | {
      readonly on: 'change';
      /** Event types (`state:reviews`), not collection names. Default: all. */
      readonly collections?: readonly string[];
      readonly ops?: readonly ChangeOperation[];
      /** Collect changes for this long and wake once. */
      readonly debounceMs?: number;
      /** Wake once with `timeout: true` when nothing matched for this long after the registration. */
      readonly timeoutMs?: number;
    };

/** One change of an observed stream, without the row itself. */
export interface WakeChange {
  /** The event type, not the collection's name. */
  readonly collection: string;
  readonly kind: ChangeOperation;
  readonly key: string;
  readonly value?: unknown;
  readonly oldValue?: unknown;
  readonly from?: string;
  readonly from_principal?: string;
  readonly from_agent?: string;
  readonly payload?: unknown;
  readonly timestamp?: string;
  readonly message_type?: string;
}

/** The run of a child that ended. */
export interface FinishedChild {
  readonly url: string;
  readonly type: string;
  readonly run_status: 'completed' | 'failed';
  /** Concatenated text of that run, unless `includeResponse` was false. */
  readonly response?: string;
  readonly error?: string;
}

/** A wake row without its key: the payload of a single `wake` event. */
export interface WakeMessage {
  readonly timestamp: string;
  readonly source: string;
  readonly timeout: boolean;
  readonly changes: WakeChange[];
  readonly finished_child?: FinishedChild;
}

/** Second argument of a handler. A hint: read the collections for what is really there. */
export interface WakeEvent {
  readonly source: string;
  /** `inbox` or `wake`. */
  readonly type: string;
  /** Always 0. */
  readonly fromOffset: number;
  /** Always 0. */
  readonly toOffset: number;
  /** 0, or the number of wake rows in a `wake_batch`. */
  readonly eventCount: number;
  readonly payload?: unknown;
  /** The message type of an inbox wake; absent if the message had none. */
  readonly summary?: string;
  readonly fullRef?: string;
}

/** `ctx.wake`: the wake event, sorted into two kinds. */
export type HandlerWake =
  | {
      readonly type: 'inbox';
      readonly source: string;
      readonly raw: WakeEvent;
      readonly message: { readonly type: string; readonly payload: unknown; readonly from?: string };
    }
  | {
      readonly type: 'other';
      readonly wakeType: string;
      readonly source: string;
      readonly payload?: unknown;
      readonly raw: WakeEvent;
    };
