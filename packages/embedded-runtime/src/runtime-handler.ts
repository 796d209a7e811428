/**
 * The published runtime's host for a remote agents-server, which this package does not have.
 *
 * @module
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { NotSupportedError } from './errors.ts';
import type { EntityRegistry } from './registry.ts';

/** Settings of {@link createRuntimeHandler}, as far as agents use them. */
export interface RuntimeHandlerConfig {
  /** Address of the agents-server. */
  readonly baseUrl: string;
  /** Address of this app's webhook, as the agents-server reaches it. */
  readonly serveEndpoint?: string;
  readonly webhookPath?: string;
  readonly registry?: EntityRegistry;
  readonly serverHeaders?: Readonly<Record<string, string>>;
  /** How long a session waits for more input, in milliseconds. Default 20 000. */
  readonly idleTimeout?: number;
  /** In milliseconds. Default 10 000. */
  readonly heartbeatInterval?: number;
  readonly registrationConcurrency?: number;
  readonly onWakeError?: (error: Error) => boolean | undefined;
}

/** What the published runtime returns. */
export interface RuntimeHandler {
  handleRequest(request: Request): Promise<Response | null>;
  onEnter(request: IncomingMessage, response: ServerResponse): Promise<void>;
  registerTypes(): Promise<void>;
  drainWakes(): Promise<void>;
  waitForSettled(): Promise<void>;
  abortWakes(): void;
  debugState(): {
    readonly pendingWakeCount: number;
    readonly pendingWakeLabels: readonly string[];
    readonly wakeErrorCount: number;
    readonly typeNames: readonly string[];
  };
  readonly typeNames: readonly string[];
}

/**
 * Serves agents to a remote agents-server. This package runs them itself, so it cannot.
 *
 * @throws NotSupportedError always, naming what to change
 */
export function createRuntimeHandler(_config: RuntimeHandlerConfig): RuntimeHandler {
  throw new NotSupportedError(
    'createRuntimeHandler needs the published runtime: remove the line that overrides @electric-ax/agents-runtime with link:packages/embedded-runtime from pnpm-workspace.yaml and install again, or use createEmbeddedHost',
  );
}
