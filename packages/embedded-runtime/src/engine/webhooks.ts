/**
 * Webhook deliveries on their way into buckets.
 *
 * @module
 */

import { getWebhookStreamPath } from '../sources.ts';
import type { Delivery } from '../store/deliveries.ts';
import type { NewEvent } from '../store/streams.ts';
import type { Core } from './core.ts';
import { notifyObservers } from './observers.ts';

/** A delivery and the buckets that get a row of it. */
export interface WebhookEvent extends Delivery {
  readonly buckets: readonly string[];
}

/**
 * Stores a delivery and wakes the observers of its buckets.
 *
 * @returns false when the endpoint already has a delivery with this key: then nothing changes
 * @throws RequestError 400 when the endpoint key or a bucket is malformed
 */
export function appendDelivery(core: Core, delivery: WebhookEvent): boolean {
  const paths = new Set(delivery.buckets.map((bucket) => getWebhookStreamPath(delivery.endpointKey, bucket)));
  const deliveryId = core.store.deliveries.add(delivery);
  if (deliveryId === undefined) return false;
  for (const path of paths) {
    const event: NewEvent = { type: 'webhook_event', key: delivery.key, operation: 'insert', deliveryId };
    const seq = core.store.streams.append(core.store.streams.ensure(path), event);
    notifyObservers(core, path, event, seq);
  }
  return true;
}
