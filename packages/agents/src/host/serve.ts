/**
 * The service: agents, ingress and sweep in one process, until a signal ends it.
 *
 * @module
 */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve as serveHttp } from '@hono/node-server';
import type { ServiceConfig } from '../config.ts';
import type { Log } from '../log.ts';
import type { ModelChoice } from '../model/choice.ts';
import { type EmbeddedFactory, type EmbeddedFactoryOptions, startEmbeddedFactory } from './embedded-host.ts';
import { createIngress } from './ingress.ts';
import { startSweep } from './sweep.ts';

/** A running service. */
export interface Service {
  /** Where it listens, such as `http://127.0.0.1:8787`. */
  readonly url: string;
  readonly factory: EmbeddedFactory;
  /** Stops taking deliveries, lets handlers end, closes the database. */
  readonly close: () => Promise<void>;
}

/** Onlookers of a service; all optional. */
export type ServiceHooks = Pick<EmbeddedFactoryOptions, 'onProgress' | 'onModelCall' | 'onGitHubRequest'>;

/**
 * Starts the service.
 * @throws when the port is taken or the data directory cannot be used
 */
export async function startService(
  config: ServiceConfig,
  model: ModelChoice,
  log: Log,
  hooks: ServiceHooks = {},
): Promise<Service> {
  const factory = await startEmbeddedFactory({
    repo: config.repo,
    webUrl: config.github.webUrl,
    endpointKey: config.endpointKey,
    app: {
      id: config.app.id,
      installationId: config.app.installationId,
      privateKey: config.app.privateKey.reveal(),
    },
    apiUrl: config.github.apiUrl,
    model,
    timing: { settleMs: config.windows.settleMs, roundTimeoutMs: config.windows.roundTimeoutMs },
    dataDir: config.dataDir,
    log,
    ...hooks,
  });
  let serving = true;
  const ingress = createIngress({
    secret: config.webhookSecret,
    repo: config.repo,
    endpointKey: config.endpointKey,
    append: factory.append,
    onEvent: factory.onEvent,
    clock: () => new Date(),
    log,
    healthy: () => serving,
  });
  const http = await listen(ingress.fetch, config.listen).catch(async (error: unknown) => {
    await factory.close();
    throw error;
  });
  const sweep = startSweep(factory, { everyMs: config.windows.sweepMs, log });
  return {
    url: http.url,
    factory,
    close: async () => {
      serving = false;
      await Promise.all([http.close(), sweep.stop()]);
      await factory.close();
    },
  };
}

interface Listener {
  readonly url: string;
  readonly close: () => Promise<void>;
}

function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  at: { readonly host: string; readonly port: number },
): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const server = serveHttp({ fetch, hostname: at.host, port: at.port }, (address: AddressInfo) => {
      const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
      resolve({
        url: `http://${host}:${address.port}`,
        close: () => closeServer(server as Server),
      });
    });
    server.on('error', reject);
  });
}

/** A connection that was busy when the server closed is kept alive by Node once it is idle: it is ended here. */
const IDLE_CHECK_MS = 20;

/** What was not sent by then is not waited for: GitHub shows it as failed, and the sweep finds it (S9). */
const CLOSE_DEADLINE_MS = 3_000;

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const endIdle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
    const endAll = setTimeout(() => server.closeAllConnections(), CLOSE_DEADLINE_MS);
    server.close(() => {
      clearInterval(endIdle);
      clearTimeout(endAll);
      resolve();
    });
  });
}
