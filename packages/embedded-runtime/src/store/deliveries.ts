/**
 * Webhook deliveries. A delivery is stored once, however many buckets it is in.
 *
 * @module
 */

import type { SqliteDb } from '../db.ts';
import type { WebhookEventRow } from '../types/sources.ts';

/** A delivery as the ingress hands it over. */
export interface Delivery {
  readonly endpointKey: string;
  /** Identifies the delivery at its endpoint. */
  readonly key: string;
  readonly eventType: string | null;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** ISO 8601. */
  readonly receivedAt: string;
  readonly request: WebhookEventRow['request'];
}

interface DeliveryRecord {
  readonly endpoint_key: string;
  readonly key: string;
  readonly event_type: string | null;
  readonly headers: string;
  readonly body: string;
  readonly request: string;
  readonly received_at: string;
  readonly stream_path: string;
}

/** Deliveries by id. */
export interface DeliveryStore {
  /** @returns its id, or `undefined` if this endpoint already has a delivery with this key */
  add(delivery: Delivery): number | undefined;
  /** The row of the delivery in one bucket. */
  read(deliveryId: number, streamId: number): WebhookEventRow;
}

/** @param db - a migrated database */
export function createDeliveryStore(db: SqliteDb): DeliveryStore {
  const insert = db.prepare<{ id: number }>(
    `INSERT INTO deliveries (endpoint_key, key, event_type, headers, body, request, received_at)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (endpoint_key, key) DO NOTHING RETURNING id`,
  );
  const select = db.prepare<DeliveryRecord>(
    `SELECT d.endpoint_key, d.key, d.event_type, d.headers, d.body, d.request, d.received_at, s.path AS stream_path
     FROM deliveries d JOIN streams s ON s.id = ? WHERE d.id = ?`,
  );
  return {
    add(delivery) {
      const { endpointKey, key, eventType, headers, body, request, receivedAt } = delivery;
      const texts = [headers, body ?? null, request].map((part) => JSON.stringify(part)) as [
        string,
        string,
        string,
      ];
      return insert.get(endpointKey, key, eventType, texts[0], texts[1], texts[2], receivedAt)?.id;
    },
    read(deliveryId, streamId) {
      const record = select.get(streamId, deliveryId);
      if (record === undefined) throw new Error(`delivery ${deliveryId} is not there`);
      const bucket = record.stream_path.split('/').slice(3).join('/');
      return {
        key: record.key,
        body: JSON.parse(record.body),
        event_type: record.event_type,
        endpoint_key: record.endpoint_key,
        bucket: bucket === '' ? null : bucket,
        stream_path: record.stream_path,
        headers: JSON.parse(record.headers),
        received_at: record.received_at,
        request: JSON.parse(record.request),
      };
    },
  };
}
