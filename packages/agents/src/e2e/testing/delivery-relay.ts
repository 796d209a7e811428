/**
 * Hands each delivery to several services, as GitHub does where an App's address leads to more than one.
 *
 * @module
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A running relay. */
export interface DeliveryRelay {
  /** Where deliveries go. */
  readonly url: string;
  /** Adds a service, which gets what comes from now on. @returns its line */
  readonly connect: (url: string) => RelayLine;
  readonly close: () => Promise<void>;
}

/** The way of deliveries to one service. */
export interface RelayLine {
  /** Keeps deliveries back. */
  readonly hold: () => void;
  /** Lets them through, first those that were kept back; resolves when these have arrived. */
  readonly release: () => Promise<void>;
}

/** Starts one on a free port of 127.0.0.1. */
export async function startDeliveryRelay(): Promise<DeliveryRelay> {
  const lines: ((headers: Headers, body: Buffer) => Promise<unknown>)[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const { host: _host, connection: _connection, 'content-length': _length, ...rest } = incoming.headers;
    const headers = new Headers(
      Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const body = await buffer(incoming);
    const sent = await Promise.allSettled(lines.map((send) => send(headers, body)));
    outgoing.writeHead(sent.every(({ status }) => status === 'fulfilled') ? 202 : 502).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connect: (url) => {
      let isHeld = false;
      const kept: (() => Promise<unknown>)[] = [];
      lines.push(async (headers, body) => {
        const send = () => fetch(url, { method: 'POST', headers, body });
        if (isHeld) kept.push(send);
        else await send();
      });
      return {
        hold: () => {
          isHeld = true;
        },
        release: async () => {
          isHeld = false;
          for (const send of kept.splice(0)) await send();
        },
      };
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
