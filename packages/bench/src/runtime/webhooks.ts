/**
 * Deliveries into the ingress and into probot, in turn.
 *
 * @module
 */

import { randomBytes } from 'node:crypto';
import { startChild } from '../child.ts';
import type { WebhookHostCommands } from '../hosts/webhook-host.ts';
import { createHttpLoad, type HttpLoad, inParallel, type PostRequest } from '../http-load.ts';
import { monotonicMs } from '../monotonic.ts';
import { quantile } from '../statistics.ts';
import { createDeliveries } from './deliveries.ts';
import type { Measurement } from './measurement.ts';

const DELIVERIES = 3_000;
const CLIENTS = 32;

interface Accepted {
  readonly perSecond: number;
  readonly p99Ms: number;
}

async function deliver(http: HttpLoad, next: () => PostRequest): Promise<Accepted> {
  const startedAtMs = monotonicMs();
  const elapsedMs = await inParallel(DELIVERIES, CLIENTS, () => http.send(next()));
  const perSecond = (DELIVERIES * 1_000) / (monotonicMs() - startedAtMs);
  return { perSecond, p99Ms: quantile(elapsedMs, 0.99) };
}

/** What the ingress accepts. */
export const WEBHOOKS: Measurement = {
  keys: ['webhook_accept_per_s', 'webhook_accept_ms_p99', 'webhook_accept_vs_probot'],
  async open(bench) {
    const secret = randomBytes(24).toString('hex');
    const dataDir = await bench.createDir();
    const host = await startChild<WebhookHostCommands>('webhook-host.ts', [dataDir, secret]);
    const peer = await startChild('probot-host.ts', [secret]);
    const next = await createDeliveries(secret);
    const toHost = createHttpLoad(host.port, CLIENTS);
    const toPeer = createHttpLoad(peer.port, CLIENTS);
    return {
      async run() {
        const ours = await deliver(toHost, next);
        await host.call('settled');
        const theirs = await deliver(toPeer, next);
        return {
          webhook_accept_per_s: ours.perSecond,
          webhook_accept_ms_p99: ours.p99Ms,
          webhook_accept_vs_probot: ours.perSecond / theirs.perSecond,
        };
      },
      async close() {
        await Promise.all([toHost.close(), toPeer.close()]);
        await Promise.all([host.stop(), peer.stop()]);
        await bench.removeDir(dataDir);
      },
    };
  },
};
