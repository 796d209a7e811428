/**
 * What goes in and out of the model provider of the tests.
 *
 * @module
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Aspect } from '../../ids.ts';

/** Names of the formats, as pi-ai has them. */
export type ProviderApi = 'anthropic-messages' | 'openai-responses' | 'openai-completions';

/** A request as it came in. */
export interface ProviderRequest {
  readonly api: ProviderApi;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly model: string;
  readonly system: string;
  /** Text of the last user message; blocks joined by line breaks. */
  readonly userText: string;
  /** From the last line `Aspect: …` of that text; `undefined` for questions that are no review. */
  readonly aspect: Aspect | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  /** Resolves when the connection of this request is closed, by whichever side. */
  readonly closed: Promise<void>;
}

/** What the server answers. */
export type ProviderAnswer =
  | {
      readonly kind: 'speak';
      readonly content: { readonly tool: string; readonly args: string } | { readonly text: string };
      /** How the stream ends: as it should, at the limit of its length, by a closed connection, by an error. */
      readonly end: 'whole' | 'length' | 'closed' | 'dropped' | 'overloaded';
    }
  | { readonly kind: 'status'; readonly status: number; readonly message: string }
  | { readonly kind: 'hang' };
