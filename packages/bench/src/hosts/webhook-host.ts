/**
 * The ingress of the service over a host of its own process. Arguments: data directory, webhook secret.
 *
 * @module
 */

import { openSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { createEmbeddedHost, createEntityRegistry, webhook } from '@electric-ax/agents-runtime';
import { Secret } from '../../../agents/src/config-secret.ts';
import { appendDelivery } from '../../../agents/src/host/append-delivery.ts';
import { createIngress } from '../../../agents/src/host/ingress.ts';
import { createLog } from '../../../agents/src/host/pino-log.ts';
import { ENDPOINT_KEY, REPO } from '../runtime/webhook-source.ts';
import { listen, serveCommands } from './serve-commands.ts';

const [dataDir = '', secret = ''] = process.argv.slice(2);

const nowhere = openSync(devNull, 'w');

const registry = createEntityRegistry();
registry.define('listener', {
  // As the peer's: called for each delivery, and does nothing.
  async handler(ctx) {
    if (ctx.firstWake) await ctx.observe(webhook(ENDPOINT_KEY, { bucket: 'prs/opened' }));
  },
});
const host = createEmbeddedHost({ registry, dataDir });
await host.start();
await host.client.spawnEntity({ type: 'listener', id: 'main', initialMessage: {} });
await host.settled();

const ingress = createIngress({
  secret: new Secret(secret),
  repo: REPO,
  endpointKey: ENDPOINT_KEY,
  append: (row) => appendDelivery(host, row),
  clock: () => new Date(),
  // A line for each delivery, as by default; the peer writes its lines to the same place.
  log: createLog({ level: 'info', destination: { write: (line) => void writeSync(nowhere, line) } }),
  healthy: () => true,
});

const commands = {
  /** Resolves when every pass has ended. */
  settled: () => host.settled(),
};

/** What this process serves. */
export type WebhookHostCommands = typeof commands;

serveCommands({
  port: await listen((request) => ingress.fetch(request)),
  commands,
  close: () => host.close(),
});
