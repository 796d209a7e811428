/**
 * The first argument of a handler.
 *
 * @module
 */

import type { AgentConfig, AgentHandle, AgentTool } from '../agent/types.ts';
import type {
  EntityActionMap,
  EntityStreamDBWithActions,
  HandlerActions,
  StateProxy,
} from './collections.ts';
import type { TimelineProjectionOpts, TimestampedMessage, UseContextConfig } from './llm.ts';
import type { RefusedMembers } from './refused.ts';
import type { ContextEntryAttrs } from './rows.ts';
import type {
  CronSource,
  DbSource,
  EntityHandle,
  EntitySource,
  ObservationHandle,
  ObservationSource,
  SendResult,
  SharedStateHandle,
  SharedStateSchemaMap,
  WebhookHandle,
  WebhookSource,
} from './sources.ts';
import type { ChangeEvent, HandlerWake, Wake } from './wake.ts';

/** A text that stays in the entity's timeline until it is removed. */
export interface ContextEntryInput {
  readonly name: string;
  readonly attrs?: ContextEntryAttrs;
  readonly content: string;
}

/** A context entry as it is read back. */
export interface ContextEntry extends ContextEntryInput {
  readonly id: string;
  readonly attrs: ContextEntryAttrs;
  /** Milliseconds since the epoch. */
  readonly insertedAt: number;
}

/** Options of `ctx.spawn`. */
export interface SpawnOptions {
  /** The child's first message; without one its handler does not run. */
  readonly initialMessage?: unknown;
  readonly initialMessageType?: string;
  /** When the child wakes its parent. Default: never. */
  readonly wake?: Wake;
  readonly tags?: Readonly<Record<string, string>>;
  /** Accepted; there is no stream to open. */
  readonly observe?: boolean;
}

/** Options of `ctx.send`. */
export interface SendOptions {
  /** Message type; the target's `inboxSchemas` check the payload only when it is given. */
  readonly type?: string;
  /** Deliver after this many milliseconds. Default 0. */
  readonly afterMs?: number;
}

/** Brackets work that is not a model run, so that observers of `runFinished` are woken when it ends. */
export interface RunHandle {
  readonly key: string;
  /** Appends text that observers get as `finished_child.response`. */
  attachResponse(text: string): void;
  end(options: { readonly status: 'completed' | 'failed'; readonly finishReason?: string }): void;
}

/** Told of a signal that reached the entity while its pass ran. */
export type SignalHandler = (signal: {
  readonly signal: string;
  readonly reason?: string;
  readonly payload?: unknown;
}) => void | Promise<void>;

/** Who created the entity. */
export interface Principal {
  readonly url: string;
  readonly key?: string;
  readonly kind?: string;
  readonly id?: string;
}

/** Observing, by kind of source. */
export interface Observe {
  (source: EntitySource, options?: { readonly wake?: Wake }): Promise<EntityHandle>;
  (source: WebhookSource, options?: { readonly wake?: Wake }): Promise<WebhookHandle>;
  <TSchema extends SharedStateSchemaMap>(
    source: DbSource<TSchema>,
    options?: { readonly wake?: Wake },
  ): Promise<SharedStateHandle<TSchema> & ObservationHandle>;
  (source: CronSource, options?: { readonly wake?: Wake }): Promise<ObservationHandle>;
  (source: ObservationSource, options?: { readonly wake?: Wake }): Promise<ObservationHandle>;
}

/**
 * What a handler may know and do in one pass. After the pass has ended every member that writes throws
 * `PassOverError`.
 */
export interface HandlerContext<
  TState extends object = StateProxy,
  TArgs extends object = Readonly<Record<string, unknown>>,
  TActions extends object = HandlerActions<EntityActionMap>,
  TDb extends object = EntityStreamDBWithActions,
> extends RefusedMembers {
  /** Whether the entity's manifest was empty when the pass began: true on each wake of an entity that never spawns or observes. */
  readonly firstWake: boolean;
  readonly args: TArgs;
  readonly entityUrl: string;
  readonly entityType: string;
  /** As they were when the pass began. */
  readonly tags: Readonly<Record<string, string>>;
  readonly principal?: Principal;
  readonly wake: HandlerWake;
  /** Messages and wake rows of this pass, in stream order. */
  readonly events: ChangeEvent[];
  readonly db: TDb;
  readonly state: TState;
  readonly actions: TActions;
  /** Aborted by SIGINT, SIGKILL, the deadline of the wake and the end of the host. */
  readonly signal: AbortSignal;
  readonly electricTools: AgentTool[];
  /**
   * Creates an entity. Resolves when it is on disk.
   *
   * @throws Error when the entity's manifest already has this child
   * @throws RequestFailedError with status 404 (unknown type), 400 (bad id) or 422 (bad arguments)
   */
  readonly spawn: (
    type: string,
    id: string,
    args?: Readonly<Record<string, unknown>>,
    options?: SpawnOptions,
  ) => Promise<EntityHandle>;
  /**
   * Delivers a message now. Resolves when it is on disk.
   *
   * @throws RequestFailedError with status 404 (no such entity), 409 (it has ended) or 422 (bad payload)
   */
  readonly send: (entityUrl: string, payload: unknown, options?: SendOptions) => Promise<SendResult>;
  readonly observe: Observe;
  /** Ends the observation of a source, and its wakes. Does nothing when there is none. */
  readonly unobserve: (sourceRef: string) => Promise<void>;
  /**
   * Creates a stream that several entities write. Its rows are there for others once they are committed.
   *
   * @throws SharedDbExistsError when the entity's manifest already has this id
   */
  readonly mkdb: <TSchema extends SharedStateSchemaMap>(
    id: string,
    schema: TSchema,
  ) => SharedStateHandle<TSchema>;
  readonly useAgent: (config: AgentConfig) => AgentHandle;
  /** The agent of the last `useAgent`. */
  readonly agent: AgentHandle;
  /**
   * Lets models read these sources instead of the whole timeline, from the next run on. Adds the tools
   * `load_timeline_range`, `load_source_range` and `load_context_history`.
   *
   * @throws ContextConfigError when the settings contradict each other
   */
  readonly useContext: (config: UseContextConfig) => void;
  /** The entity's timeline as messages, for a source of `useContext`. */
  readonly timelineMessages: (options?: TimelineProjectionOpts) => TimestampedMessage[];
  readonly insertContext: (id: string, entry: ContextEntryInput) => void;
  readonly removeContext: (id: string) => void;
  readonly getContext: (id: string) => ContextEntry | undefined;
  readonly listContext: () => ContextEntry[];
  readonly recordRun: () => RunHandle;
  /** Writes a finished run with this text. An empty text is ignored. */
  readonly replyText: (text: string) => void;
  /** Told of SIGHUP, SIGTERM and SIGUSR that come while the pass runs. */
  readonly onSignal: (handler: SignalHandler) => void;
  /** Accepted for compatibility: a pass here always ends when its handler does. */
  readonly sleep: () => void;
  /** Seen in `tags` from the next pass on. */
  readonly setTag: (key: string, value: string) => Promise<void>;
  readonly deleteTag: (key: string) => Promise<void>;
}
