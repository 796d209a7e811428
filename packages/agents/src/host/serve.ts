/**
 * The service: agents, ingress and sweep in one process, until a signal ends it.
 *
 * @module
 */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve as serveHttp } from '@hono/node-server';
import type { ServiceConfig } from '../config.ts';
import { type PrRef, sameRepo } from '../ids.ts';
import type { Log } from '../log.ts';
import type { ModelChoice } from '../model/choice.ts';
import { type ShepherdStatus, statusOf } from '../review/shepherd-status.ts';
import { type EmbeddedFactory, type EmbeddedFactoryOptions, startEmbeddedFactory } from './embedded-host.ts';
import { createIngress } from './ingress.ts';
import { newToken, writeServiceFile } from './service-file.ts';
import { knownShepherds, shepherdState } from './shepherds.ts';
import { createStatusRoutes, type StatusSources } from './status-routes.ts';
import { startSweep } from './sweep.ts';

/** A running service. */
export interface Service {
  /** Where it listens, such as `http://127.0.0.1:8787`. */
  readonly url: string;
  readonly factory: EmbeddedFactory;
  /** Stops taking deliveries, lets handlers end, closes the database. */
  readonly close: () => Promise<void>;
}

/** Onlookers of a service, and its clock; all optional. */
export type ServiceHooks = Pick<
  EmbeddedFactoryOptions,
  'onProgress' | 'onModelCall' | 'onGitHubRequest' | 'clock'
>;

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
    analyzers: config.analyzers,
    timing: { settleMs: config.windows.settleMs, roundTimeoutMs: config.windows.roundTimeoutMs },
    dataDir: config.dataDir,
    stateDir: config.stateDir,
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
  const token = newToken();
  ingress.route('/', createStatusRoutes(statusSources(factory, token)));
  const http = await listen(ingress.fetch, config.listen).catch(async (error: unknown) => {
    await factory.close();
    throw error;
  });
  const forget = await writeServiceFile(config.dataDir, { url: http.url, token, pid: process.pid });
  const sweep = startSweep(factory, { everyMs: config.windows.sweepMs, log });
  return {
    url: http.url,
    factory,
    close: async () => {
      serving = false;
      await Promise.all([http.close(), sweep.stop(), forget()]);
      await factory.close();
    },
  };
}

function statusSources(factory: EmbeddedFactory, token: string): StatusSources {
  const { owner, repo } = factory.services.repo;
  const statusOne = (pr: PrRef): ShepherdStatus | undefined => {
    const state = shepherdState(factory, pr);
    return state === undefined ? undefined : statusOf(pr, state);
  };
  return {
    token,
    repository: async () => ({
      repository: `${owner}/${repo}`,
      pullRequests: (await knownShepherds(factory))
        .toSorted((a, b) => a.number - b.number)
        .flatMap((pr) => statusOne(pr) ?? []),
    }),
    pullRequest: (pr) => Promise.resolve(sameRepo(pr, factory.services.repo) ? statusOne(pr) : undefined),
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
