/**
 * Deliveries into the ingress and into probot, in turn.
 *
 * @module
 */

import { randomBytes } from 'node:crypto';
import type { WebhookHostCommands } from '../hosts/webhook-host.ts';
import { type HttpLoad, inParallel, type PostRequest } from '../http-load.ts';
import type { Measurement } from '../measurement.ts';
import { monotonicMs } from '../monotonic.ts';
import { quantile } from '../statistics.ts';
import { createDeliveries } from './deliveries.ts';
import type { RuntimeKey } from './figures.ts';

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
export const WEBHOOKS: Measurement<RuntimeKey> = {
  keys: ['webhook_accept_per_s', 'webhook_accept_ms_p99', 'webhook_accept_vs_probot'],
  async open(bench) {
    const secret = randomBytes(24).toString('hex');
    const host = await bench.start<WebhookHostCommands>('webhook-host.ts', [await bench.createDir(), secret]);
    const peer = await bench.start('probot-host.ts', [secret]);
    const next = await createDeliveries(secret);
    const toHost = bench.connect(host, CLIENTS);
    const toPeer = bench.connect(peer, CLIENTS);
    return async () => {
      const ours = await deliver(toHost, next);
      await host.call('settled');
      const theirs = await deliver(toPeer, next);
      return {
        webhook_accept_per_s: ours.perSecond,
        webhook_accept_ms_p99: ours.p99Ms,
        webhook_accept_vs_probot: ours.perSecond / theirs.perSecond,
      };
    };
  },
};
