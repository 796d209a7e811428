/**
 * Requests that no client would make.
 *
 * @module
 */

import fc from 'fast-check';
import type { EmbeddedHost } from '../host.ts';
import { createEntityRegistry, type EntityRegistry } from '../registry.ts';

const ENTITY = '/_electric/entities/kid/a';

/** Addresses that mean something, so that bodies are looked at. */
const KNOWN_PATHS = [
  ENTITY,
  `${ENTITY}/send`,
  `${ENTITY}/signal`,
  `${ENTITY}/tags/x`,
  `${ENTITY}/inbox/k`,
  `${ENTITY}/schedules/s`,
  `${ENTITY}/collections/notes`,
  `${ENTITY}/collections/__proto__`,
  `${ENTITY}/fork`,
  '/_electric/entities',
  '/_electric/entity-types',
  '/_electric/wake',
  '/_electric/wake/unregister',
  '/_electric/shared-state/s',
  '/_electric/observations/cron/ensure-stream',
  '/_webhooks/github/o/r',
  '/_cron/e30',
  '/kid/a/main',
];

const segment = fc.oneof(
  fc.constantFrom('_electric', 'entities', 'kid', 'a', 'send', 'main', '%00', '%', '..', '%ff', ''),
  fc.webSegment(),
);
const path = fc.oneof(
  { weight: 1, arbitrary: fc.array(segment, { maxLength: 6 }).map((parts) => `/${parts.join('/')}`) },
  { weight: 3, arbitrary: fc.constantFrom(...KNOWN_PATHS) },
);

const field = fc.constantFrom(
  ...'payload type key args parent tags signal value afterMs from mode position status operation'.split(' '),
  ...'scheduleType expression timezone fireAt targetUrl subscriberUrl sourceUrl condition manifestKey'.split(
    ' ',
  ),
  ...'wake headers name creation_schema debounceMs timeoutMs initialMessage initialMessageType'.split(' '),
);
/** Values that get past the first checks. */
const apt = fc.constantFrom<unknown>(
  ...['a\0b', '\ud800', -1, 1e308, '__proto__', '', 'kid', '/kid/a', '/_cron/e30', 'runFinished', 'insert'],
  ...[
    'SIGTERM',
    'SIGSTOP',
    'queued',
    'cron',
    'future_send',
    '* * * * *',
    '0 0 31 2 *',
    '2026-01-01',
    'Mars/X',
  ],
  { on: 'change', collections: ['x'] },
  { operation: 'upsert' },
  { subscriberUrl: '/kid/a', condition: 'runFinished' },
);
const body = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.dictionary(field, fc.jsonValue()).map((value) => JSON.stringify(value)),
  fc.dictionary(field, fc.oneof(apt, fc.array(apt, { maxLength: 2 }))).map((value) => JSON.stringify(value)),
);
const method = fc.constantFrom('GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS');

/** The types that the addresses are about. */
export function createFuzzRegistry(): EntityRegistry {
  const registry = createEntityRegistry();
  registry.define('kid', { state: { notes: { externallyWritable: true } }, handler() {} });
  return registry;
}

/**
 * Makes malformed requests to a host with the types of {@link createFuzzRegistry}.
 *
 * @throws Error from fast-check, with the smallest request that was answered by a fault of the host
 */
export async function fuzzRoutes(host: EmbeddedHost, requests: number): Promise<void> {
  await host.client.spawnEntity({ type: 'kid', id: 'a' });
  await host.client.ensureSharedStateStream('s');
  await fc.assert(
    fc.asyncProperty(method, path, fc.string(), body, async (verb, where, query, text) => {
      const request = new Request(`http://host${where}?${query}`, {
        method: verb,
        ...(verb !== 'GET' && verb !== 'OPTIONS' && { body: text }),
      });
      const { status } = await host.fetch(request);
      // 501 is a refusal with a reason, not a fault.
      if (status >= 500 && status !== 501) throw new Error(`${verb} ${where} was answered with ${status}`);
    }),
    { numRuns: requests },
  );
}
