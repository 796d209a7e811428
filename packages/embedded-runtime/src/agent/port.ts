/**
 * What the agent loop needs of the wake that it runs in. The host implements it over its store; the loop
 * knows nothing else of entities, streams or SQLite.
 *
 * @module
 */

/** Built-in event types that an agent run appends. */
export type AgentEventType =
  | 'run'
  | 'step'
  | 'text'
  | 'text_delta'
  | 'reasoning'
  | 'reasoning_delta'
  | 'tool_call'
  | 'error';

/** Prefixes of the keys that an agent run gives its rows: `run-0`, `step-0`, `msg-0` (texts), `tc-0` (tool calls). */
export type KeyPrefix = 'run' | 'step' | 'msg' | 'tc' | 'reasoning' | 'agent-error';

/**
 * A row of the entity's stream as it now stands. `value` is the whole row; whether it repeats the key does not
 * matter here.
 */
export interface TimelineRow {
  readonly type: string;
  readonly key: string;
  /** Where on the stream the row first appeared; grows with it. */
  readonly at: number;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The wake, seen from the agent loop. */
export interface AgentBridge {
  /** Aborted when the wake must end: SIGINT, SIGKILL, shut-down. */
  readonly signal: AbortSignal;
  /** What woke the entity, as text for a model. Never empty. */
  readonly triggerText: string;
  /**
   * Next number for keys with this prefix in this entity, never given twice. `run` shares its counter with
   * `recordRun` and `replyText`, so that their `run-N` do not collide.
   */
  nextIndex(prefix: KeyPrefix): number;
  /**
   * Stages a row of a built-in collection as a change event. `value` is the whole row after the change,
   * without its key, on update too.
   */
  emit(
    type: AgentEventType,
    key: string,
    operation: 'insert' | 'update',
    value: Readonly<Record<string, unknown>>,
  ): void;
  /** Makes everything that was staged so far durable: the entity's state and what `emit` was given. */
  flush(): Promise<void>;
  /**
   * The rows of `inbox`, `wake`, `signal`, `run`, `text_delta`, `tool_call`, `context_inserted` and
   * `context_removed`, in the order in which each first appeared. Rows of other types are ignored.
   */
  timeline(): Promise<readonly TimelineRow[]>;
}
