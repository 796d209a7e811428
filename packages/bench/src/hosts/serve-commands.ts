/**
 * The child's side: commands over the channel to the parent, and HTTP on a free port of loopback.
 *
 * @module
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
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
  /** Where it listens. */
  readonly port: number;
  readonly commands: Commands;
  /** Called when the parent lets go; the process ends after it. */
  close(): Promise<void>;
}

/** Serves commands, and tells the parent so. */
export function serveCommands({ port, commands, close }: ChildParts): void {
  process.on('message', (message: CallMessage) => void answer(commands, message));
  process.on('disconnect', () => void close().then(() => process.exit()));
  tell({ kind: 'listening', port });
}

/** Answers requests by fetch. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/**
 * Serves `fetch` on a free port, with the server that the service has.
 *
 * @returns the port
 */
export async function listen(fetch: FetchHandler): Promise<number> {
  const server = createServer(getRequestListener(fetch));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
