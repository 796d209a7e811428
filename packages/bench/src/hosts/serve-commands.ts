/**
 * The child's side: commands over the channel to the parent, and HTTP on a free port of loopback.
 *
 * @module
 */

import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { CallMessage, ChildMessage, Commands } from '../child.ts';

function tell(message: ChildMessage): void {
  process.send?.(message);
}

async function answer(commands: Commands, { id, name, args }: CallMessage): Promise<void> {
  try {
    const command = commands[name] as ((...args: readonly unknown[]) => unknown) | undefined;
    if (command === undefined) throw new Error(`there is no command ${name}`);
    tell({ kind: 'result', id, result: await command(...args) });
  } catch (error) {
    tell({ kind: 'failed', id, reason: error instanceof Error ? String(error.stack) : String(error) });
  }
}

/** What a child process does. */
export interface ChildParts {
  readonly listener: RequestListener;
  readonly commands: Commands;
  /** Called when the parent lets go. */
  close(): Promise<void>;
}

/** Listens, serves, and tells the parent so. */
export async function serveCommands({ listener, commands, close }: ChildParts): Promise<void> {
  const server: Server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.on('message', (message: CallMessage) => void answer(commands, message));
  process.on('disconnect', () => {
    server.close();
    server.closeAllConnections();
    void close().then(() => process.exit());
  });
  tell({ kind: 'listening', port: (server.address() as AddressInfo).port });
}

/** Answers requests by fetch. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/**
 * A listener around `fetch`: the one that the service has. This package gets it through the runtime, which
 * declares it.
 */
export async function listenerOf(fetch: FetchHandler): Promise<RequestListener> {
  const fromRuntime = createRequire(fileURLToPath(import.meta.resolve('@electric-ax/agents-runtime')));
  const adapter = (await import(fromRuntime.resolve('@hono/node-server'))) as {
    getRequestListener(fetch: FetchHandler): RequestListener;
  };
  return adapter.getRequestListener(fetch);
}
