/**
 * The suite on the embedded host: in memory, with a clock that the test moves.
 *
 * @module
 */

import { createEmbeddedHost, createManualClock, type EntityRegistry } from '../../index.ts';
import { answerOf, type ConformanceHost, requestOf } from './conformance-host.ts';

/** Starts a host of these types. */
export async function startEmbedded(registry: EntityRegistry): Promise<ConformanceHost> {
  const clock = createManualClock();
  const host = createEmbeddedHost({ registry, dataDir: ':memory:', clock });
  await host.start();
  return {
    client: host.client,
    call: async (method, path, body) =>
      answerOf(await host.fetch(requestOf(method, `http://embedded.invalid${path}`, body))),
    async deliver(event) {
      await host.appendWebhookEvent(event);
    },
    settled: () => host.settled(),
    async pass(ms) {
      clock.advance(ms);
      await host.settled();
    },
    close: () => host.close(),
  };
}
