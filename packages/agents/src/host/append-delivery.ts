/**
 * From the ingress's row to the embedded host's: the same fields under other names.
 *
 * @module
 */
import type { WebhookRow } from './ingress.ts';

/** The part of the embedded host that takes deliveries. */
interface DeliveryHost {
  appendWebhookEvent(
    event: Pick<WebhookRow, 'key' | 'buckets' | 'headers' | 'body' | 'request'> & {
      readonly endpointKey: string;
      readonly eventType: string;
      readonly receivedAt: string;
    },
  ): Promise<{ readonly appended: boolean }>;
}

/** Stores a delivery; durable when it resolves (S2). */
export function appendDelivery(host: DeliveryHost, row: WebhookRow): Promise<{ readonly appended: boolean }> {
  const { key, buckets, headers, body, request } = row;
  return host.appendWebhookEvent({
    endpointKey: row.endpoint_key,
    key,
    buckets,
    eventType: row.event_type,
    headers,
    body,
    receivedAt: row.received_at,
    request,
  });
}
