/**
 * How schemas become TypeScript types. A schema is anything that speaks Standard Schema (zod 4 does) or,
 * where the contract allows it, a plain JSON-schema object.
 *
 * @module
 */

import type { StandardSchemaV1, StandardTypedV1 } from '@standard-schema/spec';

/** A value that JSON can carry. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** A plain JSON-schema object. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A schema for spawn arguments or messages. */
export type EntitySchema = StandardTypedV1<unknown, unknown> | JsonSchema;

type ObjectOrRecord<T> = T extends object ? T : Record<string, unknown>;

/** What goes into a schema. */
export type SchemaInput<TSchema> = TSchema extends StandardTypedV1
  ? StandardTypedV1.InferInput<TSchema>
  : unknown;

/** What comes out of a schema. */
export type SchemaOutput<TSchema> = TSchema extends StandardTypedV1
  ? StandardTypedV1.InferOutput<TSchema>
  : unknown;

/** One state collection of an entity type. */
export interface CollectionDefinition<
  // biome-ignore lint/suspicious/noExplicitAny: a schema is invariant in its types; `unknown` would refuse every real one
  TSchema extends StandardSchemaV1<any, any> | undefined = StandardSchemaV1<any, any> | undefined,
> {
  /** Checks each row when it is written; absent: any object passes. */
  readonly schema?: TSchema;
  /** Event type on the stream, which wake filters name. Default: `state:<collection name>`. */
  readonly type?: string;
  /** The string field that identifies a row. Default: `key`. */
  readonly primaryKey?: string;
  /** Whether the HTTP collections route may write rows. Default: false. */
  readonly externallyWritable?: boolean;
  /** Label of a capability, for example `comments/v1`. */
  readonly contract?: string;
  /** What external writers may do. Default: `['insert']`. */
  readonly operations?: readonly ('insert' | 'update' | 'delete')[];
}

/** The custom collections of an entity type by name. */
export type EntityStateDefinition = Readonly<Record<string, CollectionDefinition>>;

type SchemaOf<TCollection> = TCollection extends { readonly schema?: infer TSchema }
  ? NonNullable<TSchema>
  : never;

/** A row as it is read. */
export type CollectionRow<TCollection> = [SchemaOf<TCollection>] extends [never]
  ? Record<string, unknown>
  : ObjectOrRecord<SchemaOutput<SchemaOf<TCollection>>>;

/** A row as it is inserted. */
export type CollectionInsert<TCollection> = [SchemaOf<TCollection>] extends [never]
  ? Record<string, unknown>
  : ObjectOrRecord<SchemaInput<SchemaOf<TCollection>>>;

type StringField<TRow, TField> = TField extends keyof TRow
  ? Extract<TRow[TField], string> extends never
    ? string
    : Extract<TRow[TField], string>
  : string;

/** The type of a collection's primary key. */
export type CollectionKey<TCollection> = TCollection extends {
  readonly primaryKey: infer TKey extends string;
}
  ? StringField<CollectionRow<TCollection>, TKey>
  : StringField<CollectionRow<TCollection>, 'key'>;

/** `ctx.args` of a type with this creation schema: what was sent, without defaults. */
export type EntityArgs<TCreationSchema> = TCreationSchema extends StandardTypedV1
  ? Readonly<ObjectOrRecord<SchemaInput<TCreationSchema>>>
  : Readonly<Record<string, unknown>>;
