/**
 * What an entity can observe, and what it gets in return.
 *
 * @module
 */

import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { EntityStreamDB, ReadableCollection, StateCollectionProxy } from './collections.ts';
import type { VirtualFields } from './rows.ts';
import type { CollectionInsert, CollectionKey, CollectionRow } from './schema.ts';
import type { ChangeEvent, Wake } from './wake.ts';

/** Something with a stream that an entity can read and be woken by. */
export interface ObservationSource {
  readonly sourceType: string;
  readonly sourceRef: string;
  readonly streamUrl: string;
  /** What is written to the manifest about it. */
  readonly config: Readonly<Record<string, unknown>>;
  /** The wake that the source brings along; absent: give one to `observe`. */
  readonly wake?: Wake;
}

/** Observes another entity. */
export interface EntitySource extends ObservationSource {
  readonly sourceType: 'entity';
}

/** Observes one bucket of a webhook endpoint. */
export interface WebhookSource extends ObservationSource {
  readonly sourceType: 'webhook';
}

/** Ticks. */
export interface CronSource extends ObservationSource {
  readonly sourceType: 'cron';
}

/** One collection of a shared-state stream. */
export interface SharedStateCollectionSchema {
  // biome-ignore lint/suspicious/noExplicitAny: a schema is invariant in its types
  readonly schema?: StandardSchemaV1<any, any>;
  readonly type: string;
  readonly primaryKey: string;
}

/** The collections of a shared-state stream by name. */
export type SharedStateSchemaMap = Readonly<Record<string, SharedStateCollectionSchema>>;

/** Observes a stream that several entities write. */
export interface DbSource<TSchema extends SharedStateSchemaMap = SharedStateSchemaMap>
  extends ObservationSource {
  readonly sourceType: 'db';
  readonly schema: TSchema;
}

/** A delivery in a bucket. */
export interface WebhookEventRow extends VirtualFields {
  /** Whoever writes the rows may add fields. */
  readonly [field: string]: unknown;
  readonly key: string;
  readonly body: unknown;
  readonly event_type: string | null;
  readonly endpoint_key: string;
  readonly bucket: string | null;
  readonly stream_path: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** ISO 8601. */
  readonly received_at: string;
  readonly request: {
    readonly method: string;
    readonly content_type: string;
    readonly size_bytes: number;
    readonly query: Readonly<Record<string, string | readonly string[]>>;
    readonly cf_ray?: string | null;
    readonly ip?: string | null;
  };
}

/** What observing any source gives. */
export interface ObservationHandle {
  readonly sourceType: string;
  readonly sourceRef: string;
  /** All events of the source's stream; read when asked for. */
  readonly events: ChangeEvent[];
  readonly db?: { readonly collections: object };
}

/** What observing a webhook bucket gives. */
export interface WebhookHandle extends ObservationHandle {
  readonly sourceType: 'webhook';
  readonly db: { readonly collections: { readonly events: ReadableCollection<WebhookEventRow> } };
}

/** What spawning or observing an entity gives. */
export interface EntityHandle extends ObservationHandle {
  readonly sourceType: 'entity';
  readonly entityUrl: string;
  readonly type?: string;
  readonly db: EntityStreamDB;
  /** Sends an untyped message. */
  send(message: unknown): Promise<SendResult>;
  /** Always `undefined`: nothing writes child status rows. */
  status(): undefined;
}

/** What `ctx.send` resolves with. */
export interface SendResult {
  readonly sent: true;
  readonly targetUrl: string;
}

/** What observing a shared-state stream gives. */
export type SharedStateHandle<TSchema extends SharedStateSchemaMap = SharedStateSchemaMap> = {
  readonly id: string;
} & {
  readonly [K in keyof TSchema]: StateCollectionProxy<
    CollectionRow<TSchema[K]>,
    CollectionInsert<TSchema[K]>,
    CollectionKey<TSchema[K]>
  >;
};
