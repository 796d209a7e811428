/**
 * Collections as handlers see them. They are lazy: nothing is loaded before it is read.
 *
 * @module
 */

import type {
  AnyRow,
  ErrorRow,
  InboxRow,
  ManifestRow,
  RunRow,
  SignalRow,
  StepRow,
  TextDeltaRow,
  ToolCallRow,
  WakeRow,
} from './rows.ts';
import type { CollectionInsert, CollectionKey, CollectionRow } from './schema.ts';

/** A write that this process has seen; it is on disk when the promise resolves. */
export interface EntityTransaction {
  readonly isPersisted: { readonly promise: Promise<unknown> };
}

/** Rows of one collection. Rows that are returned are copies. */
export interface ReadableCollection<TRow extends object = AnyRow, TKey extends string = string> {
  get(key: TKey): TRow | undefined;
  has(key: TKey): boolean;
  /** All rows in stream order. */
  readonly toArray: TRow[];
  readonly size: number;
}

/**
 * Rows of one state collection of the entity itself. Writes are seen by the next read.
 *
 * @throws SchemaValidationError from `insert` and `update` when the row breaks its schema
 * @throws DuplicateKeyError from `insert` when the key exists
 */
export interface StateCollectionProxy<
  TRow extends object = Record<string, unknown>,
  TInsert extends object = TRow,
  TKey extends string = string,
> {
  insert(row: TInsert): EntityTransaction;
  /** Changes a draft of the row; a missing key starts from `{[primaryKey]: key}`. */
  update(key: TKey, updater: (draft: TRow) => void): EntityTransaction;
  /** Does nothing when the key is missing. */
  delete(key: TKey): EntityTransaction;
  get(key: TKey): TRow | undefined;
  /** All rows in stream order. */
  readonly toArray: TRow[];
}

/** State collections by name, loosely typed. */
// biome-ignore lint/suspicious/noExplicitAny: any typed proxy must be assignable
export type StateProxy = Readonly<Record<string, StateCollectionProxy<any, any, any>>>;

/** `ctx.state` of a type with these collections. */
export type StateProxyFrom<TState> = string extends keyof TState
  ? StateProxy
  : TState extends object
    ? {
        readonly [K in keyof TState & string]: StateCollectionProxy<
          CollectionRow<TState[K]>,
          CollectionInsert<TState[K]>,
          CollectionKey<TState[K]>
        >;
      }
    : StateProxy;

/** The collections that every entity has. */
export interface BuiltInCollections {
  readonly runs: ReadableCollection<RunRow>;
  readonly steps: ReadableCollection<StepRow>;
  readonly texts: ReadableCollection;
  readonly textDeltas: ReadableCollection<TextDeltaRow>;
  readonly toolCalls: ReadableCollection<ToolCallRow>;
  readonly reasoning: ReadableCollection;
  readonly reasoningDeltas: ReadableCollection;
  readonly errors: ReadableCollection<ErrorRow>;
  readonly inbox: ReadableCollection<InboxRow>;
  readonly wakes: ReadableCollection<WakeRow>;
  readonly entityCreated: ReadableCollection;
  readonly entityStopped: ReadableCollection;
  readonly signals: ReadableCollection<SignalRow>;
  readonly childStatus: ReadableCollection;
  readonly tags: ReadableCollection;
  readonly slashCommands: ReadableCollection;
  readonly manifests: ReadableCollection<ManifestRow>;
  readonly contextInserted: ReadableCollection;
  readonly contextRemoved: ReadableCollection;
  readonly replayWatermarks: ReadableCollection;
}

type CustomCollections<TState> = string extends keyof TState ? unknown : EntityCollectionsFromState<TState>;

/** The state collections of a type, as its actions get them. */
export type EntityCollectionsFromState<TState> = string extends keyof TState
  ? Readonly<Record<string, ReadableCollection<Record<string, unknown>> & StateCollectionProxy>>
  : {
      readonly [K in keyof TState & string]: ReadableCollection<
        CollectionRow<TState[K]>,
        CollectionKey<TState[K]>
      > &
        StateCollectionProxy<CollectionRow<TState[K]>, CollectionInsert<TState[K]>, CollectionKey<TState[K]>>;
    };

/** Own actions of a type: functions of whatever arguments. */
// biome-ignore lint/suspicious/noExplicitAny: actions have arguments of their own
export type EntityActionMap = Readonly<Record<string, (...args: any[]) => unknown>>;

/** `ctx.actions`. */
export type HandlerActions<TActions extends EntityActionMap> = {
  readonly [K in keyof TActions]: (...args: Parameters<TActions[K]>) => EntityTransaction;
};

type UnionToIntersection<T> = (T extends unknown ? (value: T) => void : never) extends (
  value: infer R,
) => void
  ? R
  : never;

type GeneratedActions<TState> = string extends keyof TState
  ? unknown
  : UnionToIntersection<
      {
        [K in keyof TState & string]: {
          readonly [P in `${K}_insert`]: (args: { row: CollectionInsert<TState[K]> }) => EntityTransaction;
        } & {
          readonly [P in `${K}_update`]: (args: {
            key: CollectionKey<TState[K]>;
            updater: (draft: CollectionRow<TState[K]>) => void;
          }) => EntityTransaction;
        } & {
          readonly [P in `${K}_delete`]: (args: { key: CollectionKey<TState[K]> }) => EntityTransaction;
        };
      }[keyof TState & string]
    >;

/** `ctx.db`: all collections of the entity, and its actions. */
export type EntityStreamDBWithActions<
  TState = unknown,
  TActions extends EntityActionMap = EntityActionMap,
> = {
  readonly collections: BuiltInCollections & CustomCollections<TState>;
  readonly actions: GeneratedActions<TState> & HandlerActions<TActions>;
};

/** Another entity's collections; those that its type declares are there under their names. */
export interface EntityStreamDB {
  readonly collections: BuiltInCollections & { readonly [name: string]: ReadableCollection };
}
