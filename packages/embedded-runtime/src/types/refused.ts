/**
 * Members of the published runtime that the embedded one refuses, typed so that handlers which use them on a
 * server still compile.
 *
 * @module
 */

import type { JsonValue } from './schema.ts';
import type { EntityHandle } from './sources.ts';
import type { Wake } from './wake.ts';

/** What an attachment belongs to. */
export interface AttachmentSubject {
  readonly type: 'inbox' | 'run' | 'text' | 'tool_call' | 'context';
  readonly key: string;
}

/** An attachment to store. */
export interface AttachmentCreateInput {
  readonly bytes: Uint8Array | ArrayBuffer | Blob;
  readonly mimeType?: string;
  readonly filename?: string;
  readonly subject: AttachmentSubject;
  readonly role?: 'input' | 'output';
  readonly meta?: Readonly<Record<string, JsonValue>>;
}

/** Files of an entity. Every call is refused. */
export interface AttachmentsApi {
  list(filter?: { readonly subject?: AttachmentSubject; readonly role?: 'input' | 'output' }): unknown[];
  get(id: string): unknown;
  read(id: string): Promise<Uint8Array>;
  create(input: AttachmentCreateInput): Promise<unknown>;
}

/** The sandbox of a wake. Every call is refused. */
// biome-ignore lint/suspicious/noExplicitAny: stands for an interface that is not here
export type Sandbox = Readonly<Record<string, (...args: any[]) => any>>;

/** Commands for people. Every call is refused. */
// biome-ignore lint/suspicious/noExplicitAny: stands for an interface that is not here
export type SlashCommandHelpers = Readonly<Record<string, (...args: any[]) => any>>;

/** A goal to set. */
export interface GoalInput {
  readonly objective: string;
  readonly status?: string;
  readonly tokenBudget?: number | null;
}

/** A goal. */
export interface GoalEntry {
  readonly id: string;
  readonly objective: string;
  readonly status: string;
  readonly tokenBudget: number | null;
  readonly tokensUsed: number;
  readonly summary?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Options of a fork. */
export interface ForkOptions {
  readonly initialMessage?: unknown;
  readonly wake?: Wake;
  readonly tags?: Readonly<Record<string, string>>;
  readonly observe?: boolean;
}

/** The members. Each throws, or rejects with, `NotSupportedError`. */
export interface RefusedMembers {
  readonly attachments: AttachmentsApi;
  readonly sandbox: Sandbox;
  readonly slashCommands: SlashCommandHelpers;
  readonly fork: (sourceEntityUrl: string, id: string, options?: ForkOptions) => Promise<EntityHandle>;
  readonly forkSelf: (id: string, options?: ForkOptions) => Promise<EntityHandle>;
  readonly setGoal: (input: GoalInput) => GoalEntry;
  readonly clearGoal: () => boolean;
  readonly getGoal: () => GoalEntry | undefined;
  readonly markGoalComplete: (summary?: string) => GoalEntry | undefined;
  readonly updateGoalUsage: (
    tokensUsed: number,
    options?: { readonly status?: string },
  ) => GoalEntry | undefined;
}
